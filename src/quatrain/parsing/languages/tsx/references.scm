; Lower-case tags are the browser's.
([
  (jsx_opening_element name: (identifier) @call)
  (jsx_self_closing_element name: (identifier) @call)
] (#match? @call "^[A-Z]"))
(jsx_opening_element name: (member_expression object: (_) @receiver property: (property_identifier) @call))
(jsx_self_closing_element name: (member_expression object: (_) @receiver property: (property_identifier) @call))
(jsx_expression (identifier) @use)
