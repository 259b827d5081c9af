"""The links of a Python project as pyright sees them, for comparison with Kitbag's.

    python.py REPO INDEX.scip > oracle.jsonl

INDEX.scip is written by `scip-python index . --project-name x --project-version _ --output INDEX.scip`, run in REPO. scip-python does
not say what a reference is for; Python's own `ast` does: calls, bases, annotations. What comes out is described in README.md.
"""

import ast
import json
import os
import sys

import scip


def utf16(line, column):
    """The column of scip-python (UTF-16) for a byte column of `ast`."""
    return len(line.encode()[:column].decode(errors="replace").encode("utf-16-le")) // 2


def last_name(node):
    """The identifier that names what `node` refers to, with line and byte column; None where there is none."""
    if isinstance(node, ast.Name):
        return node.id, node.lineno, node.col_offset
    if isinstance(node, ast.Attribute):
        return node.attr, node.end_lineno, node.end_col_offset - len(node.attr.encode())
    if isinstance(node, ast.Subscript):
        return last_name(node.value)
    return None


class Uses(ast.NodeVisitor):
    def __init__(self):
        self.found = []
        self.definitions = {}
        self.scopes = []

    def add(self, kind, node):
        name = last_name(node) if node is not None else None
        if name:
            self.found.append((kind, *name))

    def annotation(self, node):
        if node is None:
            return
        for part in ast.walk(node):
            if isinstance(part, (ast.Name, ast.Attribute)):
                self.add("type", part)

    def visit_Call(self, node):
        self.add("call", node.func)
        self.generic_visit(node)

    def definition(self, node, kind):
        first = min([node.lineno] + [d.lineno for d in node.decorator_list])
        local = bool(self.scopes) and self.scopes[-1] == "function"
        self.definitions[node.lineno] = (kind, first, local)

    def inside(self, node, kind):
        self.scopes.append(kind)
        self.generic_visit(node)
        self.scopes.pop()

    def visit_ClassDef(self, node):
        self.definition(node, "class")
        for base in node.bases:
            self.add("inherit", base)
        self.inside(node, "class")

    def visit_FunctionDef(self, node):
        self.definition(node, "function")
        for argument in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]:
            if argument is not None:
                self.annotation(argument.annotation)
        self.annotation(node.returns)
        self.inside(node, "function")

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_AnnAssign(self, node):
        self.annotation(node.annotation)
        self.generic_visit(node)


def read(root, path):
    try:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = file.read()
        uses = Uses()
        uses.visit(ast.parse(text))
    except (OSError, SyntaxError, UnicodeDecodeError, RecursionError):
        return None
    return text.split("\n"), uses


def main(root, index):
    files = {path: (read(root, path), found) for path, found in scip.documents(index)}
    places = {}
    for path, (_, found) in files.items():
        for one in found:
            if one["definition"]:
                symbol = (path, one["symbol"]) if one["symbol"].startswith("local ") else one["symbol"]
                places.setdefault(symbol, []).append((path, one["line"]))
    for path, (source, found) in sorted(files.items()):
        if source is None:
            continue
        lines, uses = source
        at = {(one["line"], one["column"]): one["symbol"] for one in found}
        for kind, name, line, column in uses.found:
            symbol = at.get((line, utf16(lines[line - 1], column)))
            row = {"kind": kind, "file": path, "line": line, "column": column + 1, "name": name}
            if symbol is None:
                row["where"] = "unknown"
            else:
                row.update(target(symbol, path, places, files))
            print(json.dumps(row))


def target(symbol, path, places, files):
    found = places.get((path, symbol) if symbol.startswith("local ") else symbol)
    # The same module by the name that `import` gives it, not by its path.
    found = found or places.get(symbol.replace("`", "`src.", 1))
    if not found:
        # A local without a definition is scip-python's word for a name it could not place.
        return {"where": "unknown" if symbol.startswith("local ") else "outside", "symbol": symbol}
    targets, kinds, locals_ = [], set(), []
    for file, line in found:
        source = files[file][0]
        # A parameter, or a variable inside a function, holds something that no rule of the language names.
        otherwise = ("variable", line, symbol.startswith("local ") or symbol.endswith(")"))
        is_parameter = symbol.endswith(")")
        kind, first, local = source[1].definitions.get(line, otherwise) if source and not is_parameter else otherwise
        kinds.add(kind)
        locals_.append(local)
        targets.append({"file": file, "line": line, "first": first})
    kind = "class" if "class" in kinds else "function" if "function" in kinds else "variable"
    return {"where": "local" if all(locals_) else "inside", "target_kind": kind, "targets": targets}


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
