"""How many of Kitbag's certain links are right, and how many of the calls of a project it is certain about.

    score.py DUMP.jsonl ORACLE.jsonl [--kind call] [--list VERDICT] [--limit N] [--files PREFIX]

DUMP is the output of `kitbag-bench links`, ORACLE that of one of the resolvers beside this file; README.md describes both and how they are
compared. `--list wrong` (or `missed`, `unjudged`, `outside`) prints the cases of one verdict, spread over the project.
"""

import argparse
import collections
import json


def load(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def same(dump, oracle):
    """Whether one target of the dump is one of the oracle's: same file, the line of the name or the first line of the definition."""
    places = {(t["file"], line) for t in oracle.get("targets", []) for line in (t["line"], t["first"])}
    if any((t["path"], t["line"]) in places for t in dump["targets"]):
        return True
    # A long list of overloads is cut; all of them stand in one container of one file.
    is_cut = dump["certain"] and dump["n_targets"] > len(dump["targets"]) > 0
    return is_cut and dump["name"] == oracle["name"] and any(f == dump["targets"][0]["path"] for f, _ in places)


def unique(rows, key):
    seen, kept = set(), []
    for row in rows:
        mark = key(row)
        if mark not in seen:
            seen.add(mark)
            kept.append(row)
    return kept


def judge(dump, oracle):
    """Yields (verdict, row of the dump, row of the oracle) for each certain link of `dump`.

    right: the oracle's target. wrong: the oracle names another definition, one outside the project, or a local. unjudged: the oracle does
    not know the place or could not resolve it.
    """
    by_line = collections.defaultdict(list)
    for row in oracle:
        by_line[row["file"], row["line"]].append(row)
    for row in dump:
        if not row["certain"]:
            continue
        line = by_line[row["path"], row["line"]]
        # An alias is listed under its own name by the oracle and under the target's by Kitbag: a target of the line decides.
        right = next((o for o in line if same(row, o)), None)
        if right:
            yield "right", row, right
            continue
        named = [o for o in line if o["name"] == row["name"]]
        known = [o for o in named if o["where"] != "unknown"]
        if known:
            yield "wrong", row, known[0]
        else:
            yield "unjudged", row, named[0] if named else None


def cause(row, oracle, by_place):
    """Why a call that the oracle resolved was not found, in the words of the dump."""
    here = by_place.get((oracle["file"], oracle["line"], oracle["name"]))
    if not here:
        return "not in the dump"
    if any(r["certain"] for r in here):
        return "certain of another target"
    if any(r["outside"] for r in here):
        return "said to be outside"
    if any(same(r, oracle) for r in here):
        return "by name, the true target among the candidates"
    return "by name, without the true target"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump")
    parser.add_argument("oracle")
    parser.add_argument("--kind", default="call", help="call, type or inherit (default: call)")
    parser.add_argument("--list", choices=["wrong", "missed", "unjudged", "outside"])
    parser.add_argument("--limit", type=int, default=20)
    parser.add_argument("--files", default="", help="only files whose path starts with this")
    parser.add_argument("--json", action="store_true", help="the figures as one JSON object")
    args = parser.parse_args()

    dump_kind = "reference" if args.kind == "type" else args.kind
    dump = [r for r in load(args.dump) if r["kind"] == dump_kind and r["path"].startswith(args.files)]
    oracle = [r for r in load(args.oracle) if r["kind"] == args.kind and r["file"].startswith(args.files)]
    files = {r["path"] for r in dump}
    n_before = len(oracle)
    oracle = [r for r in oracle if r["file"] in files]
    n_other_files = n_before - len(oracle)
    oracle = unique(oracle, lambda r: (r["file"], r["line"], r["name"], r["where"], json.dumps(r.get("targets"))))
    dump = unique(dump, lambda r: (r["path"], r["line"], r["name"], r["certain"], r["outside"], json.dumps(r["targets"])))

    verdicts = collections.defaultdict(list)
    for verdict, row, truth in judge(dump, oracle):
        verdicts[verdict].append((row, truth))

    by_place = collections.defaultdict(list)
    by_line = collections.defaultdict(list)
    for row in dump:
        by_place[row["path"], row["line"], row["name"]].append(row)
        by_line[row["path"], row["line"]].append(row)
    inside = [o for o in oracle if o["where"] == "inside"]
    missed = collections.defaultdict(list)
    n_found = 0
    for one in inside:
        if any(r["certain"] and same(r, one) for r in by_line[one["file"], one["line"]]):
            n_found += 1
        else:
            missed[cause(None, one, by_place)].append(one)
    # "Outside" is a claim too.
    places = collections.defaultdict(list)
    for one in oracle:
        places[one["file"], one["line"], one["name"]].append(one)
    outside = [r for r in dump if r["outside"]]
    judged_outside = [(r, places[r["path"], r["line"], r["name"]]) for r in outside]
    judged_outside = [(r, [o for o in found if o["where"] != "unknown"]) for r, found in judged_outside]
    judged_outside = [(r, found) for r, found in judged_outside if found]
    wrong_outside = [(r, found[0]) for r, found in judged_outside if all(o["where"] == "inside" for o in found)]

    n_right, n_wrong = len(verdicts["right"]), len(verdicts["wrong"])
    figures = {
        "sites": len(dump),
        "certain": n_right + n_wrong + len(verdicts["unjudged"]),
        "right": n_right,
        "wrong": n_wrong,
        "unjudged": len(verdicts["unjudged"]),
        "precision": round(n_right / (n_right + n_wrong), 4) if n_right + n_wrong else None,
        "oracle_inside": len(inside),
        "found": n_found,
        "recall": round(n_found / len(inside), 4) if inside else None,
        "recall_of_functions_and_types": share(inside, missed, {"function", "class"}),
        "outside_claims": len(judged_outside),
        "outside_wrong": len(wrong_outside),
        "oracle_calls_in_files_without_sites": n_other_files,
    }
    if args.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:38} {value}")
    print("missed, by cause:")
    for name, rows in sorted(missed.items(), key=lambda item: -len(item[1])):
        kinds = collections.Counter(r["target_kind"] for r in rows)
        print(f"  {len(rows):6} {name}  {dict(kinds)}")
    show(args, verdicts, missed, wrong_outside, by_place)


def share(inside, missed, kinds):
    n_all = sum(o["target_kind"] in kinds for o in inside)
    n_missed = sum(o["target_kind"] in kinds for rows in missed.values() for o in rows)
    return round((n_all - n_missed) / n_all, 4) if n_all else None


def spread(rows, limit):
    step = max(1, len(rows) // limit)
    return rows[::step][:limit]


def show(args, verdicts, missed, wrong_outside, by_place):
    if args.list == "missed":
        for name, rows in missed.items():
            print(f"\n{name}")
            for one in spread(rows, args.limit):
                here = by_place.get((one["file"], one["line"], one["name"]), [])
                said = ", ".join(sorted({f"{r.get('by')} n={r['n_targets']}" for r in here}))
                print(f"  {one['file']}:{one['line']} {one['name']} -> {place(one)}   [{said}]")
    elif args.list:
        rows = wrong_outside if args.list == "outside" else verdicts[args.list]
        for row, truth in spread(rows, args.limit):
            said = " ".join(f"{t['path']}:{t['line']}" for t in row["targets"]) or "outside"
            print(f"  {row['path']}:{row['line']} {row['name']} by {row.get('by')}: said {said}; {place(truth)}")


def place(truth):
    if truth is None:
        return "no row"
    targets = " ".join(f"{t['file']}:{t['line']}" for t in truth.get("targets", [])[:3])
    return f"{truth['where']} {targets}{truth.get('symbol', '')[:80]}"


if __name__ == "__main__":
    main()
