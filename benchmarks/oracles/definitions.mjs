// Definitions as the TypeScript compiler's parser sees them: node definitions.mjs TYPESCRIPT-PACKAGE < files, one a line.
// Prints file, line of the name, name, kind.  A function or class bound to a name counts under that name too.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const ts = createRequire(import.meta.url)(process.argv[2]);
const K = ts.SyntaxKind;
const DECLARED = new Map([
  [K.ClassDeclaration, "class"], [K.ClassExpression, "class"], [K.FunctionDeclaration, "function"],
  [K.FunctionExpression, "function"], [K.MethodDeclaration, "method"], [K.MethodSignature, "method"],
  [K.GetAccessor, "method"], [K.SetAccessor, "method"], [K.InterfaceDeclaration, "interface"],
  [K.TypeAliasDeclaration, "type"], [K.EnumDeclaration, "enum"], [K.ModuleDeclaration, "module"],
]);
const BOUND = new Set([K.ArrowFunction, K.FunctionExpression, K.ClassExpression]);
const SUFFIXES = { tsx: ts.ScriptKind.TSX, ts: ts.ScriptKind.TS, mts: ts.ScriptKind.TS, cts: ts.ScriptKind.TS };

function value(node) {
  while (node && [K.ParenthesizedExpression, K.AsExpression, K.SatisfiesExpression].includes(node.kind)) node = node.expression;
  return node && BOUND.has(node.kind) ? node : undefined;
}

for (const file of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const source = ts.createSourceFile(
    file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true, SUFFIXES[file.split(".").pop()] ?? ts.ScriptKind.JSX);
  const say = (name, kind) => {
    if (!name || ![K.Identifier, K.StringLiteral, K.PrivateIdentifier, K.NumericLiteral].includes(name.kind)) return;
    const line = source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1;
    console.log([file, line, name.text, kind].join("\t"));
  };
  const visit = (node) => {
    const kind = DECLARED.get(node.kind);
    if (node.kind === K.Constructor) {
      const word = node.getChildren(source).find((child) => child.kind === K.ConstructorKeyword);
      console.log([file, source.getLineAndCharacterOfPosition((word ?? node).getStart(source)).line + 1, "constructor", "constructor"].join("\t"));
    } else if (kind === "module" && node.flags & ts.NodeFlags.GlobalAugmentation) {
      // "declare global" names nothing
    } else if (kind) {
      const bound = value(node) && bindingOf(node);
      if (!bound || bound.text !== node.name?.text) say(node.name, kind);
    } else if ([K.VariableDeclaration, K.PropertyAssignment, K.PropertyDeclaration].includes(node.kind)) {
      const made = value(node.initializer);
      if (made) say(node.name, made.kind === K.ClassExpression ? "class" : "function");
    } else if (node.kind === K.BinaryExpression && node.operatorToken.kind === K.EqualsToken) {
      const made = value(node.right);
      const global = node.left.kind === K.Identifier && node.parent.parent === source;
      if (made && node.left.kind === K.PropertyAccessExpression) say(node.left.name, "function");
      if (made && made.kind !== K.ClassExpression && global) say(node.left, "function");
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

function bindingOf(node) {
  let parent = node.parent;
  while (parent && [K.ParenthesizedExpression, K.AsExpression, K.SatisfiesExpression].includes(parent.kind)) parent = parent.parent;
  if ([K.VariableDeclaration, K.PropertyAssignment, K.PropertyDeclaration].includes(parent?.kind)) return parent.name;
  return parent?.kind === K.BinaryExpression && parent.left.kind === K.PropertyAccessExpression ? parent.left.name : undefined;
}
