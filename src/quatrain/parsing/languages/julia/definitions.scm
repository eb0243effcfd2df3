(module_definition name: (identifier) @name) @definition.module
(struct_definition (type_head [
  (identifier) @name
  (parametrized_type_expression . (identifier) @name)
  (binary_expression . (identifier) @name)
  (binary_expression . (parametrized_type_expression . (identifier) @name))
])) @definition.struct
(abstract_definition (type_head [
  (identifier) @name
  (parametrized_type_expression . (identifier) @name)
  (binary_expression . (identifier) @name)
  (binary_expression . (parametrized_type_expression . (identifier) @name))
])) @definition.type
(primitive_definition (type_head [(identifier) @name (binary_expression . (identifier) @name)])) @definition.type
(function_definition (signature [
  (call_expression . [(identifier) (operator)] @name)
  (call_expression . (field_expression (identifier) @name .))
  (call_expression . (parametrized_type_expression . (identifier) @name))
  (where_expression . (call_expression . [(identifier) (operator)] @name))
  (where_expression . (call_expression . (field_expression (identifier) @name .)))
  (where_expression . (call_expression . (parametrized_type_expression . (identifier) @name)))
  (typed_expression . (call_expression . (identifier) @name))
  (where_expression . (typed_expression . (call_expression . (identifier) @name)))
  (identifier) @name
])) @definition.function
(macro_definition (signature (call_expression . (identifier) @name))) @definition.macro
(assignment . [
  (call_expression . [(identifier) (operator)] @name)
  (call_expression . (field_expression (identifier) @name .))
  (where_expression . (call_expression . (identifier) @name))
  (typed_expression . (call_expression . (identifier) @name))
]) @definition.function
(const_statement (assignment . (identifier) @name)) @definition.constant
(struct_definition (block (typed_expression . (identifier) @name) @definition.field))

(type_head (binary_expression (_) (operator) [
  (identifier) @base
  (parametrized_type_expression . (_) @base)
  (field_expression) @base
] .))

(line_comment) @comment
(block_comment) @comment
