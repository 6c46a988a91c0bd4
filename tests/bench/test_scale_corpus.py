"""The clustered corpus is the same every time, and has the shape it promises."""

from __future__ import annotations

import hashlib
from collections import Counter

import numpy as np
from bench.corpus import lexicon
from bench.corpus.clustered import BLOCK_UNITS, NOW, SPAN, TYPES, VERSION, Block, Corpus
from bench.corpus.clustered_questions import QUESTION_KINDS, questions
from bench.corpus.vector_space import DIMENSION, RANDOM_PAIR_COSINE

# Change the corpus, and stores built before are built again: raise VERSION, then this.
DIGESTS = {1: "d271bbcec3ba3aac"}


def digest_of(corpus: Corpus) -> str:
    told = hashlib.blake2b(digest_size=8)
    for unit in corpus.units_from():
        told.update(f"{unit.text}{unit.type}{unit.told_at}{unit.topic}{unit.causes}".encode())
    return told.hexdigest()


def test_the_corpus_of_a_version_never_changes() -> None:
    assert digest_of(Corpus(200)) == DIGESTS[VERSION]


def test_another_seed_makes_other_units() -> None:
    assert digest_of(Corpus(50, seed=2)) != digest_of(Corpus(50))


def test_a_unit_is_the_same_whether_reached_from_the_start_or_not() -> None:
    corpus = Corpus(BLOCK_UNITS + 30)
    late = next(corpus.units_from(BLOCK_UNITS + 12))
    (same,) = [unit for unit in corpus.block(1).units() if unit.number == BLOCK_UNITS + 12]
    assert (late.text, late.told_at, late.names) == (same.text, same.told_at, same.names)
    assert np.array_equal(late.vector, same.vector)


def test_words_follow_a_steep_law_and_texts_have_ten_to_forty() -> None:
    block = Corpus(2_000).block(0)
    assert {10, 40} <= {len(words) for words in block.words} <= set(range(10, 41))
    uses = Counter(word for words in block.words for word in words).most_common()
    assert uses[0][1] > 20 * uses[100][1]
    assert len(lexicon.vocabulary()) == len(set(lexicon.vocabulary())) >= 200_000


def test_a_few_names_are_everywhere_and_most_are_rare() -> None:
    uses = Counter(name for names in Corpus(2_000).block(0).names for name in names)
    assert uses.most_common(1)[0][1] > 10
    assert sum(count == 1 for count in uses.values()) > len(uses) / 2


def test_units_have_four_types_and_span_five_years_in_sessions() -> None:
    units = list(Corpus(400).units_from())
    assert {unit.type for unit in units} == set(TYPES)
    assert units[0].told_at == NOW - SPAN
    assert NOW - units[-1].told_at < SPAN / 300
    assert len({unit.session for unit in units}) == 16
    assert any(unit.causes is not None and unit.causes < unit.number for unit in units)


def test_the_last_unit_of_ten_million_was_told_just_now() -> None:
    assert NOW - SPAN / 1_000_000 < Corpus(10_000_000).told_at(9_999_999) <= NOW


def test_terms_are_what_the_words_and_names_are_found_by() -> None:
    unit = next(unit for unit in Corpus(100).units_from() if unit.names)
    first_word = unit.text.split()[0].lower()
    assert first_word in unit.terms
    assert set(unit.names[0].terms) <= set(unit.terms)
    assert sum(unit.terms.values()) == unit.length


def test_vectors_have_length_one_and_are_nearest_within_their_topic() -> None:
    block = Block(Corpus(2_000), 0, 2_000)
    vectors, topics = block.vectors, block.topics
    assert vectors.shape == (2_000, DIMENSION)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    (common,) = np.bincount(topics).argsort()[-1:]
    own = vectors[topics == common]
    other = vectors[topics != common][:200]
    assert (own @ own.T).mean() > (own @ other.T).mean() + 0.05
    assert abs((other @ other.T).mean() - RANDOM_PAIR_COSINE) < 0.05


def test_questions_are_of_every_kind_and_near_the_unit_they_are_about() -> None:
    corpus = Corpus(600)
    asked = questions(corpus, 60)
    assert Counter(question.kind for question in asked) == dict.fromkeys(QUESTION_KINDS, 10)
    assert [question.text for question in asked] == [q.text for q in questions(corpus, 60)]
    vectors = corpus.block(0).vectors
    nearest = [int(np.argmax(vectors @ question.vector)) for question in asked]
    assert sum(n == q.about for n, q in zip(nearest, asked, strict=True)) > 50


def test_an_identifier_asked_for_is_named_by_some_unit() -> None:
    corpus = Corpus(600)
    named = {name.text for unit in corpus.units_from() for name in unit.names}
    asked = [q.text for q in questions(corpus, 60) if q.kind == "identifier"]
    assert set(asked) <= named
