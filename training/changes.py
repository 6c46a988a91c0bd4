"""Pairs of memories of which the later may change the earlier, and who learns to tell.

What a change is said in shares few words with what it changes ("hid it in the birdhouse"), so that
both have to be read together. A cross-encoder learns it from banks, whose questions for what holds,
and what held before, say what took the place of what; a reader of few layers, on the words of the
encoder it is shipped with, then learns its judgement of many more pairs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from training.average import AVERAGED, load_bert
from training.banks import BANKS
from training.bert import WIDTH, Bert, CrossEncoder, cross_encoder_from, cut_layers
from training.config import ChangeNumbers, Config
from training.corpus import load_corpus
from training.distil import kept_layers
from training.embedders import WeightsEmbedder
from training.encoding import by_length, device_name, token_chunks, working_type
from training.measured import embedded_text
from training.onnx_weights import read_weights
from training.optimizer import MasterWeights, warmed_cosine
from training.progress import say
from training.tokens import (
    FIRST,
    SEPARATOR,
    Batch,
    TokenTable,
    framed,
    read_tokenizer,
    repeated,
    table_of,
    tokenize,
)

TOKENS_MAX = 96  # of each of the two
MAY_BE = 0.2  # how likely a pair is that counts as one that may be a change
# Questions whose evidence took the place of what is called stale, and the other way round.
_NOW, _BEFORE = "update", "before"
_STEPS_PER_REPORT = 100

Record = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts of one bank, the older first; `changes` is None where nobody said."""

    older: str
    newer: str
    changes: bool | None


class ChangeReader(nn.Module):
    """One logit for older and newer text, read as one."""

    def __init__(self, body: Bert) -> None:
        super().__init__()
        self.body = body
        self.classify = nn.Linear(WIDTH, 1)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """One logit per row, of the mean of its tokens."""
        layer = self.body(ids, mask)
        mean = (layer * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        logits: Tensor = self.classify(mean)[:, 0]
        return logits


class PairTable:
    """Pairs as tokens on a device."""

    def __init__(self, pairs: Sequence[Pair], config: Config, device: str) -> None:
        tokenizer = read_tokenizer(config.paths.base)
        self._device = device
        self._older, self._newer = (
            table_of(*tokenize(tokenizer, texts, TOKENS_MAX), device)
            for texts in ([pair.older for pair in pairs], [pair.newer for pair in pairs])
        )

    def batch(self, rows: Tensor) -> Batch:
        """Pairs as a cross-encoder reads them; the second text is marked."""
        between: TokenTable = repeated([SEPARATOR], len(rows), self._device)
        parts = [self._older[rows], between, self._newer[rows]]
        return framed([FIRST], parts, marked=3)


def reader_name(layers: int) -> str:
    """What the weights of a reader are called."""
    return f"changes-{layers}"


def train_readers(config: Config, layers: Sequence[int]) -> None:
    """Readers of so many layers each, written to the working directory."""
    numbers, device = config.changes, device_name()
    averaged = load_bert(config.paths.weights(AVERAGED))
    told = bank_pairs(BANKS, config)
    pairs = [*told, *_others(config, numbers)]
    say(f"changes: {sum(pair.changes is True for pair in told)} of {len(told)} pairs of banks, "
        f"{len(pairs) - len(told)} others")  # fmt: skip
    table = PairTable(pairs, config, device)
    labels = torch.tensor([pair.changes is True for pair in told], device=device)
    judged = torch.zeros(len(pairs), device=device)
    for seed in config.training.seeds:
        teacher = _teacher(config, seed, table, labels)
        judged += judge(teacher, table, len(pairs), config.lists.batch_tokens)
    for count in layers:
        reader = _distilled(config, averaged, count, table, judged / len(config.training.seeds))
        torch.save(reader.state_dict(), config.paths.weights(reader_name(count)))


def load_reader(path: Path) -> ChangeReader:
    """A reader from a weight file, however many layers it has."""
    state = torch.load(path, map_location="cpu", weights_only=True)
    layers = 1 + max(int(key.split(".")[2]) for key in state if key.startswith("body.layers."))
    reader = ChangeReader(Bert(layers))
    reader.load_state_dict(state)
    return reader.eval()


def bank_pairs(directory: Path, config: Config) -> list[Pair]:
    """Each unit with those of its bank told before it that are most like it, and all changes."""
    embedder = WeightsEmbedder(
        load_bert(config.paths.weights(AVERAGED)).to(device_name()).eval(),
        read_tokenizer(config.paths.base),
        config.lists.batch_tokens,
    )
    units = sorted(_lines(directory, "units"), key=_told)
    banks = sorted({str(unit["bank_id"]) for unit in units})[: config.changes.banks]
    units = [unit for unit in units if unit["bank_id"] in banks]
    texts = {str(unit["unit_id"]): embedded_text(unit) for unit in units}
    changed, unclear = _said_to_change(directory, {name: n for n, name in enumerate(texts)})
    vectors = embedder.documents([*texts.values()])
    by_bank: dict[str, list[str]] = {}
    place = {name: number for number, name in enumerate(texts)}
    wanted = dict.fromkeys(changed)
    for unit in units:
        name, before = str(unit["unit_id"]), by_bank.setdefault(str(unit["bank_id"]), [])
        likeness = vectors[[place[each] for each in before]] @ vectors[place[name]]
        nearest = np.argsort(-likeness)[: config.changes.nearest]
        wanted |= dict.fromkeys((before[n], name) for n in nearest.tolist())
        before.append(name)
    return [
        Pair(texts[older], texts[newer], (older, newer) in changed)
        for older, newer in wanted
        if (older, newer) not in unclear
    ]


def _said_to_change(
    directory: Path, places: Mapping[str, int]
) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Pairs of which the newer took the place of the older, and those that only may have."""
    changed, unclear = set[tuple[str, str]](), set[tuple[str, str]]()
    for asked in _lines(directory, "queries"):
        gold, stale = (
            [name for name in _names(asked, key) if name in places]
            for key in ("gold_unit_ids", "stale_unit_ids")
        )
        olds, news = (stale, gold) if asked["category"] == _NOW else (gold, stale)
        if asked["category"] in (_NOW, _BEFORE):
            changed |= {(o, n) for o in olds for n in news if places[o] < places[n]}
            # The steps of one change, or what is told beside it.
            unclear |= {(o, n) for o in gold for n in gold if places[o] < places[n]}
    return changed, unclear - changed


def _others(config: Config, numbers: ChangeNumbers) -> Iterator[Pair]:
    """Texts beside each other in the rest of the corpus, for the reader to see other styles."""
    units = load_corpus(config.paths.corpus).units
    step = max(1, len(units) // max(1, numbers.others))
    for number in range(numbers.distance, len(units), step):
        older, newer = units[number - 1 - number % numbers.distance], units[number]
        if older.source == newer.source:
            yield Pair(older.text, newer.text, None)


def _teacher(config: Config, seed: int, table: PairTable, labels: Tensor) -> CrossEncoder:
    """A cross-encoder that was shown what changes what, each change beside what does not."""
    numbers, device = config.changes, device_name()
    torch.manual_seed(seed)
    chance = torch.Generator(device).manual_seed(seed)
    weights = read_weights(config.paths.teacher / "model.onnx")
    teacher = cross_encoder_from(weights, config.training.layers)
    nn.init.normal_(teacher.classify.weight, std=0.02)
    nn.init.zeros_(teacher.classify.bias)
    teacher.to(device, working_type(device))
    teacher.body.word.requires_grad_(False)
    optimizer = MasterWeights([(teacher, config.training.rate, config.training.weight_decay)])
    changing, others = labels.nonzero()[:, 0], (~labels).nonzero()[:, 0]
    share = round(numbers.pairs / (1 + numbers.others_per_change))
    for step in range(numbers.steps):
        rows = torch.cat([
            _drawn(changing, share, chance), _drawn(others, numbers.pairs - share, chance)
        ])  # fmt: skip
        batch = table.batch(rows)
        logits = teacher(batch.ids, batch.mask, _kinds(batch)).float()
        loss = F.binary_cross_entropy_with_logits(logits, labels[rows].float())
        loss.backward()
        optimizer.step(
            warmed_cosine(step, numbers.steps, config.training.warmup_share),
            config.training.gradient_norm_max,
        )
        if (step + 1) % _STEPS_PER_REPORT == 0 or step + 1 == numbers.steps:
            say(f"changes: teacher {seed}, step {step + 1}, loss {loss.item():.3f}")
    return teacher.eval()


def judge(model: nn.Module, table: PairTable, count: int, batch_tokens: int) -> Tensor:
    """One logit per pair."""
    device = str(next(model.parameters()).device)
    logits = torch.zeros(count, device=device)
    with torch.inference_mode():
        for rows in torch.arange(count, device=device).split(8_192):
            batch = table.batch(rows)
            for places in by_length(batch, token_chunks(batch, batch_tokens)):
                part = batch.rows(places)
                given = (part.ids, part.mask)
                if isinstance(model, CrossEncoder):
                    found = model(*given, _kinds(part))
                else:
                    found = model(*given)
                logits[rows[places]] = found.float()
    return logits


def _distilled(
    config: Config, averaged: Bert, layers: int, table: PairTable, judged: Tensor
) -> ChangeReader:
    numbers, device = config.changes, device_name()
    chance = torch.Generator(device).manual_seed(config.training.seeds[0])
    torch.manual_seed(config.training.seeds[0])
    reader = ChangeReader(cut_layers(averaged, kept_layers(layers, len(averaged.layers))))
    reader.to(device, working_type(device))
    reader.body.word.requires_grad_(False)
    optimizer = MasterWeights([(reader, numbers.reader_rate, config.training.weight_decay)])
    wanted = torch.sigmoid(judged)
    # Most pairs are no change, and soon learnt: those that may be one are shown as often.
    may_be = wanted > MAY_BE
    likely, unlikely = may_be.nonzero()[:, 0], (~may_be).nonzero()[:, 0]
    for step in range(numbers.reader_steps):
        half = numbers.reader_pairs // 2
        rows = torch.cat([_drawn(likely, half, chance), _drawn(unlikely, half, chance)])
        batch = table.batch(rows)
        logits = reader(batch.ids, batch.mask).float()
        loss = F.binary_cross_entropy_with_logits(logits, wanted[rows])
        loss.backward()
        optimizer.step(
            warmed_cosine(step, numbers.reader_steps, config.training.warmup_share),
            config.training.gradient_norm_max,
        )
        if (step + 1) % _STEPS_PER_REPORT == 0 or step + 1 == numbers.reader_steps:
            say(f"changes: reader {layers}, step {step + 1}, loss {loss.item():.3f}")
    reader.float().load_state_dict(optimizer.state(reader))
    return reader.eval()


def _kinds(batch: Batch) -> Tensor:
    columns = torch.arange(batch.ids.shape[1], device=batch.ids.device)
    return (columns[None] >= batch.starts[:, None]).long()


def _drawn(rows: Tensor, count: int, chance: torch.Generator) -> Tensor:
    if not len(rows):
        return rows
    return rows[torch.randint(len(rows), (count,), generator=chance, device=rows.device)]


def _told(unit: Record) -> tuple[str, str, int]:
    return str(unit["bank_id"]), str(unit["date"]), int(str(unit["index"]))


def _names(record: Record, key: str) -> list[str]:
    given = record[key]
    assert isinstance(given, list)
    return [str(each) for each in given]


def _lines(directory: Path, name: str) -> Iterator[Record]:
    with (directory / f"{name}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
