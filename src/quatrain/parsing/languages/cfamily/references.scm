(call_expression function: (identifier) @call)
(call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @call))
(call_expression function: (parenthesized_expression (pointer_expression (identifier) @call)))

(type_identifier) @type
(field_expression argument: (_) @receiver field: (field_identifier) @attribute)
(field_designator (field_identifier) @attribute)

[
  (preproc_ifdef name: (identifier) @use)
  (preproc_defined (identifier) @use)
  (argument_list (identifier) @use)
  (init_declarator value: (identifier) @use)
  (initializer_list (identifier) @use)
  (initializer_pair value: (identifier) @use)
  (initializer_pair value: (pointer_expression argument: (identifier) @use))
  (assignment_expression right: (identifier) @use)
  (binary_expression left: (identifier) @use)
  (unary_expression (identifier) @use)
  (pointer_expression argument: (identifier) @use)
  (conditional_expression (identifier) @use)
  (parenthesized_expression (identifier) @use)
  (return_statement (identifier) @use)
  (case_statement value: (identifier) @use)
  (subscript_expression (identifier) @use)
  (array_declarator size: (identifier) @use)
  (cast_expression value: (identifier) @use)
  (field_expression argument: (identifier) @use)
  (enumerator value: (identifier) @use)
]

; The right operand is found by the operator before it: a pattern that waits for it from the start of the expression costs
; quadratic time in a long chain of operators.
(["+" "-" "/" "%" "|" "^" "<<" ">>" "||" "==" "!=" "<" ">" "<=" ">="] . (identifier) @use)
; After these a name may be a declared one; in capitals it is none.
((["*" "&" "&&"] . (identifier) @use) (#match? @use "^[A-Z]"))
