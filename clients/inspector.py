"""The official MCP inspector in its command-line mode, a process a question: every tool, resource and prompt that it lists is
called as a person would who tries the server by hand. `--strict` lets it refuse schemas that some client cannot read.

It runs with the scripts' own HOME, because it keeps a catalogue of servers there.
"""

import concurrent.futures
import json
import os
import subprocess

import tools
from world import Serving, check, environment, finish, index, mcp_command, project, shop

NODE = os.environ["CLIENTS_NODE"]
LAUNCHER = os.path.join(os.environ["CLIENTS_MODULES"], "@modelcontextprotocol/inspector/clients/launcher/build/index.js")


def ask(target, era, method, *more):
    """(exit code, the result or what was said instead)."""
    command = [NODE, LAUNCHER, "--cli", *target]
    command += ["--method", method, "--format", "json", "--protocol-era", era, *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment())
    try:
        return done.returncode, json.loads(done.stdout)["result"]
    except (json.JSONDecodeError, KeyError):
        return done.returncode, done.stdout + done.stderr


def everything(name, target, era):
    code, listed = ask(target, era, "tools/list", "--strict")
    check(f"{name}: tools/list --strict", code == 0 and len(listed["tools"]) >= 2, (code, listed))

    def call(tool):
        given = [f"{key}={value if isinstance(value, str) else json.dumps(value)}" for key, value in tools.good(tool).items()]
        words = [word for one in given for word in ("--tool-arg", one)]
        return ask(target, era, "tools/call", "--tool-name", tool["name"], *words)

    # Most of the time goes into starting processes, so a few start at once.
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for tool, (code, answer) in zip(listed["tools"], pool.map(call, listed["tools"])):
            right = code == 0 and not answer.get("isError") and answer["content"][0]["text"]
            # They run side by side, so there may be nothing to forget yet, or no longer.
            is_gone = tool["name"] == "forget" and "[MEMORY_NOT_FOUND]" in json.dumps(answer)
            check(f"{name}: {tool['name']}", right or is_gone, (code, answer))
    code, answer = ask(target, era, "tools/call", "--tool-name", "locate_symbol", "--tool-arg", "no_such_field=1")
    check(f"{name}: a mistake is a result that is an error", "no_such_field" in json.dumps(answer), (code, answer))
    code, answer = ask(target, era, "resources/list")
    check(f"{name}: resources/list", code == 0 and answer["resources"][0]["uri"] == "kitbag://overview", (code, answer))
    for resource in answer["resources"][:2]:
        code, answer = ask(target, era, "resources/read", "--uri", resource["uri"])
        check(f"{name}: resources/read {resource['uri']}", code == 0 and answer["contents"][0]["text"], (code, answer))
    code, answer = ask(target, era, "resources/templates/list")
    check(f"{name}: resources/templates/list", code == 0 and answer["resourceTemplates"], (code, answer))
    code, answer = ask(target, era, "resources/read", "--uri", "kitbag://nothing")
    check(f"{name}: an unknown resource is refused", code != 0, (code, answer))
    code, answer = ask(target, era, "prompts/list")
    check(f"{name}: prompts/list", code == 0 and len(answer["prompts"]) >= 5, (code, answer))
    code, answer = ask(target, era, "prompts/get", "--prompt-name", "fix_bug", "--prompt-args", "problem=the total is wrong")
    check(f"{name}: prompts/get", code == 0 and "the total is wrong" in answer["messages"][0]["content"]["text"], (code, answer))


root = project("inspector", shop())
index(root)
serving = Serving(root, "--tools", "all")
over = {"stdio": mcp_command(root, "--tools", "all"), "http": [f"{serving.url}/mcp"]}
# Each question costs the start of a process, so each transport is walked through in one era and greeted in the other.
everything("inspector stdio legacy", over["stdio"], "legacy")
everything("inspector http modern", over["http"], "modern")
for transport, era in (("stdio", "modern"), ("http", "legacy")):
    code, listed = ask(over[transport], era, "tools/list", "--strict")
    check(f"inspector {transport} {era}: tools/list --strict", code == 0 and len(listed["tools"]) >= 2, (code, listed))
serving.end()
finish()
