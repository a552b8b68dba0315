"""The Inspector's command line against a running server and against `selfhood mcp`, in both eras."""

import json
import os
import subprocess
import sys
import tempfile

NODE, INSPECTOR, URL, BINARY, HOME, PERSONA = sys.argv[1:7]
KEY = os.environ["SELFHOOD_KEY"]
TOOLS = 8
# What the Inspector ends with when a tool says that it failed.
TOOL_FAILED = 5
calls = 0


def inspect(target, era, *arguments, status=0):
    """Runs one method, and gives what it answers."""
    global calls
    calls += 1
    options, started = target
    command = [NODE, INSPECTOR, "--cli", *options, "--protocol-era", era, "--format", "json", *arguments, *started]
    environment = {**os.environ, "HOME": scratch, "MCP_CATALOG_PATH": f"{scratch}/mcp.json"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120, check=False)
    if done.returncode != status:
        sys.exit(f"{command} ended with {done.returncode}: {done.stderr}{done.stdout}")
    return json.loads(done.stdout) if done.stdout.strip() else None


def expect(is_right, what):
    if not is_right:
        sys.exit(f"{where}: {what}")


def use(target, era, salt):
    answer = lambda *arguments, **more: inspect(target, era, *arguments, **more)
    tools = answer("--method", "tools/list", "--strict")
    expect(len(found(tools, "tools")) == TOOLS, tools)
    gist = json.dumps({"gist": f"The glassblower number {salt} collects maps."})
    added = answer("--method", "tools/call", "--tool-name", "add_memory", "--tool-args-json", gist)
    expect("Remembered as mem:" in json.dumps(added), added)
    listed = answer("--method", "tools/call", "--tool-name", "list_memories", "--tool-arg", "limit=50")
    expect(f"glassblower number {salt}" in json.dumps(listed), listed)
    missing = json.dumps({"id": "mem:000000000000"})
    call = ["--method", "tools/call", "--tool-name", "get_memory", "--tool-args-json", missing]
    refused = answer(*call, status=TOOL_FAILED)
    expect("memory_not_found" in json.dumps(refused), refused)
    prompts = answer("--method", "prompts/list")
    expect(len(found(prompts, "prompts")) == 2, prompts)
    prompt = answer("--method", "prompts/get", "--prompt-name", "what_you_remember", "--prompt-args", "about=maps")
    expect("messages" in json.dumps(prompt), prompt)
    expect(found(answer("--method", "resources/list"), "resources") == [], "the files are the owner's")
    templates = answer("--method", "resources/templates/list")
    expect(len(found(templates, "resourceTemplates")) == 1, templates)


def found(answer, name):
    """What a list holds; the Inspector may wrap the result it prints."""
    return answer[name] if name in answer else answer["result"][name]


with tempfile.TemporaryDirectory() as scratch:
    http = ([f"{URL}/mcp/{PERSONA}", "--transport", "http", "--header", f"Authorization: Bearer {KEY}"], [])
    stdio = ([], ["--", BINARY, "--home", HOME, "mcp", "--persona", PERSONA, "--subject", "ana"])
    salt = 0
    for era in ("legacy", "auto", "modern"):
        for where, target in ((f"http {era}", http), (f"stdio {era}", stdio)):
            salt += 1
            use(target, era, salt)
print(f"Inspector: {calls} calls in 3 eras on 2 transports")
