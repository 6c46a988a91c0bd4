"""What takes the place of what, by reading two memories as one: the graph for changes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from training.references import CHANGES

from scrubjay.encoder import CachedQueries, open_encoder
from scrubjay.encoder.catalogue import find_model
from scrubjay.encoder.changing import ChangeReader, Pair, as_change_reader
from scrubjay.encoder.model_files import folder_of
from scrubjay.encoder.onnx_encoder import OnnxEncoder
from scrubjay.errors import EncoderError, ModelMissing
from scrubjay.testing import HashingEncoder
from scrubjay.types.arrays import ScoreArray

NAME = "scrubjay-small"
FULL_PRECISION = Path(__file__).parent / "references" / f"{NAME}-changes.npy"


@pytest.fixture(scope="module")
def reader() -> ChangeReader:
    found = as_change_reader(open_encoder(NAME))
    assert found is not None
    return found


def test_int8_judges_as_full_precision_does(reader: ChangeReader) -> None:
    likely = reader.read_changes(CHANGES)
    logits = np.log(likely / (1 - likely))
    np.testing.assert_allclose(logits, np.load(FULL_PRECISION), atol=0.4)
    assert likely.dtype == np.float32


def test_of_every_two_that_are_alike_the_one_that_changes_it_is_the_likelier(
    reader: ChangeReader,
) -> None:
    likely = reader.read_changes(CHANGES[2:])
    assert (likely[1::2] > likely[0::2]).all()


def test_a_pair_is_read_alike_alone_and_together(reader: ChangeReader) -> None:
    alone = np.concatenate([reader.read_changes([pair]) for pair in CHANGES])
    assert alone.tobytes() == reader.read_changes(CHANGES).tobytes()
    assert alone[::-1].tobytes() == reader.read_changes(CHANGES[::-1]).tobytes()
    assert reader.read_changes([]).shape == (0,)


def test_many_may_ask_at_once(reader: ChangeReader) -> None:
    wanted = reader.read_changes(CHANGES).tobytes()
    with ThreadPoolExecutor(4) as pool:
        found = [*pool.map(lambda _: reader.read_changes(CHANGES).tobytes(), range(12))]
    assert set(found) == {wanted}


def test_any_text_is_read_and_of_a_long_one_the_beginning(reader: ChangeReader) -> None:
    huge = "harbour " * 200_000
    odd = [("", ""), ("a broken \ud83d emoji", "null \x00 inside"), (huge, huge)]
    likely = reader.read_changes(odd)
    assert ((likely >= 0) & (likely <= 1)).all()
    page = "harbour " * 96
    first = reader.read_changes([(page, page), (page + "volcano", page + "bridge")])
    assert first[0] == first[1]


def test_fast_reads_changes_alike(reader: ChangeReader) -> None:
    fast = as_change_reader(open_encoder("fast"))
    assert fast is not None
    assert fast.read_changes(CHANGES).tobytes() == reader.read_changes(CHANGES).tobytes()


def test_it_is_loaded_when_it_is_first_asked() -> None:
    code = (
        "from scrubjay.encoder import onnx_graph, open_encoder\n"
        "encoder = open_encoder('scrubjay-small')\n"
        "encoder.encode_documents(['It is here.'])\n"
        "assert [key[0].__name__ for key in onnx_graph._loaded] == ['OnnxGraph']\n"
        "encoder.read_changes([])\n"
        "assert len(onnx_graph._loaded) == 1\n"
        "encoder.read_changes([('It is here.', 'It is there.')])\n"
        "loaded = [key[0].__name__ for key in onnx_graph._loaded]\n"
        "assert loaded[1:] == ['WordVectors', 'ChangeGraph'], loaded\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_a_damaged_file_is_refused_and_an_absent_one_named(tmp_path: Path) -> None:
    model = find_model(NAME)
    assert model.embedding is not None
    folder = shutil.copytree(folder_of(model, tmp_path), tmp_path / NAME)
    # As one that is pulled: where its package is installed, the files lie there.
    apart = replace(model, carrier=find_model("e5-small-v2").carrier)
    encoder = OnnxEncoder(apart, model.embedding, tmp_path)
    path = folder / "changes.onnx"
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(ModelMissing, match=r"changes\.onnx"):
        encoder.read_changes(CHANGES)
    path.unlink()
    with pytest.raises(ModelMissing, match=r"changes\.onnx"):
        encoder.read_changes(CHANGES)


def test_the_file_changes_neither_fingerprint_nor_revision() -> None:
    model = find_model(NAME)
    assert replace(model, changes=None).fingerprint == model.fingerprint
    assert model.changes in model.files


def test_encoders_that_read_no_changes_say_so(models: Path) -> None:
    for encoder in (HashingEncoder(), open_encoder("e5-small-v2", models_directory=models)):
        assert as_change_reader(encoder) is None
        assert as_change_reader(CachedQueries(encoder)) is None
    assert as_change_reader(None) is None


class Reading(HashingEncoder):
    """An encoder of somebody's own, which gives what it was made with."""

    def __init__(self, given: ScoreArray) -> None:
        super().__init__()
        self.given = given

    def read_changes(self, _: Sequence[Pair]) -> ScoreArray:
        if not len(self.given):
            raise OSError("away")
        return self.given


def test_what_is_no_likelihood_is_refused() -> None:
    pairs = [("a", "b"), ("c", "d")]

    def read(*given: float) -> list[float]:
        own = as_change_reader(CachedQueries(Reading(np.array(given, np.float32))))
        assert own is not None
        return [float(each) for each in own.read_changes(pairs)]

    assert read(0, 1) == [0, 1]
    for wrong in ((0.5,), (0.5, 1.5), (-0.1, 0.5), (float("nan"), 0.5)):
        with pytest.raises(EncoderError, match="broke its promise"):
            read(*wrong)
    with pytest.raises(EncoderError, match="failed with OSError"):
        read()
