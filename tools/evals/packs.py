#!/usr/bin/env python3
"""Judge packs and searches on real issues and questions, each in its own tree, in minutes.

  packs.py prepare DIR   make the trees of the subset and index them (once; again with --anew after a change of the index)
  packs.py run DIR OUT   `kitbag eval --packs` on every tree, joined into one saved run: OUT
  packs.py list          the tasks of the subset

The data are not part of this repository: `swe-dev.jsonl`, `qa-dev.jsonl` and `changes-dev.jsonl` lie in $KITBAG_BENCH_DATA, the bare clones in
$KITBAG_BENCH_CLONES/<owner>+<name>/repo. A line is a task: id, repo, clone, base_commit, query, gold_files, gold_lines.

The subset is fixed by a rule and not by a list: of each repository of the issues the first PER_REPO tasks in the order of a
hash of their ids, every QA_STEP-th question, and every CHANGE_STEP-th change whose clone is there. A change has no lines, so only `files` says
anything about it. Every tree is also asked questions of other repositories, which have no answer in it.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

DATA = os.environ.get("KITBAG_BENCH_DATA", "")
CLONES = os.environ.get("KITBAG_BENCH_CLONES", "")
PER_REPO = 3
QA_STEP = 2
CHANGE_STEP = 2
# Larger trees take minutes to index and would be most of the work.
MOST_FILES = 3300
# Questions of other repositories that a tree of issues and a tree of questions are asked.
FOREIGN = {"issue": 1, "question": 40, "change": 0}


def tasks(file, category):
    with open(os.path.join(DATA, file)) as lines:
        found = [json.loads(line) for line in lines]
    for task in found:
        task["category"] = category
    return found


def subset():
    def order(task):
        return hashlib.sha256(task["id"].encode()).hexdigest()

    issues = {}
    for task in sorted(tasks("swe-dev.jsonl", "issue"), key=order):
        issues.setdefault(task["clone"], []).append(task)
    chosen = [task for clone in sorted(issues) for task in issues[clone][:PER_REPO]]
    changes = [task for task in tasks("changes-dev.jsonl", "change") if bare(task)]
    for task in changes:
        task["gold_lines"] = {path: [[1, 1]] for path in task["gold_files"]}
    return {"issue": chosen, "question": tasks("qa-dev.jsonl", "question")[::QA_STEP], "change": changes[::CHANGE_STEP]}


def bare(task):
    owner = task["clone"].lower()
    for name in os.listdir(CLONES):
        if name.lower() == owner:
            return os.path.join(CLONES, name, "repo")
    return None


def tree_of(directory, task):
    return os.path.join(directory, "trees", f"{task['clone']}@{task['base_commit'][:12]}")


def store_of(directory, task):
    return os.path.join(directory, "stores", f"{task['clone']}@{task['base_commit'][:12]}")


def git(folder, *arguments, **more):
    return subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True, text=True, **more)


def n_files(task):
    """How large a tree is; 0 if there is no clone of it."""
    clone = bare(task)
    if clone is None:
        return 0
    return git(clone, "ls-tree", "-r", "--name-only", task["base_commit"]).stdout.count("\n")


def make_tree(directory, task):
    """The work tree of a commit, with the history up to it and nothing later. None: the clone is not there."""
    tree, clone = tree_of(directory, task), bare(task)
    ready = os.path.join(tree, ".git", "ready")
    if clone is None:
        return None
    if n_files(task) > MOST_FILES:
        return None
    if os.path.exists(ready):
        return tree
    commit = git(clone, "rev-parse", task["base_commit"] + "^{commit}").stdout.strip()
    shutil.rmtree(tree, ignore_errors=True)
    os.makedirs(tree)
    git(tree, "init", "-q")
    with open(f"{tree}/.git/objects/info/alternates", "w") as file:
        file.write(os.path.join(clone, "objects") + "\n")
    with open(f"{tree}/.git/HEAD", "w") as file:
        file.write(commit + "\n")
    git(tree, "read-tree", commit)
    subprocess.run(["git", "-C", tree, "checkout-index", "-a", "-q", "-f"], stderr=subprocess.DEVNULL)
    open(ready, "w").close()
    return tree


def prepare(directory, kitbag, anew):
    by_tree = {tree_of(directory, task): task for some in subset().values() for task in some}
    # The small ones first: a part of the subset is there soon.
    for tree, task in sorted(by_tree.items(), key=lambda one: n_files(one[1])):
        try:
            made = make_tree(directory, task)
        except subprocess.CalledProcessError as error:
            print(f"{task['id']}: {error.stderr.strip()}", flush=True)
            continue
        if made is None:
            print(f"{task['id']}: no clone, or too large a tree", flush=True)
            continue
        store = store_of(directory, task)
        ready = os.path.join(directory, "stores", os.path.basename(store) + ".ready")
        if kitbag is None or (os.path.exists(ready) and not anew):
            continue
        if anew:
            shutil.rmtree(store, ignore_errors=True)
        done = subprocess.run([kitbag, "index", "--root", tree, "--store", store, "-q"], capture_output=True, text=True)
        if done.returncode:
            print(f"{task['id']}: {done.stderr.strip()}", flush=True)
            continue
        open(ready, "w").close()
        print(f"{task['id']}: indexed", flush=True)


def jobs_of(directory, only):
    """(a task that names the tree, the lines to ask there), for every tree that is indexed."""
    everything = subset()
    by_tree = {}
    for category, some in everything.items():
        for task in some:
            if only in ("all", category):
                by_tree.setdefault((category, tree_of(directory, task)), []).append(task)
    jobs = []
    for idx, ((category, _), own) in enumerate(sorted(by_tree.items())):
        others = [task for task in everything[category] if task["clone"] != own[0]["clone"]]
        step = max(1, len(others) // max(1, FOREIGN[category]))
        lines = list(own)
        for n, task in enumerate(others[idx % step :: step][: FOREIGN[category]]):
            foreign = {"id": f"{own[0]['id']}~{n}", "repo": own[0]["repo"], "category": category}
            lines.append({**foreign, "query": task["query"], "gold_files": [], "answerable": False})
        jobs.append((own[0], lines))
    return jobs


def ask(directory, kitbag, arguments, job):
    task, lines = job
    store = store_of(directory, task)
    if not os.path.exists(store + ".ready"):
        return task["id"], None, "not indexed"
    tree = tree_of(directory, task)
    committed = git(tree, "log", "-1", "--format=%ct").stdout.strip()
    with tempfile.TemporaryDirectory() as scratch:
        questions, out = os.path.join(scratch, "q.jsonl"), os.path.join(scratch, "run.json")
        with open(questions, "w") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
        # An hour after the commit: recency counts from then.
        command = [kitbag, "eval", questions, "--root", tree, "--store", store, "--no-update", "--output", out]
        command += ["--now", str((int(committed) + 3600) * 1000), *arguments]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return task["id"], None, done.stderr.strip()
        with open(out) as file:
            return task["id"], file.read(), ""


def run(directory, kitbag, out, only, at_once, arguments):
    jobs = jobs_of(directory, only)
    n_done = 0
    with ThreadPoolExecutor(at_once) as pool, open(out, "w") as file:
        for name, text, problem in pool.map(lambda job: ask(directory, kitbag, arguments, job), jobs):
            if text is None:
                print(f"{name}: {problem}", file=sys.stderr)
                continue
            n_done += 1
            file.write(text.strip() + "\n")
    print(f"{n_done} of {len(jobs)} trees", file=sys.stderr)
    subprocess.run([kitbag, "eval", "--report", out])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["prepare", "run", "list"])
    parser.add_argument("directory", nargs="?")
    parser.add_argument("out", nargs="?")
    parser.add_argument("--kitbag", help="the program; without it, prepare makes only the trees")
    parser.add_argument("--anew", action="store_true", help="index again what is indexed")
    parser.add_argument("--only", choices=["all", "issue", "question", "change"], default="all")
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--per-repo", type=int, default=PER_REPO, help="issues of a repository")
    parser.add_argument("--qa-step", type=int, default=QA_STEP, help="take every Nth question")
    parser.add_argument("--most-files", type=int, default=MOST_FILES, help="larger trees are left out")
    parser.add_argument("--packs", default="2000,4000,8000,16000")
    parser.add_argument("--brief", choices=["default", "on", "off"], default="default", help="what packs tell beside code")
    given = parser.parse_args()
    globals().update(PER_REPO=given.per_repo, QA_STEP=given.qa_step, MOST_FILES=given.most_files)
    if given.what == "list":
        print("\n".join(task["id"] for some in subset().values() for task in some))
    elif given.what == "prepare":
        prepare(given.directory, given.kitbag, given.anew)
    else:
        brief = {"default": [], "on": ["--brief"], "off": ["--no-brief"]}[given.brief]
        arguments = ["--packs", given.packs, *brief]
        run(given.directory, given.kitbag, given.out, given.only, given.at_once, arguments)


if __name__ == "__main__":
    main()
