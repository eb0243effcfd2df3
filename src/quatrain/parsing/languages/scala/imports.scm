(import_declaration) @import @tree
(export_declaration) @import @tree @reexport
