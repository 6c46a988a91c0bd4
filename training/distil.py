"""Makes an encoder of few layers that gives questions nearly the vectors of the averaged one.

Units stay the averaged encoder's: a bank is written once and asked often, and what a question
costs is mostly its encoding. The averaged encoder can be asked for any text, so there is no lack
of examples: questions, sentences as if they were asked, parts of both, and texts with other words
in them.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from training import losses
from training.average import AVERAGED, load_bert
from training.bert import Bert, cut_layers
from training.config import Config, StudentNumbers
from training.encoding import by_length, device_name, encode, mean_vectors, working_type
from training.lists import Lists, load_arrays
from training.optimizer import MasterWeights, warmed_cosine
from training.progress import say
from training.tokens import Batch, TokenTable, prefixes, read_tokenizer

# How much a vector and the cosines to units weigh beside the tokens' own vectors.
VECTOR_WEIGHT = 10.0
TIES_WEIGHT = 0.5
TIES_SCALE = 40.0
QUESTION_SHARE = 0.6  # the rest are sentences of units, as if they were asked
SENTENCE_TOKENS = 40
CUT_QUESTIONS, CUT_SENTENCES = 0.15, 0.6  # how many of them are cut to a part
SPEAKER_SHARE = 0.1  # of the questions are put by a name
CHANGED_TEXTS, CHANGED_TOKENS = 0.3, 0.12
_FIRST_WORD = 3  # after the first token, "query" and its colon
_SPECIAL_IDS_END = 110
_CHUNKS = 2
_STEPS_PER_REPORT = 500


def student_name(layers: int) -> str:
    """What a student's weights are called."""
    return f"questions-{layers}"


def kept_layers(layers: int, of: int) -> list[int]:
    """Which layers a student starts from: evenly spread, the last among them."""
    return [round((number + 1) * of / layers) - 1 for number in range(layers)]


def distil(config: Config, layers: int) -> Bert:
    """A student of `layers` layers, also written to the working directory."""
    device, numbers = device_name(), config.students
    torch.manual_seed(config.training.seeds[0])
    own = prefixes(read_tokenizer(config.paths.base))
    lists = Lists(load_arrays(config.paths.lists), config.lists, own, device)
    averaged = load_bert(config.paths.weights(AVERAGED))
    student = cut_layers(averaged, kept_layers(layers, len(averaged.layers)))
    averaged.to(device, working_type(device)).eval().requires_grad_(False)
    student.to(device, working_type(device))
    student.word.requires_grad_(False)
    sampler = QuestionSampler(lists, numbers, config.training.seeds[0])
    optimizer = MasterWeights([(student, numbers.rate, config.training.weight_decay)])
    for steps in numbers.rounds:
        for step in range(steps):
            asked, told = sampler.asked(), sampler.told()
            tokens, vectors, wanted = _compared(student, averaged, asked)
            with torch.no_grad():
                units = encode(averaged, told, _CHUNKS)
            apart = (1 - (vectors * wanted).sum(1)).mean()
            ties = losses.kept_ties(vectors @ units.T, wanted @ units.T, TIES_SCALE)
            (VECTOR_WEIGHT * apart + tokens + TIES_WEIGHT * ties).backward()
            share = warmed_cosine(step, steps, config.training.warmup_share)
            optimizer.step(share, config.training.gradient_norm_max)
            if (step + 1) % _STEPS_PER_REPORT == 0 or step + 1 == steps:
                say(f"distil {layers}: step {step + 1}, 1 - cosine {apart.item():.4f}")
    torch.save(optimizer.state(student), config.paths.weights(student_name(layers)))
    return student


class QuestionSampler:
    """Draws what is asked, and units for its cosines to be compared with."""

    def __init__(self, lists: Lists, numbers: StudentNumbers, seed: int) -> None:
        self._lists = lists
        self._numbers = numbers
        self._chance = torch.Generator(lists.device).manual_seed(seed)

    def asked(self) -> Batch:
        """Questions, sentences and parts of them, some with other words in them."""
        lists, count = self._lists, self._numbers.questions
        own = round(QUESTION_SHARE * count)
        questions = self._cut(lists.questions[self._places(lists.questions, own)], CUT_QUESTIONS)
        told = lists.units[self._places(lists.units, count - own)].shortened(SENTENCE_TOKENS)
        texts = _stacked(questions, self._cut(told, CUT_SENTENCES))
        named = self._share(count) < SPEAKER_SHARE
        speakers = lists.speakers[self._places(lists.speakers, count)].only_where(named)
        return self._changed(lists.asked_batch([speakers, texts]))

    def told(self) -> Batch:
        """Units."""
        return self._lists.unit_batch(self._places(self._lists.units, self._numbers.units))

    def _places(self, table: TokenTable, count: int) -> Tensor:
        return torch.randint(
            len(table.lengths), (count,), generator=self._chance, device=self._lists.device
        )

    def _share(self, *shape: int) -> Tensor:
        return torch.rand(*shape, generator=self._chance, device=self._lists.device)

    def _cut(self, table: TokenTable, share: float) -> TokenTable:
        """Some rows without their beginning, at most half, and without their end."""
        rows, width = table.ids.shape
        cut = self._share(rows) < share
        start = torch.where(cut, (self._share(rows) * 0.5 * table.lengths).long(), 0)
        left = table.lengths - start
        left -= torch.where(cut, (self._share(rows) * 0.3 * left).long(), 0)
        places = torch.arange(width, device=start.device)[None] + start[:, None]
        return TokenTable(table.ids.gather(1, places.clamp_max(width - 1)), left.clamp_min(1))

    def _changed(self, batch: Batch) -> Batch:
        """Some texts with some words of others, so that frequent words stay frequent."""
        places = torch.arange(batch.ids.shape[1], device=batch.ids.device)[None]
        inside = (places >= _FIRST_WORD) & (places < (batch.lengths - 1)[:, None])
        some = self._share(len(batch.ids))[:, None] < CHANGED_TEXTS
        chosen = inside & some & (self._share(*batch.ids.shape) < CHANGED_TOKENS)
        words = batch.ids[batch.mask]
        picked = torch.randint(
            len(words), batch.ids.shape, generator=self._chance, device=words.device
        )
        others = words[picked]
        ids = torch.where(chosen & (others > _SPECIAL_IDS_END), others, batch.ids)
        return Batch(ids, batch.lengths, batch.starts)


def _compared(student: Bert, averaged: Bert, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """How far apart tokens are on average, and both encoders' vectors of the texts."""
    apart, given, wanted = [], [], []
    for places in by_length(batch, _CHUNKS):
        rows = batch.rows(places)
        with torch.no_grad():
            theirs = averaged(rows.ids, rows.mask)
        own = student(rows.ids, rows.mask)
        there = rows.mask
        apart.append(1 - F.cosine_similarity(own[there].float(), theirs[there].float(), dim=-1))
        given.append(mean_vectors(own, there))
        wanted.append(mean_vectors(theirs, there))
    return torch.cat(apart).mean(), torch.cat(given), torch.cat(wanted)


def _stacked(first: TokenTable, second: TokenTable) -> TokenTable:
    """The rows of both, one below the other."""
    width = max(first.ids.shape[1], second.ids.shape[1])
    ids = [F.pad(table.ids, (0, width - table.ids.shape[1])) for table in (first, second)]
    return TokenTable(torch.cat(ids), torch.cat([first.lengths, second.lengths]))
