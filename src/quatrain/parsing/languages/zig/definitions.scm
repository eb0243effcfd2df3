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
(ContainerDecl (ContainerDeclType "enum")
  (ContainerField . (ErrorUnionExpr (SuffixExpr . variable_type_function: (IDENTIFIER) @name))) @definition.enum_member)
(ErrorSetDecl field_constant: (IDENTIFIER) @name @definition.enum_member)
(TestDecl (STRINGLITERALSINGLE) @name) @definition.function

(line_comment) @comment
(doc_comment) @comment
