"""Turns a product of full precision into one of bytes, with scales that no input changes.

The scales of activations are constants: a text's vector is the same alone and in any batch. What
one scale for all channels would cost is won back in three ways: channels are first brought nearer
to one size (the weights take over the rest), the range is clipped where that errs least on real
texts, and the rounding error of each weight is made up by the weights that are rounded after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

STEPS = 255  # of an activation
WEIGHT_MAX = 127
# A processor without VNNI adds two neighbouring products in 16 bits: 255 * 128 still fits, so no
# sum is ever cut off and every processor computes the same.
PAIR_MAX = 128
SHARES = (0.0, 0.35, 0.5, 0.65, 0.8)  # of the spread between channels that the weights take over
CLIPS = (1.0, 0.85, 0.7, 0.55, 0.4)
TRIED_ROWS = 1_000
DAMPING = 0.01
BLOCK = 64


@dataclass(frozen=True, slots=True)
class Quantised:
    """`(value - zero) * scale` of bytes times `values` times `scales` is the product."""

    values: npt.NDArray[np.int8]  # inputs x outputs
    scales: npt.NDArray[np.float32]  # one per output
    smoothing: npt.NDArray[np.float32]  # inputs are divided by these first
    scale: np.float32
    zero: np.uint8


@dataclass(frozen=True, slots=True)
class _Range:
    scale: float
    zero: int

    def rounded(self, inputs: Tensor) -> Tensor:
        bytes_ = ((inputs / self.scale).round() + self.zero).clamp(0, STEPS)
        return (bytes_ - self.zero) * self.scale


def quantise(matrix: Tensor, inputs: Tensor, *, smooth: bool = True) -> Quantised:
    """The product with `matrix` (outputs x inputs), fitted to `inputs`, a row per token.

    `smooth` is whether the caller can divide the inputs by something first.
    """
    tried = inputs[:: max(1, len(inputs) // TRIED_ROWS)]
    wanted = tried @ matrix.T
    best: tuple[float, Tensor, _Range] | None = None
    for smoothing in _smoothings(matrix, inputs) if smooth else [torch.ones(matrix.shape[1])]:
        weights = matrix * smoothing
        values, scales = _nearest(weights)
        rounded = (values * scales).T
        for span in _ranges(inputs / smoothing):
            found = span.rounded(tried / smoothing) @ rounded
            error = float((found - wanted).square().sum())
            if best is None or error < best[0]:
                best = error, smoothing, span
    assert best is not None
    _, smoothing, span = best
    values, scales = _compensated(matrix * smoothing, span.rounded(inputs / smoothing))
    return Quantised(
        np.ascontiguousarray(values.T.numpy().astype(np.int8)),
        scales[:, 0].numpy().astype(np.float32),
        smoothing.numpy().astype(np.float32),
        np.float32(span.scale),
        np.uint8(span.zero),
    )


def _smoothings(matrix: Tensor, inputs: Tensor) -> Iterator[Tensor]:
    given = inputs.abs().amax(0).clamp(min=1e-3)
    own = matrix.abs().amax(0).clamp(min=1e-3)
    for share in SHARES:
        if share == 0:
            yield torch.ones(len(given))
            continue
        spread = given**share / own ** (1 - share)
        yield spread / spread.mean()


def _ranges(inputs: Tensor) -> Iterator[_Range]:
    low, high = min(float(inputs.min()), 0.0), max(float(inputs.max()), 0.0)
    for clip in CLIPS:
        scale = max((high - low) * clip / STEPS, 1e-12)
        yield _Range(scale, round(-low * clip / scale))


def _scales(weights: Tensor) -> Tensor:
    """One per output, so that no weight and no two neighbours are too large."""
    sizes = weights.abs()
    pairs = sizes[:, 0::2] + sizes[:, 1::2]
    wanted = torch.maximum(sizes.amax(1) / WEIGHT_MAX, pairs.amax(1) / (PAIR_MAX - 1))
    return wanted.clamp(min=1e-12)[:, None]


def _nearest(weights: Tensor) -> tuple[Tensor, Tensor]:
    scales = _scales(weights)
    return (weights / scales).round(), scales


def _compensated(weights: Tensor, inputs: Tensor) -> tuple[Tensor, Tensor]:
    """Integer weights, column after column, each error made up by the columns that are left.

    That is OBQ with a fixed order, the inputs' loudest channel first (Frantar et al., GPTQ).
    """
    scales = _scales(weights)
    energy = (inputs.T @ inputs).double()
    energy += torch.eye(len(energy)) * energy.diag().mean() * DAMPING
    order = energy.diag().argsort(descending=True)
    left = (weights / scales)[:, order]
    inverse = torch.cholesky_inverse(torch.linalg.cholesky(energy[order][:, order]))
    upper = torch.linalg.cholesky(inverse, upper=True).float()
    values = torch.zeros_like(left)
    for start in range(0, left.shape[1], BLOCK):
        end = min(start + BLOCK, left.shape[1])
        errors = torch.zeros(len(left), end - start)
        for column in range(start, end):
            values[:, column] = left[:, column].round().clamp(-WEIGHT_MAX, WEIGHT_MAX)
            error = (left[:, column] - values[:, column]) / upper[column, column]
            left[:, column:end] -= error[:, None] * upper[column, column:end]
            errors[:, column - start] = error
        left[:, end:] -= errors @ upper[start:end, end:]
    return _within_pairs(values[:, order.argsort()]), scales


def _within_pairs(values: Tensor) -> Tensor:
    """`values` with the larger of two neighbours drawn in where both together are too large."""
    first, second = values[:, 0::2].clone(), values[:, 1::2].clone()
    excess = (first.abs() + second.abs() - PAIR_MAX).clamp(min=0)
    larger = first.abs() >= second.abs()
    first -= first.sign() * torch.where(larger, excess, 0)
    second -= second.sign() * torch.where(larger, 0, excess)
    return torch.stack([first, second], -1).flatten(1)
