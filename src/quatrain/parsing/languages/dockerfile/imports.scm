(from_instruction (image_spec name: (image_name) @module)) @import
