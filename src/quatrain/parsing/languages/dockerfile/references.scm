(expansion (variable) @use)
