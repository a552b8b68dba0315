"""Letta's own schema of agent files writes one, and we read it.

Arguments: the program, its home, a folder for files, a seed of ours that Letta's reader must accept.
"""

import json
import pathlib
import sys

from letta.schemas.agent_file import AgentFileSchema

from tried import Selfhood, check, finish

binary, home, folder, seed = sys.argv[1:]
folder = pathlib.Path(folder)

MODEL = {"model": "x", "model_endpoint_type": "openai", "context_window": 8192}
EMBEDDING = {"embedding_model": "x", "embedding_endpoint_type": "openai", "embedding_dim": 8}


def said(number, role, words, calls=None):
    message = {"type": "message", "id": f"message-{number}", "role": role, "content": [{"type": "text", "text": words}] if words else []}
    message["created_at"] = f"2026-05-04T10:0{number}:00+00:00"
    if calls:
        message["tool_calls"] = [{"id": "c", "type": "function", "function": {"name": "send_message", "arguments": json.dumps({"message": calls})}}]
    return message


agent = {
    "id": "agent-0",
    "name": "Mara",
    "system": "You are Mara.",
    "agent_type": "memgpt_agent",
    "llm_config": MODEL,
    "embedding_config": EMBEDDING,
    "block_ids": ["block-0"],
    "tool_ids": [],
    "messages": [said(0, "system", "hidden"), said(1, "user", "Is the harbour open?"), said(2, "assistant", None, "Since dawn.")],
    "in_context_message_ids": ["message-1", "message-2"],
}
blocks = [{"id": "block-0", "label": "human", "value": "Tomas rows before breakfast.", "limit": 5000}]
whole = AgentFileSchema.model_validate(
    {"agents": [agent], "groups": [], "blocks": blocks, "files": [], "sources": [], "tools": [], "mcp_servers": [], "metadata": {}, "created_at": "2026-05-04T10:00:00Z"}
)
file = folder / "mara.af"
file.write_text(whole.model_dump_json())

us = Selfhood(binary, home)
us.persona("fromletta")
first = us.json("import", str(file), "--persona", "fromletta")
check("its blocks become memories", us.gists("fromletta") == ["Tomas rows before breakfast."], us.gists("fromletta"))
check("its talk is on the record", (first["conversations"], first["turns"]) == (1, 2), first)
check("what was said by a tool call is found", us.said("fromletta", "Since dawn"))
again = us.json("import", str(file), "--persona", "fromletta")
check("the same again adds nothing", (again["memories"], again["turns"]) == (0, 0), again)

ours = json.loads(pathlib.Path(seed).read_text())
names = {"agents": AgentFileSchema.model_fields["agents"], "blocks": AgentFileSchema.model_fields["blocks"]}
check("the shape our tests are written to has Letta's own names", set(names) <= set(ours), list(ours))
finish("Letta")
