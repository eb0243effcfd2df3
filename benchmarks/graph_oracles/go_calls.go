// Call edges of a Go source tree as go/types resolves them.
// usage: go run go_calls.go ROOT OUT.tsv [IMPORT_PATH_OF_ROOT]
// Rows: caller, callee, file, line, column, name, kind (internal | external | variable | unresolved), named as `benchmarks graph` names
// them: path without extension, a colon, Type.method.  The callee of a call through an interface is the method that the interface declares.
// `variable` rows call what a variable, parameter or field holds.  Conversions are no calls.  The import path of the root is read from
// go.mod; `-` stands for none (Go's own library).  Files that this system does not build are left out, and counted.  Packages from
// elsewhere are read from GOROOT and GOPATH; one that is not there leaves what depends on it unresolved.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"unicode/utf16"
)

type row struct {
	caller, callee, file string
	line, column         int
	name, kind           string
}

type tree struct {
	root, prefix string
	context      build.Context
	set          *token.FileSet
	outside      types.ImporterFrom
	packages     map[string]*types.Package // by import path; nil while it is being checked
	files        map[string]*ast.File
	texts        map[string][]byte
	names        map[string]string // position of a declared name -> qualified name
	rows         map[string]row
	missing      map[string]bool
	problems     int
}

func main() {
	root, err := filepath.Abs(os.Args[1])
	fail(err)
	t := &tree{root: root, set: token.NewFileSet(), packages: map[string]*types.Package{}, files: map[string]*ast.File{},
		texts: map[string][]byte{}, names: map[string]string{}, rows: map[string]row{}, missing: map[string]bool{}}
	t.context = build.Default
	t.context.CgoEnabled = false
	build.Default.CgoEnabled = false
	t.outside = importer.ForCompiler(t.set, "source", nil).(types.ImporterFrom)
	if len(os.Args) > 3 {
		t.prefix = os.Args[3]
	} else if text, err := os.ReadFile(filepath.Join(root, "go.mod")); err == nil {
		if found := regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`).FindSubmatch(text); found != nil {
			t.prefix = string(found[1])
		}
	}
	read, ignored := 0, 0
	fail(filepath.WalkDir(root, func(folder string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if name := entry.Name(); folder != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor") {
			return filepath.SkipDir
		}
		pkg, _ := t.context.ImportDir(folder, 0)
		if pkg == nil {
			return nil
		}
		read += len(pkg.GoFiles) + len(pkg.TestGoFiles) + len(pkg.XTestGoFiles)
		ignored += len(pkg.IgnoredGoFiles) + len(pkg.CgoFiles)
		own := t.importPath(folder)
		t.check(own, folder, append(append([]string{}, pkg.GoFiles...), pkg.TestGoFiles...), true)
		t.check(own+"_test", folder, pkg.XTestGoFiles, true)
		return nil
	}))
	out, err := os.Create(os.Args[2])
	fail(err)
	table := bufio.NewWriter(out)
	fmt.Fprintln(table, "caller\tcallee\tfile\tline\tcol\tname\tkind")
	keys := make([]string, 0, len(t.rows))
	for key := range t.rows {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	kinds := map[string]int{}
	for _, key := range keys {
		r := t.rows[key]
		kinds[r.kind]++
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\t%s\t%s\n", r.caller, r.callee, r.file, r.line, r.column, r.name, r.kind)
	}
	fail(table.Flush())
	fail(out.Close())
	fmt.Println(read, "files", ignored, "of other systems", kinds, t.problems, "problems", len(t.missing), "packages missing")
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (t *tree) importPath(folder string) string {
	inside, _ := filepath.Rel(t.root, folder)
	if t.prefix == "-" {
		return filepath.ToSlash(inside)
	}
	return path.Join(t.prefix, filepath.ToSlash(inside))
}

// Import finds a package in the tree, else outside of it, else makes an empty one.
func (t *tree) Import(name string) (*types.Package, error) { return t.ImportFrom(name, t.root, 0) }

func (t *tree) ImportFrom(name, folder string, mode types.ImportMode) (*types.Package, error) {
	if name == "unsafe" {
		return types.Unsafe, nil
	}
	if known, ok := t.packages[name]; ok && known != nil {
		return known, nil
	}
	inside := ""
	if t.prefix == "-" {
		inside = name
	} else if name == t.prefix {
		inside = "."
	} else if strings.HasPrefix(name, t.prefix+"/") {
		inside = name[len(t.prefix)+1:]
	}
	if inside != "" {
		for _, place := range []string{inside, "vendor/" + inside} {
			pkg, err := t.context.ImportDir(filepath.Join(t.root, place), 0)
			if err == nil {
				t.packages[name] = nil
				return t.check(name, pkg.Dir, pkg.GoFiles, false), nil
			}
		}
	}
	found, err := t.outside.ImportFrom(name, folder, mode)
	if err != nil || found == nil {
		t.missing[name] = true
		found = types.NewPackage(name, path.Base(name))
		found.MarkComplete()
	}
	t.packages[name] = found
	return found, nil
}

// check reads the types of some files of one folder and, where asked to, notes their calls.
func (t *tree) check(name, folder string, files []string, calls bool) *types.Package {
	if len(files) == 0 {
		return nil
	}
	parsed := []*ast.File{}
	for _, file := range files {
		place := filepath.Join(folder, file)
		if t.files[place] == nil {
			text, err := os.ReadFile(place)
			fail(err)
			tree, _ := parser.ParseFile(t.set, place, text, parser.SkipObjectResolution)
			if tree == nil {
				continue
			}
			t.files[place], t.texts[place] = tree, text
			t.declare(tree)
		}
		parsed = append(parsed, t.files[place])
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	config := types.Config{Importer: t, IgnoreFuncBodies: !calls, FakeImportC: true, Error: func(error) {
		if calls {
			t.problems++
		}
	}}
	checked, _ := config.Check(name, t.set, parsed, info)
	if !calls {
		t.packages[name] = checked
		return checked
	}
	for _, file := range parsed {
		t.calls(file, info)
	}
	return checked
}

func (t *tree) place(at token.Pos) token.Position { return t.set.PositionFor(at, false) }

func (t *tree) home(file string) string {
	inside, _ := filepath.Rel(t.root, file)
	inside = filepath.ToSlash(inside)
	return strings.TrimSuffix(inside, path.Ext(inside)) + ":"
}

// scope returns the qualified name of what a node declares for the calls and methods inside it, or "".
func scope(node ast.Node) string {
	switch node := node.(type) {
	case *ast.FuncDecl:
		if node.Recv == nil || len(node.Recv.List) == 0 {
			return node.Name.Name
		}
		return receiver(node.Recv.List[0].Type) + "." + node.Name.Name
	case *ast.TypeSpec:
		return node.Name.Name
	}
	return ""
}

func receiver(node ast.Expr) string {
	switch node := node.(type) {
	case *ast.Ident:
		return node.Name
	case *ast.StarExpr:
		return receiver(node.X)
	case *ast.ParenExpr:
		return receiver(node.X)
	case *ast.IndexExpr:
		return receiver(node.X)
	case *ast.IndexListExpr:
		return receiver(node.X)
	}
	return "?"
}

// walk visits all nodes with the names of the scopes around them.
func walk(node ast.Node, around []string, visit func(ast.Node, []string)) {
	ast.Inspect(node, func(inner ast.Node) bool {
		if inner == nil || inner == node {
			return true
		}
		if declaration, ok := inner.(*ast.GenDecl); ok && declaration.Tok == token.VAR && len(around) == 0 {
			for _, spec := range declaration.Specs {
				value := spec.(*ast.ValueSpec)
				held := around
				if len(value.Values) == 1 {
					if _, ok := value.Values[0].(*ast.FuncLit); ok {
						held = []string{value.Names[0].Name}
					}
				}
				walk(value, held, visit)
			}
			return false
		}
		visit(inner, around)
		if name := scope(inner); name != "" {
			walk(inner, append(append([]string{}, around...), name), visit)
			return false
		}
		return true
	})
}

// declare notes the names of functions and methods of a file.
func (t *tree) declare(file *ast.File) {
	home := t.home(t.place(file.Pos()).Filename)
	walk(file, nil, func(node ast.Node, around []string) {
		switch node := node.(type) {
		case *ast.FuncDecl:
			t.names[t.place(node.Name.Pos()).String()] = home + scope(node)
		case *ast.InterfaceType:
			for _, field := range node.Methods.List {
				for _, name := range field.Names {
					t.names[t.place(name.Pos()).String()] = home + strings.Join(append(append([]string{}, around...), name.Name), ".")
				}
			}
		}
	})
}

func (t *tree) calls(file *ast.File, info *types.Info) {
	place := t.place(file.Pos()).Filename
	home := t.home(place)
	inside, _ := filepath.Rel(t.root, place)
	walk(file, nil, func(node ast.Node, around []string) {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return
		}
		name := called(call.Fun)
		if name == nil || info.Types[call.Fun].IsType() {
			return
		}
		at := t.place(name.Pos())
		r := row{caller: home + strings.Join(around, "."), callee: name.Name, file: filepath.ToSlash(inside), line: at.Line, name: name.Name}
		start := at.Offset - at.Column + 1
		r.column = len(utf16.Encode([]rune(string(t.texts[place][start:at.Offset]))))
		switch object := info.Uses[name].(type) {
		case nil:
			r.kind = "unresolved"
		case *types.Builtin:
			r.kind = "external"
		case *types.Func:
			r.kind = "external"
			if known, ok := t.names[t.place(object.Pos()).String()]; ok && object.Pos().IsValid() {
				r.kind, r.callee = "internal", known
			}
		case *types.TypeName:
			return
		default:
			r.kind = "variable"
		}
		key := fmt.Sprintf("%s\x00%09d\x00%06d", r.file, r.line, r.column)
		if known, ok := t.rows[key]; !ok || known.kind == "unresolved" {
			t.rows[key] = r
		}
	})
}

// called returns the name that a call calls.
func called(node ast.Expr) *ast.Ident {
	switch node := node.(type) {
	case *ast.Ident:
		return node
	case *ast.SelectorExpr:
		return node.Sel
	case *ast.ParenExpr:
		return called(node.X)
	case *ast.IndexExpr:
		return called(node.X)
	case *ast.IndexListExpr:
		return called(node.X)
	}
	return nil
}
