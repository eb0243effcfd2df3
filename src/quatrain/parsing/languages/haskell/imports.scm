(import module: (module) @module alias: (module)? @alias !names) @import
(import module: (module) @module alias: (module)? @qualifier "hiding"? @hiding names: (import_list name: (import_name [
  variable: (variable) @name
  type: (name) @name
  (prefix_id) @name
]))) @import
