#!/usr/bin/env python3
"""Downloads the training material: packages of the registries, pinned in packages.txt, without what excluded.txt names.

  fetch.py choose --work DIR    writes DIR/chosen.txt: what to try, the rare languages first and the rest interleaved
  fetch.py get --work DIR --list FILE [--part I/N] [--until HH:MM]
                                downloads each package and keeps its source files in DIR/packs/<registry>__<name>__<version>.pack
  fetch.py pin --work DIR       prints what was got as `registry name==version`, for packages.txt

A pack is a run of records: path length and text length (u32, little endian), path, text. No address of a registry is written
here: they come from the configuration of the tools (apt, npm) on this machine. `choose-deb` and `choose-npm --list SEEDS` choose from
Debian's binary packages and from npm, the latter along dependencies.
"""
import argparse, concurrent.futures, glob, hashlib, io, json, lzma, os, re, struct, subprocess, sys, tarfile, urllib.parse, urllib.request
from datetime import datetime

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = set("py pyi js mjs cjs jsx ts tsx mts cts go java kt kts scala sc c h cc cpp cxx hpp hh hxx cs rb rake php swift ex exs hs lua "
             "sh bash zsh zig rs sql md".split())
RARE = set("kt kts swift cs scala ex exs zig ts tsx mts rb php lua sh hs".split())
MAX_FILE, MAX_PACK, MAX_RARE_PACK, MAX_ARCHIVE = 200_000, 1_500_000, 8_000_000, 60_000_000
SKIP_SEGMENTS = set("""vendor vendored _vendor third_party thirdparty third-party 3rdparty external extern externals deps node_modules bower_components
 dist build generated gen test tests testing testsuite spec specs __tests__ __test__ __mocks__ e2e fixtures testdata test-data test_data androidtest unittest
 unittests examples example demo demos samples sample benchmarks benchmark bench .git .github autom4te.cache po locale locales i18n translations min _build
 pods carthage godeps contrib""".split())
SKIP_FILE = re.compile(r"(\.min\.|\.bundle\.|\.d\.[mc]?ts$|_test\.|\.test\.|\.spec\.|_spec\.|(^|/)test_|_pb2|\.pb\.|\.g\.cs$|\.designer\.cs$|"
                       r"generated|changelog|license|copying|code_of_conduct|contributing|authors|security\.md|news\.md|history\.md)", re.I)

# ------------------------------------------------------------------------------------------------ exclusion (as in exclude.rs)

def excluded(paths):
    """Names as (exact, prefixes): those that refuse packages, or, with `paths`, those that refuse files too."""
    exact, prefixes = set(), []
    for line in open(os.path.join(HERE, "excluded.txt")):
        words = line.split("#")[0].split()
        if not words:
            continue
        owner, _, name = words[0].partition("/")
        for word in ([] if name.startswith("-") or not name else [name]) + words[1:]:
            if paths and word.startswith("="):
                continue
            word = word.lower().lstrip("=")
            prefixes.append(word[:-1]) if word.endswith("*") else exact.add(word)
    return exact, tuple(prefixes)

NAMES, SEGMENTS = excluded(False), excluded(True)
DRESS = re.compile(r"^(golang-(github|gitlab|gopkg|google|golang|k8s|go)-|golang-|python3?-|ruby-|haskell-|node-|rust-|php-|lua-|libghc-|lib|elixir-|erlang-|puppet-module-)")
TAIL = re.compile(r"(-java|-dev|-perl|-clojure|-cpp|-c|-js|js|-py|\.js|-go|-rb|-ruby|-rs|-php|-\d[\d.]*|\d+|-ng|-sharp)$")

def names_of(package):
    """The package's name and what is left as its dressing comes off, every step of it."""
    names, todo = set(), [package.lower().replace("_", "-")]
    while todo:
        name = todo.pop()
        if not name or name in names:
            continue
        names.add(name)
        names.add(name.replace("-", "_"))
        todo += [DRESS.sub("", name), TAIL.sub("", name), re.sub(r"-v?\d+(\.\d+)*$", "", name)]
        if name.startswith("@"):
            todo += name[1:].split("/")
        if package.startswith("golang-") and "-" in name:
            todo.append(name.split("-", 1)[1])
    return names

def matches(word, names):
    return word in names[0] or word.startswith(names[1])

def refused(package):
    words = re.split(r"[-_./@]", package.lower())
    return any(matches(name, NAMES) for name in names_of(package)) or any(word in SEGMENTS[0] for word in words)

# ------------------------------------------------------------------------------------------------ what to keep of an archive

def wanted(path):
    parts = path.lower().split("/")
    if any(part in SKIP_SEGMENTS or part.startswith(("test", "mock")) for part in parts[:-1]) or SKIP_FILE.search(path):
        return False
    stem = parts[-1].split(".")[0]
    if any(matches(part, SEGMENTS) for part in parts[1:-1]) or stem in SEGMENTS[0]:
        return False
    ext = parts[-1].rsplit(".", 1)[-1] if "." in parts[-1] else ""
    return ext in SOURCE or ext == ""

def unpacked(data):
    """The tar archive inside a .deb."""
    at = 8
    while at < len(data):
        name, size = data[at:at + 16].decode().strip().rstrip("/"), int(data[at + 48:at + 58])
        if name.startswith("data.tar"):
            return data[at + 60:at + 60 + size]
        at += 60 + size + size % 2
    raise ValueError("no data in it")

def members(name, data):
    if data.startswith(b"!<arch>"):
        data = unpacked(data)
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:*") as archive:
        for info in archive:
            if info.isfile() and 0 < info.size <= MAX_FILE and wanted(info.name.removeprefix("./")):
                yield info.name.removeprefix("./"), archive.extractfile(info).read()

def inner(path):
    """A path inside the package: without the archive's top folder, or where a .deb installs to."""
    installed = re.match(r"usr/(share/rubygems-integration/[^/]+/gems/[^/]+|share/cargo/registry/[^/]+|lib/ruby/vendor_ruby|lib/python3/dist-packages|(lib|share)/[^/]+|s?bin)/", path)
    return path[installed.end():] if installed else path.split("/", 1)[-1]

def keep(name, data):
    files = []
    for path, text in members(name, data):
        ext = path.rsplit(".", 1)[-1].lower() if "." in path.rsplit("/", 1)[-1] else ""
        if ext == "" and not text.startswith(b"#!"):
            continue
        if len(text) < 80 or b"\0" in text or max(map(len, text.split(b"\n"))) > 2_000:
            continue
        try:
            text.decode("utf-8")
        except UnicodeDecodeError:
            continue
        head = text[:600].lower()
        if b"generated by" in head or b"do not edit" in head or b"autogenerated" in head or b"auto-generated" in head or b"@generated" in head:
            continue
        rare = ext in RARE or ext == ""
        files.append((0 if rare else 1, hashlib.md5(path.encode()).digest(), inner(path), text))
    files.sort(key=lambda f: f[:3])
    out, size = [], 0
    for rank, _, path, text in files:
        if size + len(text) > (MAX_RARE_PACK if rank == 0 else MAX_PACK):
            continue
        size += len(text)
        out.append((path, text))
    return sorted(out)

# ------------------------------------------------------------------------------------------------ registries

def fetch(url, accept=None):
    request = urllib.request.Request(url, headers={"Accept": accept} if accept else {})
    with urllib.request.urlopen(request, timeout=60) as answer:
        if int(answer.headers.get("Content-Length") or 0) > MAX_ARCHIVE:
            raise ValueError("too large")
        return answer.read()

def apt_base():
    for path in ["/etc/apt/sources.list", *sorted(glob.glob("/etc/apt/sources.list.d/*"))]:
        if os.path.exists(path):
            found = re.search(r"(https?://\S+/debian)/?(\s|$)", open(path).read())
            if found:
                return found.group(1)
    raise SystemExit("no Debian mirror in apt's sources")

def npm_base():
    return subprocess.run(["npm", "config", "get", "registry"], capture_output=True, text=True).stdout.strip().rstrip("/")

def debian_sources(work, suite="trixie"):
    path = os.path.join(work, f"Sources-{suite}")
    if not os.path.exists(path):
        open(path, "wb").write(lzma.decompress(fetch(f"{apt_base()}/dists/{suite}/main/source/Sources.xz")))
    out = {}
    for block in open(path, encoding="utf-8", errors="replace").read().split("\n\n"):
        field = lambda name: (re.search(rf"^{name}: ?(.*(?:\n .*)*)$", block, re.M) or [None, ""])[1]
        name = field("Package")
        origs = re.findall(r"^ [0-9a-f]{64} (\d+) (\S+\.orig\.tar\.\w+)$", block, re.M) or re.findall(r"^ [0-9a-f]{64} (\d+) (\S+_[^_]+\.tar\.\w+)$", block, re.M)
        if name and origs:
            size, file = max(((int(s), f) for s, f in origs if "debian.tar" not in f), default=(0, ""))
            if file:
                out[name] = dict(version=field("Version"), file=f"{field('Directory')}/{file}", size=size, needs=field("Build-Depends") + field("Build-Depends-Indep"))
    return out

def debian_binaries(work, suite="trixie"):
    path = os.path.join(work, f"Packages-{suite}")
    if not os.path.exists(path):
        open(path, "wb").write(lzma.decompress(fetch(f"{apt_base()}/dists/{suite}/main/binary-amd64/Packages.xz")))
    out = {}
    for block in open(path, encoding="utf-8", errors="replace").read().split("\n\n"):
        field = lambda name: (re.search(rf"^{name}: ?(.*(?:\n .*)*)$", block, re.M) or [None, ""])[1]
        if field("Package"):
            out[field("Package")] = dict(version=field("Version"), file=field("Filename"), size=int(field("Size")), tags=field("Tag"), arch=field("Architecture"),
                                         source=(field("Source") or field("Package")).split()[0], needs=field("Depends"))
    return out

def choose_deb(work):
    """Packages that install their source as it is: what the pool lacks the source archive of."""
    lines = []
    for name, row in debian_binaries(work).items():
        told = re.match(r"ruby-|librust-.*-dev$|vim-|lua-|elixir-", name) or "implemented-in::shell" in row["tags"] or "implemented-in::ruby" in row["tags"] \
            or (row["arch"] == "all" and re.search(r"\b(bash|ruby|lua5\.\d|php-cli|python3)\b", row["needs"]) and row["size"] < 400_000)
        if told and row["size"] < 4_000_000 and not name.endswith(("-doc", "-dbg", "-data")) and not refused(name) and not refused(row["source"]):
            rank = 0 if re.match(r"ruby-|lua-|vim-|elixir-", name) or "shell" in row["tags"] else 1
            lines.append((rank, hashlib.md5(name.encode()).hexdigest(), f"deb {name}=={row['version']}"))
    open(os.path.join(work, "chosen-deb.txt"), "w").write("\n".join(line for _, _, line in sorted(lines)) + "\n")
    print(len(lines), file=sys.stderr)

GROUPS = [("golang", r"^golang-"), ("ruby", r"^ruby-"), ("haskell", r"^haskell-"), ("php", r"^php-"), ("node", r"^node-"), ("rust", r"^rust-"),
          ("java", r"(-java$|^maven|^plexus|^jakarta|^eclipse)"), ("python", r"^python-"), ("lua", r"^lua-|^vim-|^awesome"), ("elixir", r"^elixir-")]

def choose(work):
    sources = debian_sources(work)
    groups = {}
    for name, row in sources.items():
        if refused(name) or re.match(r"(r-|perl-|fonts-|ocaml-|coq|emacs|tex|linux|gcc|llvm|chromium|firefox|thunderbird|libreoffice|openjdk|boost)", name) or name.endswith(("-perl", "-el")):
            continue
        needs = row["needs"]
        group = next((g for g, pattern in GROUPS if re.search(pattern, name)), None)
        if group is None:
            if re.search(r"mono-devel|cli-common|kotlin|swiftlang|scala\b", needs) or name in ("kotlin", "mono", "scala", "swiftlang", "gradle-kotlin-dsl"):
                group = "rare"
            elif "dh-python" in needs or "python3-setuptools" in needs:
                group = "python"
            elif re.search(r"javahelper|maven|default-jdk", needs):
                group = "java"
            elif re.search(r"dh-golang|golang", needs):
                group = "golang"
            elif re.search(r"gem2deb", needs):
                group = "ruby"
            elif re.search(r"cmake|qt|g\+\+|meson|autoconf|automake|libtool|libglib", needs):
                group = "cee"
            elif row["size"] < 600_000 and not re.search(r"debhelper-compat.*\b(perl|ocaml|ghc|r-base|emacs)", needs):
                group = "shell"
            else:
                continue
        limit = {"rare": 120_000_000, "haskell": 3_000_000, "ruby": 6_000_000, "php": 6_000_000, "cee": 3_000_000, "python": 3_000_000}.get(group, 4_000_000)
        if 4_000 < row["size"] < limit:
            groups.setdefault(group, []).append((hashlib.md5(name.encode()).hexdigest(), f"debian {name}=={row['version']}"))
    share = {"rare": 999, "elixir": 999, "ruby": 4, "php": 3, "haskell": 3, "golang": 3, "python": 5, "java": 3, "cee": 4, "rust": 3, "node": 3, "lua": 2, "shell": 1}
    for group in groups.values():
        group.sort()
    lines = []
    while any(groups.values()):
        for group, rows in groups.items():
            n = share.get(group, 1)
            lines += [line for _, line in rows[:n]]
            del rows[:n]
    print({g: sum(1 for _ in rows) for g, rows in groups.items()}, len(lines), file=sys.stderr)
    open(os.path.join(work, "chosen.txt"), "w").write("\n".join(lines) + "\n")

def choose_npm(work, seeds, limit):
    """Walks dependencies outwards from the seeds, newest versions."""
    base, seen, out, queue = npm_base(), set(), [], [s for s in open(seeds).read().split()]
    def manifest(name):
        try:
            return json.loads(fetch(f"{base}/{urllib.parse.quote(name, safe='@')}/latest"))
        except Exception:
            return None
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        while queue and len(out) < limit:
            batch = [n for n in dict.fromkeys(queue) if n not in seen and not refused(n) and not n.startswith("@types/")][:400]
            queue = [n for n in queue if n not in batch]
            seen.update(batch)
            if not batch:
                break
            for found in pool.map(manifest, batch):
                if not found or not found.get("version"):
                    continue
                out.append(f"npm {found['name']}=={found['version']}")
                for kind in ("dependencies", "peerDependencies", "devDependencies"):
                    queue += sorted(found.get(kind) or {})
    open(os.path.join(work, "chosen-npm.txt"), "w").write("\n".join(out[:limit]) + "\n")
    print(len(out), file=sys.stderr)

class Registries:
    def __init__(self, work):
        self.work, self.sources, self.binaries, self.bases = work, None, None, {}

    def base(self, make):
        return self.bases.setdefault(make.__name__, None) or self.bases.update({make.__name__: make()}) or self.bases[make.__name__]

    def download(self, registry, name, version):
        if registry == "debian":
            self.sources = self.sources or debian_sources(self.work)
            return self.sources[name]["file"], fetch(f"{self.base(apt_base)}/{self.sources[name]['file']}")
        if registry == "deb":
            self.binaries = self.binaries or debian_binaries(self.work)
            return self.binaries[name]["file"], fetch(f"{self.base(apt_base)}/{self.binaries[name]['file']}")
        if registry == "npm":
            return name, fetch(f"{self.base(npm_base)}/{urllib.parse.quote(name, safe='@/')}/-/{name.split('/')[-1]}-{version}.tgz")
        raise ValueError(registry)

def get(work, listing, part, until):
    os.makedirs(os.path.join(work, "packs"), exist_ok=True)
    lines = [line.split("#")[0].strip() for line in open(listing)]
    idx, n = map(int, part.split("/"))
    lines = [line for i, line in enumerate(filter(None, lines)) if i % n == idx]
    registries = Registries(work)
    if any(line.startswith("debian") for line in lines):
        registries.sources = debian_sources(work)
    if any(line.startswith("deb ") for line in lines):
        registries.binaries = debian_binaries(work)
    def one(line):
        if until and datetime.now().strftime("%H:%M") >= until:
            return
        registry, rest = line.split(" ", 1)
        name, _, version = rest.partition("==")
        path = os.path.join(work, "packs", f"{registry}__{name.replace('/', '+')}__{version.replace('/', '+')}.pack")
        if os.path.exists(path) or refused(name):
            return
        try:
            files = keep(*registries.download(registry, name, version))
        except Exception as error:
            print(line, type(error).__name__, str(error)[:80], file=sys.stderr)
            return
        with open(path + ".part", "wb") as out:
            for file, text in files:
                file = file.encode()
                out.write(struct.pack("<II", len(file), len(text)) + file + text)
        os.rename(path + ".part", path)
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        list(pool.map(one, lines))

def pin(work):
    for path in sorted(glob.glob(os.path.join(work, "packs", "*.pack"))):
        if os.path.getsize(path):
            registry, name, version = os.path.basename(path)[:-5].split("__")
            print(f"{registry} {name.replace('+', '/') if registry == 'npm' else name}=={version}")

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("verb", choices=["choose", "choose-deb", "choose-npm", "get", "pin"])
    parser.add_argument("--work", required=True)
    parser.add_argument("--list")
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--until")
    parser.add_argument("--limit", type=int, default=3000)
    args = parser.parse_args()
    {"choose": lambda: choose(args.work), "choose-deb": lambda: choose_deb(args.work), "choose-npm": lambda: choose_npm(args.work, args.list, args.limit),
     "get": lambda: get(args.work, args.list, args.part, args.until),
     "pin": lambda: pin(args.work)}[args.verb]()
