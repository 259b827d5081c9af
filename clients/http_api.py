"""The HTTP side as strangers, attackers and schemathesis see it (HTTP-1, HTTP-2, SEC-2 … SEC-5).

Ordinary questions go through urllib; what no library sends (slow bytes, chunks without end, a missing Host) through a socket.
Named http_api and not http, because a script's folder comes before the standard library.
"""

import concurrent.futures
import json
import os
import re
import socket
import subprocess
import sys
import time

import http_keys
import tools
from world import BINARY, MARKER, SPACE, Serving, check, environment, finish, index, project, shop, until

TASK = {"task": f"refuse a cart whose total is over the limit {MARKER}"}
JSON = {"Content-Type": "application/json"}
MCP = JSON | {"Accept": "application/json, text/event-stream"}


def main():
    root = project("http", shop())
    index(root)
    # A short time limit, so that slow clients are cut off while this script waits for something else.
    serving = Serving(root, "--log", "--tools", "all", KITBAG_SERVER_TIMEOUT_MS="6000")
    with concurrent.futures.ThreadPoolExecutor(8) as slowly:
        slow = start_slow(slowly, serving)
        document = json.loads(serving.ask("/openapi.json")[2])
        routes = operations(document)
        ordinary(serving)
        strangers(serving, routes)
        wrong(serving, routes)
        sizes(serving)
        nesting(serving)
        rpc(serving)
        ids(serving)
        ways_out(serving, document, root)
        began = time.monotonic()
        status, _, _ = serving.ask("/v1/symbol", {"name": "check_cart"})
        check(f"http: others are served beside slow clients ({time.monotonic() - began:.2f} s)", status == 200, status)
        end_slow(slow)
    reload(serving, root)
    schemathesis(serving)
    metrics(serving)
    check("http: no log line holds file content or a question (SEC-2)", MARKER not in serving.output, [line for line in serving.lines if MARKER in line][:3])
    lines = [json.loads(line) for line in serving.lines]
    counted = sum(line["refused"] for line in lines if "refused" in line)
    check(f"http: most lines about refused requests are only counted ({counted})", counted > 0, lines[:2])
    lines = [line for line in lines if "refused" not in line]
    check("http: a log line a request, with path, status, time and id", len(lines) > 100 and all({"path", "status", "ms", "id"} <= set(line) for line in lines), lines[:2])
    check("http: SIGTERM ends the server well", serving.end() == 0, serving.output[-500:])
    farewell(root)
    deaf(root)
    rate(root)
    beyond(root)
    http_keys.main(root)


def operations(document):
    """(method, path) of everything that the document promises, and of what is not in it."""
    found = [(method.upper(), re.sub(r"\{\w+\}", "1", path)) for path, methods in document["paths"].items() for method in methods]
    return found + [("POST", "/mcp"), ("GET", "/mcp"), ("GET", "/"), ("GET", "/no/such/path")]


def problem(name, answer, status, code=None):
    """An error as problem details (RFC 9457), whatever went wrong."""
    got, headers, body = answer
    try:
        fields = json.loads(body)
    except ValueError:
        fields = {}
    right = got == status and headers.get("Content-Type") == "application/problem+json"
    right = right and {"type", "title", "status", "detail", "code"} <= set(fields) and fields["status"] == status
    right = right and (code is None or fields["code"] == code) and headers.get("X-Request-Id")
    check(f"http: {name} is {status} {code or ''}".rstrip(), right, (got, dict(headers), body[:500]))


def ordinary(serving):
    status, headers, body = serving.ask("/v1/pack", TASK)
    reply = json.loads(body)
    check("http: /v1/pack", status == 200 and any(item["path"] == "src/cart.rs" for item in reply["items"]), (status, body[:500]))
    status, headers, body = serving.ask("/v1/pack", TASK, headers={"Accept": "text/markdown"})
    check("http: /v1/pack as text", status == 200 and headers["Content-Type"].startswith("text/markdown") and body.startswith(b"# "), (status, body[:200]))
    status, _, body = serving.ask("/v1/symbol", {"name": "check_cart"})
    check("http: /v1/symbol", status == 200 and json.loads(body)["definitions"][0]["path"] == "src/cart.rs", (status, body[:500]))
    status, _, body = serving.ask("/health")
    check("http: /health", status == 200 and json.loads(body)["status"] == "ok", (status, body))


def strangers(serving, routes):
    """A page in the user's browser must reach nothing: not by its Origin, not by a name that it makes point here."""
    hosts = ["evil.example", "localhost.evil.example", f"127.0.0.1.evil.example:{serving.port}", "", "localhost@evil.example"]
    origins = ["http://evil.example", "https://localhost.evil.example", "null", "file://", "http://evil.example:80@localhost", "localhost"]
    for method, path in routes:
        body = b"{}" if method == "POST" else None
        for host in hosts if path in ("/health", "/mcp", "/rpc", "/v1/pack") else hosts[:1]:
            problem(f"{method} {path} with the Host {host!r}", serving.ask(path, body, method, MCP | {"Host": host}), 403, "HOST_DENIED")
        for origin in origins if path in ("/health", "/mcp", "/rpc", "/v1/pack") else origins[:1]:
            problem(f"{method} {path} with the Origin {origin}", serving.ask(path, body, method, MCP | {"Origin": origin}), 403, "ORIGIN_DENIED")
    for request in (b"GET /health HTTP/1.1\r\n\r\n", b"GET http://localhost/health HTTP/1.1\r\nHost: evil.example\r\n\r\n", b"GET /health HTTP/1.0\r\n\r\n"):
        answer = sent(serving, request)
        check(f"http: {request[:40]!r} … is refused", answer.split(b" ", 2)[1:2] in ([b"403"], [b"400"]), answer[:300])
    for origin in (f"http://localhost:{serving.port}", f"http://127.0.0.1:{serving.port}"):
        status, _, body = serving.ask("/health", headers={"Origin": origin})
        check(f"http: our own page may ask ({origin})", status == 200, (status, body))
    status, headers, _ = serving.ask("/health")
    check("http: no other site is invited", "Access-Control-Allow-Origin" not in headers, dict(headers))


def wrong(serving, routes):
    problem("an unknown path", serving.ask("/no/such/path"), 404, "NOT_FOUND")
    problem("a path with dots", serving.ask("/../../etc/passwd"), 404, "NOT_FOUND")
    problem("a path with hidden dots", serving.ask("/v1/%2e%2e/%2e%2e/etc/passwd"), 404, "NOT_FOUND")
    for method, path in routes:
        if path not in ("/mcp", "/", "/no/such/path"):
            answer = serving.ask(path, b"{}", "PUT")
            problem(f"PUT {path}", answer, 405, "METHOD_NOT_ALLOWED")
            check(f"http: PUT {path} says what is allowed", method in (answer[1].get("Allow") or ""), dict(answer[1]))
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp", ""):
        problem(f"a body of {kind or 'no type'}", serving.ask("/v1/pack", b'{"task": "x"}', headers={"Content-Type": kind}), 415, "NOT_JSON")
    for path in ("/v1/pack", "/v1/symbol"):
        for body in (b"", b"{", b"nonsense", b"[]", b"7", b"null", b'"text"', b"\xff\xfe", b'{"task": "\\ud800"}', b'{"task": NaN}'):
            problem(f"{path} with {body!r}", serving.ask(path, body), 400, "INVALID_JSON")
    # Without a task, a package or `map` there is nothing to pack.
    problem("/v1/pack with nothing", serving.ask("/v1/pack", {}), 422, "INVALID_QUERY")
    for given in ({"task": 7}, TASK | {"no_such_field": 1}, TASK | {"max_tokens": "many"}):
        problem(f"/v1/pack with {sorted(given)} wrong", serving.ask("/v1/pack", given), 422, "INVALID_ARGUMENTS")
    problem("/v1/pack as a PDF", serving.ask("/v1/pack", TASK | {"format": "pdf"}), 422)
    for tokens in (-1, 1.5, "one"):
        problem(f"/v1/pack with max_tokens {tokens!r}", serving.ask("/v1/pack", TASK | {"max_tokens": tokens}), 422)
    # Answers for models have a range; a program may make a pack of any size.
    for tokens in (0, 1, 10**7):
        problem(f"/query_context with max_tokens {tokens}", serving.ask("/query_context", {"query": "cart", "max_tokens": tokens}), 422)


def sizes(serving):
    limit = 8 << 20
    for path in ("/v1/pack", "/rpc", "/mcp"):
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
        began = time.monotonic()
        answer = sent(serving, f"{head}Content-Length: {1 << 40}\r\n\r\n{{".encode())
        check(f"http: {path}: a body announced as a terabyte is 413 at once", b" 413 " in answer[:20], (answer[:300], time.monotonic() - began))
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        answer = sent(serving, f"{head}Transfer-Encoding: chunked\r\n\r\n".encode(), [chunk] * (limit // 0x10000 + 200))
        check(f"http: {path}: a body of chunks without end is 413", b" 413 " in answer[:20], answer[:300])
    text = "x" * (limit - 100)
    answer = serving.ask("/v1/pack", {"task": text})
    check("http: a task of 8 MB is refused or answered, and not dropped", answer[0] in (200, 422), (answer[0], answer[2][:300]))
    answer = sent(serving, b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 2_000_000 + b"\r\n\r\n")
    check("http: headers without end are refused", answer[:13] in (b"HTTP/1.1 431 ", b"HTTP/1.1 400 ") or answer == b"", answer[:200])


def nesting(serving):
    deep = b'{"a":' * 100_000
    wide = json.dumps({f"key{n}": n for n in range(200_000)}).encode()
    for path in ("/v1/pack", "/rpc"):
        status = 200 if path == "/rpc" else 400
        for name, body in (("a hundred thousand brackets", b"[" * 100_000), ("a hundred thousand objects", deep), ("closed brackets", b"[" * 100_000 + b"]" * 100_000)):
            got, headers, answer = serving.ask(path, body)
            check(f"http: {path}: {name} is an error", got in (status, 400) and (b"error" in answer or b"INVALID_JSON" in answer), (got, answer[:300]))
        got, headers, answer = serving.ask(path, wide)
        check(f"http: {path}: two hundred thousand keys are an error, told shortly", len(answer) < 5_000 and (got in (422, 400) or b"error" in answer), (got, len(answer), answer[:300]))
    got, _, answer = serving.ask("/mcp", b"[" * 100_000, headers=MCP)
    check("http: /mcp: a hundred thousand brackets are an error", 400 <= got < 500, (got, answer[:300]))
    status, _, _ = serving.ask("/health")
    check("http: alive after all that", status == 200, status)


def rpc(serving):
    def ask(body):
        status, _, answer = serving.ask("/rpc", body)
        return status, json.loads(answer) if answer else None

    call = {"jsonrpc": "2.0", "id": 1, "method": "locate_symbol", "params": {"name": "check_cart"}}
    status, answer = ask(call)
    check("http: /rpc answers", answer["id"] == 1 and answer["result"]["definitions"], answer)
    status, answer = ask([call | {"id": n} for n in range(50)])
    check("http: /rpc: a batch of 50 in its order", [one["id"] for one in answer] == list(range(50)), answer)
    status, answer = ask([call] * 51)
    check("http: /rpc: a batch of 51 is refused", "error" in json.dumps(answer) and not isinstance(answer, list), answer)
    status, answer = ask([])
    check("http: /rpc: an empty batch is -32600", answer["error"]["code"] == -32600, answer)
    status, answer = ask({"jsonrpc": "2.0", "method": "locate_symbol", "params": {"name": "check_cart"}})
    check("http: /rpc: a notification has no answer", status == 204 and answer is None, (status, answer))
    for name, given, code in (
        ("an unknown method", call | {"method": "no_such_method"}, -32601),
        ("wrong params", call | {"params": {"no_such_field": 1}}, -32602),
        ("params as a list", call | {"params": ["check_cart"]}, -32602),
        ("another version", call | {"jsonrpc": "1.0"}, -32600),
        ("no method", {"jsonrpc": "2.0", "id": 1}, -32600),
        ("a number", 7, -32600),
        ("an id that is an object", call | {"id": {}}, -32600),
    ):
        status, answer = ask(json.dumps(given).encode())
        check(f"http: /rpc: {name} is {code}", isinstance(answer, dict) and answer.get("error", {}).get("code") == code, answer)
    status, answer = ask(b"nonsense")
    check("http: /rpc: no JSON is -32700", answer["error"]["code"] == -32700, (status, answer))


def ids(serving):
    _, headers, _ = serving.ask("/health", headers={"X-Request-Id": "from-client.7"})
    check("http: a request id is echoed", headers["X-Request-Id"] == "from-client.7", dict(headers))
    made = {serving.ask("/health")[1]["X-Request-Id"] for _ in range(5)}
    check("http: without one there is one of the server's, each another", len(made) == 5 and all(made), made)
    for bad in ("x" * 65, "a b", "<script>", '"'):
        _, headers, _ = serving.ask("/health", headers={"X-Request-Id": bad})
        check(f"http: the id {bad[:10]!r} … is replaced", headers["X-Request-Id"] not in (bad, "", None), dict(headers))
    for path in ("/mcp", "/rpc", "/no/such/path"):
        _, headers, _ = serving.ask(path, b"{}", headers=MCP | {"X-Request-Id": "from-client.8"})
        check(f"http: {path} has the id too", headers["X-Request-Id"] == "from-client.8", dict(headers))


def ways_out(serving, document, root):
    n_tried, schemas = 0, []
    for path, methods in document["paths"].items():
        schema = methods.get("post", {}).get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        # Some operations have two paths; one of them is enough.
        if "properties" not in schema or schema in schemas:
            continue
        schemas.append(schema)
        for parameter, given in tools.escaping({"name": path, "inputSchema": schema}, root):
            status, _, body = serving.ask(path, given)
            n_tried += 1
            if tools.leaks(body.decode(errors="replace")) or status >= 500:
                check(f"http: {path}: {parameter} leads outside, or fails", False, (status, given, body[:500]))
    for job in ("..%2f..%2f..%2fetc%2fpasswd", "%2fetc%2fpasswd", "no-such-job", "%00", "x" * 5_000):
        problem(f"/v1/jobs/{job[:30]}", serving.ask(f"/v1/jobs/{job}"), 404)
    check(f"http: none of {n_tried} ways out of the project leads anywhere", n_tried > 0)


def start_slow(pool, serving):
    """Clients that send a byte a second: cut off after ten seconds of headers, after half of the time limit of a body."""
    head = "Host: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 1000\r\n\r\n"
    return {
        "headers": pool.submit(dripped, serving, b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", 30),
        "a body for /v1/pack": pool.submit(dripped, serving, f"POST /v1/pack HTTP/1.1\r\n{head}".encode(), 30),
        "a body for /rpc": pool.submit(dripped, serving, f"POST /rpc HTTP/1.1\r\n{head}".encode(), 30),
        "a body for /mcp": pool.submit(dripped, serving, f"POST /mcp HTTP/1.1\r\n{head}".encode(), 30),
        "nothing at all": pool.submit(dripped, serving, b"", 30),
    }


def dripped(serving, start, seconds):
    """How long such a client is endured, and what it was told."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", serving.port)) as link:
        link.settimeout(1)
        link.sendall(start)
        while time.monotonic() - began < seconds:
            try:
                answer = link.recv(1_000)
                return time.monotonic() - began, answer
            except TimeoutError:
                pass
            except OSError:
                return time.monotonic() - began, b""
            try:
                # Someone who says nothing goes on saying nothing.
                link.sendall(b" " if start else b"")
            except OSError:
                return time.monotonic() - began, b""
    return None, b""


def end_slow(slow):
    for name, future in slow.items():
        took, answer = future.result()
        check(f"http: {name} a byte a second is cut off" + (f" ({took:.0f} s)" if took else ""), took is not None, "still served after 30 s")
        if answer:
            check(f"http: {name}: and told so", answer[:13] in (b"HTTP/1.1 408 ", b"HTTP/1.1 504 ", b"HTTP/1.1 400 "), answer)


def sent(serving, start, chunks=(), limit=15):
    """The answer to bytes as they are; empty if the connection was closed without one."""
    with socket.create_connection(("127.0.0.1", serving.port)) as link:
        link.settimeout(limit)
        try:
            link.sendall(start)
            for chunk in chunks:
                link.sendall(chunk)
        except OSError:
            # Refused while we still wrote; the answer may be waiting.
            pass
        try:
            return link.recv(65_536)
        except TimeoutError:
            return b"no answer"
        except OSError:
            return b""


def reload(serving, root):
    """A configuration that changes is in force with the next request; one that is wrong leaves the old one (CFG-3)."""
    def refused():
        return re.search(r"^kitbag_configuration_refused (\d)$", serving.ask("/metrics")[2].decode(), re.M).group(1)

    def n_found():
        status, _, body = serving.ask("/v1/search", {"query": "check the total of a cart"})
        return len(json.loads(body)["results"]) if status == 200 else (status, body[:300])

    file = root / "kitbag.toml"
    before = n_found()
    check(f"http reload: {before} results before", isinstance(before, int) and before > 3 and refused() == "0", (before, refused()))
    file.write_text("[query]\ndefault_k = 3\n")
    check("http reload: three, as was just written", n_found() == 3 and refused() == "0", (n_found(), refused()))
    file.write_text("[query]\ndefault_k = 'many'\nnonsense\n")
    check("http reload: with a broken configuration still three", n_found() == 3, n_found())
    check("http reload: and /metrics says that it is refused", refused() == "1", refused())
    file.unlink()
    check("http reload: without the file everything is as before", n_found() == before and refused() == "0", (n_found(), refused()))


def schemathesis(serving):
    """Thousands of requests made from the OpenAPI document. What it may not find: a server error, an answer or header that
    the document does not promise, a wrong request let through, a method that is not there."""
    tool = os.path.join(os.path.dirname(sys.executable), "schemathesis")
    common = [tool, "--no-color", "run", f"{serving.url}/openapi.json", "--seed", "42", "--max-examples", os.environ.get("CLIENTS_EXAMPLES", "30")]
    common += ["--phases", "examples,coverage,fuzzing", "--continue-on-failure", "--no-shrink", "--request-timeout", "30", "--checks", "all"]
    # What is valid by the schema may still be refused: that `[` is not a glob, or that nothing is written in a language, no schema says.
    left_out = "positive_data_acceptance"
    for name, more in (
        ("every route but /rpc", ["--exclude-path", "/rpc", "--exclude-checks", left_out]),
        # JSON-RPC tells what is wrong in its own envelope, under status 200.
        ("/rpc", ["--include-path", "/rpc", "--exclude-checks", f"{left_out},negative_data_rejection"]),
    ):
        done = subprocess.run([*common, *more], capture_output=True, text=True, timeout=900, cwd=SPACE, env=environment())
        n_cases = re.search(r"([\d,]+) generated", done.stdout)
        found = done.stdout[max(done.stdout.find("= FAILURES ="), 0) :]
        check(f"http: schemathesis finds nothing in {n_cases and n_cases.group(1)} cases for {name}", done.returncode == 0 and n_cases, found + done.stderr)


def deaf(root):
    """Clients that send half of a request, or ask and never read, without a key: whoever has one is answered all the same."""
    key = "ann-0123456789abcdef"
    serving = Serving(root, KITBAG_SERVER_API_KEYS=f"ann:{key}")
    requests = (b"", b"GET /stats HTTP/1.1\r\nHost: loc", b"GET /stats HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)
    links = []
    for number in range(1_024):
        try:
            link = socket.create_connection(("127.0.0.1", serving.port), timeout=10)
            link.sendall(requests[number % 3])
            links.append(link)
        except OSError:
            # Ours are used up, or this one had to make room already.
            continue
    began = time.monotonic()
    status, _, body = serving.ask("/v1/symbol", {"name": "check_cart"}, headers={"X-Api-Key": key}, timeout=20)
    took = time.monotonic() - began
    check(f"http deaf: beside {len(links)} clients without a key, one with a key is answered ({took:.2f} s)", status == 200 and len(links) > 500, (status, body[:200], len(links)))
    for link in links:
        link.close()
    serving.end()


def metrics(serving):
    status, headers, body = serving.ask("/metrics")
    check("http: /metrics is Prometheus text", status == 200 and headers["Content-Type"].startswith("text/plain; version=0.0.4"), dict(headers))
    form = re.compile(r'^([a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [0-9.e+-]+|# (HELP|TYPE) .+)$')
    odd = [line for line in body.decode().splitlines() if not form.match(line)]
    check("http: every line of it", not odd, odd)
    check("http: metrics hold no question", MARKER not in body.decode())


def farewell(root):
    """SIGTERM while requests are under way: they are answered, and then the server ends."""
    serving = Serving(root)
    until(lambda: not json.loads(serving.ask("/health")[2])["indexing"], 60, "http: indexed")
    body = json.dumps(TASK | {"max_tokens": 20_000}).encode()
    request = b"POST /v1/pack HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
    links = [socket.create_connection(("127.0.0.1", serving.port)) for _ in range(12)]
    idle = socket.create_connection(("127.0.0.1", serving.port))
    for link in links:
        link.sendall(request + body)
    time.sleep(0.1)
    began = time.monotonic()
    serving.process.terminate()
    answers = []
    for link in links:
        link.settimeout(20)
        got = b""
        while chunk := link.recv(65_536):
            got += chunk
        answers.append(got)
    full = [b" 200 " in got[:20] and len(got.split(b"\r\n\r\n", 1)[1]) == int(re.search(rb"content-length: (\d+)", got).group(1)) for got in answers]
    try:
        socket.create_connection(("127.0.0.1", serving.port), timeout=5).close()
        late = "accepted"
    except OSError as error:
        late = type(error).__name__
    check("http farewell: who comes later is refused at once", late == "ConnectionRefusedError", late)
    check("http farewell: twelve requests under way are answered in full", all(full), [got[:100] for got in answers])
    code = serving.process.wait(20)
    check(f"http farewell: then the server ends ({time.monotonic() - began:.1f} s)", code == 0, code)
    idle.close()


def rate(root):
    serving = Serving(root, KITBAG_SERVER_REQUESTS_PER_MINUTE="60")
    answers = [serving.ask("/openapi.json") for _ in range(25)]
    statuses = [answer[0] for answer in answers]
    check("http rate: sixty a minute let ten through at once", statuses[:10] == [200] * 10 and 429 in statuses, statuses)
    late = next(answer for answer in answers if answer[0] == 429)
    problem("too many requests", late, 429, "RATE_LIMITED")
    check("http rate: and say when to come back", int(late[1]["Retry-After"]) >= 1, dict(late[1]))
    check("http rate: /health is always answered", serving.ask("/health")[0] == 200)
    until(lambda: serving.ask("/openapi.json")[0] == 200, 20, "http rate: later there is room again")
    serving.end()


def beyond(root):
    """Listening to other machines without a key is refused."""
    for host in ("0.0.0.0", "::"):
        command = [BINARY, "--root", str(root), "serve", "--host", host, "--port", "0"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, env=environment())
        check(f"http: --host {host} without keys is refused", done.returncode == 2 and "KITBAG_SERVER_API_KEYS" in done.stderr, (done.returncode, done.stderr))


if __name__ == "__main__":
    main()
    finish()
