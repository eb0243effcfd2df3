"""``python -m quatrain``."""

import sys

from quatrain.cli import main

sys.exit(main())
