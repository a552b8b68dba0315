"""The two clients, and the handle of one persona."""

from __future__ import annotations

import asyncio
import copy
import os
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, TypedDict, Unpack

import httpx

from . import schema
from ._errors import UnreachableError, error_from
from ._request import RETRIES, Request, pause
from ._talk import AsyncReplyStream, Reply, ReplyStream
from .async_operations import AsyncOperations
from .operations import Operations

DEFAULT_URL = "http://127.0.0.1:7337"
#: An answer may take as long as the model behind it.
TALK_TIMEOUT = httpx.Timeout(30.0, read=600.0)
#: Worth asking again.
PASSING = (429, 503)


class Said(TypedDict, total=False):
    """How something is said to a persona."""

    #: Who says it; with a key that forwards identities.
    subject: str
    #: The conversation it continues.
    session_id: str
    #: How much of the persona's files is loaded, 1 to 4.
    tier: int
    #: The role of `selfhood.toml` that answers.
    role: str
    #: Leave nothing anywhere.
    off_record: bool
    include_short: bool
    include_mid: bool
    include_long: bool


def common_headers(api_key: str | None) -> dict[str, str]:
    """What goes with every request."""
    api_key = api_key or os.environ.get("SELFHOOD_API_KEY")
    headers = {"user-agent": "selfhood-python/0.1.0"}
    return {**headers, "x-api-key": api_key} if api_key else headers


def speaker(subject: str | None) -> dict[str, str]:
    """The header that names who is speaking."""
    return {"x-user-id": subject} if subject else {}


def address(url: str | None) -> str:
    """Where the server is."""
    return (url or os.environ.get("SELFHOOD_URL") or DEFAULT_URL).rstrip("/")


def answered(response: httpx.Response) -> Any:
    """What a response says, or the error it stands for."""
    if response.is_error:
        raise error_from(response.status_code, response.content, response.headers.get("x-request-id"))
    return response.json() if response.content else None


def is_worth_repeating(request: Request, response: httpx.Response, attempt: int) -> bool:
    """Whether the same request is likely to be answered in a moment."""
    return response.status_code in PASSING and request.may_be_repeated and attempt < RETRIES


def unreachable(url: str, error: httpx.TransportError) -> UnreachableError:
    """No answer, and the way out."""
    return UnreachableError(f"no answer from {url}: {error or type(error).__name__}; is `selfhood serve` running?")


def chat_body(persona: str, message: str, how: Mapping[str, Any]) -> dict[str, Any]:
    """The body of `/chat`."""
    return {"persona": persona, "message": message, **{name: value for name, value in how.items() if value is not None}}


class Selfhood(Operations):
    """A client. Without arguments it reads `SELFHOOD_URL` and `SELFHOOD_API_KEY`.

    `subject` names who is speaking on every request, which keys that forward identities need. A method takes its
    arguments under the names that JSON has: `client.recall("nora", cue="…", maxMemories=3)`.
    """

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        *,
        subject: str | None = None,
        timeout: float = 30.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.url = address(url)
        self.subject = subject
        headers = common_headers(api_key)
        self._http = httpx.Client(base_url=self.url, headers=headers, timeout=timeout, transport=transport)

    def _send(self, request: Request) -> Any:
        attempt = 0
        while True:
            try:
                response = self._http.request(
                    request.method,
                    request.path,
                    params=request.parameters(),
                    json=request.body,
                    headers={**speaker(self.subject), **request.all_headers()},
                )
            except httpx.TransportError as error:
                if not request.may_be_repeated or attempt >= RETRIES:
                    raise unreachable(self.url, error) from error
                seconds = pause(attempt, None)
            else:
                seconds = pause(attempt, response.headers.get("retry-after"))
                if seconds is None or not is_worth_repeating(request, response, attempt):
                    return answered(response)
            time.sleep(seconds or 0.0)
            attempt += 1

    def stream(self, persona: str, message: str, **how: Unpack[Said]) -> ReplyStream:
        """Says something; the answer is iterated over as it is spoken."""
        request = self._http.build_request(
            "POST", "/chat", json=chat_body(persona, message, how), headers=speaker(self.subject), timeout=TALK_TIMEOUT
        )
        try:
            response = self._http.send(request, stream=True)
        except httpx.TransportError as error:
            raise unreachable(self.url, error) from error
        if response.is_error:
            response.read()
            response.close()
            answered(response)
        return ReplyStream(response)

    def say(self, persona: str, message: str, **how: Unpack[Said]) -> Reply:
        """Says something and waits for the whole answer."""
        with self.stream(persona, message, **how) as stream:
            for _ in stream:
                pass
            return stream.reply

    def speaking_for(self, subject: str) -> Selfhood:
        """The same client on behalf of `subject`; both share their connections."""
        other = copy.copy(self)
        other.subject = subject
        return other

    def persona(self, name: str) -> Persona:
        """A handle of one persona, by name or id."""
        return Persona(self, name)

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Selfhood:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Persona:
    """One persona, for programs that deal with only one."""

    def __init__(self, client: Selfhood, name: str) -> None:
        self.client = client
        self.name = name

    def say(self, message: str, **how: Unpack[Said]) -> Reply:
        """Says something and waits for the whole answer."""
        return self.client.say(self.name, message, **how)

    def stream(self, message: str, **how: Unpack[Said]) -> ReplyStream:
        """Says something; the answer is iterated over as it is spoken."""
        return self.client.stream(self.name, message, **how)

    def recall(self, cue: str, **more: Any) -> schema.RecallAnswer:
        """What the persona remembers for these words, as a list and as text for a prompt."""
        return self.client.recall(self.name, cue=cue, **more)

    def remember(self, **memory: Unpack[schema.Remember]) -> schema.MemoryView:
        """Creates a memory."""
        return self.client.remember(self.name, **memory)["memory"]

    def memories(self, **query: Unpack[schema.ListMemoriesQuery]) -> Iterator[schema.MemoryView]:
        """All memories that fit, page by page."""
        while True:
            page = self.client.list_memories(self.name, **query)
            yield from page["data"]
            cursor = page["nextCursor"]
            if cursor is None:
                return
            query["cursor"] = cursor

    def forget(self, memory_id: str, **how: Unpack[schema.Redact]) -> schema.RedactAnswer:
        """Sets a memory aside; `mode="hard"` destroys it for good and needs a key with `erase`."""
        return self.client.redact_memory(self.name, memory_id, **how)


class AsyncSelfhood(AsyncOperations):
    """The same client, asynchronously."""

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        *,
        subject: str | None = None,
        timeout: float = 30.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.url = address(url)
        self.subject = subject
        headers = common_headers(api_key)
        self._http = httpx.AsyncClient(base_url=self.url, headers=headers, timeout=timeout, transport=transport)

    async def _send(self, request: Request) -> Any:
        attempt = 0
        while True:
            try:
                response = await self._http.request(
                    request.method,
                    request.path,
                    params=request.parameters(),
                    json=request.body,
                    headers={**speaker(self.subject), **request.all_headers()},
                )
            except httpx.TransportError as error:
                if not request.may_be_repeated or attempt >= RETRIES:
                    raise unreachable(self.url, error) from error
                seconds = pause(attempt, None)
            else:
                seconds = pause(attempt, response.headers.get("retry-after"))
                if seconds is None or not is_worth_repeating(request, response, attempt):
                    return answered(response)
            await asyncio.sleep(seconds or 0.0)
            attempt += 1

    async def stream(self, persona: str, message: str, **how: Unpack[Said]) -> AsyncReplyStream:
        """Says something; the answer is iterated over as it is spoken."""
        request = self._http.build_request(
            "POST", "/chat", json=chat_body(persona, message, how), headers=speaker(self.subject), timeout=TALK_TIMEOUT
        )
        try:
            response = await self._http.send(request, stream=True)
        except httpx.TransportError as error:
            raise unreachable(self.url, error) from error
        if response.is_error:
            await response.aread()
            await response.aclose()
            answered(response)
        return AsyncReplyStream(response)

    async def say(self, persona: str, message: str, **how: Unpack[Said]) -> Reply:
        """Says something and waits for the whole answer."""
        async with await self.stream(persona, message, **how) as stream:
            async for _ in stream:
                pass
            return stream.reply

    def speaking_for(self, subject: str) -> AsyncSelfhood:
        """The same client on behalf of `subject`; both share their connections."""
        other = copy.copy(self)
        other.subject = subject
        return other

    def persona(self, name: str) -> AsyncPersona:
        """A handle of one persona, by name or id."""
        return AsyncPersona(self, name)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> AsyncSelfhood:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class AsyncPersona:
    """One persona, asynchronously."""

    def __init__(self, client: AsyncSelfhood, name: str) -> None:
        self.client = client
        self.name = name

    async def say(self, message: str, **how: Unpack[Said]) -> Reply:
        """Says something and waits for the whole answer."""
        return await self.client.say(self.name, message, **how)

    async def stream(self, message: str, **how: Unpack[Said]) -> AsyncReplyStream:
        """Says something; the answer is iterated over as it is spoken."""
        return await self.client.stream(self.name, message, **how)

    async def recall(self, cue: str, **more: Any) -> schema.RecallAnswer:
        """What the persona remembers for these words, as a list and as text for a prompt."""
        return await self.client.recall(self.name, cue=cue, **more)

    async def remember(self, **memory: Unpack[schema.Remember]) -> schema.MemoryView:
        """Creates a memory."""
        return (await self.client.remember(self.name, **memory))["memory"]

    async def memories(self, **query: Unpack[schema.ListMemoriesQuery]) -> AsyncIterator[schema.MemoryView]:
        """All memories that fit, page by page."""
        while True:
            page = await self.client.list_memories(self.name, **query)
            for memory in page["data"]:
                yield memory
            cursor = page["nextCursor"]
            if cursor is None:
                return
            query["cursor"] = cursor

    async def forget(self, memory_id: str, **how: Unpack[schema.Redact]) -> schema.RedactAnswer:
        """Sets a memory aside; `mode="hard"` destroys it for good and needs a key with `erase`."""
        return await self.client.redact_memory(self.name, memory_id, **how)


__all__ = ["AsyncPersona", "AsyncSelfhood", "Persona", "Said", "Selfhood"]
