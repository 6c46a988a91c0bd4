"""A LangGraph agent with a memory that outlives it; its model is scripted, so it runs offline."""

from __future__ import annotations

from langchain_core.messages import AIMessage
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.store.base import BaseStore

from scrubjay import Memory
from scrubjay.integrations.langgraph import ScrubjayStore


def answer(state: MessagesState, *, store: BaseStore) -> dict[str, list[AIMessage]]:
    """Look up what is known of the user, answer, and keep what was said."""
    said = str(state["messages"][-1].content)
    known = store.search(("users", "ada"), query=said, limit=1)
    if said.endswith("?"):
        return {"messages": [AIMessage(known[0].value["text"] if known else "I do not know.")]}
    store.put(("users", "ada"), said[:40], {"text": said})
    return {"messages": [AIMessage("Noted.")]}


def main() -> list[str]:
    """Two runs of the graph; the second knows of the first."""
    with Memory.open(":memory:") as memory:
        builder = StateGraph(MessagesState)
        builder.add_node("answer", answer)
        builder.add_edge(START, "answer")
        graph = builder.compile(store=ScrubjayStore(memory.bank("langgraph")))
        turns = ["My rabbit is called Clover.", "What is my rabbit called?"]
        return [
            graph.invoke({"messages": [("user", one)]})["messages"][-1].content for one in turns
        ]


if __name__ == "__main__":
    print("\n".join(main()))
