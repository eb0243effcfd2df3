(call_expression function: (identifier) @call)
(call_expression function: (member_expression object: (_) @receiver property: [(property_identifier) (private_property_identifier)] @call))
(new_expression constructor: (identifier) @call)
(new_expression constructor: (member_expression object: (_) @receiver property: (property_identifier) @call))

(decorator (identifier) @decorator)
(decorator (call_expression function: (identifier) @decorator))
(decorator (member_expression object: (_) @receiver property: (property_identifier) @decorator))
(decorator (call_expression function: (member_expression object: (_) @receiver property: (property_identifier) @decorator)))

(member_expression object: (_) @receiver property: [(property_identifier) (private_property_identifier)] @attribute)

[
  (arguments (identifier) @use)
  (arguments (spread_element (identifier) @use))
  (variable_declarator value: (identifier) @use)
  (assignment_expression right: (identifier) @use)
  (augmented_assignment_expression right: (identifier) @use)
  (assignment_pattern right: (identifier) @use)
  (return_statement (identifier) @use)
  (throw_statement (identifier) @use)
  (arrow_function body: (identifier) @use)
  (array (identifier) @use)
  (pair value: (identifier) @use)
  (object (shorthand_property_identifier) @use)
  (spread_element (identifier) @use)
  (member_expression object: (identifier) @use)
  (subscript_expression (identifier) @use)
  (binary_expression left: (identifier) @use)
  (unary_expression (identifier) @use)
  (ternary_expression (identifier) @use)
  (parenthesized_expression (identifier) @use)
  (template_substitution (identifier) @use)
  (await_expression (identifier) @use)
  (yield_expression (identifier) @use)
  (for_in_statement right: (identifier) @use)
  (export_specifier name: (identifier) @use)
  (export_statement value: (identifier) @use)
  (computed_property_name (identifier) @use)
]

; The right operand is found by the operator before it: a pattern that waits for it from the start of the expression costs
; quadratic time in a long chain of operators.
(["+" "-" "*" "/" "%" "**" "|" "&" "^" "<<" ">>" ">>>" "&&" "||" "??" "==" "===" "!=" "!==" "<" ">" "<=" ">=" "in" "instanceof"] . (identifier) @use)
