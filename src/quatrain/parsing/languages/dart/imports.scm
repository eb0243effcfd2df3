(library_import (import_specification (configurable_uri (uri (string_literal) @module)) (identifier)? @alias)) @import
(library_export (configurable_uri (uri (string_literal) @module))) @import @reexport
(part_directive (uri (string_literal) @module)) @import @part
