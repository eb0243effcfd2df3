// Definitions as go/parser sees them: go run definitions.go < files, one a line.
// Prints file, line of the name, name, kind.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for lines.Scan() {
		set := token.NewFileSet()
		file, _ := parser.ParseFile(set, lines.Text(), nil, parser.SkipObjectResolution)
		if file == nil {
			continue
		}
		say := func(name *ast.Ident, kind string) {
			fmt.Fprintf(out, "%s\t%d\t%s\t%s\n", lines.Text(), set.PositionFor(name.Pos(), false).Line, name.Name, kind)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.FuncDecl:
				say(n.Name, "function")
			case *ast.TypeSpec:
				say(n.Name, "type")
			case *ast.InterfaceType:
				for _, field := range n.Methods.List {
					for _, name := range field.Names {
						say(name, "method")
					}
				}
			}
			return true
		})
		// A function literal bound to a name of the package is that function.
		for _, declaration := range file.Decls {
			if general, ok := declaration.(*ast.GenDecl); ok && general.Tok == token.VAR {
				for _, spec := range general.Specs {
					values := spec.(*ast.ValueSpec)
					if len(values.Values) == 1 && len(values.Names) == 1 {
						if _, ok := values.Values[0].(*ast.FuncLit); ok {
							say(values.Names[0], "function")
						}
					}
				}
			}
		}
	}
}
