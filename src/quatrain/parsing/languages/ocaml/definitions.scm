(value_definition (let_binding pattern: [(value_name) (parenthesized_operator)] @name (parameter)) @definition.function)
(value_definition (let_binding pattern: (value_name) @name body: [(function_expression) (fun_expression)]) @definition.function)
(value_definition (let_binding pattern: (value_name) @name) @definition.variable)
(value_specification [(value_name) (parenthesized_operator)] @name) @definition.function
(external [(value_name) (parenthesized_operator)] @name) @definition.function
(type_binding name: (type_constructor) @name) @definition.type
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.class
(constructor_declaration (constructor_name) @name) @definition.enum_member
(field_declaration (field_name) @name) @definition.field
(module_binding (module_name) @name) @definition.module
(module_type_definition (module_type_name) @name) @definition.interface
(class_binding (class_name) @name) @definition.class
(method_definition (method_name) @name) @definition.method
(method_specification (method_name) @name) @definition.method

(inheritance_definition class: (class_path) @base)

(comment) @comment
