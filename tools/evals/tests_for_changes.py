#!/usr/bin/env python3
"""Does `kitbag tests --diff` name the test that a change needs?

Takes commits of real repositories that changed code and existing tests together. The parent of each is checked out, the hunks of the code (not of
the tests) are applied to the working tree, and `kitbag tests --diff --json` is asked. Gold: the test files that the commit changed and that
existed before it. Figures: share of commits with a gold file among the first 1, 5 and 10 (hit), and the mean share of gold files among the
first 10 (recall). Beside it a baseline that sees names only: test files called like a changed file come first, then those whose
name holds its name, the nearer folder first.

    tests_for_changes.py run --kitbag target/debug/kitbag --clones DIR --work DIR --commits 12 --out runs.json owner+name …
    tests_for_changes.py show runs.json
    tests_for_changes.py fit runs.json        # weights by pairwise logistic regression, each repository judged by the others

`--clones` holds bare repositories as `owner+name/repo`. Python 3 and git. Standard error tells of progress.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys

CODE = {"py", "js", "ts", "tsx", "jsx", "mjs", "cjs", "rs", "go", "java", "rb", "php", "cs", "c", "cc", "cpp", "h", "hpp", "kt", "scala", "ex", "exs",
        "swift", "lua", "zig", "hs"}
SIGNALS = ["certain", "likely", "by_name", "naming", "imports", "together", "words", "folder", "similar"]


def git(folder, *args, data=None):
    return subprocess.run(["git", "-C", folder, *args], input=data, capture_output=True, check=True).stdout


def is_code(path):
    return path.rsplit(".", 1)[-1].lower() in CODE


def is_test(path):
    parts = path.split("/")
    stem = parts[-1].split(".")[0]
    in_folder = any(part.lower() in ("test", "tests", "__tests__", "spec", "specs", "testing") or part.endswith(("Tests", ".Specs", ".Tests")) for part in parts[:-1])
    words = re.split(r"[_.\-]", parts[-1].lower())
    return in_folder or any(word in ("test", "tests", "spec", "specs") for word in words) or stem.endswith(("Test", "Tests", "Spec", "Specs"))


def pairs(repo, most):
    """(commit, code files, test files that were there before), newest first."""
    log = git(repo, "log", "--no-merges", "--max-count=4000", "--name-status", "--no-renames", "--format=%x00%H %P").decode("utf-8", "replace")
    found = []
    for record in log.split("\0")[1:]:
        head, _, body = record.partition("\n")
        ids = head.split()
        changes = [line.split("\t") for line in body.splitlines() if "\t" in line]
        if len(ids) != 2 or not 2 <= len(changes) <= 12:
            continue
        code = [path for status, path in changes if is_code(path) and not is_test(path) and status in "MA"]
        tests = [path for status, path in changes if is_code(path) and is_test(path) and status == "M"]
        if code and tests and any(status == "M" and path in code for status, path in changes):
            found.append((ids[0], code, tests))
    recent = found[:400]
    step = max(1, len(recent) // most)
    return recent[::step][:most]


def stem(path):
    name = re.sub(r"[^a-z0-9]", "", path.split("/")[-1].split(".")[0].lower())
    if name in ("index", "mod", "lib", "init", "main", "test", "tests"):
        name = re.sub(r"[^a-z0-9]", "", ("/" + path).split("/")[-2].lower())
    return re.sub(r"^(tests?|specs?)|(testcase|tests?|specs?)$", "", name)


def by_name(code, tests):
    def worth(test):
        best = 0.0
        for path in code:
            a, b = stem(test), stem(path)
            alike = 1.0 if a == b and a else 0.5 if len(b) > 3 and b in a else 0.4 if len(a) > 3 and a in b else 0.0
            x, y = set(test.split("/")[:-1]), set(path.split("/")[:-1])
            near = len(x & y) / max(1, len(x | y))
            best = max(best, alike + 0.1 * near)
        return best

    return sorted(tests, key=lambda test: (-worth(test), test))


def run(options):
    runs = []
    for name in options.repositories:
        tree = os.path.join(options.work, name)
        if not os.path.isdir(tree):
            subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", os.path.join(options.clones, name, "repo"), tree], check=True)
        for commit, code, tests in pairs(tree, options.commits):
            git(tree, "checkout", "-q", "--force", "--detach", commit + "^")
            git(tree, "clean", "-fdq")
            patch = git(tree, "diff", "--binary", commit + "^", commit, "--", *code)
            try:
                git(tree, "apply", "--whitespace=nowarn", data=patch)
            except subprocess.CalledProcessError:
                print(f"{name} {commit[:10]}: the hunks do not apply", file=sys.stderr)
                continue
            asked = [options.kitbag, "--root", tree, "--store", os.path.join(options.work, name + ".store"), "tests", "--diff", "--json", "-n", "100"]
            answer = subprocess.run(asked, capture_output=True)
            if answer.returncode not in (0, 1):
                print(f"{name} {commit[:10]}: {answer.stderr.decode()[-300:]}", file=sys.stderr)
                continue
            told = json.loads(answer.stdout)
            listed = git(tree, "ls-files").decode("utf-8", "replace").splitlines()
            everything = [path for path in listed if is_code(path) and is_test(path)]
            runs.append({
                "repository": name, "commit": commit, "code": code, "gold": tests, "n_tests": len(everything),
                "kitbag": [{"path": one["path"], "certain": one["certain"], "signals": one["signals"]} for one in told.get("tests", [])],
                "names": by_name(code, everything)[:100],
            })
            with open(options.out, "w") as out:
                json.dump(runs, out)
        print(f"{name}: {sum(one['repository'] == name for one in runs)} commits", file=sys.stderr)


def figures(runs, order):
    hits = {1: 0, 5: 0, 10: 0}
    recall = 0.0
    for one in runs:
        ranked, gold = order(one), set(one["gold"])
        for k in hits:
            hits[k] += bool(gold & set(ranked[:k]))
        recall += len(gold & set(ranked[:10])) / len(gold)
    n = max(1, len(runs))
    return [hits[1] / n, hits[5] / n, hits[10] / n, recall / n]


def table(runs, orders):
    names = sorted({one["repository"] for one in runs})
    print(f"{'repository':28} {'commits':>7} {'tests':>6}  " + "  ".join(f"{label:^27}" for label, _ in orders))
    print(" " * 44 + "  ".join("  hit@1  hit@5 hit@10 rec@10" for _ in orders))
    for name in names + ["all"]:
        part = [one for one in runs if name in ("all", one["repository"])]
        tests = sorted(one["n_tests"] for one in part)[len(part) // 2]
        cells = ["".join(f"{value:7.2f}" for value in figures(part, order)) for _, order in orders]
        print(f"{name:28} {len(part):7} {tests:6}  " + "  ".join(cells))


def kitbag(one):
    return [test["path"] for test in one["kitbag"]]


def weighted(weights):
    def order(one):
        def score(test):
            return sum(weights[at] * test["signals"].get(name, 0.0) for at, name in enumerate(SIGNALS))

        return [test["path"] for test in sorted(one["kitbag"], key=lambda test: (-score(test), test["path"]))]

    return order


def fit_weights(runs, rounds=300):
    """Pairwise logistic regression with weights that are not negative, in plain Python: a few thousand pairs."""
    pairs_of_all = []
    for one in runs:
        gold = set(one["gold"])
        rows = [(test["path"] in gold, [test["signals"].get(name, 0.0) for name in SIGNALS]) for test in one["kitbag"]]
        good = [row for is_gold, row in rows if is_gold]
        bad = [row for is_gold, row in rows if not is_gold][:30]
        own = [[a - b for a, b in zip(x, y)] for x in good for y in bad]
        pairs_of_all += [(pair, 1.0 / len(own)) for pair in own]
    weights = [1.0] * len(SIGNALS)
    rate = 4.0 / max(1, len(runs))
    for _ in range(rounds):
        gradient = [-0.002 * len(runs) * weight for weight in weights]
        for pair, share in pairs_of_all:
            sure = sum(weight * value for weight, value in zip(weights, pair))
            chance = share / (1 + math.exp(min(30.0, sure)))
            for at, value in enumerate(pair):
                gradient[at] += chance * value
        weights = [max(0.0, weight + rate * step) for weight, step in zip(weights, gradient)]
    return weights


def fit(runs):
    names = sorted({one["repository"] for one in runs})
    by_fold = {}
    for name in names:
        by_fold[name] = fit_weights([one for one in runs if one["repository"] != name])
    held_out = [("names only", lambda one: one["names"]), ("as shipped", kitbag), ("fitted on the others", lambda one: weighted(by_fold[one["repository"]])(one))]
    table(runs, held_out)
    everything = fit_weights(runs)
    print("\nweights on all: " + ", ".join(f"{name} {value:.2f}" for name, value in zip(SIGNALS, everything)))
    print("\none signal off (weights as fitted on all):")
    full = figures(runs, weighted(everything))
    print(f"  {'none':10}" + "".join(f"{value:7.3f}" for value in full))
    for at, name in enumerate(SIGNALS):
        without = list(everything)
        without[at] = 0.0
        print(f"  {name:10}" + "".join(f"{value:7.3f}" for value in figures(runs, weighted(without))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    runner = commands.add_parser("run")
    runner.add_argument("--kitbag", required=True)
    runner.add_argument("--clones", required=True)
    runner.add_argument("--work", required=True)
    runner.add_argument("--commits", type=int, default=12)
    runner.add_argument("--out", required=True)
    runner.add_argument("repositories", nargs="+")
    for name in ("show", "fit"):
        commands.add_parser(name).add_argument("runs")
    options = parser.parse_args()
    if options.command == "run":
        run(options)
        return
    with open(options.runs) as file:
        runs = json.load(file)
    if options.command == "show":
        table(runs, [("names only", lambda one: one["names"]), ("kitbag tests --diff", kitbag)])
    else:
        fit(runs)


main()
