; Shared by JavaScript, TypeScript and TSX.
(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function

((method_definition name: (property_identifier) @name) @definition.constructor (#eq? @name "constructor"))
(method_definition name: [(property_identifier) (private_property_identifier) (string) (number)] @name) @definition.method

; A function bound to a name is that function's name.
(variable_declarator name: (identifier) @name value: [
  (arrow_function) @function
  (function_expression) @function
  (generator_function) @function
  (parenthesized_expression [(arrow_function) (function_expression)] @function)
]) @definition.function
(pair key: [(property_identifier) (string)] @name
  value: [(arrow_function) (function_expression) (generator_function)] @function) @definition.method
; exports.f = function () {}, module.exports.f = ..., Type.prototype.f = ..., object.f = ...
(assignment_expression left: (member_expression object: (_) @owner
    property: [(property_identifier) (private_property_identifier)] @name)
  right: [
    (arrow_function) @function
    (function_expression) @function
    (generator_function) @function
    (parenthesized_expression [(arrow_function) (function_expression)] @function)
  ]) @definition.function
(assignment_expression left: (member_expression object: (_) @owner property: (property_identifier) @name)
  right: (class) @function) @definition.class
(program (expression_statement (assignment_expression left: (identifier) @name
  right: [(arrow_function) (function_expression) (generator_function)] @function) @definition.function))

(variable_declarator name: (_) @name value: (class) @function) @definition.class
; A function or class expression with a name of its own, wherever it stands.  The extractor drops it where the name that it is
; bound to is the same.
(function_expression name: (identifier) @name) @definition.function
(generator_function name: (identifier) @name) @definition.function
(class name: (_) @name) @definition.class
(program [
  (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)
  (export_statement declaration: [
    (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)
    (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)
  ])
])

(comment) @comment
