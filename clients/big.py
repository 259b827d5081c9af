"""By hand, with a release build: a project of 100,000 files that nobody has indexed. How soon a server greets, answers, says
how far it is, and is done; and what an idle server costs afterwards.

    KITBAG=target/release/kitbag clients/run target/release/kitbag big
"""

import os
import tempfile
import time

from mcp_raw import Pipe
from world import SPACE, check, finish, many, memory_kb, project, ticks

N_FILES = int(os.environ.get("CLIENTS_BIG_FILES", "100000"))
# What a first answer may take (MCP-4).
LIMIT = 2.0
# Indexed late, so that an early answer cannot have it by luck.
ITEM = N_FILES * 9 // 10 + 4


def main():
    root = project("big", many(N_FILES))
    for name, arguments in (("build_context_pack", {"task": f"make item {ITEM}"}), ("locate_symbol", {"name": f"make_item_{ITEM}"}), ("query_context", {"query": f"make item {ITEM}"})):
        with tempfile.TemporaryDirectory(dir=SPACE) as store:
            pipe, listed = greeted(root, store)
            if name in listed:
                first(pipe, name, arguments)
            pipe.process.kill()
            pipe.process.wait(10)
    with tempfile.TemporaryDirectory(dir=SPACE) as store:
        began = time.monotonic()
        pipe, _ = greeted(root, store)
        first(pipe, "build_context_pack", {"task": f"make item {ITEM}"})
        until_complete(pipe, began)
        idle(pipe)
        code, took = pipe.end()
        check(f"big: ends with its input ({took:.2f} s)", code == 0, code)
        print(f"      the index takes {folder_mb(store):.0f} MB on disk")
        began = time.monotonic()
        pipe, _ = greeted(root, store)
        first(pipe, "build_context_pack", {"task": f"make item {ITEM}"}, complete=True)
        idle(pipe)
        pipe.end()


def greeted(root, store):
    began = time.monotonic()
    pipe = Pipe(root, store=store)
    answer = pipe.initialize()
    took = time.monotonic() - began
    check(f"big: hand-shake after {took * 1000:.0f} ms", "result" in answer and took < LIMIT, (took, answer))
    return pipe, [tool["name"] for tool in pipe.ask("tools/list")["result"]["tools"]]


def called(pipe, name, arguments):
    began = time.monotonic()
    result = pipe.ask("tools/call", {"name": name, "arguments": arguments})["result"]
    return time.monotonic() - began, "\n".join(block["text"] for block in result["content"]), result.get("isError")


def first(pipe, name, arguments, complete=False):
    took, said, is_error = called(pipe, name, arguments)
    print(f"      it says: {said.splitlines()[0][:150]}")
    check(f"big: the first {name} after {took:.2f} s", took < LIMIT and not is_error, (took, said[:500]))
    if not complete:
        check("big: and it says how far indexing is", "index not complete" in said, said[:500])


def until_complete(pipe, began):
    """Asks as an agent would, now and then; every answer must be as quick as the first."""
    slowest, said, n_errors = 0.0, "", 0
    while time.monotonic() - began < 3_600:
        took, said, is_error = called(pipe, "build_context_pack", {"task": f"make item {ITEM}"})
        slowest = max(slowest, took)
        n_errors += bool(is_error)
        if not is_error and "index not complete" not in said:
            break
        print(f"      after {time.monotonic() - began:4.0f} s: {said.splitlines()[0][:120]} ({took:.2f} s)", flush=True)
        time.sleep(5)
    check("big: no answer meanwhile is an error", n_errors == 0, n_errors)
    check(f"big: complete after {time.monotonic() - began:.0f} s; the slowest answer meanwhile took {slowest:.2f} s", f"item_{ITEM}" in said, said[:500])


def idle(pipe):
    # Vectors and history come after the files.
    while "up to date" not in called(pipe, "get_context_stats", {})[1]:
        time.sleep(1)
    time.sleep(3)
    before = ticks(pipe.process.pid)
    time.sleep(10)
    spent = ticks(pipe.process.pid) - before
    check(f"big: idle for 10 s: {spent} ticks of the processor, {memory_kb(pipe.process.pid) / 1024:.0f} MB resident, {memory_kb(pipe.process.pid, 'RssAnon') / 1024:.0f} MB of it not the index file's", spent <= 5, spent)


def folder_mb(folder):
    return sum(os.path.getsize(os.path.join(at, file)) for at, _, files in os.walk(folder) for file in files) / 1e6


main()
finish()
