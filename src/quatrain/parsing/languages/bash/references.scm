(command name: (command_name (word) @call))
(command argument: (word) @use)
(simple_expansion (variable_name) @use)
(expansion (variable_name) @use)
