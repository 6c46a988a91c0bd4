"""What the encoder tests share: the real models, small models of our own, and servers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.encoder.scripted_server import Serve, ServerPark
from tests.encoder.tiny_model import Parcel, build_parcel

from scrubjay.encoder.catalogue import CATALOGUE
from scrubjay.encoder.model_files import is_present

REQUIRED = ("e5-small-v2", "ms-marco-MiniLM-L-12-v2")


@pytest.fixture(scope="session")
def models() -> Path:
    """The directory of the real models; the tests that need them fail without them."""
    fallback = Path(__file__).parents[2] / ".models"
    directory = Path(os.environ.get("SCRUBJAY_MODELS") or fallback)
    absent = [m.name for m in CATALOGUE if m.name in REQUIRED and not is_present(m, directory)]
    if absent:
        pytest.fail(f"{', '.join(absent)} not in {directory}: run `make models` first.")
    return directory


@pytest.fixture
def parcel(tmp_path: Path) -> Parcel:
    """A model of six words inside a wheel."""
    return build_parcel(tmp_path)


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts real HTTP servers that answer as their script says; all stop at the end."""
    park = ServerPark()
    yield park.start
    park.stop()
