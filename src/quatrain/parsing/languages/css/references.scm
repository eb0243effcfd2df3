(class_selector (class_name (identifier) @use))
(id_selector (id_name) @use)
