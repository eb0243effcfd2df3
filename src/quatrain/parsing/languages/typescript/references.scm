(type_identifier) @type
(nested_type_identifier module: (_) @receiver name: (type_identifier) @type)
(type_query (identifier) @type)
(type_query (member_expression object: (_) @receiver property: (property_identifier) @type))
[
  (as_expression (identifier) @use)
  (satisfies_expression (identifier) @use)
  (non_null_expression (identifier) @use)
  (required_parameter value: (identifier) @use)
  (optional_parameter value: (identifier) @use)
  (public_field_definition value: (identifier) @use)
]
