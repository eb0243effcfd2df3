(rule_set (selectors (class_selector (class_name (identifier) @name) .))) @definition.property
(rule_set (selectors (id_selector (id_name) @name))) @definition.property
(keyframes_statement (keyframes_name) @name) @definition.property
((declaration (property_name) @name) @definition.variable (#match? @name "^--"))

(comment) @comment
