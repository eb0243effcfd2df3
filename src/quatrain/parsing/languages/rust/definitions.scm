(function_item name: (identifier) @name) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(struct_item name: (type_identifier) @name) @definition.struct
(enum_item name: (type_identifier) @name) @definition.enum
(union_item name: (type_identifier) @name) @definition.union
(trait_item name: (type_identifier) @name) @definition.trait
(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(mod_item name: (identifier) @name) @definition.module
(macro_definition name: (identifier) @name) @definition.macro
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.variable
(enum_variant name: (identifier) @name) @definition.enum_member
(field_declaration name: (field_identifier) @name) @definition.field
(impl_item type: [
  (type_identifier) @name
  (scoped_type_identifier name: (type_identifier) @name)
  (generic_type type: (type_identifier) @name)
  (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
  (reference_type type: (type_identifier) @name)
  (reference_type type: (generic_type type: (type_identifier) @name))
  (primitive_type) @name
]) @definition.impl

; What a trait asks for is as visible as the trait.
(impl_item trait: (_) body: (declaration_list "{" @reset))

(impl_item trait: [
  (type_identifier) @base
  (scoped_type_identifier) @base
  (generic_type type: (_) @base)
])
(trait_item bounds: (trait_bounds [
  (type_identifier) @base
  (scoped_type_identifier) @base
  (generic_type type: (_) @base)
]))

((attribute_item)+ @decorator . [
  (function_item) (function_signature_item) (struct_item) (enum_item) (union_item) (trait_item) (type_item) (mod_item)
  (macro_definition) (const_item) (static_item) (impl_item) (enum_variant) (field_declaration)
] @decorated)

(line_comment) @comment
(block_comment) @comment
