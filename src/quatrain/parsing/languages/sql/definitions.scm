; The first name after the keyword: others are of tables, types and functions that the statement uses.
(create_table (object_reference name: (identifier) @name)) @definition.struct
(create_view (keyword_view) . (object_reference name: (identifier) @name)) @definition.struct
(create_view (keyword_exists) . (object_reference name: (identifier) @name)) @definition.struct
(create_materialized_view (keyword_view) . (object_reference name: (identifier) @name)) @definition.struct
(create_materialized_view (keyword_exists) . (object_reference name: (identifier) @name)) @definition.struct
(create_function (keyword_function) . (object_reference name: (identifier) @name)) @definition.function
(create_type (keyword_type) . (object_reference name: (identifier) @name)) @definition.type
(create_index column: (identifier) @name) @definition.property
(create_trigger (keyword_trigger) . (object_reference name: (identifier) @name)) @definition.function
(create_schema (keyword_schema) . (identifier) @name) @definition.namespace
(create_schema (keyword_exists) . (identifier) @name) @definition.namespace
(create_sequence (keyword_sequence) . (object_reference name: (identifier) @name)) @definition.variable
(create_sequence (keyword_exists) . (object_reference name: (identifier) @name)) @definition.variable
(column_definitions (column_definition name: (identifier) @name) @definition.field)
(add_column (keyword_add) (column_definition name: (identifier) @name) @definition.field)

(comment) @comment
(marginalia) @comment
