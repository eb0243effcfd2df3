(variable_declaration (assignment_statement (variable_list . name: (identifier) @alias)
  (expression_list . value: (function_call name: (identifier) @_require
    arguments: (arguments (string content: (string_content) @module)))))
  (#eq? @_require "require")) @import
(assignment_statement (variable_list . name: (identifier) @alias)
  (expression_list . value: (function_call name: (identifier) @_require
    arguments: (arguments (string content: (string_content) @module))))
  (#eq? @_require "require")) @import
(chunk (function_call name: (identifier) @_require arguments: (arguments (string content: (string_content) @module))
  (#eq? @_require "require")) @import @effect)
