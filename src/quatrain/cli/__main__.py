"""``python -m quatrain.cli``."""

import sys

from quatrain.cli import main

sys.exit(main())
