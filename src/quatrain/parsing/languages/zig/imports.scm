(VarDecl . variable_type_function: (IDENTIFIER) @alias
  (ErrorUnionExpr (SuffixExpr . (BUILTINIDENTIFIER) @_import
    (FnCallArguments (ErrorUnionExpr (SuffixExpr (STRINGLITERALSINGLE) @module)))))
  (#eq? @_import "@import")) @import
