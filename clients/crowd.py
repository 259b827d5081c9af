"""Ten MCP servers of one project, as ten windows of an editor start them, while a writer changes files: nobody is locked out,
and when the writing ends all of them answer the same. Then they are killed one by one, the one that indexes first, and those
that are left go on.

`--short` for CI: ten seconds instead of sixty.
"""

import concurrent.futures
import json
import os
import signal
import sys
import time

from mcp_raw import Pipe
from world import check, finish, many, memory_kb, project, shop, ticks

SECONDS = 10 if "--short" in sys.argv else 60
N_SERVERS = 10
QUESTIONS = [
    ("build_context_pack", {"task": "refuse a cart whose total is over the limit"}),
    ("locate_symbol", {"name": "check_cart"}),
    ("build_context_pack", {"task": "what did the writer change last", "paths": ["written/**"]}),
]
# What an answer says when one process stands in another's way.
LOCKED = ("locked", "STORAGE_ERROR", "INTERNAL_ERROR", "busy")


def main():
    # Large enough that the first of them still indexes while the others arrive.
    root = project("crowd", shop() | many(300))
    pipes = [Pipe(root) for _ in range(N_SERVERS)]
    greeted = [pipe.initialize() for pipe in pipes]
    check(f"crowd: {N_SERVERS} servers of one project", all("result" in (answer or {}) for answer in greeted), greeted)
    # The first question is asked of all at once, before anything is indexed.
    with concurrent.futures.ThreadPoolExecutor(N_SERVERS) as pool:
        first = list(pool.map(lambda pipe: ask(pipe, *QUESTIONS[1]), pipes))
        check("crowd: the first question is answered by all, none locked out", all(right(answer) for answer in first), first)
        n_asked = talking(root, pool, pipes)
        check(f"crowd: {n_asked} questions beside a writer in {SECONDS} s, none locked out", n_asked > N_SERVERS)
        same(pool, pipes, "when the writing has ended")
        sizes = [memory_kb(pipe.process.pid) // 1024 for pipe in pipes]
        print(f"      resident, MB: {sizes}")
        killing(root, pool, pipes)


def ask(pipe, name, arguments):
    answer = pipe.ask("tools/call", {"name": name, "arguments": arguments})
    if answer is None:
        return {"error": f"no answer; exit code {pipe.process.poll()}"}
    return answer


def right(answer):
    result = answer.get("result", {})
    said = json.dumps(answer)
    return bool(result) and not result.get("isError") and not any(word in said for word in LOCKED)


def text(answer):
    return "\n".join(block["text"] for block in answer.get("result", {}).get("content", []))


def talking(root, pool, pipes):
    """Everybody asks all the time, and a file changes twenty times a second: edited, replaced, made, deleted."""
    end = time.monotonic() + SECONDS
    (root / "written").mkdir()

    def asking(pipe):
        n_asked = 0
        while time.monotonic() < end:
            answer = ask(pipe, *QUESTIONS[n_asked % len(QUESTIONS)])
            if not right(answer):
                check("crowd: an answer beside a writer", False, answer)
                return n_asked
            n_asked += 1
        return n_asked

    asked = [pool.submit(asking, pipe) for pipe in pipes]
    n_written = 0
    while time.monotonic() < end:
        write(root, n_written)
        n_written += 1
        time.sleep(0.05)
    print(f"      {n_written} changes written")
    return sum(future.result() for future in asked)


def write(root, number):
    place = root / "written" / f"changed_{number % 40}.py"
    source = f"def changed_{number % 40}(value):\n    # the writer was here {number} times\n    return value + {number}\n"
    if number % 7 == 3:
        place.unlink(missing_ok=True)
    elif number % 2:
        # As editors do it.
        beside = place.with_suffix(".tmp")
        beside.write_text(source)
        os.replace(beside, place)
    else:
        place.write_text(source)


def same(pool, pipes, when):
    """Equal bytes from all. They need not be there at once: a server looks for changes before it answers, within a limit."""
    for name, arguments in QUESTIONS:
        seen = []
        for _ in range(60):
            answers = list(pool.map(lambda pipe: ask(pipe, name, arguments), pipes))
            seen = sorted({text(answer) for answer in answers})
            if len(seen) == 1 and all(right(answer) for answer in answers) and "index not complete" not in seen[0]:
                break
            time.sleep(0.5)
        check(f"crowd: the same answer from all {len(pipes)} to {name} {when}", len(seen) == 1 and "index not complete" not in seen[0], [one[:600] for one in seen])


def killing(root, pool, pipes):
    """Down to two. Whoever indexes has used the most time since the change."""
    while len(pipes) > 2:
        for number in range(200):
            (root / "written" / f"burst_{number}.py").write_text(f"def burst_{number}_{len(pipes)}():\n    return {number}\n")
        before = {pipe: ticks(pipe.process.pid) for pipe in pipes}
        asked = [pool.submit(ask, pipe, "locate_symbol", {"name": f"burst_7_{len(pipes)}"}) for pipe in pipes]
        time.sleep(0.3)
        busiest = max(pipes, key=lambda pipe: ticks(pipe.process.pid) - before[pipe])
        busiest.process.send_signal(signal.SIGKILL)
        busiest.process.wait(10)
        answers = [future.result() for future in asked]
        left = [(pipe, answer) for pipe, answer in zip(pipes, answers) if pipe is not busiest]
        pipes = [pipe for pipe, _ in left]
        check(f"crowd: kill -9 of the busiest harms none of the other {len(pipes)}", all(right(answer) for _, answer in left), [answer for _, answer in left if not right(answer)])
        name = f"burst_7_{len(pipes) + 1}"
        found = []
        for _ in range(60):
            found = [text(ask(pipe, "locate_symbol", {"name": name})) for pipe in pipes]
            if all("written/burst_7.py:1" in one for one in found):
                break
            time.sleep(0.5)
        check("crowd: and they find what changed meanwhile", all("written/burst_7.py:1" in one for one in found), found)
    same(pool, pipes, "after the killing")
    for pipe in pipes:
        code, _ = pipe.end()
        check("crowd: the last ones end well", code == 0, (code, pipe.process.stderr.read()[-500:]))


main()
finish()
