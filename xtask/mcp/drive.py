"""The official Python SDK against a running server and against `selfhood mcp`, in every mode it has."""

import asyncio
import os
import sys

import httpx2
from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

URL, BINARY, HOME, PERSONA = sys.argv[1:5]
KEY = os.environ["SELFHOOD_KEY"]
TOOLS = [
    "recall", "search_memories", "add_memory", "get_memory", "list_memories", "update_memory", "forget_memory",
    "about_me",
]
checks = 0


def check(is_right, what):
    """Counts what holds, and stops at what does not."""
    global checks
    if not is_right:
        sys.exit(f"{where}: {what}")
    checks += 1


async def say_yes(_context, _params):
    from mcp import types

    return types.ElicitResult(action="accept", content={"yes": True})


async def use(client, salt):
    """Everything a client does with a persona's memory."""
    listed = await client.list_tools()
    check([tool.name for tool in listed.tools] == TOOLS, "other tools")
    check(all(tool.title and tool.annotations and tool.output_schema for tool in listed.tools), "a tool lacks words")
    # A client that is told its revision asks for nothing it was not told to.
    check(mode == "2026-07-28" or "recall" in (client.instructions or ""), "no instructions")

    gist = f"The lighthouse keeper number {salt} plays the accordion."
    added = await client.call_tool("add_memory", {"gist": gist, "details": ["on Sundays"], "about": "user"})
    check(not added.is_error, added)
    memory = added.structured_content["memory"]
    found = await client.call_tool("search_memories", {"query": f"lighthouse keeper {salt} accordion"})
    check(any(it["id"] == memory["id"] for it in found.structured_content["memories"]), "not found again")
    recalled = await client.call_tool("recall", {"cue": f"Who plays the accordion? Lighthouse keeper {salt}?"})
    check(gist in recalled.content[0].text and gist in recalled.structured_content["rendered"], recalled)
    shown = await client.call_tool("get_memory", {"id": memory["id"]})
    check(shown.structured_content["memory"]["details"] == ["on Sundays"], shown)
    better = await client.call_tool("update_memory", {"id": memory["id"], "gist": gist.replace("plays", "tunes")})
    check("tunes" in better.structured_content["memory"]["gist"], better)
    about = await client.call_tool("about_me", {})
    check(about.structured_content["subject"] == "ana", about)
    first = await client.call_tool("list_memories", {"limit": 1})
    check(len(first.structured_content["memories"]) == 1, first)
    forgotten = await client.call_tool("forget_memory", {"id": better.structured_content["memory"]["id"]})
    check(forgotten.structured_content["forgotten"] is True, forgotten)
    refused = await client.call_tool("add_memory", {"gist": "She is ill.", "sensitive": True})
    check(refused.is_error and "sensitive_forbidden" in refused.content[0].text, refused)
    wrong = await client.call_tool("recall", {"cue": 7})
    check(wrong.is_error and "validation_failed" in wrong.content[0].text, wrong)

    prompts = await client.list_prompts()
    check([prompt.name for prompt in prompts.prompts] == ["persona", "what_you_remember"], prompts)
    prompt = await client.get_prompt("what_you_remember", {"about": "music"})
    check(prompt.messages[0].content.text, prompt)
    persona = await client.get_prompt("persona")
    check(PERSONA.capitalize() in persona.messages[0].content.text, "the persona's prompt")
    templates = await client.list_resource_templates()
    check(templates.resource_templates[0].name == "memory", templates)
    await client.list_resources()


async def over_http(mode, salt):
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {KEY}"}, timeout=60) as http:
        transport = streamable_http_client(f"{URL}/mcp/{PERSONA}", http_client=http)
        async with Client(transport, mode=mode, elicitation_callback=say_yes) as client:
            await use(client, salt)


async def over_stdio(mode, salt):
    server = StdioServerParameters(
        command=BINARY, args=["--home", HOME, "mcp", "--persona", PERSONA, "--subject", "ana"], env=dict(os.environ)
    )
    async with Client(server, mode=mode, elicitation_callback=say_yes) as client:
        await use(client, salt)


salt = 0
for mode in ("legacy", "auto", "2026-07-28"):
    for transport in (over_http, over_stdio):
        salt += 1
        where = f"{transport.__name__} {mode}"
        asyncio.run(transport(mode, salt))
print(f"Python SDK: {checks} checks in 3 modes on 2 transports")
