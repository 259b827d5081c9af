"""What the other scripts stand on: projects to serve, servers to talk to, and `check`, which prints a line or ends the run.

A project is written here, from a fixed table of texts, so that every run asks about the same bytes. Servers are started as a
user starts them (the binary, an environment without our settings) and ended when the script ends, however it ends.
"""

import atexit
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

# Stands in source files and in questions, and may stand in no log line (SEC-2).
MARKER = "zanzibar_ledger_42"
# Stands in files beside the project, and may stand in no answer.
OUTSIDE = "OUTSIDE-THE-PROJECT-7f3a"

BINARY = os.path.abspath(os.environ.get("KITBAG", "target/debug/kitbag"))
# For whoever mends a server: all failures of a script, not only the first.
GOING_ON = os.environ.get("CLIENTS_GO_ON") == "1"
FAILURES = []
SERVING = []
SPACE = pathlib.Path(os.environ.get("CLIENTS_SPACE", "target/clients/space")).absolute()


def check(name, holds, seen=""):
    """One line a check; the first that does not hold ends the script with what was seen."""
    if holds:
        print(f"ok    {name}", flush=True)
        return
    # A value of a hundred thousand equal characters says less than what stands behind it.
    shown = re.sub(r"(.)\1{60,}", r"\1\1\1…", str(seen))[:3000]
    print(f"FAIL  {name}\n      seen: {shown}", flush=True)
    if not GOING_ON:
        # At once, and not by an exception: the clients' task groups would wrap it in pages of traces.
        for serving in SERVING:
            serving.kill()
        sys.stdout.flush()
        os._exit(1)
    FAILURES.append(name)


def finish():
    """The last line of a script: 1 if it went on in spite of failures."""
    sys.exit(1 if FAILURES else 0)


def environment(**more):
    """The caller's, without settings of ours and with a home of its own."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("KITBAG", "GIT_", "XDG_"))}
    home = SPACE / "home"
    home.mkdir(parents=True, exist_ok=True)
    return kept | {"HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"} | more


def git(root, *words):
    identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, "-C", str(root), *words], check=True, capture_output=True, env=environment())


def project(name, files):
    """A committed project of these files (path → text) in a folder of its own, made anew."""
    root = SPACE / name / "shop"
    shutil.rmtree(root.parent, ignore_errors=True)
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    git(root.parent, "init", "--quiet", "--initial-branch=main", "shop")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "begin")
    # What an escape would reach: a file beside the project, by `..`, by its absolute path and by two links.
    (root.parent / "outside.txt").write_text(f"{OUTSIDE}\n")
    (root.parent / "outside").mkdir()
    (root.parent / "outside" / "secret.py").write_text(f'def secret():\n    return "{OUTSIDE}"\n')
    (root / "link.txt").symlink_to("../outside.txt")
    (root / "linked").symlink_to("../outside")
    return root


def index(root, *more):
    """Indexes it, so that what follows is about answers and not about waiting; tells how long that took."""
    began = time.monotonic()
    subprocess.run([BINARY, "--root", str(root), *more, "--quiet", "index"], check=True, env=environment())
    return time.monotonic() - began


TOPICS = ["cart", "price", "order", "invoice", "refund", "customer", "address", "stock", "shipping", "coupon"]


def shop():
    """Forty files in four languages that call one another."""
    files = {
        "README.md": "# Shop\n\nA shop that sells bags. `cart` adds up, `price` knows taxes, `order` puts both together.\n",
        "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2024"\n\n[dependencies]\nserde = "1"\n',
        "package.json": '{"name": "shop-web", "version": "0.1.0", "dependencies": {"zod": "4.4.3"}}\n',
        "pyproject.toml": '[project]\nname = "shop-jobs"\nversion = "0.1.0"\ndependencies = ["httpx"]\n',
        "src/lib.rs": "".join(f"pub mod {topic};\n" for topic in TOPICS),
    }
    for idx, topic in enumerate(TOPICS):
        following = TOPICS[(idx + 1) % len(TOPICS)]
        kind = topic.capitalize()
        files[f"src/{topic}.rs"] = (
            f"//! The {topic} of the shop.\n\nuse crate::{following};\n\n"
            f"/// A {topic} as it is stored.\npub struct {kind} {{\n    pub id: u64,\n    pub total_cents: u64,\n}}\n\n"
            f"/// Checks a {topic} before it is stored, and that its total is not over the limit.\n"
            f"pub fn check_{topic}(one: &{kind}, limit_cents: u64) -> Result<u64, String> {{\n"
            f"    if one.total_cents > limit_cents {{\n        return Err(format!(\"{topic} {{}} is too large\", one.id));\n    }}\n"
            f"    Ok({following}::id_of_{following}(one.id))\n}}\n\n"
            f"pub fn id_of_{topic}(number: u64) -> u64 {{\n    number * 31 + {idx}\n}}\n"
        )
        files[f"jobs/{topic}_job.py"] = (
            f'"""Nightly work on every {topic}."""\n\nfrom jobs.{following}_job import report_{following}\n\n\n'
            f"class {kind}Job:\n    def run(self, rows):\n        \"\"\"Adds up the {topic} rows of a day.\"\"\"\n"
            f"        total = sum(row.cents for row in rows)\n        return report_{following}(total)\n\n\n"
            f"def report_{topic}(total):\n    # {MARKER}\n    return f\"{topic}: {{total}}\"\n"
        )
        files[f"web/{topic}.ts"] = (
            f"import {{ show{following.capitalize()} }} from './{following}';\n\n"
            f"export interface {kind}View {{\n  id: number;\n  label: string;\n}}\n\n"
            f"/** Shows a {topic} on the page. */\nexport function show{kind}(view: {kind}View): string {{\n"
            f"  return `${{view.label}} ${{show{following.capitalize()} ? '' : view.id}}`;\n}}\n"
        )
        files[f"docs/{topic}.md"] = (
            f"# {kind}\n\nHow a {topic} is checked: `check_{topic}` compares its total with a limit and refuses what is larger.\n\n"
            f"## Nightly\n\n`{kind}Job` adds up the rows; `report_{topic}` writes the line.\n"
        )
    return files


def many(n_files):
    """A large project of small files, for what happens before an index is there."""
    text = "//! Module {n}.\n\npub struct Item{n} {{ pub value: u64 }}\n\npub fn make_item_{n}(value: u64) -> Item{n} {{\n    Item{n} {{ value: value + {n} }}\n}}\n"
    return {f"part{n // 1000:03}/m{n // 100 % 10}/item_{n}.rs": text.format(n=n) for n in range(n_files)}


def mcp_command(root, *more):
    return [BINARY, "--root", str(root), "mcp", *more]


class Serving:
    """`kitbag serve` on a free port; `output` is what it said on standard error."""

    def __init__(self, root, *more, **variables):
        command = [BINARY, "--root", str(root), "--json", "serve", "--port", "0", *more]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(**variables)
        )
        atexit.register(self.kill)
        SERVING.append(self)
        self.lines = []
        threading.Thread(target=lambda: self.lines.extend(self.process.stderr), daemon=True).start()
        line = self.process.stdout.readline()
        if not line:
            self.process.wait(10)
            time.sleep(0.2)
            raise SystemExit(f"FAIL  kitbag serve did not start: {self.output}")
        self.url = json.loads(line)["url"]
        self.port = int(self.url.rsplit(":", 1)[1])

    @property
    def output(self):
        return "".join(self.lines)

    def end(self, how=signal.SIGTERM, within=15):
        self.process.send_signal(how)
        return self.process.wait(within)

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait(10)

    def ask(self, path, body=None, method=None, headers=None, timeout=60):
        """(status, headers, bytes) of one request; an error status is an answer like any other."""
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} | (headers or {}) if body is not None else headers or {}
        request = urllib.request.Request(self.url + path, data=body, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read()


def until(holds, limit, what):
    """Polls a condition; fails with what was seen last."""
    deadline = time.monotonic() + limit
    seen = None
    while time.monotonic() < deadline:
        seen = holds()
        if seen:
            return seen
        time.sleep(0.1)
    check(what, False, seen)


def memory_kb(pid, what="VmRSS"):
    """Resident memory of a process; `RssAnon` is the part that no file backs."""
    fields = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line)
    return int(fields[what].split()[0])


def ticks(pid):
    """Processor time that a process has used, in hundredths of a second."""
    after_name = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(after_name[11]) + int(after_name[12])


if __name__ == "__main__":
    # For scripts in other languages: `world.py shop NAME` makes an indexed shop, `world.py many NAME` a large project without
    # an index; both print where it is.
    kind, name = sys.argv[1:]
    root = project(name, shop() if kind == "shop" else many(3_000))
    if kind == "shop":
        index(root)
    print(root)
