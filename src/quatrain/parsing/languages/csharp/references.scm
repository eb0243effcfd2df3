(invocation_expression function: (identifier) @call)
(invocation_expression function: (generic_name . (identifier) @call))
(invocation_expression function: (member_access_expression expression: (_) @receiver name: (identifier) @call))
(invocation_expression function: (member_access_expression expression: (_) @receiver name: (generic_name . (identifier) @call)))
(invocation_expression function: (conditional_access_expression condition: (_) @receiver
  (member_binding_expression name: (identifier) @call)))
(object_creation_expression type: (identifier) @call)
(object_creation_expression type: (generic_name . (identifier) @call))
(object_creation_expression type: (qualified_name qualifier: (_) @receiver name: (identifier) @call))

(attribute name: (identifier) @decorator)
(attribute name: (qualified_name qualifier: (_) @receiver name: (identifier) @decorator))

(_ type: (identifier) @type)
(_ returns: (identifier) @type)
(_ type: (nullable_type type: (identifier) @type))
(_ type: (array_type type: (identifier) @type))
(generic_name . (identifier) @type)
(type_argument_list (identifier) @type)
(qualified_name qualifier: (_) @receiver name: (identifier) @type)
(as_expression right: (identifier) @type)
(is_expression right: (identifier) @type)
(constant_pattern (identifier) @type)
(type_parameter_constraint type: (_) @type)
(typeof_expression type: (identifier) @type)
(catch_declaration type: (identifier) @type)
(cast_expression type: (identifier) @type)

(member_access_expression expression: (_) @receiver name: (identifier) @attribute)
(member_binding_expression name: (identifier) @attribute)

[
  (member_access_expression expression: (identifier) @use)
  (argument (identifier) @use)
  (assignment_expression right: (identifier) @use)
  (binary_expression left: (identifier) @use)
  (return_statement (identifier) @use)
  (arrow_expression_clause (identifier) @use)
  (conditional_expression (identifier) @use)
  (variable_declarator (identifier) @use)
  (initializer_expression (identifier) @use)
  (prefix_unary_expression (identifier) @use)
  (interpolation (identifier) @use)
  (lambda_expression body: (identifier) @use)
  (foreach_statement right: (identifier) @use)
  (element_access_expression expression: (identifier) @use)
  (switch_expression_arm (identifier) @use)
]

; The right operand is found by the operator before it: a pattern that waits for it from the start of the expression costs
; quadratic time in a long chain of operators.
(["+" "-" "*" "/" "%" "|" "&" "^" "<<" ">>" "&&" "||" "??" "==" "!=" "<" ">" "<=" ">="] . (identifier) @use)
