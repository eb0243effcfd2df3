(call !receiver method: (identifier) @_require arguments: (argument_list . (string (string_content) @module))
  (#any-of? @_require "require" "load")) @import
(call !receiver method: (identifier) @_require arguments: (argument_list . (string (string_content) @module))
  (#eq? @_require "require_relative")) @import @relative
(call !receiver method: (identifier) @_autoload
  arguments: (argument_list . (simple_symbol) @name . (string (string_content) @module))
  (#eq? @_autoload "autoload")) @import
