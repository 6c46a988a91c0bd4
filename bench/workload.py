"""What a speed benchmark runs on: a corpus, its encoder and questions, and banks built once."""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path

from bench import machine, peer
from bench.corpus import generated
from bench.corpus.generated import Question
from scrubjay.encoder.base import Encoder
from scrubjay.encoder.opening import open_encoder
from scrubjay.memory import Memory
from scrubjay.store.shared.statements import read_sql
from scrubjay.types.units import Unit

PEER_CORPUS = machine.ROOT.parent / "shared" / "bench" / "bench_corpus.py"
BATCH_UNITS = 100


@dataclass(frozen=True, slots=True)
class Workload:
    """A corpus to fill banks with and to ask about."""

    name: str
    now: datetime
    units: Callable[[int], Iterator[Unit]]
    questions: Callable[[int], list[Question]]
    encoder: Encoder

    def open(self, path: Path) -> Memory:
        """A store with this workload's encoder and clock, and no reranker."""
        return Memory.open(path, encoder=self.encoder, reranker=None, clock=lambda: self.now)


def add_workload_options(parser: argparse.ArgumentParser) -> None:
    """Let a benchmark be told its corpus, its encoder and where to keep banks."""
    parser.add_argument("--corpus", choices=("own", "peer"), default="own", help="what to tell")
    parser.add_argument(
        "--encoder", default="hash", help="of the own corpus; the peer's brings its own"
    )
    parser.add_argument(
        "--peer-corpus", type=Path, default=PEER_CORPUS, metavar="FILE", help="the peer's corpus"
    )
    parser.add_argument(
        "--stores",
        type=Path,
        default=Path(tempfile.gettempdir()) / "scrubjay-bench",
        metavar="DIRECTORY",
        help="where banks are kept between runs",
    )


def workload_of(options: argparse.Namespace) -> Workload:
    """The workload the options choose."""
    if options.corpus == "peer":
        corpus = peer.load(options.peer_corpus)
        return Workload("peer", corpus.now, corpus.units, corpus.questions, corpus.encoder())
    encoder = open_encoder(options.encoder)
    return Workload("own", generated.NOW, generated.units, generated.questions, encoder)


def batches(units: Iterator[Unit], size: int) -> Iterator[list[Unit]]:
    """The units in lists of `size`, the last one shorter."""
    while batch := list(islice(units, size)):
        yield batch


def built(workload: Workload, count: int, stores: Path) -> Path:
    """A store whose default bank holds `count` units; built once and kept."""
    schema = read_sql("scrubjay.store.embedded", "schema.sql")
    source = peer.__file__ if workload.name == "peer" else generated.__file__
    corpus = Path(source).read_text(encoding="utf-8")
    # Another schema, corpus or encoder makes another bank.
    made_of = f"{schema}{corpus}{workload.encoder.fingerprint}"
    mark = hashlib.blake2b(made_of.encode(), digest_size=4).hexdigest()
    path = stores / f"{workload.name}-{count}-{mark}"
    if path.is_dir():
        return path
    partial = stores / f"{path.name}.{os.getpid()}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    fill(workload, count, partial)
    partial.replace(path)
    return path


def fill(workload: Workload, count: int, path: Path) -> None:
    """Tell a new store the workload's first `count` units."""
    progress = machine.Progress(f"{workload.name} corpus", count)
    done = 0
    with workload.open(path) as memory:
        for batch in batches(workload.units(count), BATCH_UNITS):
            memory.retain(batch)
            done += len(batch)
            progress(done)
