"""What no client library asks, in plain JSON: that standard output carries the protocol and nothing else, what a cancelled
request does not answer, when the process ends, the fields of the modern era, and its headers over HTTP."""

import json
import queue
import subprocess
import tempfile
import threading
import time

from world import SPACE, Serving, check, environment, finish, index, many, mcp_command, project, shop

MODERN = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "clients/mcp_raw.py", "version": "1"},
}
INITIALIZE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "clients/mcp_raw.py", "version": "1"}}


class Pipe:
    """`kitbag mcp` with a queue of the lines it wrote."""

    def __init__(self, root, *more, store=None):
        command = mcp_command(root, *more, *(["--store", store] if store else []))
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
        )
        self.lines, self.n_asked, self.every = queue.Queue(), 0, []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.every.append(line)
            self.lines.put(line)
        self.lines.put(None)

    def send(self, message):
        self.process.stdin.write(message if isinstance(message, str) else json.dumps({"jsonrpc": "2.0"} | message) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params=None):
        self.n_asked += 1
        self.send({"id": self.n_asked, "method": method, "params": params or {}})
        return self.answer(self.n_asked)

    def answer(self, number, limit=60):
        """The answer to a request; what else arrives meanwhile is in `every`."""
        deadline = time.monotonic() + limit
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                return None
            if line is None:
                return None
            message = json.loads(line)
            if message.get("id") == number and "method" not in message:
                return message

    def initialize(self):
        answer = self.ask("initialize", INITIALIZE)
        self.send({"method": "notifications/initialized"})
        return answer

    def end(self, limit=20):
        self.process.stdin.close()
        began = time.monotonic()
        code = self.process.wait(limit)
        return code, time.monotonic() - began


def main():
    root = project("raw", shop())
    index(root)
    legacy(root)
    modern(root)
    modern_http(root)
    nonsense(root)
    unindexed()


def legacy(root):
    pipe = Pipe(root)
    result = pipe.initialize()["result"]
    check("raw legacy: an older version that the client names is kept", result["protocolVersion"] == "2025-06-18", result)
    check("raw legacy: ping", pipe.ask("ping").get("result") == {}, pipe.every)
    first = pipe.ask("tools/list")["result"]
    call = pipe.ask("tools/call", {"name": "locate_symbol", "arguments": {"name": "check_cart"}})
    check("raw legacy: a call", call["result"]["content"][0]["type"] == "text", call)
    unknown = pipe.ask("no/such/method")
    check("raw legacy: an unknown method is -32601", unknown.get("error", {}).get("code") == -32601, unknown)
    code, took = pipe.end()
    check(f"raw legacy: ends with its input ({took:.2f} s)", code == 0, (code, took))
    check("raw legacy: says nothing on standard error", pipe.process.stderr.read() == "")
    check("raw legacy: nothing but the protocol on standard output", all(json.loads(line)["jsonrpc"] == "2.0" for line in pipe.every), pipe.every)
    again = Pipe(root)
    again.initialize()
    second = again.ask("tools/list")["result"]
    check("raw legacy: another process lists the same bytes", json.dumps(first) == json.dumps(second), second)
    again.end()
    gone = Pipe(root)
    code, _ = gone.end()
    check("raw: a client that goes before it has said anything leaves no failure", code == 0, (code, gone.process.stderr.read()))


def modern(root):
    pipe = Pipe(root)
    found = pipe.ask("server/discover", {"_meta": META})
    result = found.get("result", {})
    check("raw modern: server/discover without a hand-shake", MODERN in result.get("supportedVersions", []), found)
    check("raw modern: with capabilities and instructions", {"tools", "resources", "prompts"} <= set(result["capabilities"]) and result["instructions"], result)
    check("raw modern: with its name", result.get("_meta", {}).get("io.modelcontextprotocol/serverInfo", {}).get("name") == "kitbag", result)
    cacheable = {
        "server/discover": {},
        "tools/list": {},
        "prompts/list": {},
        "resources/list": {},
        "resources/templates/list": {},
        "resources/read": {"uri": "kitbag://overview"},
    }
    for method, params in cacheable.items():
        result = pipe.ask(method, params | {"_meta": META}).get("result", {})
        right = isinstance(result.get("ttlMs"), int) and result.get("cacheScope") in ("public", "private")
        check(f"raw modern: {method} has resultType, ttlMs, cacheScope", right and result.get("resultType") == "complete", result)
    result = pipe.ask("tools/call", {"name": "locate_symbol", "arguments": {"name": "check_cart"}, "_meta": META})["result"]
    check("raw modern: a call has its resultType", result.get("resultType") == "complete" and "src/cart.rs" in result["content"][0]["text"], result)
    wrong = pipe.ask("tools/list", {"_meta": META | {"io.modelcontextprotocol/protocolVersion": "1999-01-01"}})
    error = wrong.get("error", {})
    check("raw modern: a version that it does not speak is -32022 and names those it does", error.get("code") == -32022 and MODERN in error["data"]["supported"], wrong)
    check("raw modern: and the one asked for", error["data"].get("requested") == "1999-01-01", wrong)
    unknown = pipe.ask("no/such/method", {"_meta": META})
    check("raw modern: an unknown method is -32601", unknown.get("error", {}).get("code") == -32601, unknown)
    code, took = pipe.end()
    check(f"raw modern: ends with its input ({took:.2f} s)", code == 0, (code, took))


def modern_http(root):
    serving = Serving(root)

    def ask(method, params=None, version=MODERN, **headers):
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": (params or {}) | {"_meta": META}}
        sent = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": version, "Mcp-Method": method}
        if params and "name" in params:
            sent["Mcp-Name"] = params["name"]
        status, got, answer = serving.ask("/mcp", body, headers=sent | {name.replace("_", "-"): value for name, value in headers.items()})
        text = answer.decode()
        if "event-stream" in (got.get("Content-Type") or ""):
            found = [json.loads(line[5:]) for line in text.splitlines() if line.startswith("data:") and line[5:].strip()]
            return status, next((one for one in found if "id" in one), found)
        return status, json.loads(text) if text.startswith("{") else text

    call = {"name": "locate_symbol", "arguments": {"name": "check_cart"}}
    status, answer = ask("tools/call", call)
    check("raw modern http: a call without session or hand-shake", status == 200 and "src/cart.rs" in json.dumps(answer), (status, answer))
    status, answer = ask("server/discover")
    check("raw modern http: server/discover", status == 200 and MODERN in answer["result"]["supportedVersions"], (status, answer))
    status, answer = ask("tools/call", call, Mcp_Method="tools/list")
    check("raw modern http: a header that contradicts the body is 400 and -32020", status == 400 and answer["error"]["code"] == -32020, (status, answer))
    status, answer = ask("tools/call", call, Mcp_Name="build_context_pack")
    check("raw modern http: so is another name", status == 400 and answer["error"]["code"] == -32020, (status, answer))
    status, answer = ask("no/such/method")
    check("raw modern http: an unknown method is 404 and -32601", status == 404 and answer["error"]["code"] == -32601, (status, answer))
    status, answer = ask("tools/list", version="1999-01-01")
    check("raw modern http: an unknown version is 400", status == 400, (status, answer))
    serving.end()


def nonsense(root):
    """Lines that are not requests: the server answers what it can and goes on."""
    pipe = Pipe(root)
    pipe.initialize()
    for line in ("\n", "nonsense\n", "[]\n", "{}\n", "[" * 100_000 + "\n", '{"jsonrpc":"2.0","id":900,"method":7}\n', "\x00\x01\n", "x" * 5_000_000 + "\n"):
        pipe.send(line)
    answer = pipe.ask("tools/list")
    check("raw: lines of nonsense do not end the server", answer and "result" in answer, (answer, pipe.process.poll(), pipe.every[-3:]))
    check("raw: nor bring anything else to standard output", all(json.loads(line)["jsonrpc"] == "2.0" for line in pipe.every), pipe.every)
    long = {"method": "tools/call", "params": {"name": "query_context", "arguments": {"query": "x" * (17 << 20)}}, "id": 901}
    pipe.send(long)
    answer = pipe.answer(901)
    check("raw: a line of 17 MB is answered with an error", answer and answer.get("error", {}).get("code") == -32600, answer)
    answer = pipe.ask("tools/list")
    check("raw: and the next one as ever", answer and "result" in answer, answer)
    pipe.end()


def unindexed():
    """Against the time that indexing takes, so that a slow machine proves the same."""
    root = project("raw-unindexed", many(3_000))
    with tempfile.TemporaryDirectory(dir=SPACE) as store:
        full = index(root, "--store", store)
    for era in ("legacy", "modern"):
        with tempfile.TemporaryDirectory(dir=SPACE) as store:
            began = time.monotonic()
            pipe = Pipe(root, store=store)
            answer = pipe.initialize() if era == "legacy" else pipe.ask("server/discover", {"_meta": META})
            took = time.monotonic() - began
            check(f"raw {era}: the hand-shake waits for no index ({took * 1000:.0f} ms; indexing takes {full:.1f} s)", "result" in answer and took < full / 10, (took, full))
            meta = {"_meta": {"progressToken": "p"} | (META if era == "modern" else {})}
            pipe.send({"id": 500, "method": "tools/call", "params": {"name": "build_context_pack", "arguments": {"task": "make item 17"}} | meta})
            time.sleep(0.2)
            pipe.send({"method": "notifications/cancelled", "params": {"requestId": 500, "reason": "no longer wanted"}})
            other = pipe.ask("tools/list", {"_meta": META} if era == "modern" else {})
            check(f"raw {era}: another request is answered meanwhile", "result" in other, other)
            late = pipe.answer(500, limit=4)
            check(f"raw {era}: a cancelled request has no result", late is None or "error" in late, late)
            values = [message["params"]["progress"] for message in map(json.loads, pipe.every) if message.get("method") == "notifications/progress"]
            check(f"raw {era}: progress is for the token given, and grows ({len(values)} times)", values == sorted(set(values)), values)
            code, took = pipe.end()
            check(f"raw {era}: ends with its input while it indexes ({took:.2f} s)", code == 0 and took < full / 2, (code, took, full))


if __name__ == "__main__":
    main()
    finish()
