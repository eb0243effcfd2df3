(invocation (object_reference name: (identifier) @call))
(create_trigger (keyword_execute) (object_reference name: (identifier) @call) .)
; Tables, and types of columns: whatever a statement names outside an expression.  A table is the type of its rows.
(_ [
  (keyword_from) (keyword_into) (keyword_on) (keyword_table) (keyword_references) (keyword_update)
] . (object_reference name: (identifier) @type))
(relation (object_reference name: (identifier) @type))
(insert (object_reference name: (identifier) @type))
(column_definition (object_reference name: (identifier) @type))
(create_function custom_type: (object_reference name: (identifier) @type))
(create_index (object_reference name: (identifier) @type))
(constraint (object_reference name: (identifier) @type))
