(method_invocation !object name: (identifier) @call)
(method_invocation object: (_) @receiver name: (identifier) @call)
(object_creation_expression type: (type_identifier) @call)
(object_creation_expression type: (generic_type . (type_identifier) @call))
(object_creation_expression type: (scoped_type_identifier . (_) @receiver (type_identifier) @call .))
(object_creation_expression type: (generic_type . (scoped_type_identifier . (_) @receiver (type_identifier) @call .)))
(method_reference . (_) @receiver (identifier) @use .)

(annotation name: (identifier) @decorator)
(marker_annotation name: (identifier) @decorator)
(annotation name: (scoped_identifier scope: (_) @receiver name: (identifier) @decorator))
(marker_annotation name: (scoped_identifier scope: (_) @receiver name: (identifier) @decorator))

(type_identifier) @type
(field_access object: (_) @receiver field: (identifier) @attribute)

[
  (method_invocation object: (identifier) @use)
  (field_access object: (identifier) @use)
  (argument_list (identifier) @use)
  (variable_declarator value: (identifier) @use)
  (assignment_expression right: (identifier) @use)
  (binary_expression left: (identifier) @use)
  (unary_expression (identifier) @use)
  (return_statement (identifier) @use)
  (ternary_expression (identifier) @use)
  (array_access (identifier) @use)
  (array_initializer (identifier) @use)
  (parenthesized_expression (identifier) @use)
  (cast_expression value: (identifier) @use)
  (method_reference . (identifier) @use)
  (switch_label (identifier) @use)
  (element_value_pair value: (identifier) @use)
  (annotation_argument_list (identifier) @use)
  (enhanced_for_statement value: (identifier) @use)
  (lambda_expression body: (identifier) @use)
]

; The right operand is found by the operator before it: a pattern that waits for it from the start of the expression costs
; quadratic time in a long chain of operators.
(["+" "-" "*" "/" "%" "|" "&" "^" "<<" ">>" ">>>" "&&" "||" "==" "!=" "<" ">" "<=" ">="] . (identifier) @use)
