// The links of a Go module as go/types sees them, for comparison with Kitbag's.
//
//	go run gotypes.go REPO > oracle.jsonl
//
// Packages of the module are checked from their sources, those of the standard library too; other modules are not fetched, and what needs them
// stays "unknown". What comes out is described in README.md.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
)

type place struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	First int    `json:"first"`
}

type row struct {
	Kind       string  `json:"kind"`
	File       string  `json:"file"`
	Line       int     `json:"line"`
	Column     int     `json:"column"`
	Name       string  `json:"name"`
	Where      string  `json:"where"`
	TargetKind string  `json:"target_kind,omitempty"`
	Targets    []place `json:"targets,omitempty"`
	Symbol     string  `json:"symbol,omitempty"`
}

var (
	root    string
	fset    = token.NewFileSet()
	std     = importer.ForCompiler(fset, "source", nil)
	modules = map[string]string{} // module path → folder
	checked = map[string]*types.Package{}
	missing = map[string]*types.Package{}
	out     = bufio.NewWriter(os.Stdout)
)

type finder struct{}

func (finder) Import(name string) (*types.Package, error) {
	if name == "unsafe" {
		return types.Unsafe, nil
	}
	if folder, ok := folderOf(name); ok {
		if done, ok := checked[name]; ok {
			return done, nil
		}
		files := parse(folder, func(file string, pkg string) bool { return !strings.HasSuffix(file, "_test.go") })
		return check(name, files, nil), nil
	}
	if !strings.Contains(strings.Split(name, "/")[0], ".") {
		return std.Import(name)
	}
	if missing[name] == nil {
		missing[name] = types.NewPackage(name, path.Base(name))
		missing[name].MarkComplete()
	}
	return missing[name], nil
}

func folderOf(name string) (string, bool) {
	for module, folder := range modules {
		if name == module || strings.HasPrefix(name, module+"/") {
			inner := filepath.Join(folder, strings.TrimPrefix(name, module))
			if _, err := os.Stat(inner); err == nil {
				return inner, true
			}
		}
	}
	return "", false
}

func parse(folder string, want func(file, pkg string) bool) []*ast.File {
	names, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	sort.Strings(names)
	var files []*ast.File
	for _, name := range names {
		if ok, err := build.Default.MatchFile(folder, filepath.Base(name)); err != nil || !ok {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if file != nil && err == nil && want(filepath.Base(name), file.Name.Name) {
			files = append(files, file)
		}
	}
	return files
}

func check(name string, files []*ast.File, info *types.Info) *types.Package {
	config := types.Config{Importer: finder{}, Error: func(error) {}, FakeImportC: true}
	pkg, _ := config.Check(name, fset, files, info)
	if info == nil {
		checked[name] = pkg
	}
	return pkg
}

func relative(name string) (string, bool) {
	inner, err := filepath.Rel(root, name)
	return filepath.ToSlash(inner), err == nil && !strings.HasPrefix(inner, "..")
}

func main() {
	root, _ = filepath.Abs(os.Args[1])
	root, _ = filepath.EvalSymlinks(root)
	var folders []string
	filepath.WalkDir(root, func(name string, entry os.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if entry.IsDir() {
			base := entry.Name()
			if name != root && (strings.HasPrefix(base, ".") || base == "vendor" || base == "testdata" || base == "node_modules") {
				return filepath.SkipDir
			}
			folders = append(folders, name)
		} else if entry.Name() == "go.mod" {
			text, _ := os.ReadFile(name)
			for _, line := range strings.Split(string(text), "\n") {
				if strings.HasPrefix(line, "module ") {
					modules[strings.Trim(strings.TrimSpace(strings.TrimPrefix(line, "module ")), `"`)] = filepath.Dir(name)
				}
			}
		}
		return nil
	})
	for _, folder := range folders {
		packages := map[string]bool{}
		for _, file := range parse(folder, func(string, string) bool { return true }) {
			packages[file.Name.Name] = true
		}
		for pkg := range packages {
			files := parse(folder, func(_, name string) bool { return name == pkg })
			info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
			check(nameOf(folder), files, info)
			for _, file := range files {
				uses(file, info)
			}
		}
	}
	out.Flush()
}

func nameOf(folder string) string {
	for module, start := range modules {
		if inner, err := filepath.Rel(start, folder); err == nil && !strings.HasPrefix(inner, "..") {
			return path.Join(module, filepath.ToSlash(inner))
		}
	}
	return folder
}

func uses(file *ast.File, info *types.Info) {
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.CallExpr:
			add("call", name(node.Fun), info)
		case *ast.StructType:
			for _, field := range node.Fields.List {
				if len(field.Names) == 0 {
					add("inherit", name(field.Type), info)
				}
			}
		case *ast.Ident:
			if _, ok := info.Uses[node].(*types.TypeName); ok {
				add("type", node, info)
			}
		}
		return true
	})
}

func name(node ast.Expr) *ast.Ident {
	switch node := node.(type) {
	case *ast.Ident:
		return node
	case *ast.SelectorExpr:
		return node.Sel
	case *ast.ParenExpr:
		return name(node.X)
	case *ast.StarExpr:
		return name(node.X)
	case *ast.IndexExpr:
		return name(node.X)
	case *ast.IndexListExpr:
		return name(node.X)
	}
	return nil
}

func add(kind string, node *ast.Ident, info *types.Info) {
	if node == nil {
		return
	}
	at := fset.Position(node.Pos())
	file, _ := relative(at.Filename)
	one := row{Kind: kind, File: file, Line: at.Line, Column: at.Column, Name: node.Name, Where: "unknown"}
	if object := info.Uses[node]; object != nil {
		one.TargetKind = "variable"
		local := object.Parent() != nil && object.Pkg() != nil && object.Parent() != object.Pkg().Scope()
		switch object := object.(type) {
		case *types.Func:
			one.TargetKind = "function"
		case *types.TypeName:
			one.TargetKind = "class"
		case *types.Var:
			local = local && !object.IsField()
		}
		position := fset.Position(object.Pos())
		inner, inside := relative(position.Filename)
		switch {
		case object.Pkg() == nil || !object.Pos().IsValid() || !inside || position.Filename == "":
			one.Where, one.TargetKind, one.Symbol = "outside", "", fmt.Sprint(object)
		case local && one.TargetKind == "variable":
			one.Where, one.TargetKind = "local", ""
		default:
			one.Where, one.Targets = "inside", []place{{inner, position.Line, position.Line}}
		}
	}
	text, _ := json.Marshal(one)
	out.Write(append(text, '\n'))
}
