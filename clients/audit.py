"""Audits packs: `audit.py [--packs N] [--seed N] [--most N] REPOSITORY…`, by hand on public repositories, in small in the gate.

Every pack is checked against the repository itself and against a tokenizer that is not ours (`count_tokens.mjs`):

- the text has as many tokens as the reply says, and never more than the budget;
- every line in the text is the line of the file that the item names, and every line that an item claims to show is there;
- a mark for left-out lines names exactly the lines that are gone;
- tokens by item, by section and by source add up to the tokens of the text;
- the reason of everything that was left out is the true one;
- lines that were asked for are shown;
- XML and JSON parse; the same request gives the same bytes.

Tasks are subjects of the repository's own commits and names from its files. The audit changes nothing: the index lies in a folder
of its own. It ends with a line of counts, and with 1 if there was a finding.
"""

import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

BINARY = os.path.abspath(os.environ.get("KITBAG", "target/debug/kitbag"))
BUDGETS = [300, 700, 1500, 3000, 4000, 8000, 16000]
# A mark for lines that are left out: `… 12–40`, `… 12` for one line.
MARK = re.compile(r"^\s*… (\d+)(?:–(\d+))?$")
# What stands for text that a pack never shows: secrets, and characters that steer a terminal.
HOLE = re.compile(r"\[REDACTED[^\]]*\]|⟨U\+[0-9A-F]+⟩|[␀-␟␡]")


def values_of(option, help_text):
    """The values that the help names for an option: `a, b or c [default: …]`."""
    found = re.search(rf"{option} <\w+>\s+(.*?)\s*\[default", help_text, re.DOTALL)
    return re.split(r",\s+|\s+or\s+", found.group(1))


HELP = subprocess.run([BINARY, "pack", "--help"], capture_output=True, text=True, check=True).stdout
FORMATS, INTENTS = values_of("--format", HELP), values_of("--intent", HELP)


class Finding(Exception):
    pass


class Counter:
    """The other tokenizer, in a process of its own."""

    def __init__(self):
        node = os.environ.get("CLIENTS_NODE", "node")
        modules = pathlib.Path(os.environ.get("CLIENTS_MODULES", "node_modules"))
        script = pathlib.Path(__file__).with_name("count_tokens.mjs")
        command = [node, str(script), str(modules.parent)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def count(self, family, text):
        self.process.stdin.write(json.dumps({"family": family, "text": text}) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


class Repository:
    def __init__(self, root, store):
        self.root = pathlib.Path(root).resolve()
        self.store = store
        self.texts = {}
        self.run("--quiet", "index")
        files = json.loads(self.run("--json", "list-indexable"))
        self.files = sorted(one if isinstance(one, str) else one["path"] for one in files["files"])
        self.subjects = self.git("log", "--max-count=400", "--no-merges", "--format=%s").splitlines()

    def git(self, *words):
        done = subprocess.run(["git", "-C", str(self.root), *words], capture_output=True, text=True)
        return done.stdout if done.returncode == 0 else ""

    def run(self, *words):
        command = [BINARY, "--root", str(self.root), "--store", str(self.store), *words]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise Finding(f"exit {done.returncode}: {done.stderr.strip()[-500:]}")
        return done.stdout

    def lines(self, path):
        """The lines of a file as an editor numbers them."""
        if path not in self.texts:
            data = (self.root / path).read_bytes()
            for mark, encoding in [(b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")]:
                if data.startswith(mark):
                    break
            else:
                encoding = "utf-8"
            text = data.decode(encoding, errors="replace").replace("\r\n", "\n")
            self.texts[path] = text.split("\n")
        return self.texts[path]

    def task(self, chance):
        kind = chance.random()
        if self.subjects and kind < 0.6:
            return chance.choice(self.subjects)
        path = chance.choice(self.files)
        words = re.findall(r"[A-Za-z_]{4,40}", "\n".join(self.lines(path)[:400])) or [path]
        if kind < 0.8:
            return chance.choice(words)
        return "how does " + " ".join(chance.sample(words, min(4, len(words)))) + " work"


def same_line(shown, real):
    """What a pack shows of a line: the line, with holes where secrets and control characters were."""
    if shown == real:
        return True
    parts = HOLE.split(shown)
    return len(parts) > 1 and re.fullmatch(".*".join(map(re.escape, parts)), real) is not None


def require(holds, what):
    if not holds:
        raise Finding(what)


def check_tokens(reply, counter):
    family = reply["tokenizer"]
    count = counter.count(family, reply["text"])
    require(count == reply["tokens"], f"{reply['tokens']} tokens are said, {count} counted by {family}")
    require(count <= reply["budget"], f"{count} tokens in a budget of {reply['budget']}")


def check_items(reply, repository):
    """Places, order and extent of what the items claim."""
    for item in reply["items"]:
        name = f"{item['path']}:{item['line_start']}-{item['line_end']}"
        last = item["line_start"] - 1
        for first, end in item["lines_shown"]:
            require(last < first <= end <= item["line_end"], f"{name} shows {item['lines_shown']}")
            last = end
        require((item["resolution"] == "reference") == (not item["lines_shown"]), f"{name} is a {item['resolution']}")
        if item["is_file"]:
            n_lines = len(repository.lines(item["path"]))
            require(item["line_end"] <= n_lines, f"{name}: the file has {n_lines} lines")
        if item["resolution"] == "full":
            shown = sum(end - first + 1 for first, end in item["lines_shown"])
            whole = item["line_end"] - item["line_start"] + 1
            require(shown == whole, f"{name} is full and shows {shown} of {whole} lines")
    ranks = [item["rank"] for item in reply["items"]]
    require(ranks == sorted(ranks) and len(set(ranks)) == len(ranks), f"ranks {ranks}")


def check_sums(reply):
    """PACK-74: items, brief and frame, sections, sources: each adds up to the tokens of the text."""
    tokens, frame = reply["tokens"], reply["frame_tokens"]
    of_items = sum(item["tokens"] for item in reply["items"])
    told = {name: sum(one["tokens"] for one in part) for name, part in reply["brief"].items() if isinstance(part, list)}
    of_brief = reply["brief"]["tokens"]
    require(sum(told.values()) == of_brief, f"the parts of the brief are {told}, it says {of_brief}")
    require(of_items + of_brief + frame == tokens, f"items {of_items} + brief {of_brief} + frame {frame} are not {tokens}")
    for name, parts in [("sections", reply["sections"]), ("sources", reply["stats"]["by_source"])]:
        require(sum(parts.values()) == tokens, f"{name} sum to {sum(parts.values())} of {tokens}: {parts}")
        require(parts.get("frame", 0) == frame, f"{name} say frame {parts.get('frame')}, it is {frame}")
    for key, parts in [("section", reply["sections"]), ("source", reply["stats"]["by_source"])]:
        sums = dict(told) if key == "section" else {"brief": of_brief}
        for item in reply["items"]:
            sums[item[key]] = sums.get(item[key], 0) + item["tokens"]
        said = {name: count for name, count in parts.items() if name != "frame"}
        require({name: count for name, count in said.items() if count} == {name: count for name, count in sums.items() if count},
                f"items by {key} are {sums}, the reply says {said}")
    n_items = sum(reply["stats"]["by_resolution"].values())
    require(n_items == len(reply["items"]) == reply["stats"]["items"], "counts of items differ")
    n_excluded = sum(reply["stats"]["by_reason"].values())
    require(n_excluded == len(reply["excluded"]), f"{n_excluded} left out by reason, {len(reply['excluded'])} listed")
    n_files = len({item["path"] for item in reply["items"]})
    require(n_files == reply["stats"]["files"], f"{n_files} files, {reply['stats']['files']} are said")


def check_reasons(reply):
    """PACK-44: nothing worse is in without a word why."""
    waiting = [one for one in reply["excluded"] if one["reason"] in ("budget", "balance")]
    for one in waiting:
        place = f"{one['path']}:{one['line_start']}-{one['line_end']}"
        require(one["score"] is not None and one["tokens"] is not None, f"{place} is left out without score or tokens")
        require(one["detail"], f"{place} is left out without a word")
    for item in reply["items"]:
        better = [one for one in waiting if one["score"] > item["score"]]
        place = f"{item['path']}:{item['line_start']}-{item['line_end']}"
        if better:
            require(item["ahead"], f"{place} ({item['score']}) is in, {better[0]['path']} ({better[0]['score']}) is out")
        if item["ahead"] == "smaller" and item["resolution"] == "full":
            worst = max(one["tokens"] for one in better) if better else 0
            require(not better or item["tokens"] < worst, f"{place} is in as smaller with {item['tokens']} of {worst} tokens")


def is_weak(reply):
    """RET-26: a pack for a question that nothing answers stays small on purpose."""
    return (reply.get("match") or {}).get("word") in ("weak", "none")


def check_fill(reply, fmt):
    """PACK-33: full, or nothing is left to put in."""
    if fmt in ("markdown", "plain") and not is_weak(reply):
        # Of a small budget, 5 % is less than one more line takes.
        full = reply["tokens"] >= min(0.95 * reply["budget"], reply["budget"] - 40)
        require(full or reply["candidates_ran_out"], f"{reply['tokens']} of {reply['budget']} tokens, and candidates are left")


def shown_by_path(reply):
    lines = {}
    for item in reply["items"]:
        lines.setdefault(item["path"], set()).update(lines_of(item))
    return lines


def check_block(path, body, start, end, numbered, claimed, repository):
    """One block of source in a text: walks it line by line, from the marks alone, and compares with the file."""
    real = repository.lines(path)
    at = start
    seen = set()
    for line in body:
        mark = MARK.match(line)
        if mark and not (at <= len(real) and line == real[at - 1]):
            first, last = int(mark[1]), int(mark[2] or mark[1])
            require(first == at and last >= first, f"{path}: the mark {line.strip()!r} stands at line {at}")
            require(not claimed.intersection(range(first, last + 1)), f"{path}: {line.strip()!r} hides lines that are said to be shown")
            at = last + 1
            continue
        if numbered:
            number, _, line = line.lstrip().partition(" ")
            require(number == str(at), f"{path}: line {at} is numbered {number!r}")
        require(at <= len(real), f"{path}: line {at} is shown, the file has {len(real)}")
        require(same_line(line, real[at - 1]), f"{path}:{at} is {real[at - 1]!r}, shown {line!r}")
        if line.strip():
            seen.add(at)
        at += 1
    require(at == end + 1, f"{path}: the block ends at {at - 1}, its heading says {end}")
    return seen


HEADING = re.compile(r"^### `(.+):(\d+)(?:-(\d+))?`")
FENCE = re.compile(r"^(`{3,})(\S*)$")
CITATION = re.compile(r"\[([a-z]{2}-[0-9a-z]{4,})\]")


def markdown_blocks(text):
    """(path, first, last, lines, citations) of every fence under a file heading."""
    lines = text.split("\n")
    at = 0
    heading, cited = None, []
    while at < len(lines):
        found = HEADING.match(lines[at])
        fence = FENCE.match(lines[at])
        if found:
            heading, cited = (found[1], int(found[2]), int(found[3] or found[2])), []
        if heading:
            cited += CITATION.findall(lines[at])
        if fence:
            end = next(i for i in range(at + 1, len(lines)) if lines[i] == fence[1])
            if heading:
                yield *heading, lines[at + 1 : end], cited
            heading = None
            at = end
        at += 1


def xml_blocks(text):
    for file in ElementTree.fromstring(text).iter():
        for snippet in file.findall("snippet"):
            path = snippet.get("path") or file.get("path")
            first, _, last = snippet.get("lines").partition("-")
            body = (snippet.text or "").removeprefix("\n").removesuffix("\n")
            if body:
                yield path, int(first), int(last or first), body.split("\n"), [snippet.get("id")]


def json_blocks(text):
    for item in json.loads(text)["items"]:
        if item.get("text"):
            yield item["path"], *item["lines"], item["text"].removesuffix("\n").split("\n"), [item["citation"]]


BLOCKS = {"markdown": markdown_blocks, "xml": xml_blocks, "project-context": xml_blocks, "json": json_blocks}


def lines_of(item):
    """The lines that an item claims to show, with the heads above it."""
    return {at for first, last in item["lines_shown"] + item["head_lines"] for at in range(first, last + 1)}


def check_text(reply, fmt, numbered, repository):
    """Every line in the text is true, and every line that is claimed is there."""
    if fmt not in BLOCKS:
        return
    items = {item["citation"]: item for item in reply["items"]}
    seen = set()
    for path, first, last, body, cited in BLOCKS[fmt](reply["text"]):
        here = [items[citation] for citation in cited]
        if all(item["is_file"] for item in here):
            claimed = set().union(*map(lines_of, here))
            if fmt != "markdown":
                # An element is headed by its own lines; the head of its definition stands above them.
                first = min([first, *claimed])
            found = check_block(path, body, first, last, numbered, claimed, repository)
            missing = {at for at in claimed if repository.lines(path)[at - 1].strip()} - found
            require(not missing, f"{path}: lines {sorted(missing)[:5]} are claimed and not in the text")
            extra = found - claimed
            require(not extra, f"{path}: lines {sorted(extra)[:5]} are in the text and nothing claims them")
        seen.update(cited)
    for citation, item in items.items():
        if item["lines_shown"]:
            require(citation in seen or not item["is_file"], f"{citation} of {item['path']} is said to be shown and is not there")


def check_asked(reply, asked):
    """PACK-4: lines that were asked for are shown, unless they do not fit the budget."""
    shown = shown_by_path(reply)
    for path, first, last in asked:
        missing = sorted(set(range(first, last + 1)) - shown.get(path, set()))
        # A loaded machine may take too long to read the file; then the reply says so.
        late = any(one["path"] == path and one["reason"] == "timeout" for one in reply["excluded"])
        require(not missing or late, f"asked for {path}:{first}-{last}, {len(missing)} lines are missing from {missing[:1]}")


def draw(repository, chance):
    """One request: the words for the command line, and what must hold for it."""
    fmt = chance.choice(FORMATS)
    budget = chance.choice(BUDGETS)
    words = ["--json", "--quiet", "pack", "--no-update", "--explain", "--format", fmt, "--budget", str(budget)]
    numbered = chance.random() < 0.3
    if numbered:
        words.append("--line-numbers")
    if chance.random() < 0.25:
        words += ["--model", "gpt-4"]
    if chance.random() < 0.3:
        words += ["--intent", chance.choice(INTENTS)]
    asked = []
    if chance.random() < 0.4:
        path = chance.choice(repository.files)
        real = repository.lines(path)
        n_lines = len(real) - (real[-1] == "")
        if n_lines > 0 and max(map(len, real)) < 400:
            first = chance.randint(1, n_lines)
            last = min(n_lines, first + chance.randint(0, 25))
            # Lines that surely fit: four bytes to a token is the least that code has on average; half the budget is theirs.
            if sum(len(line.encode()) + 8 for line in real[first - 1 : last]) < budget:
                asked.append((path, first, last))
                words += ["--ref", f"{path}:{first}-{last}"]
    if chance.random() < 0.2:
        words += ["--open", chance.choice(repository.files)]
    return [*words, "--", repository.task(chance)], fmt, numbered, asked


def audit(repository, counter, chance, again):
    words, fmt, numbered, asked = draw(repository, chance)
    try:
        reply = json.loads(repository.run(*words))
        check_tokens(reply, counter)
        check_items(reply, repository)
        check_sums(reply)
        check_reasons(reply)
        check_fill(reply, fmt)
        check_text(reply, fmt, numbered, repository)
        check_asked(reply, asked)
        if again:
            require(json.loads(repository.run(*words))["text"] == reply["text"], "the same request gave another text")
        return reply, None
    except (Finding, KeyError, ValueError, StopIteration, ElementTree.ParseError) as error:
        return None, f"{type(error).__name__}: {error}\n      {repository.root.name}: kitbag {subprocess.list2cmdline(words)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("repositories", nargs="+", help="folders with a git repository each")
    parser.add_argument("--packs", type=int, default=500, help="packs in all [default: 500]")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--most", type=int, default=10, help="findings that are shown before it stops")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    counter = Counter()
    findings, n_packs, n_tokens, n_lines = 0, 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        repositories = [
            Repository(root, pathlib.Path(folder) / str(idx)) for idx, root in enumerate(options.repositories)
        ]
        for idx in range(options.packs):
            repository = repositories[idx % len(repositories)]
            reply, finding = audit(repository, counter, chance, idx % 10 == 0)
            n_packs += 1
            if finding:
                findings += 1
                print(f"FAIL  {finding}", flush=True)
                if findings >= options.most:
                    break
            else:
                n_tokens += reply["tokens"]
                n_lines += sum(len(lines) for lines in shown_by_path(reply).values())
    print(f"audit: {n_packs} packs of {len(repositories)} repositories, {n_tokens} tokens, {n_lines} lines, {findings} findings")
    sys.exit(1 if findings else 0)


main()
