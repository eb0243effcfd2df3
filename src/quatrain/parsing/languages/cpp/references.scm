(call_expression function: (template_function name: (identifier) @call))
(call_expression function: (qualified_identifier scope: (_) @receiver name: (identifier) @call))
(call_expression function: (qualified_identifier scope: (_) @receiver name: (template_function name: (identifier) @call)))
(call_expression function: (qualified_identifier name: (qualified_identifier scope: (_) @receiver name: (identifier) @call)))
(call_expression function: (qualified_identifier name: (qualified_identifier
  scope: (_) @receiver name: (template_function name: (identifier) @call))))
(call_expression function: (qualified_identifier name: (qualified_identifier name: (qualified_identifier
  scope: (_) @receiver name: (identifier) @call))))
(call_expression function: (field_expression argument: (_) @receiver
  field: (template_method name: (field_identifier) @call)))
(new_expression type: (type_identifier) @call)
(new_expression type: (template_type name: (type_identifier) @call))
(new_expression type: (qualified_identifier scope: (_) @receiver name: (type_identifier) @call))
(compound_literal_expression type: (type_identifier) @call)

(qualified_identifier scope: (_) @receiver name: (type_identifier) @type)
(qualified_identifier scope: (_) @receiver name: (template_type name: (type_identifier) @type))
(qualified_identifier scope: (_) @receiver name: (identifier) @use)
(qualified_identifier scope: (namespace_identifier) @use)
(field_initializer (field_identifier) @attribute)
(lambda_capture_specifier (identifier) @use)
(template_argument_list (identifier) @use)
(subscript_argument_list (identifier) @use)
