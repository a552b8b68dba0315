"""A memory provider for Hermes Agent.

    python -m selfhood.hermes install        # writes $HERMES_HOME/plugins/selfhood
    hermes config set memory.provider selfhood

It reads `SELFHOOD_URL`, `SELFHOOD_API_KEY` and `SELFHOOD_PERSONA`. Before each turn it recalls what fits; after the
turn it reports which of it the answer used, so that what is told stays vivid, and records the turn, from which the
persona forms memories. What the agent writes into its own user profile becomes a memory too. A server that can't be
reached costs the agent its memories, never its answer.

The plugin names no package to install: it runs with the Python in which this module was installed.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

from agent.memory_provider import MemoryProvider  # type: ignore[import-untyped]

from . import schema
from ._client import Selfhood
from ._errors import SelfhoodError

logger = logging.getLogger(__name__)

PLUGIN = '''"""Selfhood's memory provider; see `selfhood.hermes`."""

from selfhood.hermes import SelfhoodMemoryProvider


def register(ctx):
    ctx.register_memory_provider(SelfhoodMemoryProvider())
'''
MANIFEST = """name: selfhood
version: 0.1.0
description: "Memories that fade, brighten and can be forgotten for good, kept by a Selfhood persona."
"""
#: A turn must not wait long for its memories.
TIMEOUT = 2.0
#: Agents that are nobody's conversation must not write memories.
WRITING_CONTEXT = "primary"


def tool(name: str, description: str, argument: str, meaning: str) -> dict[str, Any]:
    """A tool with one argument, as models are told of it."""
    properties = {argument: {"type": "string", "description": meaning}}
    parameters = {"type": "object", "properties": properties, "required": [argument]}
    return {"name": name, "description": description, "parameters": parameters}


TOOLS = [
    tool("selfhood_recall", "Recall what is known about something.", "cue", "What to think of, in plain words."),
    tool(
        "selfhood_remember",
        "Remember one fact about the user for later conversations.",
        "fact",
        "One sentence, at most 280 characters.",
    ),
    tool(
        "selfhood_forget",
        "Set a memory aside because it is wrong or unwanted.",
        "id",
        "The memory's id, as selfhood_recall gives it.",
    ),
]


class SelfhoodMemoryProvider(MemoryProvider):  # type: ignore[misc]
    """What a persona of a Selfhood server remembers of the user."""

    def __init__(self) -> None:
        self._client: Selfhood | None = None
        self._persona = os.environ.get("SELFHOOD_PERSONA", "")
        self._subject: str | None = None
        self._session = ""
        self._may_write = True
        self._last_recall: str | None = None
        self._background = ThreadPoolExecutor(max_workers=1, thread_name_prefix="selfhood")

    @property
    def name(self) -> str:
        """The provider's name in Hermes's configuration."""
        return "selfhood"

    def is_available(self) -> bool:
        """Whether a key and a persona are configured; the server is not asked."""
        return bool(os.environ.get("SELFHOOD_API_KEY") and os.environ.get("SELFHOOD_PERSONA"))

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        """Begins a session; `user_id` names the speaker where a platform tells who it is."""
        self._persona = os.environ.get("SELFHOOD_PERSONA", "")
        self._subject = kwargs.get("user_id") or os.environ.get("SELFHOOD_SUBJECT")
        self._session = session_id
        self._may_write = kwargs.get("agent_context", WRITING_CONTEXT) == WRITING_CONTEXT
        self._client = Selfhood(subject=self._subject, timeout=TIMEOUT)

    def on_session_switch(
        self,
        new_session_id: str,
        *,
        parent_session_id: str = "",
        reset: bool = False,
        rewound: bool = False,
        **kwargs: Any,
    ) -> None:
        """Follows the agent to another session."""
        self._session = new_session_id
        self._last_recall = None

    def system_prompt_block(self) -> str:
        """Says once what the memories are."""
        return "Your long-term memory is kept by Selfhood: memories fade, and what is not recalled may be forgotten."

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        """What comes to mind for `query`, as text for the prompt."""
        answer = self._recall(query)
        return answer["rendered"] if answer else ""

    def sync_turn(
        self,
        user_content: str,
        assistant_content: str,
        *,
        session_id: str = "",
        messages: list[dict[str, Any]] | None = None,
    ) -> None:
        """Reports, in the background, which memories the answer used, and records the turn."""
        recall, self._last_recall = self._last_recall, None
        if not self._may_write:
            return
        if recall:
            self._later(lambda client: client.report_used(recall, reply=f"{user_content}\n{assistant_content}"))
        if user_content.strip() and assistant_content.strip():
            exchange = self._exchange(user_content, assistant_content, session_id or self._session)
            self._later(lambda client: client.record_exchange(self._persona, **exchange))

    def on_memory_write(self, action: str, target: str, content: str, metadata: dict[str, Any] | None = None) -> None:
        """Keeps what the agent notes about its user."""
        if action == "add" and target == "user" and self._may_write:
            self._later(lambda client: self._remember(client, content))

    def get_tool_schemas(self) -> list[dict[str, Any]]:
        """What a model may do by itself."""
        return TOOLS

    def handle_tool_call(self, tool_name: str, args: dict[str, Any], **kwargs: Any) -> str:
        """Does what a model asked for; a refusal is told, never raised."""
        try:
            return json.dumps(self._use(tool_name, args), ensure_ascii=False)
        except SelfhoodError as error:
            return json.dumps({"error": error.detail, "code": error.code})

    def get_config_schema(self) -> list[dict[str, Any]]:
        """What `hermes memory setup` asks for."""
        return [
            {
                "key": "url",
                "description": "Address of the Selfhood server",
                "default": "http://127.0.0.1:7337",
                "env_var": "SELFHOOD_URL",
            },
            {
                "key": "api_key",
                "description": "Key made by `selfhood key new`",
                "secret": True,
                "required": True,
                "env_var": "SELFHOOD_API_KEY",
            },
            {"key": "persona", "description": "Name of the persona", "required": True, "env_var": "SELFHOOD_PERSONA"},
        ]

    def shutdown(self) -> None:
        """Waits for what is on its way and closes the connections."""
        self._background.shutdown(wait=True)
        if self._client is not None:
            self._client.close()

    def _use(self, name: str, args: dict[str, Any]) -> dict[str, Any]:
        client = self._connected()
        if name == "selfhood_recall":
            answer = client.recall(self._persona, **self._cue(str(args["cue"])))
            self._last_recall = answer["recallId"]
            memories = cast(list[dict[str, Any]], answer["memories"])
            return {"memories": [{"id": one["id"], "gist": one["gist"], "details": one["details"]} for one in memories]}
        if name == "selfhood_remember":
            return {"id": self._remember(client, str(args["fact"]))["id"]}
        if name == "selfhood_forget":
            client.redact_memory(self._persona, str(args["id"]))
            return {"forgotten": args["id"]}
        raise SelfhoodError(f"no tool `{name}`", code="not_found")

    def _recall(self, cue: str) -> schema.RecallAnswer | None:
        if not cue.strip():
            return None
        try:
            answer = self._connected().recall(self._persona, **self._cue(cue))
        except SelfhoodError as error:
            logger.warning("selfhood: nothing was recalled (%s)", error.code)
            return None
        self._last_recall = answer["recallId"]
        return answer

    def _cue(self, cue: str) -> schema.Recall:
        asked: dict[str, Any] = {"cue": cue}
        if self._session and self._subject:
            asked["sessionId"] = self._session
        return cast(schema.Recall, asked)

    def _exchange(self, said: str, reply: str, session: str) -> schema.RecordExchange:
        exchange: dict[str, Any] = {"said": said, "reply": reply}
        if self._subject:
            exchange["subject"] = self._subject
        if session:
            exchange["sessionId"] = session
        return cast(schema.RecordExchange, exchange)

    def _remember(self, client: Selfhood, fact: str) -> schema.MemoryView:
        memory: dict[str, Any] = {
            "kind": "semantic",
            "gist": fact.strip(),
            "salience": 0.6,
            "privacyClass": "guest-pii",
            "consentBasis": "service-delivery",
        }
        memory["subject"] = self._subject or "owner"
        return client.remember(self._persona, **cast(schema.Remember, memory))["memory"]

    def _connected(self) -> Selfhood:
        if self._client is None:
            raise SelfhoodError("the provider is not initialized", code="not_ready")
        return self._client

    def _later(self, work: Callable[[Selfhood], object]) -> None:
        def run() -> None:
            try:
                work(self._connected())
            except SelfhoodError as error:
                logger.warning("selfhood: a turn was not noted (%s)", error.code)

        self._background.submit(run)


def install(home: Path) -> Path:
    """Writes the plugin's folder below Hermes's home."""
    folder = home / "plugins" / "selfhood"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "__init__.py").write_text(PLUGIN)
    (folder / "plugin.yaml").write_text(MANIFEST)
    return folder


if __name__ == "__main__":
    if sys.argv[1:] != ["install"]:
        sys.exit("usage: python -m selfhood.hermes install")
    print(install(Path(os.environ.get("HERMES_HOME", str(Path.home() / ".hermes")))))
