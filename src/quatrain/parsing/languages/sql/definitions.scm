(create_table (object_reference name: (identifier) @name)) @definition.struct
(create_view (object_reference name: (identifier) @name)) @definition.struct
(create_materialized_view (object_reference name: (identifier) @name)) @definition.struct
(create_function (object_reference name: (identifier) @name)) @definition.function
(create_type (object_reference name: (identifier) @name)) @definition.type
(create_index column: (identifier) @name) @definition.property
(create_trigger (object_reference name: (identifier) @name)) @definition.function
(create_schema (identifier) @name) @definition.namespace
(create_sequence (object_reference name: (identifier) @name)) @definition.variable
(column_definition name: (identifier) @name) @definition.field

(comment) @comment
(marginalia) @comment
