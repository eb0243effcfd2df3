((rule (targets (word) @name)) @definition.function (#not-match? @name "^\\.[A-Z]"))
(define_directive name: (word) @name) @definition.macro
(variable_assignment name: (word) @name) @definition.variable
(shell_assignment name: (word) @name) @definition.variable

(comment) @comment
