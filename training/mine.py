"""Mines hard negatives: what the base encoder and shared words take for an answer."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from training.banks import SOURCE as BANKED
from training.bert import Bert, bert_from
from training.config import Config, ListNumbers
from training.corpus import Corpus, Question, load_corpus
from training.encoding import device_name, encode, token_chunks, working_type
from training.lists import NOBODY, NOTHING, ListArrays
from training.memories import SOURCE as WRITTEN
from training.onnx_weights import read_weights
from training.pairs import fraction
from training.people import FIRST_PERSON, SPEAKERS
from training.progress import say
from training.tokens import (
    Batch,
    IdArray,
    framed,
    prefixes,
    read_tokenizer,
    table_of,
    tokenize,
)
from training.words import best_of_all, index_words

VALIDATION_SHARE = 1 / 40
# Hard negatives of a list: (of the neighbours or word matches, from, to, how many).
NEAREST, NEAR, FAR = (0, 4, 4), (4, 50, 8), (50, None, 3)
WORDS_BEST, WORDS_REST = (0, 3, 3), (3, None, 6)
_ROWS_PER_PASS = 65_536
_QUESTIONS_PER_PRODUCT = 512


def mine(config: Config) -> ListArrays:
    """The lists of `config`'s corpus, also written to its working directory."""
    corpus = load_corpus(config.paths.corpus)
    numbers = config.lists
    texts = [unit.text for unit in corpus.units]
    asked = [question.text for question in corpus.questions]
    # Before anything touches the GPU: the workers are forks.
    by_words = best_of_all(index_words(texts), asked, numbers.word_matches, numbers.processes)
    say("mine: words matched")
    tokenizer = read_tokenizer(config.paths.base)
    units = tokenize(tokenizer, texts, numbers.unit_tokens)
    questions = tokenize(tokenizer, asked, numbers.question_tokens)
    say(f"mine: tokenized, {units[1].mean():.1f} a unit, {questions[1].mean():.1f} a question")
    device = device_name()
    model = bert_from(read_weights(config.paths.base / "model.onnx"), config.training.layers)
    model.to(device, working_type(device)).eval()
    own = prefixes(tokenizer)
    unit_vectors = embed_table(model, units, own.document, numbers.batch_tokens)
    question_vectors = embed_table(model, questions, own.question, numbers.batch_tokens)
    by_meaning = neighbours(question_vectors, unit_vectors, numbers.neighbours)
    say("mine: neighbours found")
    candidates, candidate_speakers, labels = _ListBuilder(
        corpus, numbers, random.Random(config.corpus.seed)
    ).build(by_meaning, by_words)
    speakers = tokenize(tokenizer, [f"{name}:" for name in SPEAKERS], numbers.speaker_tokens)
    arrays = ListArrays(
        units=units[0],
        unit_lengths=units[1],
        previous=_previous(corpus),
        speakers=speakers[0],
        speaker_lengths=speakers[1],
        questions=questions[0],
        question_lengths=questions[1],
        candidates=candidates,
        candidate_speakers=candidate_speakers,
        labels=labels,
        worth=np.array([question.label for question in corpus.questions], np.float32),
        trust=np.array([question.trust for question in corpus.questions], np.float32),
        validation=np.array(
            [fraction(question.group) < VALIDATION_SHARE for question in corpus.questions]
        ),
        kinds=_kinds(corpus),
        banked=np.array([_banked(question) for question in corpus.questions]),
        foreign=np.array([question.language != "en" for question in corpus.questions]),
    )
    arrays.save(config.paths.lists)
    say(f"mine: {len(asked)} lists of {numbers.size}, {(arrays.labels > 0).mean():.3f} gold")
    return arrays


def embed_table(
    model: Bert, table: tuple[IdArray, IdArray], prefix: Sequence[int], batch_tokens: int
) -> Tensor:
    """Unit vectors of every row, in half precision, on the model's device."""
    device = str(next(model.parameters()).device)
    rows = table_of(*table, device)
    found = []
    with torch.inference_mode():
        for start in range(0, len(rows.lengths), _ROWS_PER_PASS):
            places = torch.arange(
                start, min(start + _ROWS_PER_PASS, len(rows.lengths)), device=device
            )
            batch: Batch = framed(prefix, [rows[places]])
            found.append(encode(model, batch, token_chunks(batch, batch_tokens)).half())
    return torch.cat(found)


def neighbours(questions: Tensor, units: Tensor, count: int) -> IdArray:
    """The nearest units of each question, nearest first."""
    wide = units.to(working_type(str(units.device).split(":")[0]))
    nearest = [
        (part.to(wide.dtype) @ wide.T).topk(min(count, len(units)), 1).indices.int().cpu()
        for part in questions.split(_QUESTIONS_PER_PRODUCT)
    ]
    found: IdArray = torch.cat(nearest).numpy()
    return found


class _ListBuilder:
    """Draws each question's candidates and who says them."""

    def __init__(self, corpus: Corpus, numbers: ListNumbers, chance: random.Random) -> None:
        self._corpus = corpus
        self._numbers = numbers
        self._chance = chance
        self._speakers = {name: place for place, name in enumerate(SPEAKERS)}

    def build(
        self, by_meaning: IdArray, by_words: Sequence[Sequence[int]]
    ) -> tuple[IdArray, IdArray, npt.NDArray[np.float32]]:
        shape = (len(self._corpus.questions), self._numbers.size)
        candidates = np.zeros(shape, np.int32)
        speakers = np.full(shape, NOBODY, np.int32)
        labels = np.zeros(shape, np.float32)
        for row, question in enumerate(self._corpus.questions):
            chosen = self._choose(question, by_meaning[row].tolist(), by_words[row])
            candidates[row] = chosen
            gold, rejected = set(question.gold), set(question.rejected)
            closed = _written(question) or _banked(question)
            for column, unit in enumerate(chosen):
                is_gold = unit in gold
                # Nothing outside its family or bank answers a question that was written for it.
                is_rejected = unit in rejected or closed
                labels[row, column] = 1 if is_gold else -1 if is_rejected else 0
                speakers[row, column] = self._speaker(question, unit, is_gold)
        return candidates, speakers, labels

    def _choose(
        self, question: Question, meaning: Sequence[int], words: Sequence[int]
    ) -> list[int]:
        numbers, chance = self._numbers, self._chance
        gold = self._sample(question.gold, numbers.gold_max)
        rejected = (
            _hardest(question.rejected, meaning, numbers.bank_rejected_max)
            if _banked(question)
            else self._sample(question.rejected, numbers.rejected_max)
        )
        chosen = dict.fromkeys((*gold, *rejected))
        barred = {*question.gold, *question.rejected, *question.unjudged}
        near = [unit for unit in meaning if self._may_mislead(question, unit, barred)]
        alike = [unit for unit in words if self._may_mislead(question, unit, barred)]
        drawn = [
            unit
            for pool, slices in ((near, (NEAREST, NEAR, FAR)), (alike, (WORDS_BEST, WORDS_REST)))
            for first, last, count in slices
            for unit in self._sample(pool[first:last], count)
        ]
        chance.shuffle(drawn)
        # One place at least is left for a unit nobody would take for an answer.
        chosen |= dict.fromkeys(drawn[: max(0, numbers.size - 1 - len(chosen))])
        while len(chosen) < numbers.size:
            unit = chance.randrange(len(self._corpus.units))
            if self._may_mislead(question, unit, barred):
                chosen.setdefault(unit)
        return list(chosen)[: numbers.size]

    def _sample(self, pool: Sequence[int], count: int) -> list[int]:
        return list(pool) if len(pool) <= count else self._chance.sample(list(pool), count)

    def _may_mislead(self, question: Question, unit: int, barred: set[int]) -> bool:
        # Another family of the same kind may answer a written question just as well.
        source = self._corpus.units[unit].source
        return unit not in barred and not (source.startswith(WRITTEN) and source == question.source)

    def _speaker(self, question: Question, unit: int, is_gold: bool) -> int:
        told = self._corpus.units[unit]
        if told.speaks or question.speaker is None:
            return NOBODY
        if is_gold:
            return self._speakers[question.speaker]
        if question.source not in FIRST_PERSON or told.source in FIRST_PERSON:
            drawn = self._chance.choice((question.speaker, question.other))
        else:
            drawn = self._chance.choice((question.speaker, question.other, None, None))
        return NOBODY if drawn is None else self._speakers[drawn]


def _previous(corpus: Corpus) -> IdArray:
    known = (NOTHING if unit.previous is None else unit.previous for unit in corpus.units)
    return np.fromiter(known, np.int32)


def _kinds(corpus: Corpus) -> IdArray:
    """The kind of fact or the bank each written question asks for; NOTHING for pairs."""
    asked = corpus.questions
    kinds = {one.source for one in asked if _written(one) or _banked(one)}
    numbers = {kind: number for number, kind in enumerate(sorted(kinds))}
    known = (numbers.get(question.source, NOTHING) for question in corpus.questions)
    return np.fromiter(known, np.int32)


def _hardest(units: Sequence[int], meaning: Sequence[int], count: int) -> list[int]:
    """Some of the units, the base encoder's nearest first."""
    places = {unit: place for place, unit in enumerate(meaning)}
    return sorted(units, key=lambda unit: places.get(unit, len(places)))[:count]


def _banked(question: Question) -> bool:
    return question.source.startswith(f"{BANKED}/")


def _written(question: Question) -> bool:
    return question.source.startswith(WRITTEN)
