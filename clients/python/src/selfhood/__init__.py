"""Personas with memories that fade, change and can be forgotten for good: a client for Selfhood's HTTP API."""

from ._client import AsyncPersona, AsyncSelfhood, Persona, Selfhood
from ._errors import (
    AuthenticationError,
    ConflictError,
    InvalidRequestError,
    NotFoundError,
    RateLimitError,
    SelfhoodError,
    ServerError,
    UnreachableError,
)
from ._talk import AsyncReplyStream, Reply, ReplyStream

__all__ = [
    "AsyncPersona",
    "AsyncReplyStream",
    "AsyncSelfhood",
    "AuthenticationError",
    "ConflictError",
    "InvalidRequestError",
    "NotFoundError",
    "Persona",
    "RateLimitError",
    "Reply",
    "ReplyStream",
    "Selfhood",
    "SelfhoodError",
    "ServerError",
    "UnreachableError",
]
