"""How many questions a server answers, and how fast, at 1, 16 and 64 connections; no answer may be an error.

wrk asks if it is installed, else threads of this script, which are slower than the server and say so. `--short` for CI: the
point is then that nothing fails, not the numbers.
"""

import http.client
import json
import re
import shutil
import subprocess
import sys
import threading
import time

from world import SPACE, Serving, check, finish, index, memory_kb, project, shop

SECONDS = 2 if "--short" in sys.argv else 10
QUESTIONS = {
    "/query_context": {"query": "where is the total of a cart compared with a limit"},
    "/v1/search": {"query": "where is the total of a cart compared with a limit"},
    "/v1/symbol": {"name": "check_cart"},
    "/v1/pack": {"task": "refuse a cart whose total is over the limit"},
}


def main():
    root = project("load", shop())
    index(root)
    # The default limit of a user is 1,000 requests a second.
    serving = Serving(root, KITBAG_SERVER_REQUESTS_PER_MINUTE="10000000")
    known = json.loads(serving.ask("/openapi.json")[2])["paths"]
    wrk = shutil.which("wrk")
    print(f"      {'wrk' if wrk else 'threads of this script (wrk is not installed)'}, {SECONDS} s each")
    # One search is enough: the routes differ by name.
    paths = [path for path in QUESTIONS if path in known]
    if "/query_context" in paths and "/v1/search" in paths:
        paths.remove("/v1/search")
    for path in paths:
        status, _, body = serving.ask(path, QUESTIONS[path])
        check(f"load: {path} answers", status == 200, (status, body[:300]))
        for n_connections in (1, 16, 64):
            measured = (by_wrk if wrk else by_threads)(serving, path, n_connections)
            line = "{per_second:8.0f} a second, p50 {p50:8.2f} ms, p99 {p99:8.2f} ms".format(**measured)
            check(f"load: {path:15} {n_connections:2} connections: {line}", measured["errors"] == 0 and measured["per_second"] > 0, measured)
    print(f"      resident at the end: {memory_kb(serving.process.pid) / 1024:.0f} MB")
    check("load: the server ends well", serving.end() == 0, serving.output[-500:])


def by_wrk(serving, path, n_connections):
    script = SPACE / "load.lua"
    body = json.dumps(QUESTIONS[path])
    script.write_text(f"wrk.method = 'POST'\nwrk.body = [[{body}]]\nwrk.headers['Content-Type'] = 'application/json'\n")
    command = ["wrk", "--latency", "--timeout", "30s", "--threads", "1", "--connections", str(n_connections), "--duration", f"{SECONDS}s", "--script", str(script), serving.url + path]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    unit = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}

    def percentile(which):
        number, of = re.search(rf"^ +{which}% +([0-9.]+)(us|ms|s|m) *$", said, re.M).groups()
        return float(number) * unit[of]

    socket_errors = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", said)
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    return {
        "per_second": float(re.search(r"Requests/sec: +([0-9.]+)", said).group(1)),
        "p50": percentile(50),
        "p99": percentile(99),
        "errors": sum(int(number) for found in (socket_errors, refused) if found for number in found.groups()),
        "said": said,
    }


def by_threads(serving, path, n_connections):
    times, errors = [], []
    until = time.monotonic() + SECONDS
    body = json.dumps(QUESTIONS[path])

    def ask():
        link = http.client.HTTPConnection("127.0.0.1", serving.port, timeout=30)
        while time.monotonic() < until:
            began = time.monotonic()
            try:
                link.request("POST", path, body, {"Content-Type": "application/json"})
                answer = link.getresponse()
                answer.read()
                (times if answer.status == 200 else errors).append(time.monotonic() - began)
            except OSError as error:
                errors.append(error)
                link.close()

    threads = [threading.Thread(target=ask) for _ in range(n_connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    times.sort()
    at = lambda share: times[min(int(len(times) * share), len(times) - 1)] * 1000 if times else 0.0
    return {"per_second": len(times) / SECONDS, "p50": at(0.5), "p99": at(0.99), "errors": len(errors), "said": errors[:3]}


main()
finish()
