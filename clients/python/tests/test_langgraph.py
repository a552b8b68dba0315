"""LangGraph's store interface on a persona's memories, and a graph that uses it."""

import asyncio
import uuid
from typing import TypedDict

import pytest
from conftest import FORWARDED_KEY, PERSONA, URL
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore

from selfhood import Selfhood
from selfhood.langgraph import SelfhoodStore, namespace_part


@pytest.fixture
def user():
    return f"user-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def store():
    return SelfhoodStore(Selfhood(URL, FORWARDED_KEY), PERSONA, subject=namespace_part(1))


def test_an_item_is_put_replaced_and_deleted(store, user):
    space = ("memories", user)
    store.put(space, "table", {"text": "Likes the corner table.", "rank": 1})
    first = store.get(space, "table")
    assert first.value == {"text": "Likes the corner table.", "rank": 1}
    store.put(space, "table", {"text": "Likes the window table.", "rank": 2})
    second = store.get(space, "table")
    assert second.value["rank"] == 2
    assert second.created_at == first.created_at and second.updated_at >= first.updated_at
    assert len(store.search(space)) == 1
    store.delete(space, "table")
    assert store.get(space, "table") is None
    store.delete(space, "table")


def test_items_are_found_by_meaning_by_filter_and_by_page(store, user):
    space = ("memories", user)
    for number, text in enumerate(["Plays the cello.", "Is allergic to nothing.", "Arrives by night train."]):
        store.put(space, f"item-{number}", {"text": text, "number": number})
    found = store.search(space, query="musical instrument")
    assert found[0].key == "item-0"
    everything = [one.key for one in store.search(space, query="where does she sit?")]
    assert sorted(everything) == ["item-0", "item-1", "item-2"], "the nearest are given, however far they are"
    assert [one.key for one in store.search(space, query="where does she sit?", limit=2)] == everything[:2]
    assert [one.key for one in store.search(space, filter={"number": {"$gte": 1}})] == ["item-2", "item-1"]
    assert [one.key for one in store.search(space, limit=1, offset=1)] == ["item-1"]
    assert store.search(("other", user)) == []
    with pytest.raises(ValueError):
        store.search(space, filter={"number": {"$in": [1]}})


def test_one_users_items_are_not_anothers(store, user):
    store.put(("memories", user), "secret", {"text": "Plans a surprise."})
    assert store.get(("memories", "somebody-else"), "secret") is None
    assert store.search(("memories", "somebody-else"), query="surprise") == []
    assert store.search(()) == [], "a key that forwards identities sees nobody's items unless it names somebody"


def test_namespaces_are_listed(store, user):
    store.put(("memories", user, "food"), "a", {"text": "Eats no fish."})
    store.put(("memories", user, "travel"), "b", {"text": "Flies never."})
    assert store.list_namespaces(prefix=("memories", user)) == [
        ("memories", user, "food"),
        ("memories", user, "travel"),
    ]
    assert store.list_namespaces(prefix=("memories", user), suffix=("travel",)) == [("memories", user, "travel")]
    assert store.list_namespaces(prefix=("memories", user), max_depth=2) == [("memories", user)]


def test_the_asynchronous_interface_does_the_same(store, user):
    async def tried():
        await store.aput(("memories", user), "sea", {"text": "Swims in the sea."})
        assert (await store.aget(("memories", user), "sea")).value == {"text": "Swims in the sea."}
        assert [one.key for one in await store.asearch(("memories", user), query="swimming")] == ["sea"]

    asyncio.run(tried())


class State(TypedDict):
    user: str
    found: list[str]


def test_a_graph_reads_and_writes_through_it(store, user):
    def note(state: State, *, store: BaseStore) -> State:
        store.put(("memories", state["user"]), "tea", {"text": "Drinks green tea."})
        return state

    def look(state: State, *, store: BaseStore) -> State:
        return {**state, "found": [one.value["text"] for one in store.search(("memories", state["user"]), query="tea")]}

    graph = StateGraph(State)
    graph.add_node("note", note)
    graph.add_node("look", look)
    graph.add_edge(START, "note")
    graph.add_edge("note", "look")
    graph.add_edge("look", END)
    assert graph.compile(store=store).invoke({"user": user, "found": []})["found"] == ["Drinks green tea."]
