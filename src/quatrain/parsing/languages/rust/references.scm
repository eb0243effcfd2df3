(call_expression function: (identifier) @call)
(call_expression function: (field_expression value: (_) @receiver field: (field_identifier) @call))
(call_expression function: (scoped_identifier path: (_) @receiver name: (identifier) @call))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (generic_function function: (scoped_identifier path: (_) @receiver name: (identifier) @call)))
(call_expression function: (generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @call)))
(macro_invocation macro: (identifier) @call)
(macro_invocation macro: (scoped_identifier path: (_) @receiver name: (identifier) @call))
; Inside a macro there are only tokens: a name before a parenthesis is taken for a call.
(token_tree (identifier) @call . (token_tree . "("))

(type_identifier) @type
(scoped_type_identifier path: (_) @receiver name: (type_identifier) @type)
(tuple_struct_pattern type: (identifier) @type)
(tuple_struct_pattern type: (scoped_identifier path: (_) @receiver name: (identifier) @type))
(scoped_identifier path: (_) @receiver name: (identifier) @use)
(scoped_identifier path: (identifier) @use)

(attribute (identifier) @decorator)
(attribute (scoped_identifier path: (_) @receiver name: (identifier) @decorator))

(field_expression value: (_) @receiver field: (field_identifier) @attribute)
(field_initializer field: (field_identifier) @attribute)

[
  (arguments (identifier) @use)
  (binary_expression left: (identifier) @use)
  (unary_expression (identifier) @use)
  (reference_expression (identifier) @use)
  (let_declaration value: (identifier) @use)
  (assignment_expression right: (identifier) @use)
  (return_expression (identifier) @use)
  (field_expression value: (identifier) @use)
  (field_initializer value: (identifier) @use)
  (array_expression (identifier) @use)
  (tuple_expression (identifier) @use)
  (index_expression (identifier) @use)
  (range_expression (identifier) @use)
  (match_arm value: (identifier) @use)
  (match_pattern (identifier) @use)
  (match_expression value: (identifier) @use)
  (block (identifier) @use)
  (closure_expression body: (identifier) @use)
  (type_cast_expression (identifier) @use)
  (token_tree (identifier) @use)
  (const_item value: (identifier) @use)
]

; The right operand is found by the operator before it: a pattern that waits for it from the start of the expression costs
; quadratic time in a long chain of operators.
(["+" "-" "*" "/" "%" "&" "^" "<<" ">>" "&&" "||" "==" "!=" "<" ">" "<=" ">="] . (identifier) @use)
