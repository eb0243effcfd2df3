(import_statement name: (dotted_name) @module) @import
(import_statement name: (aliased_import name: (dotted_name) @module alias: (identifier) @alias)) @import

(import_from_statement module_name: (dotted_name) @module name: (dotted_name) @name) @import
(import_from_statement module_name: (dotted_name) @module
  name: (aliased_import name: (dotted_name) @name alias: (identifier) @alias)) @import
(import_from_statement module_name: (dotted_name) @module (wildcard_import) @name) @import

(import_from_statement module_name: (relative_import (import_prefix) @level (dotted_name)? @module)
  name: (dotted_name) @name) @import
(import_from_statement module_name: (relative_import (import_prefix) @level (dotted_name)? @module)
  name: (aliased_import name: (dotted_name) @name alias: (identifier) @alias)) @import
(import_from_statement module_name: (relative_import (import_prefix) @level (dotted_name)? @module)
  (wildcard_import) @name) @import

; __all__ names what a module passes on.
(module (assignment left: (identifier) @_all right: [
  (list (string (string_content) @exported))
  (tuple (string (string_content) @exported))
]) (#eq? @_all "__all__"))
