(package_clause name: (_) @name) @definition.package
(package_object name: (_) @name) @definition.module
(class_definition name: (_) @name) @definition.class
(object_definition name: (_) @name) @definition.class
(trait_definition name: (_) @name) @definition.trait
(enum_definition name: (identifier) @name) @definition.enum
(type_definition name: (type_identifier) @name) @definition.type
(function_definition name: (_) @name) @definition.function
(function_declaration name: (_) @name) @definition.function
(given_definition name: (identifier) @name) @definition.variable
(compilation_unit [
  (val_definition pattern: [
    (identifier) @name
    (operator_identifier) @name
    (identifiers (identifier) @name)
    (tuple_pattern (identifier) @name)
    (case_class_pattern pattern: (identifier) @name)
  ])
  (var_definition pattern: [
    (identifier) @name
    (identifiers (identifier) @name)
    (tuple_pattern (identifier) @name)
  ])
] @definition.variable)
(template_body [
  (val_definition pattern: [
    (identifier) @name
    (operator_identifier) @name
    (identifiers (identifier) @name)
    (tuple_pattern (identifier) @name)
    (case_class_pattern pattern: (identifier) @name)
  ])
  (var_definition pattern: [
    (identifier) @name
    (identifiers (identifier) @name)
    (tuple_pattern (identifier) @name)
  ])
] @definition.variable)
(with_template_body [
  (val_definition pattern: [
    (identifier) @name
    (operator_identifier) @name
    (identifiers (identifier) @name)
    (tuple_pattern (identifier) @name)
    (case_class_pattern pattern: (identifier) @name)
  ])
  (var_definition pattern: [
    (identifier) @name
    (identifiers (identifier) @name)
    (tuple_pattern (identifier) @name)
  ])
] @definition.variable)
(val_declaration name: (identifier) @name) @definition.variable
(var_declaration name: (identifier) @name) @definition.variable
(simple_enum_case name: (identifier) @name) @definition.enum_member
(full_enum_case name: (identifier) @name) @definition.enum_member
(class_definition class_parameters: (class_parameters (class_parameter name: (identifier) @name) @definition.field))

(extends_clause [
  (type_identifier) @base
  (stable_type_identifier) @base
  (generic_type . (_) @base)
])

(_ (annotation) @decorator) @decorated

(comment) @comment
(block_comment) @comment
