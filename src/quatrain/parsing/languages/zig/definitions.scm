(Decl (FnProto function: (IDENTIFIER) @name)) @definition.function
(Decl (VarDecl . variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr . (ContainerDecl (ContainerDeclType "struct")))))) @definition.struct
(Decl (VarDecl . variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr . (ContainerDecl (ContainerDeclType "opaque")))))) @definition.struct
(Decl (VarDecl . variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr . (ContainerDecl (ContainerDeclType "union")))))) @definition.union
(Decl (VarDecl . variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr . (ContainerDecl (ContainerDeclType "enum")))))) @definition.enum
(Decl (VarDecl . variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr . (ErrorSetDecl))))) @definition.enum
(Decl (VarDecl . variable_type_function: (IDENTIFIER) @name)) @definition.variable
(ContainerField field_member: (IDENTIFIER) @name) @definition.field
(ContainerDecl (ContainerDeclType ["enum" "union"])
  (ContainerField . (doc_comment)* . (ErrorUnionExpr (SuffixExpr . [
    variable_type_function: (IDENTIFIER) @name
    (BuildinTypeExpr) @name
  ]))) @definition.enum_member
  (#not-eq? @name "_"))
(ErrorSetDecl field_constant: (IDENTIFIER) @name @definition.enum_member)
(TestDecl [(STRINGLITERALSINGLE) (IDENTIFIER)] @name) @definition.function

(line_comment) @comment
(doc_comment) @comment
