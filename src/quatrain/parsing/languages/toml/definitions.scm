(document (pair . (_) @name) @definition.property)
(document (table . (_) @name) @definition.namespace)
(document (table_array_element . (_) @name) @definition.namespace)

(comment) @comment
