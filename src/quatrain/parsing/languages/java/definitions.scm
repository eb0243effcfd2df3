(package_declaration (_) @name) @definition.package
(class_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(annotation_type_declaration name: (identifier) @name) @definition.annotation
(method_declaration name: (identifier) @name) @definition.method
(annotation_type_element_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.constructor
(compact_constructor_declaration name: (identifier) @name) @definition.constructor
(enum_constant name: (identifier) @name) @definition.enum_member
(field_declaration (modifiers "final") declarator: (variable_declarator name: (identifier) @name)) @definition.variable
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @definition.field))

(superclass [
  (type_identifier) @base
  (scoped_type_identifier) @base
  (generic_type . (_) @base)
])
([
  (super_interfaces (type_list [(type_identifier) (scoped_type_identifier)] @base))
  (super_interfaces (type_list (generic_type . (_) @base)))
  (extends_interfaces (type_list [(type_identifier) (scoped_type_identifier)] @base))
  (extends_interfaces (type_list (generic_type . (_) @base)))
])

(_ (modifiers [(annotation) (marker_annotation)] @decorator)) @decorated

(line_comment) @comment
(block_comment) @comment
