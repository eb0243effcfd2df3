(use_declaration (visibility_modifier)? @reexport argument: (_) @tree) @import
(extern_crate_declaration name: (identifier) @module alias: (identifier)? @alias) @import
(mod_item name: (identifier) @module !body) @import @submodule
