from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from bench.corpus import generated

from bench import peer
from scrubjay.errors import BadInput

PEER_LIKE = """
from datetime import datetime, timezone
import numpy as np
NOW = datetime(2030, 1, 1, tzinfo=timezone.utc)
def facts(n):
    for i in range(n):
        yield {"text": f"Mira Holm met number {i}.", "event_date": NOW,
               "entities": [{"text": "Mira Holm", "type": "PERSON"}],
               "fact_type": "world" if i % 2 else "experience"}
def queries(m):
    return [{"kind": "plain", "text": f"whom did Mira meet {i}"} for i in range(m)]
class HashEmbedder:
    def __init__(self, dim): self.dim = dim
    def encode(self, texts):
        return np.eye(len(texts), self.dim, dtype=np.float32)
"""


def test_the_same_seed_gives_the_same_units_and_questions() -> None:
    assert list(generated.units(50)) == list(generated.units(50))
    assert list(generated.units(50)) != list(generated.units(50, seed=9))
    assert generated.questions(12) == generated.questions(12)


def test_texts_do_not_depend_on_how_many_are_asked_for() -> None:
    some = [(unit.key, unit.session) for unit in generated.units(30)]
    more = [(unit.key, unit.session) for unit in islice(generated.units(300), 30)]
    assert some == more


def test_units_have_the_size_the_span_and_the_order_promised() -> None:
    told = list(generated.units(400))
    lengths = [len(unit.text.split()) for unit in told]
    assert min(lengths) >= generated.WORDS_MIN
    assert max(lengths) <= generated.WORDS_MAX + 20, "names and dates take a few words more"
    moments = [unit.told_at for unit in told if unit.told_at is not None]
    assert len(moments) == len(told)
    assert moments == sorted(moments)
    assert (moments[-1] - moments[0]).days >= generated.SPAN_DAYS - 6


def test_words_follow_a_heavy_head_and_a_long_tail() -> None:
    words = Counter(word for unit in generated.units(500) for word in unit.text.lower().split())
    (_, most), *_ = words.most_common(1)
    assert most > 100 * sum(1 for count in words.values() if count == 1) / len(words)
    assert sum(count == 1 for count in words.values()) > len(words) / 3


def test_causes_name_units_told_before() -> None:
    seen: set[str] = set()
    named = 0
    for unit in generated.units(600):
        for cause in unit.causes:
            assert cause.other in seen
            named += 1
        if unit.key is not None:
            seen.add(unit.key)
    assert named > 0


def test_every_kind_of_question_is_asked_in_turn() -> None:
    kinds = [question.kind for question in generated.questions(8)]
    assert tuple(kinds[:4]) == tuple(kinds[4:]) == generated.QUESTION_KINDS


def test_names_are_all_different() -> None:
    assert len(set(generated.names(500))) == 500


def test_a_peer_corpus_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "corpus.py"
    path.write_text(PEER_LIKE, encoding="utf-8")
    corpus = peer.load(path)
    first, second = corpus.units(2)
    assert (first.type, second.type) == ("experience", "fact")
    assert first.entities == ("Mira Holm",)
    assert first.occurred_start == corpus.now
    assert corpus.questions(1)[0].kind == "plain"
    assert corpus.encoder().encode_documents(["a", "b"]).shape == (2, peer.DIMENSION)


def test_a_missing_peer_corpus_says_how_to_give_it(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="--peer-corpus"):
        peer.load(tmp_path / "nowhere.py")
