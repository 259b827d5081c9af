#!/usr/bin/env python3
"""Conventions that were counted by other scripts, against those that Kitbag reports.

  python3 tools/insights/conventions.py LABELS.jsonl CLONES WORK [KITBAG]

LABELS has one repository per line: `clone`, `commit`, `statements` (`statement`, `holds`, `followed`, `applicable`). A statement that
holds, wholly or in part, is right if a pattern of its kind has both counts within 2 %; one that does not hold is right if no pattern of its
kind is shown. Which patterns are of the kind of a statement is told by KINDS, an expression over ids. CLONES holds bare clones as
<clone>/repo; trees are checked out below WORK. With `-` instead of KITBAG, WORK/<clone>.tsv is read: id, followed/applicable, S or -.
"""
import json, os, re, subprocess, sys

KINDS = {
    "Functions and methods are snake_case": "functions/.*case:snake_case",
    "Functions are snake_case": "functions/.*case:snake_case",
    "Methods are camelCase": "functions/.*case:camelCase",
    "Classes are PascalCase": "types/.*case:PascalCase",
    "Types are PascalCase": "types/.*case:PascalCase",
    "No bare except: every handler names an exception": "handlers/.*named-error",
    "Functions have return type annotations": "functions/.*typed",
    "Methods declare a return type": "functions/.*typed",
    "Public module functions have docstrings": "functions/.*public/top.*doc",
    "Tests are pytest functions named test_*": "tests/.*named:test_",
    "Tests are top-level functions, not methods of Test classes": "tests/.*(top|without-type)",
    "Test files are named test_*.py": "files/.*has-tests.*begins:test_",
    "Modules start with from __future__ import annotations": "files/.*future-annotations",
    "One name per from-import line": "imports/.*one-name",
    "Internal imports are relative": "imports/.*internal.*relative",
    "Go file names are lower-case with underscores": "files/.*case:snake_case",
    "Tests are functions TestXxx(t *testing.T)": "tests/.*takes-testing",
    "A test file sits beside its source file": "files/.*beside-source",
    "Assertions use testify require rather than assert": "calls/.*by:require",
    "fmt.Errorf wraps the cause with %w when it formats err": "calls/.*by:%w",
    "Exported functions have a doc comment": "functions/.*public.*/doc",
    "Doc comments of exported functions start with the function name": "functions/.*doc-names-it",
    "Receiver names are at most three letters": "functions/.*short-receiver",
    "No panic in library code": "files/.*avoids:panic",
    "Public functions and methods have doc comments": "functions/.*public.*/doc",
    "Unit tests live in a tests module of the same file": "files/.*test-module",
    "Lines are at most 79 characters": "lines/.*width:79",
    "No unsafe blocks": "files/.*avoids:unsafe",
    "No unwrap() outside tests and docs": "files/.*avoids:unwrap",
    "No println!/dbg! in library code": "files/.*avoids:println",
    "Test files are *.spec.ts in __tests__": "files/.*role:test.*(in-tests-folder|ends:.spec.ts)",
    "No async/await in package sources": "files/.*avoids:async",
    "No semicolons at line ends": "lines/.*no-semicolon",
    "Strings use single quotes in imports": "lines/.*quotes:single",
    "Type-only names are imported with the type keyword inline": "imports/.*inline-type",
    "No default exports": "files/.*avoids:export-default",
    "File names are camelCase": "files/.*case:camelCase",
    "console.log is not used": "files/.*avoids:console.log",
    "Controller classes end in Controller": "(types|files)/.*Controllers.*(suffix:Controller|ends:Controller)",
    "Class name equals file name": "types/.*named-as-file",
    "Constructors promote their properties": "functions/.*promotes",
    "Test methods use the #[Test] attribute": "tests/.*marked-test",
    "env() is not used outside config": "files/.*avoids:env",
    "DB:: facade is avoided in favour of models": "files/.*avoids:the-DB-facade",
    "Indentation is by tabs": "lines/.*indent:tabs",
    "Test classes end in Tests": "files/.*stem-ends:Tests",
    "Test methods do not use the public modifier": "tests/.*not-public",
    "Controllers are package-private classes named *Controller": "types/.*mark:Controller.*(suffix:Controller|private)",
    "Every source file starts with the licence header": "files/.*header",
    "Dependencies are injected through the constructor": "types/.*mark:Controller.*no-injected-fields",
}


def git(*args, cwd=None):
    subprocess.run(["git", *args], cwd=cwd, capture_output=True, check=False)


def patterns(label, clones, work, kitbag):
    if kitbag == "-":
        rows = [line.split("\t") for line in open(os.path.join(work, f"{label['clone']}.tsv"))]
        return [(row[2], *map(int, row[3].split("/")), row[0] == "S") for row in rows if "/" in row[3]]
    tree = os.path.join(work, label["clone"])
    if not os.path.isdir(os.path.join(tree, ".git")):
        git("clone", "-q", "-s", "-n", os.path.join(clones, label["clone"], "repo"), tree)
    git("update-ref", "--no-deref", "HEAD", label["commit"], cwd=tree)
    git("read-tree", label["commit"], cwd=tree)
    git("checkout-index", "-a", "-f", cwd=tree)
    output = subprocess.run([kitbag, "patterns", "--all", "--json"], cwd=tree, capture_output=True, text=True).stdout
    return [(p["id"], p["occurrences"], p["applicable"], p["shown"]) for p in json.loads(output)["patterns"]]


def near(a, b):
    return abs(a - b) <= max(0.02 * b, 0.5)


def main():
    labels, clones, work = sys.argv[1:4]
    kitbag = sys.argv[4] if len(sys.argv) > 4 else "kitbag"
    right = wanted = 0
    for line in open(labels):
        label = json.loads(line)
        got = patterns(label, clones, work, kitbag)
        for one in label["statements"]:
            wanted += 1
            kind = re.compile(KINDS[one["statement"]])
            mine = [p for p in got if kind.search(p[0])]
            if one["holds"] is False:
                good = not any(shown for *_, shown in mine)
            else:
                good = any(near(f, one["followed"]) and near(a, one["applicable"]) for _, f, a, _ in mine)
            right += good
            if not good:
                told = ", ".join(f"{p[0]} {p[1]}/{p[2]}" for p in mine[:4])
                print(f"missed {label['clone']}: {one['statement']} {one['followed']}/{one['applicable']}: {told or 'nothing'}")
    print(f"{right} of {wanted} statements, {right / wanted:.3f}")


main()
