(call_expression . (simple_identifier) @call)
(call_expression . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @call)))
(constructor_expression constructed_type: (user_type (type_identifier) @call))
(attribute (user_type (type_identifier) @decorator))
(user_type (type_identifier) @type)
(navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @attribute))
[
  (value_argument value: (simple_identifier) @use)
  (navigation_expression target: (simple_identifier) @use)
  (assignment result: (simple_identifier) @use)
  (property_declaration value: (simple_identifier) @use)
  (control_transfer_statement result: (simple_identifier) @use)
]
