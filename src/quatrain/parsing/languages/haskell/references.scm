(apply function: (variable) @call)
(apply function: (qualified module: (module) @receiver id: (variable) @call))
(infix operator: (operator) @call)
(infix operator: (infix_id (variable) @call))
(qualified module: (module) @receiver id: (variable) @use)
(qualified module: (module) @receiver id: (name) @type)
(qualified module: (module) @receiver id: (constructor) @type)
(name) @type
(constructor) @type
(variable) @use
