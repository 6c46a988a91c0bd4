from datetime import UTC, datetime, timedelta

from scrubjay.memory import Memory
from scrubjay.testing import FixedClock

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


def test_whatever_of_a_much_changed_fact_is_found_comes_with_something_newer() -> None:
    words = [f"stall{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(40)]
    told = [f"The yoga class is {20 + n} euros now, says {word}." for n, word in enumerate(words)]
    with Memory.open(":memory:", encoder=None, reranker=None, clock=FixedClock(NOW)) as memory:
        for day, text in enumerate(told):
            memory.retain(text, told_at=NOW - timedelta(days=len(told) - day))
        places = {text: place for place, text in enumerate(told)}
        for place, word in enumerate(words[:-1]):
            found = [places[item.text] for item in memory.recall(word)]
            assert place in found
            assert found == sorted(found, reverse=True)
