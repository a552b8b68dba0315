"""One request before it is sent, the same for both clients."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

#: How often a request is sent again that did not get through.
RETRIES = 2
#: After how many seconds, where the server does not say.
FIRST_PAUSE = 0.25
#: Longer than this nobody waits for a busy server.
LONGEST_PAUSE = 10.0


@dataclass
class Request:
    """A method, a path, and what goes with them."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    headers: Mapping[str, str | None] = field(default_factory=dict)
    #: The caller's own `Idempotency-Key`.
    key: str | None = None
    #: Whether the server takes such a key here; one is made if the caller gives none, so that a repetition by this
    #: client does nothing twice.
    is_keyed: bool = False
    #: Whether it is a POST that only reads.
    is_read: bool = False

    def __post_init__(self) -> None:
        if self.is_keyed and self.key is None:
            self.key = str(uuid.uuid4())

    @property
    def may_be_repeated(self) -> bool:
        """Whether sending it twice does no more than sending it once."""
        return self.is_read or self.key is not None or self.method in ("GET", "PUT", "DELETE")

    def parameters(self) -> dict[str, str]:
        """The query as the server reads it; what is None is left out."""
        return {name: as_text(value) for name, value in self.query.items() if value is not None}

    def all_headers(self) -> dict[str, str]:
        """The headers of this request alone."""
        headers = {name: value for name, value in self.headers.items() if value is not None}
        return {**headers, "idempotency-key": self.key} if self.key is not None else headers


def as_text(value: Any) -> str:
    """A value of a query."""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def in_path(value: str) -> str:
    """`value` as one segment of a path."""
    if not value:
        raise ValueError("a name in a path must not be empty")
    return quote(value, safe="")


def whole_path(value: str) -> str:
    """`value` as the rest of a path, whose slashes stay."""
    return quote(value, safe="/")


def pause(attempt: int, retry_after: str | None) -> float | None:
    """How long to wait before a repetition; None when it is not worth it."""
    try:
        seconds = float(retry_after) if retry_after is not None else FIRST_PAUSE * 2**attempt
    except ValueError:
        seconds = FIRST_PAUSE * 2**attempt
    return seconds if seconds <= LONGEST_PAUSE else None
