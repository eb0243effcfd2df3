(call_expression function: (identifier) @call)
(call_expression function: (selector_expression operand: (_) @receiver field: (field_identifier) @call))
(call_expression function: (parenthesized_expression (identifier) @call))
(call_expression function: (index_expression operand: (identifier) @call))
(call_expression function: (index_expression operand:
  (selector_expression operand: (_) @receiver field: (field_identifier) @call)))
; f[int](x) and pkg.F[int](x) read as conversions
(type_conversion_expression type: (generic_type type: (type_identifier) @call))
(type_conversion_expression type: (generic_type type:
  (qualified_type package: (_) @receiver name: (type_identifier) @call)))

(type_identifier) @type
(qualified_type package: (_) @receiver name: (type_identifier) @type)

(selector_expression operand: (_) @receiver field: (field_identifier) @attribute)

[
  (argument_list (identifier) @use)
  (expression_list (identifier) @use)
  (selector_expression operand: (identifier) @use)
  (binary_expression left: (identifier) @use)
  (unary_expression (identifier) @use)
  (index_expression (identifier) @use)
  (literal_element (identifier) @use)
  (send_statement (identifier) @use)
  (range_clause right: (identifier) @use)
  (type_assertion_expression operand: (identifier) @use)
]
(keyed_element key: (literal_element (identifier) @attribute))

; The right operand is found by the operator before it: a pattern that waits for it from the start of the expression costs
; quadratic time in a long chain of operators.
(["+" "-" "*" "/" "%" "|" "&" "^" "&^" "<<" ">>" "&&" "||" "==" "!=" "<" ">" "<=" ">="] . (identifier) @use)
