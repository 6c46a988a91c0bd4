"""An agent that remembers between conversations; its model is scripted, so that it runs offline."""

from __future__ import annotations

from scrubjay import Memory, Recall


def scripted_model(known: Recall, said: str) -> str:
    """Stands for your model: it repeats what it was reminded of, or takes note."""
    if said.endswith("?"):
        return f"You told me: {known[0].text}" if known.relevant else "You have not told me."
    return "I will remember."


def turn(memory: Memory, session: str, said: str) -> str:
    """One turn: recall, answer, retain."""
    known = memory.recall(said, session=session, limit=3)
    answer = scripted_model(known, said)
    # A question says nothing that is worth finding again.
    if not said.endswith("?"):
        memory.retain({"role": "user", "content": said}, session=session)
    return answer


def main() -> list[str]:
    """Two conversations; the second knows of the first."""
    with Memory.open(":memory:") as memory:
        return [
            turn(memory, "monday", "My daughter Ida plays the cello."),
            turn(memory, "monday", "I am allergic to walnuts."),
            turn(memory, "tuesday", "What does Ida play?"),
            turn(memory, "tuesday", "What am I allergic to?"),
        ]


if __name__ == "__main__":
    print("\n".join(main()))
