(declarations [
  (data_type name: (_) @name)
  (newtype name: (_) @name)
] @definition.type)
(declarations (type_synomym name: (_) @name) @definition.type)
(declarations (type_family name: (_) @name) @definition.type)
(declarations (class name: (_) @name) @definition.interface)
(declarations (instance name: (_) @name) @definition.impl)
(declarations (signature name: [(variable) @name (prefix_id (_) @name)]) @definition.function)
(declarations (function name: (variable) @name) @definition.function)
(declarations (function (infix operator: (operator) @name)) @definition.function)
(declarations (bind name: (variable) @name) @definition.function)
(class_declarations (signature name: [(variable) @name (prefix_id (_) @name)]) @definition.method)
(instance_declarations (function name: (variable) @name) @definition.method)
(instance_declarations (bind name: (variable) @name) @definition.method)
(data_constructor constructor: (_ name: (constructor) @name)) @definition.enum_member
(newtype_constructor name: (constructor) @name) @definition.enum_member
(gadt_constructor name: (constructor) @name) @definition.enum_member
(field name: (field_name (variable) @name)) @definition.field

(comment) @comment
(haddock) @comment
