"""Good and bad arguments for any tool, made from its schema: a new tool is tried without a change here, as long as its
required properties go by a name that `GOOD` knows. One that does not ends the run, so that nobody forgets to add it."""

import json

from world import OUTSIDE, SPACE, check

GOOD = {
    "task": "refuse a cart whose total is over the limit",
    "query": "where is the total of a cart compared with a limit",
    "name": "check_cart",
    "package": "shop",
    "text": "Totals are in cents.",
    "content": "Totals are in cents.",
    "kind": "decision",
    "about": "totals",
    "confirm": True,
}


def good(tool, known=None):
    """Arguments that it should be content with; `known` holds what earlier answers gave (ids)."""
    schema = tool["inputSchema"]
    values = GOOD | (known or {})
    given = {}
    for name in schema.get("required", []):
        allowed = schema["properties"][name].get("enum")
        if name not in values and not allowed:
            check(f"{tool['name']}: clients/tools.py knows a value for `{name}`", False, schema)
        given[name] = values[name] if name in values else allowed[0]
    return given


def bad(tool):
    """(what is wrong, arguments, a word that the answer must name), each a mistake that a model makes."""
    schema = tool["inputSchema"]
    properties = schema.get("properties", {})
    right = good_quietly(tool)
    yield "unknown field", right | {"no_such_field": 1}, "no_such_field"
    for name in schema.get("required", []):
        yield f"without {name}", {key: value for key, value in right.items() if key != name}, name
    for name, of in sorted(properties.items()):
        wrong = {"string": 7, "integer": "many", "array": "src", "boolean": "perhaps", "object": 7}.get(of.get("type"))
        if wrong is not None:
            yield f"wrong type of {name}", right | {name: wrong}, name
        if "enum" in of:
            yield f"{name} out of its values", right | {name: "no-such-value"}, str(of["enum"][0])
    if "max_tokens" in properties:
        for number in (0, 1, 10_000_000):
            yield f"max_tokens {number}", right | {"max_tokens": number}, "max_tokens"
        yield "max_tokens -1", right | {"max_tokens": -1}, "max_tokens"


def good_quietly(tool):
    schema = tool["inputSchema"]
    return {name: GOOD.get(name, "x") for name in schema.get("required", [])}


def escapes(root):
    """Ways out of a project: by dots, from the root of the file system, by a link, by an address, by another system's habits."""
    beside = str(root.parent / "outside.txt")
    return [
        "../outside.txt",
        "link.txt",
        "linked/secret.py",
        beside,
        "src/../../outside.txt",
        "../../../../../../../../../../etc/passwd",
        "/etc/passwd",
        "linked/**",
        "../**",
        "file:///etc/passwd",
        "..\\outside.txt",
        "./././../outside.txt",
        "outside.txt\0.rs",
        "~/outside.txt",
        "%2e%2e/outside.txt",
        "x" * 20_000,
    ]


def escaping(tool, root, most=None):
    """Arguments with a way out in each parameter that is text or a list of texts."""
    right = good_quietly(tool)
    for name, of in sorted(tool["inputSchema"].get("properties", {}).items()):
        is_text = of.get("type") == "string" and "enum" not in of
        is_list = of.get("type") == "array" and of.get("items", {}).get("type") == "string"
        for escape in escapes(root)[:most]:
            if is_text or is_list:
                yield name, right | {name: [escape] if is_list else escape}


def leaks(text):
    """Whether something from outside the project is in there."""
    return OUTSIDE in text or "root:x:0:0" in text or str(SPACE / "home") in text


def as_json(value):
    return json.dumps(value, sort_keys=True)
