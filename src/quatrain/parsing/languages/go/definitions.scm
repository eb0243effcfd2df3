(function_declaration name: (identifier) @name) @definition.function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @owner))
  name: (field_identifier) @name) @definition.method
(type_spec name: (type_identifier) @name type: (struct_type)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type
(method_elem name: (field_identifier) @name) @definition.method
(struct_type (field_declaration_list (field_declaration name: (field_identifier) @name) @definition.field))

(source_file (const_declaration (const_spec (identifier) @name) @definition.constant))
(source_file (var_declaration [
  (var_spec name: (identifier) @name value: (expression_list . (func_literal) @function .)) @definition.function
  (var_spec_list (var_spec name: (identifier) @name
    value: (expression_list . (func_literal) @function .)) @definition.function)
]))
(source_file (var_declaration (var_spec name: (identifier) @name) @definition.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.variable)))

(struct_type (field_declaration_list (field_declaration !name type: [
  (type_identifier) @base
  (qualified_type) @base
  (generic_type type: (_) @base)
])))
(interface_type (type_elem . [(type_identifier) (qualified_type)] @base .))

(comment) @comment
