(function_definition declarator: [
  (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name))
  (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (operator_name)] @name))
  (pointer_declarator declarator: (pointer_declarator
    declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name)))
  (pointer_declarator declarator: (reference_declarator
    (function_declarator declarator: [(identifier) (field_identifier) (operator_name)] @name)))
  (operator_cast) @name
]) @definition.method
(function_definition declarator: [
  (function_declarator declarator: (qualified_identifier) @qualified)
  (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier) @qualified))
  (reference_declarator (function_declarator declarator: (qualified_identifier) @qualified))
  (pointer_declarator declarator: (pointer_declarator
    declarator: (function_declarator declarator: (qualified_identifier) @qualified)))
]) @definition.method
(function_definition declarator: (function_declarator declarator: (template_function name: (identifier) @name))) @definition.function
(field_declaration declarator: [
  (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name))
  (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))
]) @definition.prototype
(declaration declarator: [
  (function_declarator declarator: [(destructor_name) (operator_name)] @name)
  (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
  (operator_cast) @name
]) @definition.prototype

(class_specifier name: (type_identifier) @name body: (_)) @definition.class
(class_specifier name: (template_type name: (type_identifier) @name) body: (_)) @definition.class
(class_specifier name: (qualified_identifier) @qualified body: (_)) @definition.class
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_)) @definition.struct
(struct_specifier name: (qualified_identifier) @qualified body: (_)) @definition.struct
(union_specifier name: (template_type name: (type_identifier) @name) body: (_)) @definition.union
(enum_specifier name: (qualified_identifier) @qualified body: (_)) @definition.enum
(namespace_definition name: (_) @name) @definition.namespace
(alias_declaration name: (type_identifier) @name) @definition.type
(concept_definition name: (identifier) @name) @definition.type
(declaration declarator: (init_declarator declarator: (qualified_identifier) @qualified)) @definition.variable
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @definition.field
(declaration declarator: (init_declarator declarator: (reference_declarator (identifier) @name))) @definition.variable

(base_class_clause [
  (type_identifier) @base
  (qualified_identifier) @base
  (template_type name: (_) @base)
])

(template_declaration [(class_specifier) (struct_specifier) (function_definition) (alias_declaration)
  (concept_definition) (declaration)] @decorated) @outer

(access_specifier) @access
