#!/usr/bin/env python3
"""Asks Kitbag the questions of a set and keeps every candidate with the values of its factors, so that weights are learned in seconds.

  dump.py --kitbag BIN --bench DIR --set code-search|FILE.jsonl --out FILE [--stores DIR] [--most N]

A reason of `--explain` is exp(weight × value), and BIN is a build of this tree, so tuning.rs gives the values back; a factor whose weight is 0 for a kind
of question cannot be seen there. DIR is the folder of the benchmark sets with its `eval.py`, which makes the trees ($KITBAG_BENCH_CLONES,
$KITBAG_BENCH_WORK). Indexes are kept in `--stores`. `--most`: tasks per repository. A run that was stopped goes on.
"""
import argparse, importlib.util, json, math, os, subprocess, sys

from learn import table

def load(bench):
    spec = importlib.util.spec_from_file_location("bench_eval", os.path.join(bench, "eval.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_eval"] = module
    spec.loader.exec_module(module)
    return module

def code_search(bench, module):
    for row in json.load(open(f"{bench}/code-search/repos.json")):
        queries = json.load(open(f"{bench}/code-search/annotations/{row['name']}.json"))
        root = os.path.join(module.tree(row["clone"], row["revision"]), row["root"] if row["root"] != "." else "")
        tasks = []
        for n, query in enumerate(queries):
            targets = [module._target(target) for target in query.get("relevant", []) + query.get("secondary", [])]
            tasks.append(dict(id=f"{row['name']}#{n}", repo=row["name"], query=query["query"], category=query["category"], targets=targets))
        yield root, tasks

def tasks_of(path, module, most):
    trees, seen = {}, {}
    for line in open(path):
        row = json.loads(line)
        seen[row["clone"]] = seen.get(row["clone"], 0) + 1
        if seen[row["clone"]] > most:
            continue
        trees.setdefault((row["clone"], row["base_commit"]), []).append(row)
    for (clone, commit), rows in trees.items():
        try:
            root = module.tree(clone, commit)
        except (FileNotFoundError, subprocess.CalledProcessError) as error:
            print(clone, error, file=sys.stderr)
            continue
        yield root, [dict(id=row["id"], repo=clone, query=row["query"], category=row.get("category", ""), gold_files=row["gold_files"],
                          gold_lines=row.get("gold_lines", {}), gold_labels=row.get("gold_labels", {})) for row in rows]

def group_of(results, weights):
    """Which kind of question it was: the factor `code` has another weight in each."""
    for hit in results:
        for reason in hit["reasons"]:
            if reason["factor"] == "code":
                seen = math.log(reason["value"])
                return min(range(3), key=lambda group: abs(weights["code"][group] - seen))
    return 1

def hits(command, query, weights):
    done = subprocess.run([*command, "--", query], capture_output=True, text=True)
    if done.returncode:
        print(done.stdout[:300], done.stderr[:300], file=sys.stderr)
        return 1, []
    results = json.loads(done.stdout)["results"]
    group = group_of(results, weights)
    found = []
    for hit in results:
        seen = {reason["factor"]: reason["value"] for reason in hit["reasons"]}
        values = {name: round(math.log(seen[name]) / weights[name][group], 4) for name in seen if name in weights and weights[name][group] and seen[name] > 0}
        found.append([hit["path"], hit["line_start"], hit["line_end"], hit["label"], values])
    return group, found

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--kitbag", required=True)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--set", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--stores")
    parser.add_argument("--most", type=int, default=10**9)
    args = parser.parse_args()
    module = load(args.bench)
    weights = table(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../crates/kitbag-rank/src/tuning.rs"))
    sets = code_search(args.bench, module) if args.set == "code-search" else tasks_of(args.set, module, args.most)
    done = {json.loads(line)["id"] for line in open(args.out)} if os.path.exists(args.out) else set()
    with open(args.out, "a") as out:
        for root, tasks in sets:
            tasks = [task for task in tasks if task["id"] not in done]
            if not tasks:
                continue
            where = ["--root", root]
            if args.stores:
                where += ["--store", os.path.join(args.stores, os.path.basename(root.rstrip("/")))]
            subprocess.run([args.kitbag, "index", "-q", *where], stdout=subprocess.DEVNULL)
            command = [args.kitbag, "search", *where, "--json", "--explain", "--no-update", "--top", "500"]
            for task in tasks:
                task["group"], task["hits"] = hits(command, task["query"], weights)
                out.write(json.dumps(task) + "\n")
            out.flush()
            print(root, len(tasks), file=sys.stderr)
