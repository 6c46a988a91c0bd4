"""AdamW on full-precision copies of weights that are used in half precision."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn

BETAS = (0.9, 0.98)


def warmed_cosine(step: int, steps: int, warmup_share: float) -> float:
    """The share of the learning rate at `step`: up in a line, down in half a cosine."""
    warmed = min(1.0, (step + 1) / max(1.0, warmup_share * steps))
    return warmed * (0.5 + 0.5 * math.cos(math.pi * step / steps))


class MasterWeights:
    """Steps small enough to vanish in bfloat16 add up in float32.

    `groups` are modules with their learning rate and weight decay; parameters without gradients
    are left alone.
    """

    def __init__(self, groups: Sequence[tuple[nn.Module, float, float]]) -> None:
        self._used: list[Tensor] = []
        self._masters: list[Tensor] = []
        self._rates = [rate for _, rate, _ in groups]
        settings = []
        for module, rate, decay in groups:
            used = [p for p in module.parameters() if p.requires_grad]
            masters = [p.detach().float().clone() for p in used]
            self._used += used
            self._masters += masters
            settings.append({"params": masters, "lr": rate, "weight_decay": decay})
        self._adam = torch.optim.AdamW(settings, betas=BETAS)

    def step(self, rate_share: float, norm_max: float) -> None:
        """One step along the gradients, which are then cleared."""
        for group, rate in zip(self._adam.param_groups, self._rates, strict=True):
            group["lr"] = rate * rate_share
        for used, master in zip(self._used, self._masters, strict=True):
            master.grad = None if used.grad is None else used.grad.float()
            used.grad = None
        nn.utils.clip_grad_norm_(self._masters, norm_max)
        self._adam.step()
        with torch.no_grad():
            for used, master in zip(self._used, self._masters, strict=True):
                used.copy_(master)

    def state(self, module: nn.Module) -> dict[str, Tensor]:
        """The module's weights, those that were trained in full precision."""
        masters = {id(u): m for u, m in zip(self._used, self._masters, strict=True)}
        return {
            name: masters.get(id(value), value).detach().float().cpu()
            for name, value in module.named_parameters()
        }
