(import_declaration "static"? @static . [(scoped_identifier) (identifier)] @path (asterisk)? @star) @import
