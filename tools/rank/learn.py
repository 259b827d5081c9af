#!/usr/bin/env python3
"""Learns weights of the ranking from candidates that dump.py kept, and measures them (numpy).

  learn.py measure FILE…                figures of the weights in tuning.rs, by set and kind of question
  learn.py learn FILE… --group text     four folds over repositories: learned on three, tested on the fourth; prints the mean of the folds as rows of tuning.rs

One file is one set. Learning is coordinate ascent from the weights in tuning.rs on the sum of the figures below and of the mean reciprocal ranks of file and
definition; a step must bring STEP of that sum. Files: all gold files within the first k (`all@k`), share of them in the first 10 (`R@10`). Definitions: a chunk with
a gold line, or with one of the gold names, within the first k results (`def@k`).
"""
import argparse, collections, json, math, os, re
import numpy as np

GROUPS = ["symbol", "words", "text"]
KEYS = ["all@1", "all@3", "all@5", "R@10", "def@1", "def@5", "def@10"]
STEP = 0.012
N_FOLDS = 4
# Further down nothing reaches the first page.
DEEPEST = 120
# No benchmark asks for these.
FIXED = {"near_active", "active_package"}
HERE = os.path.dirname(os.path.abspath(__file__))

def source():
    return open(os.path.join(HERE, "../../crates/kitbag-rank/src/tuning.rs")).read()

def table(path=None):
    """The weights of each factor, one per group."""
    rows = re.findall(r'factor\(\s*"([a-z_]+)",\s*\[([^\]]+)\]', open(path).read() if path else source())
    return {name: [float(value) for value in values.split(",") if value.strip()] for name, values in rows}

def repeats():
    return [float(value) for value in re.search(r"REPEAT: \[f64; 3\] = \[([^\]]+)\]", source())[1].split(",")]

def same_file(path, target):
    return path == target or path.endswith("/" + target) or target.endswith("/" + path)

class Task:
    def __init__(self, row, names):
        hits = row["hits"]
        self.repo, self.group, self.n = row["repo"], row["group"], len(hits)
        place = {name: idx for idx, name in enumerate(names)}
        self.values = np.zeros((self.n, len(names)))
        for idx, hit in enumerate(hits):
            for name, value in hit[4].items():
                if name in place:
                    self.values[idx, place[name]] = value
        numbers = {path: idx for idx, path in enumerate(dict.fromkeys(hit[0] for hit in hits))}
        self.file = np.array([numbers[hit[0]] for hit in hits], dtype=int)
        gold = row.get("gold_files") or [target["path"] for target in row["targets"]]
        self.n_gold = len(set(gold))
        self.gold = {numbers[hit[0]] for hit in hits if any(same_file(hit[0], path) for path in gold)}
        lines, labels = row.get("gold_lines") or {}, row.get("gold_labels") or {}
        self.has_definitions = bool(lines or labels)
        self.right = np.array([self.is_right(hit, lines, labels) for hit in hits], dtype=bool)

    @staticmethod
    def is_right(hit, lines, labels):
        if hit[0] in labels:
            return not set(re.split(r"::|, |\.", hit[3])).isdisjoint(labels[hit[0]])
        return any(hit[1] <= last and first <= hit[2] for first, last in lines.get(hit[0], []))

    def figures(self, weights, repeat):
        scores = self.values @ weights
        top = np.argsort(-scores, kind="stable")[:DEEPEST]
        seen, damped = collections.Counter(), []
        for idx in top:
            damped.append(scores[idx] + math.log(repeat) * seen[self.file[idx]])
            seen[self.file[idx]] += 1
        order = top[np.argsort(-np.array(damped), kind="stable")]
        places = [place for place, file in enumerate(dict.fromkeys(self.file[top])) if file in self.gold]
        out = {f"all@{k}": float(sum(place < k for place in places) >= self.n_gold) for k in (1, 3, 5)}
        out["R@10"] = min(1.0, sum(place < 10 for place in places) / max(1, self.n_gold))
        out["file rank"] = 1 / (places[0] + 1) if places else 0.0
        if self.has_definitions:
            where = np.flatnonzero(self.right[order])
            rank = where[0] if len(where) else 10**6
            out |= {f"def@{k}": float(rank < k) for k in (1, 5, 10)}
            out["definition rank"] = 1 / (rank + 1)
        return out

def mean(rows):
    keys = KEYS + ["file rank", "definition rank"]
    return {key: float(np.mean([row[key] for row in rows if key in row])) for key in keys if any(key in row for row in rows)}

def show(label, rows):
    if rows:
        found = mean(rows)
        print(f"{label} ({len(rows)}): " + " ".join(f"{key} {found[key]:.3f}" for key in KEYS if key in found), flush=True)

def ascend(tasks, weights, names, repeat):
    total = lambda weights: sum(mean([task.figures(weights, repeat) for task in tasks]).values())
    weights, best = weights.copy(), total(weights)
    for idx, name in enumerate(names):
        if name in FIXED or not any(task.values[:, idx].any() for task in tasks):
            continue
        start = weights[idx]
        for value in [start * 0.5, start * 1.5, start * 2.0] if abs(start) > 0.3 else [0.0, 0.5, 1.0]:
            tried = weights.copy()
            tried[idx] = value
            found = total(tried)
            if found > best + STEP:
                weights, best = tried, found
    return weights

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("verb", choices=["measure", "learn"])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--group", choices=GROUPS, default="text")
    parser.add_argument("--repeat", type=float)
    args = parser.parse_args()
    given = table()
    names = list(given)
    sets = {os.path.basename(path).split(".")[0]: [Task(json.loads(line), names) for line in open(path)] for path in args.files}
    for label, tasks in sets.items():
        for group, word in enumerate(GROUPS):
            weights, repeat = np.array([given[name][group] for name in names]), args.repeat or repeats()[group]
            show(f"{label}, {word}", [task.figures(weights, repeat) for task in tasks if task.group == group and task.n])
    if args.verb == "measure":
        return
    group = GROUPS.index(args.group)
    start, repeat = np.array([given[name][group] for name in names]), args.repeat or repeats()[group]
    own = {label: [task for task in tasks if task.group == group and task.n] for label, tasks in sets.items()}
    repos = sorted({task.repo for tasks in own.values() for task in tasks})
    fold = {repo: idx % N_FOLDS for idx, repo in enumerate(repos)}
    learned = [ascend([task for tasks in own.values() for task in tasks if fold[task.repo] != held], start, names, repeat) for held in range(N_FOLDS)]
    final = np.mean(learned, axis=0)
    for label, tasks in own.items():
        show(f"{label}, tested on other repositories", [task.figures(learned[fold[task.repo]], repeat) for task in tasks])
        show(f"{label}, mean of the folds", [task.figures(final, repeat) for task in tasks])
    for idx, name in enumerate(names):
        row = [final[idx] if group == at else value for at, value in enumerate(given[name])]
        print(f'    factor("{name}", [{", ".join(f"{value:.2f}" for value in row)}]),')

if __name__ == "__main__":
    main()
