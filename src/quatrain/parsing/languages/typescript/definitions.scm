(class_declaration name: (type_identifier) @name) @definition.class
(abstract_class_declaration name: (type_identifier) @name) @definition.class
(interface_declaration name: (type_identifier) @name) @definition.interface
(type_alias_declaration name: (type_identifier) @name) @definition.type
(enum_declaration name: (identifier) @name) @definition.enum
(enum_body name: [(property_identifier) (string)] @name @definition.enum_member)
(enum_assignment name: [(property_identifier) (string)] @name) @definition.enum_member
(internal_module name: [(identifier) (nested_identifier) (string)] @name) @definition.namespace
(module name: [(identifier) (nested_identifier) (string)] @name) @definition.namespace

(function_signature name: (identifier) @name) @definition.function
(method_signature name: [(property_identifier) (private_property_identifier) (string)] @name) @definition.method
(abstract_method_signature name: (property_identifier) @name) @definition.method

(public_field_definition name: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function) (function_expression)] @function) @definition.method
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name) @definition.field
(interface_body (property_signature name: (property_identifier) @name) @definition.field)
; A parameter with an access modifier is a field of its class.
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @definition.field
(optional_parameter (accessibility_modifier) pattern: (identifier) @name) @definition.field
(ambient_declaration [
  (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)
])
(internal_module body: (statement_block (export_statement declaration:
  (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable))))

(extends_clause value: [(identifier) (member_expression)] @base)
(implements_clause [
  (type_identifier) @base
  (nested_type_identifier) @base
  (generic_type name: (_) @base)
])
(extends_type_clause type: [
  (type_identifier) @base
  (nested_type_identifier) @base
  (generic_type name: (_) @base)
])

(class_declaration decorator: (decorator) @decorator) @decorated
(export_statement decorator: (decorator) @decorator declaration: (_) @decorated) @outer
(class_body (decorator)+ @decorator . (method_definition) @decorated)
(public_field_definition decorator: (decorator) @decorator) @decorated

; A function behind a type assertion.
(variable_declarator name: (identifier) @name value: [
  (as_expression [(function_expression) @function (parenthesized_expression [(arrow_function) (function_expression)] @function)])
  (satisfies_expression
    [(function_expression) @function (parenthesized_expression [(arrow_function) (function_expression)] @function)])
]) @definition.function
(pair key: [(property_identifier) (string)] @name value: [
  (as_expression (parenthesized_expression [(arrow_function) (function_expression)] @function))
  (satisfies_expression (parenthesized_expression [(arrow_function) (function_expression)] @function))
]) @definition.method
(assignment_expression left: (member_expression object: (_) @owner property: (property_identifier) @name) right:
  (as_expression (parenthesized_expression [(arrow_function) (function_expression)] @function))) @definition.function
