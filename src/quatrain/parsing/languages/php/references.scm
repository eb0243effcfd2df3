(function_call_expression function: (name) @call)
(function_call_expression function: (qualified_name prefix: (_)? @receiver (name) @call .))
(member_call_expression object: (_) @receiver name: (name) @call)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @call)
(scoped_call_expression scope: (_) @receiver name: (name) @call)
(object_creation_expression (name) @call)
(object_creation_expression (qualified_name (name) @call .))

(attribute . (name) @decorator)
(attribute . (qualified_name (name) @decorator .))

(named_type (name) @type)
(named_type (qualified_name (name) @type .))
(scoped_call_expression scope: (name) @type)
(class_constant_access_expression . (name) @type)
(class_constant_access_expression . (_) @receiver (name) @attribute .)
(scoped_property_access_expression scope: (name) @type)
(binary_expression operator: "instanceof" right: (name) @type)

(member_access_expression object: (_) @receiver name: (name) @attribute)
(nullsafe_member_access_expression object: (_) @receiver name: (name) @attribute)
(scoped_property_access_expression scope: (_) @receiver name: (variable_name (name) @attribute))

[
  (argument (name) @use)
  (binary_expression left: (name) @use)
  (assignment_expression right: (name) @use)
  (return_statement (name) @use)
  (array_element_initializer (name) @use)
]

; The right operand is found by the operator before it: a pattern that waits for it from the start of the expression costs
; quadratic time in a long chain of operators.
(["+" "-" "*" "/" "%" "." "|" "&" "^" "<<" ">>" "&&" "||" "??" "and" "or" "xor" "==" "===" "!=" "!==" "<" ">" "<=" ">="] . (name) @use)
