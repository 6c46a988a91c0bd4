"""Our store answers as LangGraph's own does, and also by meaning.

Every test of `store` runs on both; it is the contract of a store as LangGraph's agents use it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from scrubjay import Memory
from scrubjay.errors import BadInput
from scrubjay.integrations.langgraph import ScrubjayStore

USERS, DOCS = ("users", "ada"), ("docs",)


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", encoder="hash") as memory:
        yield memory


@pytest.fixture(params=["theirs", "ours"])
def store(request: pytest.FixtureRequest, memory: Memory) -> BaseStore:
    return InMemoryStore() if request.param == "theirs" else ScrubjayStore(memory.bank("store"))


def keys(items: Iterable[Any]) -> list[str]:
    return sorted(item.key for item in items)


VALUES: list[dict[str, Any]] = [
    {"text": "dark theme"},
    {"a": 1, "b": 2.5, "c": None, "d": True, "e": [1, "x", {"y": []}], "f": {"g": {"h": "i"}}},
    {},
    {"empty": "", "blank": "  "},
    {"unicode": "żółw 日本語 🐢", "quote": 'a "b" \\ c\n'},
    {"long": "word " * 3_000},
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: ",".join(value) or "nothing")
def test_what_was_put_is_got_as_it_was(store: BaseStore, value: dict[str, Any]) -> None:
    store.put(USERS, "k", value)
    found = store.get(USERS, "k")
    assert found is not None
    assert (found.value, found.key, found.namespace) == (value, "k", USERS)
    assert found.updated_at >= found.created_at
    assert found.updated_at.tzinfo is not None


def test_what_is_not_there_is_none(store: BaseStore) -> None:
    assert store.get(USERS, "k") is None
    store.put(USERS, "k", {"x": 1})
    assert store.get(("users",), "k") is None
    assert store.get((*USERS, "deep"), "k") is None
    assert store.get(USERS, "K") is None


def test_put_again_replaces_and_none_deletes(store: BaseStore) -> None:
    store.put(USERS, "k", {"long": "word " * 3_000})
    store.put(USERS, "k", {"x": 2})
    found = store.get(USERS, "k")
    assert found is not None
    assert found.value == {"x": 2}
    assert keys(store.search(USERS)) == ["k"]
    store.delete(USERS, "k")
    assert store.get(USERS, "k") is None
    store.put(USERS, "k", {"x": 3})
    store.batch([PutOp(USERS, "k", None), PutOp(USERS, "never", None)])
    assert store.get(USERS, "k") is None
    assert store.search(USERS) == []


def test_equal_values_under_other_keys_are_other_items(store: BaseStore) -> None:
    for namespace in (USERS, DOCS):
        for key in ("a", "b"):
            store.put(namespace, key, {"text": "the same"})
    store.delete(USERS, "a")
    assert keys(store.search(USERS)) == ["b"]
    assert keys(store.search(DOCS)) == ["a", "b"]


def test_a_search_finds_what_is_below_a_prefix(store: BaseStore) -> None:
    store.put(("users", "ada", "notes"), "deep", {"x": 1})
    store.put(("users", "adam"), "other", {"x": 1})
    store.put(USERS, "here", {"x": 1})
    assert keys(store.search(USERS)) == ["deep", "here"]
    assert keys(store.search(("users",))) == ["deep", "here", "other"]
    assert keys(store.search(())) == ["deep", "here", "other"]
    assert store.search(("ada",)) == []
    assert [item.score for item in store.search(USERS)] == [None, None]


def test_pages_of_a_search_are_all_of_it_once(store: BaseStore) -> None:
    for number in range(25):
        store.put(DOCS, f"k{number}", {"n": number})
    pages = [store.search(DOCS, limit=10, offset=offset) for offset in (0, 10, 20, 30)]
    assert [len(page) for page in pages] == [10, 10, 5, 0]
    assert keys(item for page in pages for item in page) == sorted(f"k{n}" for n in range(25))


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"kind": "note"}, "ab"),
        ({"kind": "note", "n": 2}, "b"),
        ({"kind": {"$ne": "note"}}, "c"),
        ({"n": {"$gt": 1}}, "bc"),
        ({"n": {"$gte": 2, "$lt": 3}}, "b"),
        ({"n": {"$lte": 1.0}}, "a"),
        ({"n": {"$eq": 3}}, "c"),
        ({"in": {"deep": True}}, "a"),
        ({"in": {"deep": {"$ne": True}}}, "b"),
        ({"tags": ["x", "y"]}, "c"),
        ({"tags": ["x"]}, ""),
        ({"not there": None}, "abc"),
        ({"not there": 1}, ""),
    ],
    ids=str,
)
def test_a_filter_compares_fields(store: BaseStore, wanted: dict[str, Any], found: str) -> None:
    store.put(DOCS, "a", {"kind": "note", "n": 1, "in": {"deep": True, "more": 1}})
    store.put(DOCS, "b", {"kind": "note", "n": 2, "in": {"deep": False}})
    store.put(DOCS, "c", {"kind": "list", "n": 3, "tags": ["x", "y"]})
    assert keys(store.search(DOCS, filter=wanted)) == list(found)


def test_a_comparison_that_is_not_known_is_an_error(store: BaseStore) -> None:
    store.put(DOCS, "a", {"n": 1})
    with pytest.raises(ValueError, match="operator"):
        store.search(DOCS, filter={"n": {"$like": 1}})


@pytest.fixture
def filled(store: BaseStore) -> BaseStore:
    for namespace in [
        ("a", "b", "c"), ("a", "b", "d", "e"), ("a", "b", "d", "i"), ("a", "b", "f"),
        ("a", "c", "f"), ("b", "a", "f"), ("users", "123"), ("users", "456", "settings"),
        ("admin", "users", "789"),
    ]:  # fmt: skip
        store.put(namespace, "id", {"data": "x"})
    return store


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"prefix": ("a", "b")}, ["a.b.c", "a.b.d.e", "a.b.d.i", "a.b.f"]),
        ({"suffix": ("f",)}, ["a.b.f", "a.c.f", "b.a.f"]),
        ({"prefix": ("a",), "suffix": ("f",)}, ["a.b.f", "a.c.f"]),
        ({"prefix": ("a", "*", "f")}, ["a.b.f", "a.c.f"]),
        ({"suffix": ("*", "f")}, ["a.b.f", "a.c.f", "b.a.f"]),
        ({"prefix": ("a",), "max_depth": 2}, ["a.b", "a.c"]),
        ({"prefix": ("a", "b"), "max_depth": 3}, ["a.b.c", "a.b.d", "a.b.f"]),
        ({"max_depth": 1}, ["a", "admin", "b", "users"]),
        ({"prefix": ("a", "b"), "limit": 2}, ["a.b.c", "a.b.d.e"]),
        ({"prefix": ("a", "b"), "offset": 2}, ["a.b.d.i", "a.b.f"]),
        ({"prefix": ("nobody",)}, []),
    ],
    ids=str,
)
def test_namespaces_are_listed_by_their_ends(
    filled: BaseStore, asked: dict[str, Any], found: list[str]
) -> None:
    assert [".".join(name) for name in filled.list_namespaces(**asked)] == found


def test_a_batch_reads_before_it_writes_and_answers_in_order(store: BaseStore) -> None:
    store.put(DOCS, "a", {"n": 1})
    below = ListNamespacesOp((MatchCondition("prefix", ("docs",)),))
    got = store.batch(
        [PutOp(DOCS, "a", {"n": 2}), GetOp(DOCS, "a"), SearchOp(DOCS), below,
         PutOp(DOCS, "a", {"n": 3}), GetOp(DOCS, "b")]
    )  # fmt: skip
    first: Any = got[1]
    assert first.value == {"n": 1}
    searched: Any = got[2]
    assert keys(searched) == ["a"]
    assert [got[0], got[3], got[4], got[5]] == [None, [DOCS], None, None]
    last = store.get(DOCS, "a")
    assert last is not None
    assert last.value == {"n": 3}


def test_an_operation_that_is_none_is_an_error(store: BaseStore) -> None:
    wrong: Any = ["get"]
    with pytest.raises(ValueError, match="Unknown operation"):
        store.batch(wrong)


@pytest.mark.parametrize("namespace", [(), ("a.b",), ("",), ("langgraph", "x")], ids=str)
def test_a_namespace_that_is_none_is_refused(store: BaseStore, namespace: tuple[str, ...]) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.put(namespace, "k", {"x": 1})


def test_everything_can_be_awaited(store: BaseStore) -> None:
    async def use() -> list[Any]:
        await store.aput(DOCS, "a", {"text": "x"})
        await asyncio.gather(*(store.aput(DOCS, f"k{n}", {"n": n}) for n in range(5)))
        found = await store.aget(DOCS, "a")
        assert found is not None
        await store.adelete(DOCS, "a")
        names = await store.alist_namespaces(prefix=("docs",))
        return [found.value, keys(await store.asearch(DOCS)), names]

    assert asyncio.run(use()) == [{"text": "x"}, [f"k{n}" for n in range(5)], [DOCS]]


# From here on, what only ours does.


@pytest.fixture
def ours(memory: Memory) -> ScrubjayStore:
    return ScrubjayStore(memory.bank("store"))


def test_a_query_ranks_by_what_values_say(ours: ScrubjayStore) -> None:
    ours.put(USERS, "food", {"text": "Ada likes spicy noodles", "kind": "taste"})
    ours.put(USERS, "work", {"text": "Ada maintains the billing service", "kind": "job"})
    ours.put(("users", "bob"), "food", {"text": "Bob likes spicy curry", "kind": "taste"})
    found = ours.search(USERS, query="Who maintains the billing service?")
    assert found[0].key == "work"
    assert found[0].score is not None
    assert 0 < found[0].score <= 1
    assert all(item.namespace == USERS for item in found)
    everyone = ours.search(("users",), query="Who likes something spicy?", filter={"kind": "taste"})
    assert keys(everyone) == ["food", "food"]
    assert len(ours.search(("users",), query="Who likes something spicy?", limit=1)) == 1


def test_the_end_of_a_long_value_is_found_and_the_item_once(ours: ScrubjayStore) -> None:
    ours.put(DOCS, "long", {"text": "ordinary filler sentence. " * 300 + "The password is walrus."})
    ours.put(DOCS, "short", {"text": "Nothing of interest."})
    found = ours.search(DOCS, query="walrus password")
    assert [item.key for item in found].count("long") == 1
    assert found[0].key == "long"


def test_what_is_not_indexed_is_got_but_not_found_by_a_query(memory: Memory) -> None:
    ours = ScrubjayStore(memory.bank("fields"), fields=["title"])
    ours.put(DOCS, "a", {"title": "Herons", "body": "walrus"})
    ours.put(DOCS, "b", {"title": "Geese"}, index=False)
    ours.put(DOCS, "c", {"title": "Ducks", "body": "walrus"}, index=["body"])
    assert keys(ours.search(DOCS)) == ["a", "b", "c"]
    assert "b" not in keys(ours.search(DOCS, query="Geese"))
    assert [item.key for item in ours.search(DOCS, query="walrus")][:1] == ["c"]
    assert ours.search(DOCS, query="Herons")[0].key == "a"


def test_when_it_was_first_put_is_kept(ours: ScrubjayStore) -> None:
    ours.put(DOCS, "a", {"n": 1})
    first = ours.get(DOCS, "a")
    ours.put(DOCS, "a", {"n": 2})
    second = ours.get(DOCS, "a")
    assert first is not None
    assert second is not None
    assert second.created_at == first.created_at
    assert second.updated_at > first.updated_at


def test_an_item_expires_unless_it_is_read(memory: Memory) -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    ours = ScrubjayStore(memory.bank("ttl"), clock=lambda: now)
    for key in ("read", "left", "peeked"):
        ours.put(DOCS, key, {"text": key}, ttl=10)
    ours.put(DOCS, "kept", {"text": "kept"})
    now += timedelta(minutes=6)
    assert ours.get(DOCS, "read") is not None
    assert ours.get(DOCS, "peeked", refresh_ttl=False) is not None
    now += timedelta(minutes=6)
    assert ours.get(DOCS, "left") is None
    assert keys(ours.search(DOCS, refresh_ttl=False)) == ["kept", "read"]
    assert ours.get(DOCS, "peeked") is None


def test_what_does_not_fit_is_refused_by_name_and_changes_nothing(ours: ScrubjayStore) -> None:
    with pytest.raises(BadInput, match="metadata"):
        ours.put(DOCS, "a", {"text": "x" * 70_000})
    with pytest.raises(BadInput, match="namespace"):
        ours.put(("x" * 300,), "a", {"text": "x"})
    assert ours.search(()) == []


def test_a_graph_remembers_in_another_thread_of_conversation(ours: ScrubjayStore) -> None:
    def remember(state: MessagesState, *, store: BaseStore) -> dict[str, Any]:
        said = str(state["messages"][-1].content)
        known = store.search(USERS, query=said, limit=1)
        store.put(USERS, str(len(known)), {"text": said})
        return {"messages": [AIMessage(known[0].value["text"] if known else "Noted.")]}

    builder = StateGraph(MessagesState)
    builder.add_node("remember", remember)
    builder.add_edge(START, "remember")
    graph = builder.compile(store=ours)
    told = graph.invoke({"messages": [("user", "My rabbit is called Clover.")]})
    assert told["messages"][-1].content == "Noted."
    asked = graph.invoke({"messages": [("user", "What is my rabbit called?")]})
    assert asked["messages"][-1].content == "My rabbit is called Clover."


def test_the_example_of_an_agent_runs() -> None:
    from examples import langgraph_agent

    assert langgraph_agent.main() == ["Noted.", "My rabbit is called Clover."]
