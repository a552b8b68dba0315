"""What goes wrong, with the stable code that the server gives it."""

from __future__ import annotations

import json
from typing import Any


class SelfhoodError(Exception):
    """A request that was not answered as asked. `code` is stable; `detail` says what happened and the way out."""

    def __init__(
        self,
        detail: str,
        *,
        code: str = "unreachable",
        status: int = 0,
        errors: list[dict[str, str]] | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(f"{detail} ({code})")
        self.detail = detail
        self.code = code
        self.status = status
        #: Each place of the request at fault: a JSON pointer and what is wrong there.
        self.errors = errors or []
        #: The name of the request in the server's log.
        self.request_id = request_id


class UnreachableError(SelfhoodError):
    """No server answered."""


class AuthenticationError(SelfhoodError):
    """The key is missing, unknown or lacks a scope (401, 403)."""


class NotFoundError(SelfhoodError):
    """There is no such thing, or not for this speaker (404, 410)."""


class ConflictError(SelfhoodError):
    """Something else changed it meanwhile (409, 412, 428)."""


class InvalidRequestError(SelfhoodError):
    """The request itself is at fault, or the persona's policy refuses it (400, 413, 415, 422)."""


class RateLimitError(SelfhoodError):
    """Too many requests (429)."""


class ServerError(SelfhoodError):
    """The server, or the model it asked, failed (5xx)."""


def error_class(status: int) -> type[SelfhoodError]:
    """The class of an error with this HTTP status."""
    if status in (401, 403):
        return AuthenticationError
    if status in (404, 410):
        return NotFoundError
    if status in (409, 412, 428):
        return ConflictError
    if status == 429:
        return RateLimitError
    return InvalidRequestError if status < 500 else ServerError


def error_from(status: int, body: bytes, request_id: str | None) -> SelfhoodError:
    """The error that a refused request stands for."""
    try:
        problem: Any = json.loads(body)
    except ValueError:
        problem = {}
    if not isinstance(problem, dict):
        problem = {}
    detail = problem.get("detail") or f"the server answered with status {status}"
    return error_class(status)(
        str(detail),
        code=str(problem.get("code", "unknown")),
        status=status,
        errors=problem.get("errors"),
        request_id=request_id,
    )
