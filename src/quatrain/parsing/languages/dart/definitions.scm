(class_definition name: (identifier) @name) @definition.class
(mixin_declaration . (mixin) . (identifier) @name) @definition.trait
(enum_declaration name: (identifier) @name) @definition.enum
(extension_declaration name: (identifier) @name) @definition.extension
(type_alias . (type_identifier) @name) @definition.type
(enum_constant name: (identifier) @name) @definition.enum_member

; A body is the node after its signature.
((method_signature [
    (function_signature name: (identifier) @name)
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)
    (operator_signature (binary_operator) @name)
  ]) @definition.method . (function_body) @tail)
((method_signature [
    (factory_constructor_signature (identifier) (identifier) @name)
    (factory_constructor_signature . (identifier) @name .)
    (constructor_signature name: (identifier) @name .)
  ]) @definition.constructor . (function_body) @tail)
((function_signature name: (identifier) @name) @definition.function . (function_body) @tail)
((getter_signature name: (identifier) @name) @definition.function . (function_body) @tail)
(declaration (function_signature name: (identifier) @name)) @definition.method
(declaration (getter_signature name: (identifier) @name)) @definition.method
(declaration (constant_constructor_signature (identifier) @name . (formal_parameter_list))) @definition.constructor
(declaration (constructor_signature name: (identifier) @name . parameters: (_))) @definition.constructor
(declaration (factory_constructor_signature (identifier) @name . (formal_parameter_list))) @definition.constructor
(declaration (redirecting_factory_constructor_signature (identifier) @name . (formal_parameter_list))) @definition.constructor
(declaration (static_final_declaration_list (static_final_declaration . (identifier) @name))) @definition.field
(declaration (initialized_identifier_list (initialized_identifier . (identifier) @name))) @definition.field
(program (static_final_declaration_list (static_final_declaration . (identifier) @name)) @definition.variable)
(program (initialized_identifier_list (initialized_identifier . (identifier) @name)) @definition.variable)

(superclass (type_identifier) @base)
(superclass (mixins (type_identifier) @base))
(interfaces (type_identifier) @base)
(mixin_declaration (type_identifier) @base)
(extension_declaration class: (type_identifier) @base)

(_ (annotation) @decorator) @decorated

(comment) @comment
(documentation_comment) @comment
