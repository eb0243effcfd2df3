(function_call . (identifier) @call)
((variable_expr (identifier) @receiver) . (get_attr (identifier) @attribute))
