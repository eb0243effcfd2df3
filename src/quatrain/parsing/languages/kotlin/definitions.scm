(package_header (identifier) @name) @definition.package
(class_declaration "interface" (type_identifier) @name) @definition.interface
(class_declaration "enum" (type_identifier) @name) @definition.enum
(class_declaration (type_identifier) @name) @definition.class
(object_declaration (type_identifier) @name) @definition.class
(companion_object (type_identifier) @name) @definition.class
(type_alias (type_identifier) @name .  (_)) @definition.type
(function_declaration receiver: (receiver_type [
  (user_type) @owner
  (nullable_type (user_type) @owner)
]) (simple_identifier) @name) @definition.function
(function_declaration (simple_identifier) @name) @definition.function
(secondary_constructor "constructor" @name) @definition.constructor
(class_body (property_declaration (variable_declaration . (simple_identifier) @name)) @definition.property)
(enum_class_body (property_declaration (variable_declaration . (simple_identifier) @name)) @definition.property)
(source_file (property_declaration receiver: (receiver_type [
  (user_type) @owner
  (nullable_type (user_type) @owner)
]) (variable_declaration . (simple_identifier) @name)) @definition.variable)
(source_file (property_declaration (variable_declaration . (simple_identifier) @name)) @definition.variable)
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @definition.property
(enum_entry . (simple_identifier) @name) @definition.enum_member

(delegation_specifier [
  (user_type . (type_identifier) @base)
  (constructor_invocation (user_type . (type_identifier) @base))
  (explicit_delegation (user_type . (type_identifier) @base))
])

(_ (modifiers (annotation) @decorator)) @decorated

(line_comment) @comment
(multiline_comment) @comment
