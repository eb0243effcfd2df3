(call !receiver method: [(identifier) (constant)] @call)
(call receiver: (_) @receiver method: [(identifier) (constant)] @call)
((body_statement (identifier) @call) (#not-match? @call "^(private|protected|public|module_function)$"))
(then (identifier) @call)
(block_body (identifier) @call)
(call receiver: (identifier) @use)
(argument_list (identifier) @use)
(block_argument (simple_symbol) @use)
(unary operand: (identifier) @use)
(binary left: (identifier) @use)
(conditional (identifier) @use)

(constant) @type
(scope_resolution scope: (_) @receiver name: (constant) @type)

; The right operand is found by the operator before it: a pattern that waits for it from the start of the expression costs
; quadratic time in a long chain of operators.
(["+" "-" "/" "%" "^" "<<" ">>" "&&" "||" "and" "or" "==" "!=" "<" ">" "<=" ">=" "=~" "<=>"] . (identifier) @use)
