(using_directive !name [(identifier) (qualified_name)] @path) @import
(using_directive name: (identifier) @alias (_) @path .) @import
