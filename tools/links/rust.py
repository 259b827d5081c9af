"""The links of a Rust workspace as rust-analyzer sees them, for comparison with Kitbag's.

    rust.py REPO INDEX.scip > oracle.jsonl

INDEX.scip is written by `rust-analyzer scip REPO --output INDEX.scip`. Nothing in it tells a call from a mention, so the text does: a name
followed by `(` or by `::<…>(` is a call; one that starts with a capital letter and is not called is a type. Macros are left out.
What comes out is described in README.md.
"""

import json
import os
import re
import sys

import scip

CALL = re.compile(r"\s*(::\s*<[^;{}]*?>\s*)?\(")
HEAD = re.compile(r"^\s*(#\[|///|//!|\)\])")


def kind_of(symbol):
    """The last descriptor of a SCIP symbol says what it is: `f().`, `T#`, `m!`, `x.`, `(p)`."""
    if symbol.endswith(")."):
        return "function"
    if symbol.endswith("#"):
        return "class"
    if symbol.endswith("!"):
        return "macro"
    return "variable"


def main(root, index):
    files = {}
    for path, found in scip.documents(index):
        try:
            with open(os.path.join(root, path), encoding="utf-8") as file:
                files[path] = (file.read().split("\n"), found)
        except OSError:
            continue
    places = {}
    for path, (_, found) in files.items():
        for one in found:
            if one["definition"] and not one["symbol"].startswith("local "):
                places.setdefault(one["symbol"], []).append((path, one["line"]))
    for path, (lines, found) in sorted(files.items()):
        for one in found:
            if one["definition"] or one["line"] != one["end_line"] or one["line"] > len(lines):
                continue
            text = lines[one["line"] - 1]
            name = text[one["column"] : one["end"]]
            rest = "\n".join([text[one["end"] :]] + lines[one["line"] : one["line"] + 2])
            called = CALL.match(rest)
            if not called and not name[:1].isupper() or text.lstrip().startswith(("use ", "pub use ", "//")):
                continue
            row = {"kind": "call" if called else "type", "file": path, "line": one["line"], "column": one["column"] + 1, "name": name}
            row.update(target(one["symbol"], places, files))
            print(json.dumps(row))


def target(symbol, places, files):
    if symbol.startswith("local "):
        return {"where": "local"}
    found = places.get(symbol)
    if not found:
        return {"where": "outside", "symbol": symbol}
    return {"where": "inside", "target_kind": kind_of(symbol), "targets": [{"file": f, "line": n, "first": first(files[f][0], n)} for f, n in found]}


def first(lines, line):
    """The first line of the item that is named on `line`: attributes and comments above belong to it."""
    while line > 1 and HEAD.match(lines[line - 2]):
        line -= 1
    return line


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
