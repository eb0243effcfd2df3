(prerequisites (word) @use)
(variable_reference (word) @use)
