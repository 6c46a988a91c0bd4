"""A bank that is told, changed and asked at random answers alike on both stores."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.store.postgres.postgres_server import saying

from scrubjay.answers import Recall
from scrubjay.errors import EncoderError, ScrubjayError
from scrubjay.memory import Memory
from scrubjay.testing import FixedClock, HashingEncoder
from scrubjay.types.arrays import VectorArray
from scrubjay.types.units import Unit

PRESETS = ("dense_fts", "polyant", "tempr", "hindsight", "recall5", "default")
NAMES = ("Ana Lund", "Ana", "Bob Karr", "Emden", "Jordan Emden", "Mira", "Will Smith", "Tessa")
DOINGS = ("works for", "is the sister of", "moved from Oslo to", "lives in", "is now called", "met")
REST = ("since May 2025", "until last Friday", "instead of Ben", "as the boat was late", "")
QUESTIONS = (
    "Where does {} live now?", "Who is the sister of {}?", "Why did {} meet {}?",
    "Who worked for {} in May 2025?", "What do {} and {} have in common?", "What was late?",
)  # fmt: skip
NOW = datetime(2026, 4, 15, 12, tzinfo=UTC)
SCOPES: tuple[dict[str, object], ...] = (
    {}, {}, {"tags": ["red"]}, {"session": "a"}, {"as_of": NOW - timedelta(days=60)},
)  # fmt: skip
SEED, ROUNDS = 8, 10
# Sums of 32-bit numbers in another order differ in the last digits.
CLOSE = 1e-6


class Unsure(HashingEncoder):
    """An encoder that is sometimes down."""

    down = False

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        if self.down:
            raise EncoderError("It is down.")
        return super().encode_documents(texts)


class Both:
    """One bank in two stores, told and changed alike."""

    def __init__(self, seed: int, *addresses: str) -> None:
        self.random = random.Random(seed)
        self.addresses = addresses
        self.encoder = Unsure()
        self.clock = FixedClock(NOW)
        self.ids: list[tuple[str, str]] = []
        self.memories = self.opened()

    def opened(self) -> list[Memory]:
        return [
            Memory.open(address, encoder=self.encoder, reranker=None, clock=self.clock)
            for address in self.addresses
        ]

    def close(self) -> None:
        for memory in self.memories:
            memory.close()

    def reopen(self) -> None:
        """Go on in new processes, as it were: nothing of the bank is in memory."""
        self.close()
        self.memories = self.opened()

    def sentence(self) -> str:
        choose = self.random.choice
        return f"{choose(NAMES)} {choose(DOINGS)} {choose(NAMES)} {choose(REST)}".strip() + "."

    def unit(self) -> Unit:
        """Something that was said; often of the same words as others, and so equally alike."""
        words = self.sentence().split()
        if self.random.random() < 0.7:
            self.random.shuffle(words)
        ago = timedelta(days=self.random.randrange(300), minutes=self.random.randrange(999))
        return Unit(
            " ".join(words),
            told_at=NOW - ago,
            entities=tuple(self.random.sample(NAMES, self.random.randrange(1, 4))),
            speaker=self.random.choice((None, *NAMES)),
            session=self.random.choice((None, "a", "b", "c")),
            tags=self.random.choice(((), ("red",))),
            key=self.random.choice((None, f"k{self.random.randrange(300)}")),
        )

    def tell(self, count: int) -> None:
        units = [self.unit() for _ in range(count)]
        told = [memory.retain(units) for memory in self.memories]
        assert told[0].derived == told[1].derived
        self.ids += zip(*(one.new for one in told), strict=True)

    def do(self, change: Callable[[Memory, int], object]) -> None:
        """Change both, or neither."""
        failed = list[str | None]()
        for place, memory in enumerate(self.memories):
            try:
                change(memory, place)
            except ScrubjayError as error:
                failed.append(type(error).__name__)
            else:
                failed.append(None)
        assert failed[0] == failed[1]

    @contextmanager
    def without_encoder(self) -> Iterator[None]:
        self.encoder.down = True
        yield
        self.encoder.down = False

    def change(self) -> None:
        """One of all the ways in which a bank changes."""
        one, other = self.random.sample(self.ids, 2)
        text = self.sentence()
        match self.random.randrange(8):
            case 0 | 1:
                self.do(lambda memory, at: memory.forget(one[at]))
            case 2:
                self.do(lambda memory, at: memory.supersede(one[at], text))
            case 3:
                self.do(lambda memory, at: memory.update(one[at], text=text))
            case 4:
                ends = self.random.sample(NAMES, 2)
                self.do(lambda memory, _: memory.relate(ends[0], "manages", ends[1]))
            case 5:
                self.do(lambda memory, at: memory.link(one[at], other[at], "causes", 0.7))
            case 6:
                with self.without_encoder():
                    self.tell(3)
                self.do(lambda memory, _: memory.doctor(fix=True))
            case _:
                self.reopen()

    def ask(self) -> None:
        name = self.random.choice
        question = name(QUESTIONS).format(name(NAMES), name(NAMES))
        given = self.random.choice(SCOPES)
        for preset in PRESETS:
            first, second = (
                memory.recall(
                    question, preset=preset, limit=100, max_tokens=32_000, deadline_ms=20_000,
                    trace=True, **given,  # type: ignore[arg-type]
                )
                for memory in self.memories
            )  # fmt: skip
            assert_same(first, second)


def assert_same(first: Recall, second: Recall) -> None:
    assert first.items
    said, heard = (
        [
            (item.key, item.text, {name: found.rank for name, found in item.why.retrievers.items()})
            for item in recall.items
        ]
        for recall in (first, second)
    )
    assert heard == said
    scores = [item.score for item in second.items]
    assert scores == pytest.approx([item.score for item in first.items], abs=CLOSE)
    assert (second.widened, second.degraded) == (first.widened, first.degraded)
    assert first.trace is not None and second.trace is not None
    assert second.trace["walked"] == first.trace["walked"]


@pytest.mark.slow
def test_a_bank_that_changes_answers_alike(tmp_path: Path, postgres_url: str) -> None:
    both = Both(SEED, str(tmp_path), saying(postgres_url, "scrubjay_graph_from=0"))
    try:
        both.do(lambda memory, _: memory.configure({"embed_later": True}))
        # So many that a server adds up for those who are named, instead of sending all vectors.
        for _ in range(8):
            both.tell(100)
        both.reopen()
        for _ in range(ROUNDS):
            both.change()
            both.tell(both.random.randrange(1, 4))
            both.ask()
    finally:
        both.close()
