(function_declaration name: (identifier) @name) @definition.function
(function_declaration name: (dot_index_expression table: (_) @owner field: (identifier) @name)) @definition.function
(function_declaration name: (method_index_expression table: (_) @owner method: (identifier) @name)) @definition.function
(assignment_statement (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition) @function)) @definition.function
(assignment_statement (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name))
  (expression_list . value: (function_definition) @function)) @definition.function
(field name: (identifier) @name value: (function_definition) @function) @definition.method
(chunk (assignment_statement (variable_list name: (identifier) @name)) @definition.variable)
(chunk (assignment_statement (variable_list . name: (dot_index_expression table: (identifier) @owner field: (identifier) @name)))
  @definition.variable)
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @definition.variable)

(comment) @comment
