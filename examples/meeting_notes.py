"""Notes of meetings: who decided what, when, and what changed since."""

from __future__ import annotations

from scrubjay import Memory

NOTES = [
    ("2026-03-02", "Nadia: the harbour launch moves to 14 May 2026."),
    ("2026-03-02", "Tom ordered the turnstiles because the old ones rust."),
    ("2026-03-09", "Nadia: the harbour launch moves to 2 June 2026."),
    ("2026-03-09", "Priya takes over the ticket office from Tom."),
]


def main() -> list[str]:
    """What the meetings know."""
    with Memory.open(":memory:") as memory:
        for day, note in NOTES:
            memory.retain(note, told_at=f"{day}T10:00:00+00:00", session=f"meeting {day}")
        now = "2026-03-10T09:00:00+00:00"
        questions = [
            "When is the harbour launch?",
            "Why did Tom order turnstiles?",
            "Who takes over the ticket office?",
        ]
        return [memory.recall(question, now=now)[0].text for question in questions]


if __name__ == "__main__":
    print("\n".join(main()))
