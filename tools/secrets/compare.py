#!/usr/bin/env python3
"""Leaks and false alarms of Kitbag, detect-secrets and secretlint on the same generated files, side by side.

Run by hand, not by the gate: it needs detect-secrets (PyPI) and secretlint with its recommended preset (npm).

    tools/secrets/compare.py WORK_DIR --detect-secrets PATH --secretlint NODE_MODULES/.bin/secretlint

A shape counts as found by a tool if the tool reports anything in its file: the others report lines and do not redact, so
this is generous to them. For Kitbag it counts only if no secret is left in the redacted text.
"""

import argparse
import json
import subprocess
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def written(work):
    command = ["cargo", "run", "--quiet", "--release", "-p", "kitbag-repo", "--example", "redact", "--", "write", str(work)]
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return [line.split("\t") for line in lines]


def of_detect_secrets(program, work):
    reply = subprocess.run([program, "scan", "--all-files", str(work)], check=True, capture_output=True, text=True, cwd=work)
    found = Counter()
    for path, results in json.loads(reply.stdout)["results"].items():
        found[str((work / path).resolve())] += len(results)
    return found


def of_secretlint(program, work):
    # It looks for its rules beside itself.
    home = Path(program).absolute().parents[2]
    config = work / ".secretlintrc.json"
    config.write_text(json.dumps({"rules": [{"id": "@secretlint/secretlint-rule-preset-recommend"}]}))
    command = [str(Path(program).absolute()), "--format", "json", "--secretlintrc", str(config), f"{work}/**/*"]
    reply = subprocess.run(command, capture_output=True, text=True, cwd=home, stdin=subprocess.DEVNULL)
    found = Counter()
    for file in json.loads(reply.stdout):
        found[str(Path(file["filePath"]).resolve())] += len(file["messages"])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=lambda path: Path(path).resolve())
    parser.add_argument("--detect-secrets", default="detect-secrets")
    parser.add_argument("--secretlint", default="secretlint")
    arguments = parser.parse_args()
    rows = written(arguments.work)
    others = {
        "detect-secrets": of_detect_secrets(arguments.detect_secrets, arguments.work),
        "secretlint": of_secretlint(arguments.secretlint, arguments.work),
    }
    secrets = [row for row in rows if "/secrets/" in row[0]]
    harmless = [row for row in rows if "/harmless/" in row[0]]
    n_lines = sum(sum(1 for line in open(row[0]) if line.strip()) for row in harmless)
    print(f"{len(secrets)} files with a secret, {n_lines} lines without one\n")
    print("| tool | secrets that come through | false alarms |")
    print("| --- | --- | --- |")
    leaks = sum(row[2] != "0" for row in secrets)
    print(f"| Kitbag | {leaks} | {sum(int(row[2]) for row in harmless)} |")
    for name, found in others.items():
        leaks = sum(found[str(Path(row[0]).resolve())] == 0 for row in secrets)
        print(f"| {name} | {leaks} | {sum(found[str(Path(row[0]).resolve())] for row in harmless)} |")


if __name__ == "__main__":
    main()
