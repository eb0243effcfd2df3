(class_declaration declaration_kind: "class" name: (type_identifier) @name) @definition.class
(class_declaration declaration_kind: "actor" name: (type_identifier) @name) @definition.class
(class_declaration declaration_kind: "struct" name: (type_identifier) @name) @definition.struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name) @definition.enum
(class_declaration declaration_kind: "extension" name: (user_type (type_identifier) @name .)) @definition.extension
(protocol_declaration name: (type_identifier) @name) @definition.interface
(protocol_function_declaration . (modifiers)? . "func" . name: _ @name) @definition.method
(function_declaration . (modifiers)? . "func" . name: _ @name) @definition.function
(subscript_declaration "subscript" @name) @definition.method
(macro_declaration (simple_identifier) @name) @definition.macro
(precedence_group_declaration (simple_identifier) @name) @definition.type
(init_declaration name: "init" @name) @definition.constructor
(deinit_declaration "deinit" @name) @definition.method
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.property
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.property)
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.property)
(enum_entry name: (simple_identifier) @name) @definition.enum_member

(inheritance_specifier inherits_from: (user_type . (type_identifier) @base))

(_ (modifiers (attribute) @decorator)) @decorated

(comment) @comment
(multiline_comment) @comment
