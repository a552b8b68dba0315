"""The same calls to the reference memory server and to our profile of its tools: the same answers."""

import asyncio
import json
import os
import sys
import tempfile

from mcp import StdioServerParameters
from mcp.client.client import Client

REFERENCE, BINARY, HOME, PERSONA = sys.argv[1:5]


def entity(name, kind, *observations):
    return {"name": name, "entityType": kind, "observations": list(observations)}


def relation(start, kind, end):
    return {"from": start, "to": end, "relationType": kind}


LONG = "A very long observation about boats. " * 30
CALLS = [
    ("read_graph", {}),
    ("create_entities", {"entities": [entity("Ana", "person", "sails", "speaks Croatian")]}),
    ("create_entities", {"entities": [entity("Ana", "person", "again")]}),
    ("create_entities", {"entities": [entity("Mira", "boat"), entity("Rijeka", "city", "has a harbour")]}),
    ("create_entities", {"entities": [entity("Twin", "x", "one"), entity("Twin", "y", "two")]}),
    ("create_entities", {"entities": []}),
    ("read_graph", {}),
    ("create_relations", {"relations": [relation("Ana", "owns", "Mira"), relation("Mira", "lies in", "Rijeka")]}),
    ("create_relations", {"relations": [relation("Ana", "owns", "Mira")]}),
    ("create_relations", {"relations": [relation("Ana", "dreams of", "Nowhere")]}),
    ("create_relations", {"relations": []}),
    ("read_graph", {}),
    ("add_observations", {"observations": [{"entityName": "Mira", "contents": ["is red", "is red"]}]}),
    ("add_observations", {"observations": [{"entityName": "Mira", "contents": ["is red", "is fast"]}]}),
    ("add_observations", {"observations": [{"entityName": "Nobody", "contents": ["x"]}]}),
    ("add_observations", {"observations": [
        {"entityName": "Ana", "contents": ["half"]}, {"entityName": "Nobody", "contents": ["x"]}]}),
    ("add_observations", {"observations": [
        {"entityName": "Ana", "contents": ["laughs"]}, {"entityName": "Ana", "contents": ["laughs", "sings"]}]}),
    ("add_observations", {"observations": [{"entityName": "Rijeka", "contents": []}]}),
    ("add_observations", {"observations": []}),
    ("read_graph", {}),
    ("add_observations", {"observations": [{"entityName": "Rijeka", "contents": [LONG]}]}),
    ("add_observations", {"observations": [{"entityName": "Rijeka", "contents": ["", " ", "  padded  "]}]}),
    ("add_observations", {"observations": [{"entityName": "Rijeka", "contents": ["two\nlines\tand a tab"]}]}),
    ("add_observations", {"observations": [{"entityName": "Rijeka", "contents": ["čćž 漢字 🚣 \"quoted\" \\ /"]}]}),
    ("open_nodes", {"names": ["Rijeka"]}),
    ("search_nodes", {"query": "RED"}),
    ("search_nodes", {"query": "person"}),
    ("search_nodes", {"query": "rij"}),
    ("search_nodes", {"query": "漢"}),
    ("search_nodes", {"query": "boats. A very"}),
    ("search_nodes", {"query": ""}),
    ("search_nodes", {"query": "nothing has this"}),
    ("open_nodes", {"names": ["Ana"]}),
    ("open_nodes", {"names": ["Mira", "Ana"]}),
    ("open_nodes", {"names": ["Nobody"]}),
    ("open_nodes", {"names": []}),
    ("open_nodes", {"names": ["Twin"]}),
    ("add_observations", {"observations": [{"entityName": "Twin", "contents": ["three"]}]}),
    ("delete_observations", {"deletions": [{"entityName": "Twin", "observations": ["two", "three"]}]}),
    ("open_nodes", {"names": ["Twin"]}),
    ("delete_observations", {"deletions": [{"entityName": "Mira", "observations": ["is red"]}]}),
    ("delete_observations", {"deletions": [{"entityName": "Mira", "observations": ["was never said"]}]}),
    ("delete_observations", {"deletions": [{"entityName": "Nobody", "observations": ["x"]}]}),
    ("delete_observations", {"deletions": []}),
    ("open_nodes", {"names": ["Mira"]}),
    ("delete_relations", {"relations": [relation("Mira", "lies in", "Rijeka")]}),
    ("delete_relations", {"relations": [relation("Mira", "lies in", "Rijeka")]}),
    ("delete_relations", {"relations": [relation("a", "b", "c")]}),
    ("read_graph", {}),
    ("create_relations", {"relations": [relation("Mira", "lies in", "Rijeka")]}),
    ("search_nodes", {"query": "lies"}),
    ("delete_entities", {"entityNames": ["Rijeka"]}),
    ("read_graph", {}),
    ("delete_entities", {"entityNames": ["Rijeka", "Nobody"]}),
    ("delete_entities", {"entityNames": []}),
    ("create_entities", {"entities": [entity("Rijeka", "port", "came back")]}),
    ("open_nodes", {"names": ["Rijeka"]}),
    ("add_observations", {"observations": [{"entityName": "Rijeka", "contents": ["has a harbour"]}]}),
    ("delete_entities", {"entityNames": ["Twin"]}),
    ("search_nodes", {"query": "twin"}),
    ("create_entities", {"entities": [entity("", "", "")]}),
    ("open_nodes", {"names": [""]}),
    ("delete_entities", {"entityNames": ["", "Ana", "Mira"]}),
    ("read_graph", {}),
    ("delete_entities", {"entityNames": ["Rijeka"]}),
    ("read_graph", {}),
]


def seen(result):
    texts = [part.text for part in result.content]
    return {"texts": texts, "structured": result.structured_content, "error": bool(result.is_error)}


async def main():
    folder = tempfile.mkdtemp()
    theirs = StdioServerParameters(
        command="node", args=[REFERENCE], env={**os.environ, "MEMORY_FILE_PATH": f"{folder}/memory.jsonl"}
    )
    ours = StdioServerParameters(
        command=BINARY,
        args=["--home", HOME, "mcp", "--persona", PERSONA, "--subject", "cartographer", "--profile", "reference"],
        env=dict(os.environ),
    )
    async with Client(theirs, mode="legacy") as reference, Client(ours, mode="legacy") as selfhood:
        listed = [(await client.list_tools()).model_dump(mode="json")["tools"] for client in (reference, selfhood)]
        if listed[0] != listed[1]:
            for theirs, ours in zip(*listed):
                if theirs != ours:
                    print(json.dumps(theirs), json.dumps(ours), sep="\n", file=sys.stderr)
            sys.exit("the lists of tools differ")
        differing = 0
        for number, (tool, arguments) in enumerate(CALLS):
            theirs = seen(await reference.call_tool(tool, arguments))
            ours = seen(await selfhood.call_tool(tool, arguments))
            if theirs != ours:
                differing += 1
                print(f"{number} {tool} {arguments}\n  {theirs}\n  {ours}", file=sys.stderr)
        if differing:
            sys.exit(f"{differing} of {len(CALLS)} calls are answered differently")
    print(f"reference server: the list of tools and {len(CALLS)} calls answered alike")


asyncio.run(main())
