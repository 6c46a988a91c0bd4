"""Fine-tunes the base encoder on the lists, once per seed."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from training import losses
from training.bert import Bert, bert_from
from training.config import Config, TrainingNumbers
from training.encoding import device_name, encode, working_type
from training.lists import NOTHING, Lists, load_arrays
from training.onnx_weights import read_weights
from training.optimizer import MasterWeights, warmed_cosine
from training.progress import say
from training.tokens import prefixes, read_tokenizer

# Where the scale of cosines and the log-odds start: e5's own temperature, and the middle of the
# range its cosines lie in.
SCALE_START = math.log(50.0)
SLOPE_START, MIDDLE_START = 20.0, 0.75
_STEPS_PER_REPORT = 200


class Scales(nn.Module):
    """The few numbers that turn cosines into logits."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(SCALE_START))
        self.slope = nn.Parameter(torch.tensor(SLOPE_START))
        self.middle = nn.Parameter(torch.tensor(MIDDLE_START))

    def logits(self, cosines: Tensor) -> Tensor:
        """Scores whose order is learnt."""
        return self.scale.exp() * cosines

    def odds(self, cosines: Tensor) -> Tensor:
        """Log-odds that a document answers."""
        return self.slope * (cosines - self.middle)


@dataclass(frozen=True, slots=True)
class Picked:
    """One step's lists: questions, their documents and what these should score."""

    rows: Tensor
    units: Tensor
    speakers: Tensor
    targets: Tensor


@dataclass(frozen=True, slots=True)
class Anchors:
    """Questions and units in other languages, with the base encoder's vectors of them."""

    questions: Tensor
    units: Tensor
    question_vectors: Tensor
    unit_vectors: Tensor


class ListSampler:
    """Draws lists: shares of banks and of memories written by rule, the best candidate in all."""

    def __init__(self, lists: Lists, targets: Tensor, numbers: TrainingNumbers) -> None:
        self._lists = lists
        self._targets = targets
        self._documents = numbers.documents
        trained = ~lists.validation
        written = (lists.kinds != NOTHING) & ~lists.banked
        self._paired = (trained & ~written & ~lists.banked).nonzero()[:, 0]
        self._shares = (
            ((trained & written).nonzero()[:, 0], numbers.memory_share),
            ((trained & lists.banked).nonzero()[:, 0], numbers.bank_share),
        )

    def draw(self, count: int, random: torch.Generator) -> Picked:
        """`count` lists."""
        drawn = [_drawn(pool, round(count * share), random) for pool, share in self._shares]
        rest = count - sum(map(len, drawn))
        rows = torch.cat([*drawn, _drawn(self._paired, rest, random)])
        wanted = self._targets[rows]
        order = torch.rand(wanted.shape, generator=random, device=wanted.device)
        order.scatter_(1, wanted.argmax(1, keepdim=True), 2.0)
        columns = order.topk(self._documents, 1).indices
        return Picked(
            rows,
            self._lists.candidates[rows].gather(1, columns),
            self._lists.candidate_speakers[rows].gather(1, columns),
            wanted.gather(1, columns),
        )


def train(config: Config, seed: int) -> Bert:
    """The fine-tuned encoder of one seed, also written to the working directory."""
    device, numbers = device_name(), config.training
    torch.manual_seed(seed)
    random = torch.Generator(device).manual_seed(seed)
    arrays = load_arrays(config.paths.lists)
    lists = Lists(arrays, config.lists, prefixes(read_tokenizer(config.paths.base)), device)
    scores = torch.from_numpy(np.load(config.paths.scores).astype(np.float32)).to(device)
    targets = lists.targets(scores)
    model = bert_from(read_weights(config.paths.base / "model.onnx"), numbers.layers)
    model.to(device, working_type(device))
    anchors = _anchors(model, lists)
    model.word.requires_grad_(False)
    scales = Scales().to(device)
    optimizer = MasterWeights(
        [(model, numbers.rate, numbers.weight_decay), (scales, numbers.scale_rate, 0.0)]
    )
    sampler = ListSampler(lists, targets, numbers)
    started = time.monotonic()
    for step in range(numbers.steps):
        picked = sampler.draw(numbers.lists, random)
        loss = _loss(model, scales, lists, picked, numbers, random)
        if anchors is not None:
            loss = loss + numbers.anchor_weight * _anchor_loss(
                model, lists, anchors, numbers, random
            )
        loss.backward()
        share = warmed_cosine(step, numbers.steps, numbers.warmup_share)
        optimizer.step(share, numbers.gradient_norm_max)
        if (step + 1) % _STEPS_PER_REPORT == 0 or step + 1 == numbers.steps:
            spent = (time.monotonic() - started) / (step + 1)
            say(f"train {seed}: step {step + 1}, loss {loss.item():.3f}, {spent * 1e3:.0f} ms each")
    torch.save(optimizer.state(model), config.paths.weights(f"seed-{seed}"))
    return model


def _loss(
    model: Bert,
    scales: Scales,
    lists: Lists,
    picked: Picked,
    numbers: TrainingNumbers,
    random: torch.Generator,
) -> Tensor:
    questions = encode(model, lists.question_batch(picked.rows))
    units = picked.units.flatten()
    after = torch.rand(len(units), generator=random, device=units.device) < numbers.previous_share
    batch = lists.document_batch(units, picked.speakers.flatten(), after)
    documents = encode(model, batch, numbers.chunks)
    cosines = questions @ documents.T
    count, width = picked.units.shape
    first = torch.arange(count, device=units.device) * width
    own = first[:, None] + torch.arange(width, device=units.device)
    best = first + picked.targets.argmax(1)
    listed = cosines.gather(1, own)
    same = _may_answer_too(lists, picked, best, own)
    strange = (~same).scatter(1, own, False)
    return (
        losses.ranking(scales.logits(listed), picked.targets, numbers.temperature)
        + numbers.contrastive_weight
        * losses.contrastive(
            scales.logits(cosines), best, same, (picked.targets.amax(1) > 0).float()
        )
        + numbers.absolute_weight
        * losses.absolute(scales.odds(listed), picked.targets, scales.odds(cosines[strange]))
    )


def _may_answer_too(lists: Lists, picked: Picked, best: Tensor, own: Tensor) -> Tensor:
    """Documents that are the question's best one again, or tell another list's like fact."""
    units = picked.units.flatten()
    kinds = lists.kinds[picked.rows]
    alike = (kinds[:, None] == kinds[None]) & (kinds != NOTHING)[:, None]
    columns = alike.repeat_interleave(picked.units.shape[1], 1).scatter(1, own, False)
    return columns | (units[None] == units[best][:, None])


def _anchors(model: Bert, lists: Lists) -> Anchors | None:
    # Banks say themselves what belongs together, in whatever language.
    rows = (lists.foreign & ~lists.validation & ~lists.banked).nonzero()[:, 0]
    if not len(rows):
        return None
    units = lists.candidates[rows][lists.labels[rows] > 0].unique()
    with torch.no_grad():
        asked = torch.cat([encode(model, lists.question_batch(r)) for r in rows.split(2_048)])
        told = torch.cat([encode(model, lists.unit_batch(u)) for u in units.split(2_048)])
    say(f"train: {len(rows)} questions and {len(units)} units in other languages are anchors")
    return Anchors(rows, units, asked, told)


def _anchor_loss(
    model: Bert,
    lists: Lists,
    anchors: Anchors,
    numbers: TrainingNumbers,
    random: torch.Generator,
) -> Tensor:
    device = anchors.units.device
    asked, told = (
        torch.randint(len(known), (count,), generator=random, device=device)
        for known, count in (
            (anchors.questions, numbers.anchor_questions),
            (anchors.units, numbers.anchor_units),
        )
    )
    questions = encode(model, lists.question_batch(anchors.questions[asked]))
    units = encode(model, lists.unit_batch(anchors.units[told]))
    before = anchors.question_vectors[asked] @ anchors.unit_vectors[told].T
    return losses.kept_ties(questions @ units.T, before, numbers.anchor_scale)


def _drawn(rows: Tensor, count: int, random: torch.Generator) -> Tensor:
    if not count or not len(rows):
        return rows[:0]
    return rows[torch.randint(len(rows), (count,), generator=random, device=rows.device)]
