(namespace_definition name: (namespace_name) @name) @definition.namespace
(class_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name) @definition.interface
(trait_declaration name: (name) @name) @definition.trait
(enum_declaration name: (name) @name) @definition.enum
(function_definition name: (name) @name) @definition.function
((method_declaration name: (name) @name) @definition.constructor (#eq? @name "__construct"))
(method_declaration name: (name) @name) @definition.method
(enum_case name: (name) @name) @definition.enum_member
(const_declaration (const_element . (name) @name)) @definition.constant
(property_declaration (property_element name: (variable_name (name) @name))) @definition.field
(property_promotion_parameter name: (variable_name (name) @name)) @definition.field
; A function bound to a name is that function's name.
(assignment_expression left: (variable_name (name) @name)
  right: [(anonymous_function) (arrow_function)] @function) @definition.function
(program (expression_statement (assignment_expression left: (variable_name (name) @name)) @definition.variable))
(function_call_expression function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name))) (#eq? @_define "define")) @definition.constant

(base_clause [(name) (qualified_name)] @base)
(class_interface_clause [(name) (qualified_name)] @base)
(declaration_list (use_declaration [(name) (qualified_name)] @base))

(_ attributes: (attribute_list (attribute_group (attribute) @decorator)) @strip) @decorated

(comment) @comment
