"""Good and bad arguments for any tool, made from its schema: a new tool is tried without a change here, as long as its
required properties go by a name that `good.json` knows (`tool.name` where one tool means something else by it). One that does not ends the run, so that nobody forgets to add it."""

import json
import pathlib

from world import OUTSIDE, SPACE, check

GOOD = json.loads((pathlib.Path(__file__).parent / "good.json").read_text())


def good(tool):
    """Arguments that it should be content with."""
    schema = tool["inputSchema"]
    names = [*schema.get("required", []), *(name for name in ("confirm",) if name in schema.get("properties", {}))]
    for name in names:
        if name not in GOOD:
            check(f"{tool['name']}: clients/good.json knows a value for `{name}`", False, schema)
    return {name: GOOD.get(f"{tool['name']}.{name}", GOOD[name]) for name in names}


def bad(tool):
    """(what is wrong, arguments, a word that the answer must name), each a mistake that a model makes."""
    schema = tool["inputSchema"]
    properties = schema.get("properties", {})
    right = harmless(tool)
    yield "unknown field", right | {"no_such_field": 1}, "no_such_field"
    for name in schema.get("required", []):
        yield f"without {name}", {key: value for key, value in right.items() if key != name}, name
    for name, of in sorted(properties.items()):
        wrong = {"string": 7, "integer": "many", "array": 7, "boolean": "perhaps", "object": 7}.get(of.get("type"))
        if wrong is not None:
            yield f"wrong type of {name}", right | {name: wrong}, name
        if "enum" in of:
            yield f"{name} out of its values", right | {name: "no-such-value"}, str(of["enum"][0])
    if "max_tokens" in properties:
        for number in (0, 1, 10_000_000):
            yield f"max_tokens {number}", right | {"max_tokens": number}, "max_tokens"
        yield "max_tokens -1", right | {"max_tokens": -1}, "max_tokens"


def harmless(tool):
    """The same without what costs or changes much, to be asked a hundred times."""
    right = {name: value for name, value in good(tool).items() if name != "confirm"}
    return right | ({"dry_run": True} if "dry_run" in tool["inputSchema"].get("properties", {}) else {})


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
    """(parameter, arguments) with a way out in each parameter that is text, a list of texts, or a list of objects with texts."""
    right = harmless(tool)
    for name, of in sorted(tool["inputSchema"].get("properties", {}).items()):
        items = of.get("items", {})
        # OpenAPI names every way to write a value, the schemas of MCP the one to prefer.
        kinds = of.get("type", [])
        kinds = {kinds} if isinstance(kinds, str) else set(kinds) - {"null"}
        is_text = kinds == {"string"} and "enum" not in of
        is_list = "array" in kinds and items.get("type") == "string"
        parts = [part for part, kind in items.get("properties", {}).items() if kind.get("type") == "string"]
        for escape in escapes(root)[:most]:
            if is_text or is_list:
                yield name, right | {name: [escape] if is_list else escape}
            for part in parts:
                yield f"{name}.{part}", right | {name: [{"kind": "open_file", "path": "src/cart.rs"} | {part: escape}]}


def leaks(text):
    """Whether something from outside the project is in there."""
    return OUTSIDE in text or "root:x:0:0" in text or str(SPACE / "home") in text
