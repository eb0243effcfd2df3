(include_directive filenames: (list (word) @module)) @import
