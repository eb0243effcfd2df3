(class_declaration name: (identifier) @name) @definition.class

(field_definition property: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function) (function_expression)] @function) @definition.method
(field_definition property: [(property_identifier) (private_property_identifier)] @name) @definition.field

(class_declaration (class_heritage [(identifier) (member_expression)] @base))
(class (class_heritage [(identifier) (member_expression)] @base))

(class_declaration decorator: (decorator) @decorator) @decorated
(method_definition decorator: (decorator) @decorator) @decorated
(export_statement decorator: (decorator) @decorator declaration: (_) @decorated) @outer
