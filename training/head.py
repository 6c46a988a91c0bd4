"""Trains the projection to token vectors and the question tokens' weights, on a fixed body."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from tokenizers import Tokenizer
from torch import Tensor, nn

from training import losses
from training.average import AVERAGED, load_bert
from training.bert import VOCABULARY, WIDTH, Bert
from training.config import Config
from training.encoding import device_name, working_type
from training.lists import Lists, load_arrays
from training.optimizer import MasterWeights, warmed_cosine
from training.progress import say
from training.tokens import Batch, prefixes, read_tokenizer
from training.train import ListSampler

# softplus of it is 1: every question token begins with the same say.
WEIGHT_START = 0.5413
SHARPNESS_START = 3.0
SAMPLE_UNITS = 2_000
_LATIN_END = 0x250
_STEPS_PER_REPORT = 100


class TokenHead(nn.Module):
    """Token vectors of few numbers, compared by the best match of each question token."""

    def __init__(self, dimension: int) -> None:
        super().__init__()
        self.project = nn.Linear(WIDTH, dimension, bias=False)
        self.weigh = nn.Linear(WIDTH, 1)
        self.sharpness = nn.Parameter(torch.tensor(SHARPNESS_START))
        nn.init.zeros_(self.weigh.weight)
        nn.init.constant_(self.weigh.bias, WEIGHT_START)

    def vectors(self, layer: Tensor) -> Tensor:
        """Token vectors of length 1."""
        return F.normalize(self.project(layer), dim=-1)

    def weights(self, layer: Tensor) -> Tensor:
        """How much each question token counts, above 0."""
        return F.softplus(self.weigh(layer))[..., 0]

    def save(self, path: Path) -> None:
        """Write the numbers a search needs."""
        arrays = {name: value.detach().cpu().numpy() for name, value in self.state_dict().items()}
        np.savez(path, **{name.replace(".", "_"): array for name, array in arrays.items()})


def best_matches(questions: Tensor, weights: Tensor, documents: Tensor, kept: Tensor) -> Tensor:
    """The weighted sum of each question token's best match, for each document of its list.

    questions (lists, tokens, d), documents (lists, documents, tokens, d), kept like documents.
    """
    lists, count, tokens, width = documents.shape
    flat = documents.reshape(lists, count * tokens, width)
    found = torch.bmm(questions, flat.transpose(1, 2)).view(lists, -1, count, tokens)
    best = found.masked_fill(~kept[:, None], -1.0).amax(-1)
    return (best * weights[..., None]).sum(1)


def train_head(config: Config) -> TokenHead:
    """The head for the averaged encoder, also written to the working directory."""
    device, numbers = device_name(), config.head
    seed = config.training.seeds[0]
    torch.manual_seed(seed)
    random = torch.Generator(device).manual_seed(seed)
    tokenizer = read_tokenizer(config.paths.base)
    lists = Lists(load_arrays(config.paths.lists), config.lists, prefixes(tokenizer), device)
    scores = torch.from_numpy(np.load(config.paths.scores).astype(np.float32)).to(device)
    body = load_bert(config.paths.weights(AVERAGED)).to(device, working_type(device)).eval()
    body.requires_grad_(False)
    head = TokenHead(numbers.dimension).to(device)
    silent = silent_tokens(tokenizer).to(device)
    _start_at_main_directions(head, body, lists, random)
    sampler = ListSampler(lists, lists.targets(scores), config.training)
    optimizer = MasterWeights([(head, numbers.rate, 0.0)])
    for step in range(numbers.steps):
        picked = sampler.draw(numbers.lists, random)
        units = picked.units.flatten()
        after = torch.rand(len(units), generator=random, device=device)
        batch = lists.document_batch(
            units, picked.speakers.flatten(), after < config.training.previous_share
        )
        asked = lists.question_batch(picked.rows)
        questions, weights = question_tokens(head, body, asked)
        documents, kept = document_tokens(head, body, batch, silent)
        shape = picked.units.shape
        found = best_matches(
            questions, weights, documents.unflatten(0, shape), kept.unflatten(0, shape)
        )
        loss = losses.ranking(head.sharpness * found, picked.targets, config.training.temperature)
        loss.backward()
        share = warmed_cosine(step, numbers.steps, config.training.warmup_share)
        optimizer.step(share, config.training.gradient_norm_max)
        if (step + 1) % _STEPS_PER_REPORT == 0 or step + 1 == numbers.steps:
            say(f"head: step {step + 1}, loss {loss.item():.3f}")
    head.save(config.paths.work / "head.npz")
    return head


def question_tokens(head: TokenHead, body: Bert, batch: Batch) -> tuple[Tensor, Tensor]:
    """Vectors and weights of the question's tokens; prefix and filling weigh nothing."""
    with torch.no_grad():
        layer = body(batch.ids, batch.mask).float()
    counted = batch.mask.clone()
    counted[:, 1:3] = False  # "query" and its colon
    return head.vectors(layer), head.weights(layer) * counted


def document_tokens(
    head: TokenHead, body: Bert, batch: Batch, silent: Tensor
) -> tuple[Tensor, Tensor]:
    """Vectors of the document's tokens, and which of them are kept."""
    with torch.no_grad():
        layer = body(batch.ids, batch.mask).float()
    places = torch.arange(batch.ids.shape[1], device=batch.ids.device)[None]
    inside = (places >= batch.starts[:, None]) & (places < (batch.lengths - 1)[:, None])
    return head.vectors(layer), inside & ~silent[batch.ids]


def silent_tokens(tokenizer: Tokenizer) -> Tensor:
    """Which tokens are punctuation only; they are not stored."""
    silent = torch.zeros(VOCABULARY, dtype=torch.bool)
    for word, place in tokenizer.get_vocab().items():
        bare = word.removeprefix("##")
        silent[place] = not re.search(r"[A-Za-z0-9]", bare) and ord(word[0]) < _LATIN_END
    return silent


def _start_at_main_directions(
    head: TokenHead, body: Bert, lists: Lists, random: torch.Generator
) -> None:
    known = len(lists.units.lengths)
    units = torch.randint(known, (min(SAMPLE_UNITS, known),), generator=random, device=lists.device)
    batch = lists.unit_batch(units)
    with torch.no_grad():
        tokens = body(batch.ids, batch.mask).float()[batch.mask]
        centred = tokens - tokens.mean(0)
        directions = torch.linalg.eigh(centred.T @ centred).eigenvectors.flip(1)
        head.project.weight.copy_(directions[:, : head.project.out_features].T)
