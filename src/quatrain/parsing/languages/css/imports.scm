(import_statement [
  (string_value) @module
  (call_expression (arguments [(string_value) (plain_value)] @module))
]) @import
