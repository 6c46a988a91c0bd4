"""What the flow tests share: a clock that stands still, and memories with and without a model."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scrubjay.encoder.base import Encoder
from scrubjay.encoder.catalogue import CATALOGUE
from scrubjay.encoder.model_files import is_present
from scrubjay.encoder.opening import open_encoder
from scrubjay.memory import Memory
from scrubjay.testing import FixedClock, OverlapReranker

NOW = datetime(2026, 7, 15, 12, tzinfo=UTC)
MODEL = "e5-small-v2"


@pytest.fixture
def memory() -> Iterator[Memory]:
    """An empty memory whose encoder knows words and nothing else."""
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW)) as opened:
        yield opened


@pytest.fixture
def reranking() -> Iterator[Memory]:
    """The same, with a reranker that counts shared words."""
    with Memory.open(
        ":memory:", encoder="hash", reranker=OverlapReranker(), clock=FixedClock(NOW)
    ) as opened:
        yield opened


@pytest.fixture(scope="session")
def model() -> Encoder:
    """The default embedding model; the tests that need it fail without it."""
    fallback = Path(__file__).parents[2] / ".models"
    directory = Path(os.environ.get("SCRUBJAY_MODELS") or fallback)
    (wanted,) = (m for m in CATALOGUE if m.name == MODEL)
    if not is_present(wanted, directory):
        pytest.fail(f"{MODEL} is not in {directory}: run `make models` first.")
    return open_encoder(MODEL, models_directory=directory)


@pytest.fixture
def understanding(model: Encoder) -> Iterator[Memory]:
    """An empty memory that understands: the real model, and no reranker."""
    with Memory.open(":memory:", encoder=model, reranker=None, clock=FixedClock(NOW)) as opened:
        yield opened
