"""API keys (HTTP-2), and that two of them do not learn of each other what they work on (SEC-5)."""

import json
import re

from world import MARKER, Serving, check

KEYS = {"ann": "ann-0123456789abcdef", "ben": "ben-fedcba9876543210"}
TASK = {"task": "refuse a cart whose total is over the limit"}


def main(root):
    serving = Serving(root, "--log", "--tools", "all", KITBAG_SERVER_API_KEYS=",".join(f"{name}:{key}" for name, key in KEYS.items()))
    doors(serving)
    privacy(serving)
    sessions(serving)
    ownership(serving)
    said = serving.output
    check("http keys: no log line holds a key or a question", not any(word in said for word in (*KEYS.values(), MARKER, "cart whose")), said[-500:])
    serving.end()


def bearer(name):
    return {"Authorization": f"Bearer {KEYS[name]}"}


def doors(serving):
    paths = [path for path in json.loads(serving.ask("/openapi.json", headers=bearer("ann"))[2])["paths"] if path != "/health"]
    for path in [*(re.sub(r"\{\w+\}", "1", path) for path in paths), "/mcp", "/", "/no/such/path"]:
        for name, headers in (
            ("no key", {}),
            ("a wrong key", {"X-Api-Key": "wrong-0123456789abcdef"}),
            ("an empty key", {"Authorization": "Bearer "}),
            ("the beginning of a key", {"X-Api-Key": KEYS["ann"][:-1]}),
            ("a key and more", {"X-Api-Key": KEYS["ann"] + "x"}),
            ("a name as a key", {"X-Api-Key": "ann"}),
        ):
            status, got, body = serving.ask(path, b"{}" if path != "/metrics" else None, headers=headers)
            right = status == 401 and got["WWW-Authenticate"] and got["Content-Type"] == "application/problem+json"
            check(f"http keys: {path} with {name} is 401", right, (status, dict(got), body[:200]))
    for headers in (bearer("ann"), {"X-Api-Key": KEYS["ben"]}, {"Authorization": f"bearer {KEYS['ann']}"}):
        status, _, body = serving.ask("/v1/symbol", {"name": "check_cart"}, headers=headers)
        check(f"http keys: the right one ({next(iter(headers.items()))[1][:10]} …)", status == 200, (status, body[:200]))
    check("http keys: /health needs none", serving.ask("/health")[0] == 200)


def tool(serving, who, name, arguments):
    """A call at /rpc: (result, error)."""
    body = {"jsonrpc": "2.0", "id": 1, "method": name, "params": arguments}
    answer = json.loads(serving.ask("/rpc", body, headers=bearer(who))[2])
    return answer.get("result"), answer.get("error")


def mcp(serving, who, method, params):
    """A stateless request at /mcp, as text."""
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method} | bearer(who)
    if named := params.get("name") or params.get("uri"):
        headers["Mcp-Name"] = named
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params | {"_meta": meta}}
    return serving.ask("/mcp", body, headers=headers)[2].decode()


def privacy(serving):
    """Packs that were made can be read again, by the one who asked for them."""
    task = f"refuse a cart {MARKER} of ann"
    mcp(serving, "ann", "tools/call", {"name": "build_context_pack", "arguments": {"task": task}})
    check("http keys: ann sees her pack", task in mcp(serving, "ann", "resources/list", {}), mcp(serving, "ann", "resources/list", {}))
    seen = mcp(serving, "ben", "resources/list", {})
    check("http keys: ben does not see that ann made one (SEC-5)", task not in seen, seen)
    remembered, error = tool(serving, "ann", "remember", {"content": f"Ann likes {MARKER}.", "kind": "decision", "private": True})
    check("http keys: ann remembers something", remembered is not None, error)
    for who, sees in (("ann", True), ("ben", False)):
        recalled, error = tool(serving, who, "recall", {"query": "what does ann like"})
        check(f"http keys: {who} {'recalls' if sees else 'does not recall'} it", recalled is not None and (MARKER in json.dumps(recalled)) == sees, (recalled, error))


def ownership(serving):
    """Jobs, and sessions of the older protocol, are there for who made them; paths that are named are not looked up."""
    status, _, body = serving.ask("/v1/refresh", {}, headers=bearer("ann"))
    job = json.loads(body).get("id", "")
    check("http keys: ann refreshes", status == 200 and job, (status, body[:300]))
    for method in ("GET", "DELETE"):
        for who, expected in (("ben", 404), ("ann", 200)):
            status, _, body = serving.ask(f"/v1/jobs/{job}", method=method, headers=bearer(who))
            check(f"http keys: {method} of ann's job by {who} is {expected}", status == expected, (status, body[:300]))
    seen = serving.ask("/v1/jobs", headers=bearer("ben"))[2].decode()
    check("http keys: ben's list does not have it", job not in seen, seen[:300])
    accept = {"Accept": "application/json, text/event-stream"}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "clients", "version": "1"}}
    _, headers, _ = serving.ask("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}, headers=accept | bearer("ann"))
    session = {"Mcp-Session-Id": headers["Mcp-Session-Id"]}
    ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    for who, expected in (("ben", 404), ("ann", 200)):
        status, _, body = serving.ask("/mcp", ping, headers=accept | session | bearer(who))
        check(f"http keys: a request in ann's MCP session by {who} is {expected}", status == expected, (status, body[:300]))
    for who, expected in (("ben", 404), ("ann", 204), ("ann", 404)):
        status, _, body = serving.ask("/mcp", method="DELETE", headers=accept | session | bearer(who))
        check(f"http keys: DELETE of ann's MCP session by {who} is {expected}", status == expected, (status, body[:300]))
    for path in ("/etc", "/no/such/folder"):
        status, _, body = serving.ask("/stats", headers={"X-Kitbag-Root": path})
        check(f"http keys: X-Kitbag-Root {path} without a key is 401", status == 401 and path.encode() not in body, (status, body))


def sessions(serving):
    """The same handle under two keys is two sessions (ENG-40, SEC-5)."""
    asked = TASK | {"session": "clients-http"}

    def size(who):
        status, _, body = serving.ask("/v1/pack", asked, headers=bearer(who))
        return len(json.loads(body)["text"]) if status == 200 else 0

    first, second, other = size("ann"), size("ann"), size("ben")
    check("http session: the second answer is at least 30 % smaller", 0 < second <= 0.7 * first, (first, second))
    check("http session: another key with the same handle gets everything", other >= 0.9 * first, (first, second, other))
