"""From a name to an encoder or a reranker."""

from __future__ import annotations

import os
from pathlib import Path

from scrubjay.encoder import model_files
from scrubjay.encoder.base import Encoder, Reranker, is_encoder
from scrubjay.encoder.catalogue import ENCODERS, RERANKERS, Model, Pooling, find_model
from scrubjay.encoder.cross_encoder import CrossEncoder
from scrubjay.encoder.fast_encoder import FastEncoder
from scrubjay.encoder.hashing import HashingEncoder
from scrubjay.encoder.onnx_encoder import OnnxEncoder
from scrubjay.encoder.onnx_graph import THREADS_DEFAULT
from scrubjay.encoder.static_encoder import StaticEncoder
from scrubjay.errors import BadInput
from scrubjay.patience import Patience, with_endpoints

HTTP_SCHEMES = ("http://", "https://")
THREADS_MAX = 64

ENCODER_VARIABLE = "SCRUBJAY_ENCODER"
NO_ENCODER = "none"
FAST = "fast"
ENCODER_KEY_VARIABLE = "SCRUBJAY_ENCODER_KEY"
RERANKER_KEY_VARIABLE = "SCRUBJAY_RERANKER_KEY"


def open_encoder(
    name: str | Encoder, *, models_directory: Path | None = None, threads: int = THREADS_DEFAULT
) -> Encoder:
    """The encoder called `name`: a catalogue model, `fast`, `hash`, an HTTP address, or itself.

    `fast` is our own model, asked with fewer layers.

    Nothing is loaded or asked yet. Raises BadInput for an unknown name, ModelMissing, with the
    command that mends it, for a model whose files are absent, and ExtraMissing where what runs
    models is. An endpoint's key is read from SCRUBJAY_ENCODER_KEY, and how long it may take from
    SCRUBJAY_ENDPOINT_SECONDS.
    """
    _require_threads(threads)
    if not isinstance(name, str):
        return _require_encoder(name)
    if name == "hash":
        return HashingEncoder()
    if name.startswith(HTTP_SCHEMES):
        # urllib and TLS are slow to import, and most banks embed locally.
        from scrubjay.encoder.http_encoder import HttpEncoder

        key = os.environ.get(ENCODER_KEY_VARIABLE)
        return HttpEncoder(name, api_key=key, patience=with_endpoints(Patience()))
    if name == FAST:
        return _fast_encoder(model_files.models_directory(models_directory), threads)
    try:
        model = find_model(name, ENCODERS)
    except BadInput as error:
        remedy = f"{error.remedy} Or give 'fast', 'hash', an http:// address, or an Encoder."
        raise BadInput("Unknown encoder", name, remedy) from None
    return _local_encoder(model, model_files.models_directory(models_directory), threads)


def best_available(
    models_directory: Path | None = None,
    *,
    threads: int = THREADS_DEFAULT,
    among: tuple[Model, ...] = ENCODERS,
) -> Encoder | None:
    """The encoder that SCRUBJAY_ENCODER names, else the best catalogue embedder here, or None.

    SCRUBJAY_ENCODER=none is None, whatever is here; another name raises as `open_encoder` does.
    """
    _require_threads(threads)
    chosen = os.environ.get(ENCODER_VARIABLE)
    if chosen:
        if chosen == NO_ENCODER:
            return None
        return open_encoder(chosen, models_directory=models_directory, threads=threads)
    home = model_files.models_directory(models_directory)
    if model_files.missing_runtime() is not None:
        return None
    present = (model for model in among if model_files.is_present(model, home))
    return next((_local_encoder(model, home, threads) for model in present), None)


def open_reranker(
    name: str | Reranker, *, models_directory: Path | None = None, threads: int = THREADS_DEFAULT
) -> Reranker:
    """The reranker called `name`: a catalogue model, an HTTP address, or itself.

    Raises as `open_encoder` does. An endpoint's key is read from SCRUBJAY_RERANKER_KEY.
    """
    _require_threads(threads)
    if not isinstance(name, str):
        return _require_reranker(name)
    if name.startswith(HTTP_SCHEMES):
        from scrubjay.encoder.http_reranker import HttpReranker  # as in open_encoder

        key = os.environ.get(RERANKER_KEY_VARIABLE)
        return HttpReranker(name, api_key=key, patience=with_endpoints(Patience()))
    try:
        model = find_model(name, RERANKERS)
    except BadInput as error:
        remedy = f"{error.remedy} Or give an http:// address, or a Reranker."
        raise BadInput("Unknown reranker", name, remedy) from None
    return CrossEncoder(model, model_files.models_directory(models_directory), threads)


def best_available_reranker(
    models_directory: Path | None = None, *, threads: int = THREADS_DEFAULT
) -> Reranker | None:
    """The best catalogue reranker whose files are on this machine, or None."""
    _require_threads(threads)
    home = model_files.models_directory(models_directory)
    if model_files.missing_runtime() is not None:
        return None
    present = (model for model in RERANKERS if model_files.is_present(model, home))
    return next((CrossEncoder(model, home, threads) for model in present), None)


def _fast_encoder(home: Path, threads: int) -> Encoder:
    model = next(model for model in ENCODERS if model.asking is not None)
    assert model.embedding is not None, f"{model.name} is listed as an encoder"
    return FastEncoder(model, model.embedding, home, threads)


def _local_encoder(model: Model, home: Path, threads: int) -> Encoder:
    assert model.embedding is not None, f"{model.name} is listed as an encoder"
    if model.embedding.pooling is Pooling.STATIC:
        return StaticEncoder(model, model.embedding, home)
    return OnnxEncoder(model, model.embedding, home, threads)


def _require_encoder(given: object) -> Encoder:
    if is_encoder(given):
        return given
    raise BadInput("Not an encoder", given, "Give a name, or an object with the Encoder protocol.")


def _require_reranker(given: object) -> Reranker:
    if isinstance(given, Reranker):
        return given
    raise BadInput("Not a reranker", given, "Give a name, or an object with the Reranker protocol.")


def _require_threads(threads: int) -> None:
    if not 1 <= threads <= THREADS_MAX:
        raise BadInput("Threads", threads, f"Give a number from 1 to {THREADS_MAX}.")
