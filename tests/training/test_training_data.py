"""Training reads texts the size and shape of memories, and questions that can be answered."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from training.banks import BANKS, read_banks
from training.config import Config, read_config
from training.corpus import Corpus, Question, Unit, load_corpus
from training.memories import SOURCE, MemoryWriter, fields_of, read_kinds
from training.near_misses import near_misses, without_shared_words
from training.pairs import Pair, PairCutter, read_pairs
from training.prepare import prepare
from training.words import content_words, index_words

ROOT = Path(__file__).parents[2]
CONFIGS = sorted((ROOT / "training" / "configs").glob("*.toml"))


def written(count: int, seed: int = 3) -> tuple[list[Unit], list[Question]]:
    writer = MemoryWriter(read_kinds(), ["Halmstad"], random.Random(seed))
    return writer.write(count, first_unit=0)


def pair(question: str, passage: str, source: str = "boolq", *, relevant: bool = True) -> Pair:
    return Pair(source, "MIT", "g", question, passage, relevant)


def test_a_written_question_has_an_answer_and_something_to_mistake_it_for() -> None:
    units, questions = written(300)
    for question in questions:
        assert question.gold
        assert question.rejected
        assert not set(question.gold) & set(question.rejected)
        assert max(*question.gold, *question.rejected) < len(units)


def test_the_same_seed_writes_the_same_memories() -> None:
    assert written(50) == written(50)
    assert written(50) != written(50, seed=4)


def test_every_language_keeps_its_share() -> None:
    _, questions = written(2_000)
    shares = Counter(question.language for question in questions)
    assert set(shares) == {"en", "de", "es", "fr", "zh"}
    assert all(shares[language] > 150 for language in ("de", "es", "fr", "zh"))


def test_the_teacher_is_not_trusted_with_what_it_cannot_read() -> None:
    _, questions = written(500)
    assert all((question.trust == 0) == (question.language != "en") for question in questions)


def test_a_question_asked_otherwise_shares_no_word_that_is_not_a_slot() -> None:
    for kind in read_kinds():
        phrases = kind.phrases["en"]
        blank = {slot: ["", "", ""] for slot in kind.rules}
        person = dict.fromkeys(("who", "whose", "whom", "do", "be", "have"), "")
        for template in phrases.otherwise:
            asked = content_words(template.format(**blank, **person))
            for said in phrases.says:
                shared = asked & content_words(said.format(**blank, **person))
                assert not shared, f"{kind.name}: {template!r} and {said!r} share {shared}"


def test_a_card_is_asked_for_without_the_words_it_is_told_in() -> None:
    cards = [kind.rules["x"] for kind in read_kinds() if kind.name.startswith("card_")]
    rows = [row for rule in cards if not isinstance(rule, str) for row in rule["en"]]
    assert rows
    for told, _, otherwise in (row.split("|") for row in rows):
        shared = content_words(told) & content_words(otherwise)
        assert not shared, f"{told!r} and {otherwise!r} share {shared}"


def test_every_phrase_fills_slots_that_its_kind_has() -> None:
    person = {"who", "whose", "whom", "do", "be", "have"}
    for kind in read_kinds():
        for phrases in kind.phrases.values():
            for template in (*phrases.says, *phrases.asks, *phrases.otherwise, *phrases.changed):
                assert fields_of(template) <= set(kind.rules) | person, template


def test_a_passage_is_cut_once_and_remembers_what_came_before() -> None:
    cutter = PairCutter(random.Random(0))
    passage = "The harbour froze in January. No ship could leave. The ice broke in March."
    cutter.add(pair("When did the ice break?", passage))
    cutter.add(pair("When did the harbour freeze?", passage))
    assert " ".join(unit.text for unit in cutter.units) == passage
    assert [unit.previous for unit in cutter.units] == [None, *range(len(cutter.units) - 1)]
    assert [question.gold for question in cutter.questions()] == [
        tuple(range(len(cutter.units)))
    ] * 2


def test_the_writer_of_a_review_gets_the_name_that_the_question_asks_for() -> None:
    cutter = PairCutter(random.Random(1))
    source = "squadshifts_amazon_reviews"
    for number in range(20):
        review = f"I bought lamp {number}. I like its light."
        cutter.add(pair("What does the author like?", review, source))
    named = [question for question in cutter.questions() if question.speaker is not None]
    assert named
    assert all(str(question.speaker) in question.text for question in named)


def test_a_near_miss_differs_in_what_the_question_asks_about() -> None:
    units = [Unit("In May the ferry to Bergen sank.", "boolq")]
    questions = [
        Question("When did the ferry to Bergen sink?", "boolq", "a", (0,)),
        Question("When did the train to Lisbon stop?", "boolq", "b", (0,)),
    ]
    added, changed = near_misses(units, questions, 1.0, random.Random(2))
    assert [unit.text for unit in added] in (["In May the ferry to Lisbon sank."], [])
    assert [question.rejected for question in changed] == [(1,) if added else (), ()]


def test_answers_that_share_no_word_are_worth_less_than_a_label() -> None:
    units = [Unit("The roof leaked.", "boolq"), Unit("Water came in.", "boolq")]
    question = Question("Why did the roof leak?", "boolq", "a", (0, 1))
    kept = without_shared_words([question], units, 1.0, random.Random(0))[0]
    assert kept.gold == (1,)
    assert kept.label < question.label


def test_a_rare_word_finds_its_unit_first() -> None:
    texts = ["the goat ate the hat", "the goat slept", "the goat ran", "a quokka and a goat"]
    assert index_words(texts).best("Where was the quokka, where the goat?", 2)[0] == 3


def test_all_of_a_bank_that_does_not_answer_is_rejected_save_what_only_time_tells_apart() -> None:
    units, questions = read_banks(BANKS, first_unit=10)
    lines = (BANKS / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    asked = [row for row in rows if row["gold_unit_ids"]]
    assert [question.text for question in questions] == [row["question"] for row in asked]
    for question, row in zip(questions, asked, strict=True):
        bank = {n for n, unit in enumerate(units, 10) if unit.source == question.source}
        parts = [question.gold, question.rejected, question.unjudged]
        assert set().union(*parts) == bank
        assert sum(map(len, parts)) == len(bank)
        by_time = row["category"] in {"update", "before"}
        assert len(question.unjudged) == (len(row["stale_unit_ids"]) if by_time else 0)


def test_a_turn_of_a_bank_is_read_after_the_one_before_it_and_no_note_is() -> None:
    units, _ = read_banks(BANKS, first_unit=0)
    follows = [unit.previous for unit in units if unit.previous is not None]
    assert follows
    assert all(
        units[unit.previous].source == unit.source for unit in units if unit.previous is not None
    )


def test_a_corpus_survives_being_written(tmp_path: Path) -> None:
    units, questions = written(20)
    corpus = Corpus(tuple(units), tuple(questions))
    corpus.save(tmp_path / "corpus.jsonl.gz")
    assert load_corpus(tmp_path / "corpus.jsonl.gz") == corpus


def test_preparing_needs_no_torch(tmp_path: Path) -> None:
    config = tiny(tmp_path)
    corpus = prepare(config)
    assert corpus == load_corpus(config.paths.corpus)
    sources = {question.source.partition("/")[0] for question in corpus.questions}
    assert {SOURCE, "friendsqa", "qmsum_train"} <= sources
    assert len(list(read_pairs(config.paths.pairs, 5))) == 5


def tiny(work: Path) -> Config:
    config = read_config(ROOT / "training" / "configs" / "tiny.toml")
    paths = replace(config.paths, work=work, pairs=ROOT / config.paths.pairs)
    return replace(config, paths=paths)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_every_configuration_is_read(path: Path) -> None:
    config = read_config(path)
    assert config.training.documents <= config.lists.size


def test_an_unknown_number_is_refused_by_name(tmp_path: Path) -> None:
    text = CONFIGS[0].read_text(encoding="utf-8") + "\n[head]\nstpes = 5\n"
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="stpes"):
        read_config(wrong)
