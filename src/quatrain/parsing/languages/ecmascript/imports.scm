(import_statement (import_clause (identifier) @alias) source: (string) @module) @import @default
(import_statement (import_clause (namespace_import (identifier) @alias)) source: (string) @module) @import
(import_statement (import_clause (named_imports (import_specifier name: (_) @name !alias))) source: (string) @module) @import
(import_statement (import_clause (named_imports (import_specifier name: (_) @name alias: (identifier) @alias)))
  source: (string) @module) @import
(import_statement . source: (string) @module) @import @effect

; const x = require("m"), const { a, b: c } = require("m"), require("m")
(variable_declarator name: (identifier) @alias
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @module .))
  (#eq? @_require "require")) @import
(variable_declarator name: (identifier) @alias
  value: (member_expression
    object: (call_expression function: (identifier) @_require arguments: (arguments . (string) @module .))
    property: (property_identifier) @name)
  (#eq? @_require "require")) @import
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (pair_pattern key: (property_identifier) @name value: (identifier) @alias)
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
  ])
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @module .))
  (#eq? @_require "require")) @import
(expression_statement
  (call_expression function: (identifier) @_require arguments: (arguments . (string) @module .))
  (#eq? @_require "require")) @import @effect
(call_expression function: (import) arguments: (arguments . (string) @module)) @import @effect

(export_statement (export_clause (export_specifier name: (_) @name !alias)) source: (string) @module) @import @reexport
(export_statement (export_clause (export_specifier name: (_) @name alias: (_) @alias))
  source: (string) @module) @import @reexport
(export_statement . "*" @star . source: (string) @module) @import @reexport
(export_statement (namespace_export (_) @alias) source: (string) @module) @import @reexport

; export { a, b as c } of names that may have been imported
(export_statement (export_clause (export_specifier name: (identifier) @exported)) !source)
