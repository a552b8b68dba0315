"""A LangGraph store whose items are memories of a persona.

Each item is one memory: its text is the gist, its whole value rests sealed beside it. So items obey what memories
obey: they belong to a person, fade by the persona's policy, surface only to whom they belong to, and go when that
person is forgotten.

    store = SelfhoodStore(Selfhood(), "nora", subject=namespace_part(1))
    store.put(("memories", "ana"), "table", {"text": "Ana likes the corner table."})
    store.search(("memories", "ana"), query="where does she sit?")
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Iterable
from datetime import datetime, timezone
from typing import Any, Literal, cast

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from . import schema
from ._client import Selfhood

Namespace = tuple[str, ...]
#: Says whose items a namespace holds; None for nobody's.
SubjectOf = Callable[[Namespace], str | None]

#: The label of every memory that is an item.
LABEL = "langgraph"
#: Where the item rests in its memory.
PROPERTY = "x-langgraph"
LONGEST_GIST = 280
PAGE = 200


def namespace_part(position: int) -> SubjectOf:
    """The subject is the part of the namespace at `position`."""
    return lambda namespace: namespace[position] if len(namespace) > position else None


class SelfhoodStore(BaseStore):
    """Items as memories of one persona.

    `subject` says whose an item is: a name, or a function of its namespace. Items of somebody are `guest-pii` on the
    ground `consent_basis`; items of nobody are `non-pii` and reach everyone. `forget` says what becomes of deleted
    and replaced items: `soft` sets them aside, `hard` destroys them and needs a key with the scope `erase`.
    """

    supports_ttl = False

    def __init__(
        self,
        client: Selfhood,
        persona: str,
        *,
        subject: str | SubjectOf,
        consent_basis: str = "service-delivery",
        salience: float = 0.6,
        forget: Literal["soft", "hard"] = "soft",
    ) -> None:
        self._client = client
        self._persona = persona
        self._subject: SubjectOf = subject if callable(subject) else lambda _: subject
        self._consent_basis = consent_basis
        self._salience = salience
        self._forget: Literal["soft", "hard"] = forget

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Does `ops` one after the other."""
        return [self._do(op) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Does `ops` one after the other, without blocking the event loop."""
        listed = list(ops)
        return await asyncio.to_thread(self.batch, listed)

    def _do(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            found = self._find(op.namespace, op.key)
            return item(found) if found else None
        if isinstance(op, PutOp):
            self._put(op)
            return None
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        raise ValueError(f"unknown operation {type(op).__name__}")

    def _as(self, namespace: Namespace) -> tuple[Selfhood, str | None]:
        subject = self._subject(namespace)
        return (self._client.speaking_for(subject), subject) if subject else (self._client, None)

    def _memories(self, namespace: Namespace, tag: str, query: str | None = None) -> list[schema.MemoryView]:
        client, subject = self._as(namespace)
        asked = {"tag": tag, "subject": subject, "q": query, "limit": PAGE}
        given = cast(schema.ListMemoriesQuery, {name: value for name, value in asked.items() if value is not None})
        return [memory for memory in client.persona(self._persona).memories(**given) if PROPERTY in memory]

    def _find(self, namespace: Namespace, key: str) -> schema.MemoryView | None:
        named = [
            memory for memory in self._memories(namespace, label(namespace, key)) if is_named(memory, namespace, key)
        ]
        return max(named, key=lambda memory: memory["createdAt"], default=None)

    def _put(self, op: PutOp) -> None:
        before = self._find(op.namespace, op.key)
        if op.value is not None:
            self._create(op, item(before).created_at.isoformat() if before else None)
        if before is not None:
            client, _ = self._as(op.namespace)
            client.redact_memory(self._persona, before["id"], mode=self._forget)

    def _create(self, op: PutOp, created_at: str | None) -> None:
        client, subject = self._as(op.namespace)
        now = datetime.now(timezone.utc).isoformat()
        kept = {
            "namespace": list(op.namespace),
            "key": op.key,
            "value": op.value,
            "createdAt": created_at or now,
            "updatedAt": now,
        }
        memory: dict[str, Any] = {
            "kind": "semantic",
            "gist": gist(op.key, cast(dict[str, Any], op.value)),
            "salience": self._salience,
            "privacyClass": "guest-pii" if subject else "non-pii",
            "consentBasis": self._consent_basis if subject else "not-applicable",
            "tags": [LABEL, label(op.namespace, op.key)],
            PROPERTY: kept,
        }
        if subject:
            memory["subject"] = subject
        client.remember(self._persona, **cast(schema.Remember, memory))

    def _search(self, op: SearchOp) -> list[SearchItem]:
        wanted = op.offset + op.limit
        fitting = self._fitting(op, op.query) if op.query else []
        if len(fitting) < wanted:
            # A store gives the nearest items, however far they are, and the list only what clearly matches.
            best = {(one.namespace, one.key) for one in fitting}
            rest = [one for one in self._fitting(op, None) if (one.namespace, one.key) not in best]
            fitting += sorted(rest, key=lambda one: one.updated_at, reverse=True)
        return fitting[op.offset : wanted]

    def _fitting(self, op: SearchOp, query: str | None) -> list[SearchItem]:
        found = [search_item(memory) for memory in self._memories(op.namespace_prefix, LABEL, query)]
        return [one for one in found if starts_with(one.namespace, op.namespace_prefix) and fits(one.value, op.filter)]

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        prefix = next((condition.path for condition in conditions if condition.match_type == "prefix"), ())
        fixed = tuple(part for part in prefix if part != "*") if "*" not in prefix else ()
        found = {item(memory).namespace for memory in self._memories(fixed, LABEL)}
        matching = (one for one in found if all(matches(one, condition) for condition in conditions))
        cut = sorted({one[: op.max_depth] if op.max_depth else one for one in matching})
        return cut[op.offset : op.offset + op.limit]


def label(namespace: Namespace, key: str) -> str:
    """The label by which one item is found, which tells nothing of its name."""
    name = json.dumps([*namespace, key]).encode()
    return f"{LABEL}:{hashlib.sha256(name).hexdigest()[:24]}"


def is_named(memory: schema.MemoryView, namespace: Namespace, key: str) -> bool:
    """Whether a memory is the item of this name."""
    kept = cast(dict[str, Any], memory)[PROPERTY]
    return kept["key"] == key and tuple(kept["namespace"]) == namespace


def gist(key: str, value: dict[str, Any]) -> str:
    """The sentence that is remembered of a value."""
    texts = [value[name] for name in ("text", "content", "memory", "data") if isinstance(value.get(name), str)]
    text = " ".join((texts[0] if texts else f"{key}: {json.dumps(value, ensure_ascii=False)}").split()) or key
    return text if len(text) <= LONGEST_GIST else text[: LONGEST_GIST - 1].rsplit(" ", 1)[0] + "…"


def item(memory: schema.MemoryView) -> Item:
    """The item that a memory holds."""
    kept = cast(dict[str, Any], memory)[PROPERTY]
    return Item(
        value=kept["value"],
        key=kept["key"],
        namespace=tuple(kept["namespace"]),
        created_at=kept["createdAt"],
        updated_at=kept["updatedAt"],
    )


def search_item(memory: schema.MemoryView) -> SearchItem:
    """The item that a memory holds, as a search gives it: best first, without a number for it."""
    found = item(memory)
    return SearchItem(found.namespace, found.key, found.value, found.created_at, found.updated_at)


def starts_with(namespace: Namespace, prefix: Namespace) -> bool:
    """Whether `namespace` is within `prefix`."""
    return namespace[: len(prefix)] == tuple(prefix)


def matches(namespace: Namespace, condition: MatchCondition) -> bool:
    """Whether `namespace` starts or ends as `condition` says; `*` is any part."""
    path = condition.path
    if len(namespace) < len(path):
        return False
    parts = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", part) for wanted, part in zip(path, parts, strict=True))


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, other: bool(value == other),
    "$ne": lambda value, other: bool(value != other),
    "$gt": lambda value, other: value is not None and bool(value > other),
    "$gte": lambda value, other: value is not None and bool(value >= other),
    "$lt": lambda value, other: value is not None and bool(value < other),
    "$lte": lambda value, other: value is not None and bool(value <= other),
}


def fits(value: dict[str, Any], wanted: dict[str, Any] | None) -> bool:
    """Whether a value has what a filter asks for."""
    return all(fits_one(value.get(name), rule) for name, rule in (wanted or {}).items())


def fits_one(value: Any, rule: Any) -> bool:
    if not (isinstance(rule, dict) and rule and all(name.startswith("$") for name in rule)):
        return bool(value == rule)
    unknown = [name for name in rule if name not in COMPARISONS]
    if unknown:
        raise ValueError(f"unknown operator {unknown[0]}; known are {', '.join(COMPARISONS)}")
    return all(COMPARISONS[name](value, other) for name, other in rule.items())
