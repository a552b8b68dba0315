"""The reference memory server opens the graph that we write.

Arguments: the folder of the npm packages, the program, its home, a folder for files.
"""

import json
import os
import pathlib
import subprocess
import sys

from tried import Selfhood, check, finish

packages, binary, home, folder = sys.argv[1:]
file = pathlib.Path(folder) / "memory.jsonl"

us = Selfhood(binary, home)
us.persona("graph")
for gist in ["The quay has two cranes.", "The ferry leaves at six."]:
    us.run("memory", "add", gist, "--kind", "semantic", "--tag", "harbour", "--persona", "graph")
us.run("export", "--persona", "graph", "--as", "reference", str(file))

server = pathlib.Path(packages) / "@modelcontextprotocol/server-memory/dist/index.js"
process = subprocess.Popen(["node", str(server)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, "MEMORY_FILE_PATH": str(file)})


def ask(number, method, params):
    process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
    process.stdin.flush()
    while line := process.stdout.readline():
        answer = json.loads(line)
        if answer.get("id") == number:
            return answer["result"]
    raise SystemExit("the memory server ended")


ask(1, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "moving", "version": "1"}})
process.stdin.write(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}) + "\n")
graph = json.loads(ask(2, "tools/call", {"name": "read_graph", "arguments": {}})["content"][0]["text"])
told = json.dumps(graph)
for gist in ["The quay has two cranes.", "The ferry leaves at six."]:
    check(f"it has “{gist}”", gist in told, told)
ask(3, "tools/call", {"name": "create_entities", "arguments": {"entities": [{"name": "Bogdan", "entityType": "person", "observations": ["plays chess on Fridays"]}]}})
process.stdin.close()
process.wait(timeout=10)

us.persona("graphback")
us.run("import", str(file), "--persona", "graphback")
back = " ".join(us.gists("graphback"))
check("what it added and what was ours comes back", "chess on Fridays" in back and "two cranes" in back, back)
finish("the reference memory server")
