"""The command line: every step by itself, or `all` of them in order."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from training.config import Config, read_config

# Imported by the step that needs it: the data steps run without torch.


def _prepare(config: Config, _: Sequence[str]) -> None:
    from training.prepare import prepare

    prepare(config)


def _mine(config: Config, _: Sequence[str]) -> None:
    from training.mine import mine

    mine(config)


def _teach(config: Config, _: Sequence[str]) -> None:
    from training.teach import teach

    teach(config)


def _train(config: Config, seeds: Sequence[str]) -> None:
    from training.train import train

    for seed in [int(seed) for seed in seeds] or config.training.seeds:
        train(config, seed)


def _average(config: Config, _: Sequence[str]) -> None:
    from training.average import average

    average(config)


def _head(config: Config, _: Sequence[str]) -> None:
    from training.head import train_head

    train_head(config)


def _distil(config: Config, layers: Sequence[str]) -> None:
    from training.distil import distil

    for count in [int(layer) for layer in layers] or config.students.layers:
        distil(config, count)


def _export(config: Config, names: Sequence[str]) -> None:
    from training.export import export

    for name in names or _made(config):
        export(config, name)


def _evaluate(config: Config, names: Sequence[str]) -> None:
    from training.average import AVERAGED
    from training.evaluate import BASE, INT8, evaluate

    seeds = [f"seed-{seed}" for seed in config.training.seeds]
    evaluate(config, names or [BASE, *seeds, *_made(config), f"{AVERAGED}{INT8}"])


def _card(config: Config, _: Sequence[str]) -> None:
    from training.card import write_card

    write_card(config)


STEPS: dict[str, Callable[[Config, Sequence[str]], None]] = {
    "prepare": _prepare,
    "mine": _mine,
    "teach": _teach,
    "train": _train,
    "average": _average,
    "head": _head,
    "distil": _distil,
    "export": _export,
    "evaluate": _evaluate,
    "card": _card,
}


def _made(config: Config) -> list[str]:
    from training.average import AVERAGED
    from training.distil import student_name

    return [AVERAGED, *(student_name(layers) for layers in config.students.layers)]


def main(arguments: Sequence[str]) -> int:
    """Run the steps named, in the order given."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("step", choices=[*STEPS, "all"])
    parser.add_argument("names", nargs="*", help="seeds, layers or weights; default: all")
    parser.add_argument("--config", type=Path, required=True, help="a TOML file in configs/")
    given = parser.parse_args(arguments)
    config = read_config(given.config)
    config.paths.work.mkdir(parents=True, exist_ok=True)
    for step in STEPS if given.step == "all" else [given.step]:
        STEPS[step](config, given.names)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
