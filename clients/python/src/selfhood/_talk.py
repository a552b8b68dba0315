"""Talk: the events of `/chat`, and the reply they add up to."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx

from ._errors import SelfhoodError, UnreachableError, error_class


@dataclass
class Reply:
    """A whole answer."""

    text: str
    #: Send it back to continue the conversation.
    session_id: str
    #: Leads to `show_exchange`; None off the record.
    exchange_id: str | None = None
    #: Leads to `explain_recall`; None off the record.
    recall_id: str | None = None
    #: The memories formed from what was said, each with `id` and `gist`.
    remembered: list[dict[str, Any]] = field(default_factory=list)
    #: What was not kept, each with a `reason`.
    not_kept: list[dict[str, Any]] = field(default_factory=list)
    #: `none`, `pending` (a model is still at it) or `done`.
    formation: str = "none"
    #: The phrase after which a person should take over, if it was said.
    escalation: str | None = None


class Events:
    """Takes server-sent events line by line."""

    def __init__(self) -> None:
        self._name = "message"
        self._data: list[str] = []

    def take(self, line: str) -> tuple[str, Any] | None:
        """The event that `line` completes, if it does."""
        if line.startswith("event:"):
            self._name = line[6:].strip()
        elif line.startswith("data:"):
            self._data.append(line[5:].removeprefix(" "))
        elif not line and self._data:
            event = (self._name, json.loads("\n".join(self._data)))
            self._name, self._data = "message", []
            return event
        return None


class Listening:
    """What both streams know: the words so far, and the reply once it is complete."""

    def __init__(self) -> None:
        self._events = Events()
        self._reply: Reply | None = None
        self.session_id: str | None = None
        self.recall_id: str | None = None

    @property
    def reply(self) -> Reply:
        """The whole answer; there is one once the stream has ended."""
        if self._reply is None:
            raise SelfhoodError("the answer has not ended yet; read the stream to its end", code="not_finished")
        return self._reply

    def words(self, line: str) -> str | None:
        """The words that `line` brings, if it brings any."""
        event = self._events.take(line)
        if event is None:
            return None
        name, data = event
        if name == "start":
            self.session_id, self.recall_id = data["session_id"], data.get("recall_id")
        elif name == "token":
            return str(data["text"])
        elif name == "done":
            self._reply = reply_from(data)
        elif name == "error":
            status = int(data.get("status", 500))
            raise error_class(status)(data["error"], code=data["code"], status=status)
        return None

    def demand_end(self) -> None:
        """Refuses an answer that broke off."""
        if self._reply is None:
            raise UnreachableError("the answer broke off before its end")


def reply_from(data: dict[str, Any]) -> Reply:
    """The reply that the event `done` holds."""
    return Reply(
        text=data["response"],
        session_id=data["session_id"],
        exchange_id=data.get("exchange_id"),
        recall_id=data.get("recall_id"),
        remembered=data.get("remembered", []),
        not_kept=data.get("notKept", []),
        formation=data.get("formation", "none"),
        escalation=data.get("escalation"),
    )


class ReplyStream(Listening):
    """An answer as it is spoken: iterate over its words, then read `reply`. Closing it stops the model."""

    def __init__(self, response: httpx.Response) -> None:
        super().__init__()
        self._response = response

    def __iter__(self) -> Iterator[str]:
        try:
            for line in self._response.iter_lines():
                if (words := self.words(line)) is not None:
                    yield words
        except httpx.TransportError as error:
            raise UnreachableError(f"the answer broke off: {error}") from error
        finally:
            self.close()
        self.demand_end()

    def __enter__(self) -> ReplyStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leaves; the model is stopped and the answer kept as far as it came."""
        self._response.close()


class AsyncReplyStream(Listening):
    """The same, asynchronously."""

    def __init__(self, response: httpx.Response) -> None:
        super().__init__()
        self._response = response

    async def __aiter__(self) -> AsyncIterator[str]:
        try:
            async for line in self._response.aiter_lines():
                if (words := self.words(line)) is not None:
                    yield words
        except httpx.TransportError as error:
            raise UnreachableError(f"the answer broke off: {error}") from error
        finally:
            await self.aclose()
        self.demand_end()

    async def __aenter__(self) -> AsyncReplyStream:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Leaves; the model is stopped and the answer kept as far as it came."""
        await self._response.aclose()
