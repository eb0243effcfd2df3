(declarations [
  (data_type name: (_) @name)
  (newtype name: (_) @name)
] @definition.type)
(declarations (data_type (infix operator: (constructor_operator) @name)) @definition.type)
(declarations (data_instance (_ name: (_) @name)) @definition.impl)
(declarations (deriving_instance name: (_) @name) @definition.impl)
(declarations (pattern_synonym (equation synonym: [
  (apply function: (constructor) @name)
  (apply function: (apply function: (constructor) @name))
  (constructor) @name
])) @definition.function)
(declarations (foreign_import signature: (signature name: (variable) @name)) @definition.function)
(class_declarations (type_family name: (_) @name) @definition.type)
(class_declarations (data_family name: (_) @name) @definition.type)
(declarations (data_family name: (_) @name) @definition.type)
(declarations (type_synomym name: (_) @name) @definition.type)
(declarations (type_family name: (_) @name) @definition.type)
(declarations (class name: (_) @name) @definition.interface)
(declarations (instance name: (_) @name) @definition.impl)
(declarations (signature name: [(variable) @name (prefix_id (_) @name)]) @definition.function)
(declarations (function name: (variable) @name) @definition.function)
(declarations (function (infix operator: (operator) @name)) @definition.function)
(declarations (bind name: (variable) @name) @definition.function)
(declarations (signature names: (binding_list name: [(variable) (prefix_id)] @name)) @definition.function)
(class_declarations (signature names: (binding_list name: [(variable) (prefix_id)] @name)) @definition.method)
(class_declarations (signature name: [(variable) @name (prefix_id (_) @name)]) @definition.method)
(instance_declarations (function name: (variable) @name) @definition.method)
(instance_declarations (function (infix operator: (operator) @name)) @definition.method)
(local_binds (function name: (variable) @name) @definition.function)
(instance_declarations (bind name: (variable) @name) @definition.method)
(data_constructor constructor: (_ name: (constructor) @name)) @definition.enum_member
(data_constructor constructor: (infix operator: (constructor_operator) @name)) @definition.enum_member
(newtype_constructor name: (constructor) @name) @definition.enum_member
(gadt_constructor name: (constructor) @name) @definition.enum_member
(field name: (field_name (variable) @name)) @definition.field

(comment) @comment
(haddock) @comment
