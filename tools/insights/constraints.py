#!/usr/bin/env python3
"""Recall of `kitbag constraints` on labelled constraints: same file, same line.

  python3 tools/insights/constraints.py LABELS.jsonl CLONES WORK [KITBAG]

LABELS has one repository per line: `clone`, `commit`, `constraints` (`source`, `line`, `enforcement`, `text`).
CLONES holds bare clones as <clone>/repo; trees are checked out below WORK.
"""
import json, os, subprocess, sys


def git(*args, cwd):
    subprocess.run(["git", *args], cwd=cwd, capture_output=True, check=False)


def main():
    labels, clones, work = sys.argv[1:4]
    kitbag = sys.argv[4] if len(sys.argv) > 4 else "kitbag"
    found = wanted = same = told = 0
    for line in open(labels):
        label = json.loads(line)
        tree = os.path.join(work, label["clone"])
        if not os.path.isdir(os.path.join(tree, ".git")):
            git("clone", "-q", "-s", "-n", os.path.join(clones, label["clone"], "repo"), tree, cwd=None)
            git("update-ref", "--no-deref", "HEAD", label["commit"], cwd=tree)
            git("read-tree", label["commit"], cwd=tree)
            git("checkout-index", "-a", "-f", cwd=tree)
        output = subprocess.run([kitbag, "constraints", "--json"], cwd=tree, capture_output=True, text=True).stdout
        got = json.loads(output)["constraints"]
        told += len(got)
        for one in label["constraints"]:
            wanted += 1
            here = [c for c in got if c["file"] == one["source"] and c["line"] == one["line"]]
            found += bool(here)
            same += any(c["enforcement"] == one["enforcement"] for c in here)
            if not here:
                print("missed", label["clone"], one["source"], one["line"], one["text"])
    print(f"recall {found} of {wanted}, strength {same} of {found}, reported in all {told}")


main()
