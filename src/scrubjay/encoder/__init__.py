"""Embedders and rerankers: local ONNX models, HTTP endpoints, and the catalogue of models."""

from __future__ import annotations

from scrubjay.encoder.base import Calibration, Encoder, Reranker, calibration_of
from scrubjay.encoder.calibration import measure_calibration
from scrubjay.encoder.checking import check_vectors
from scrubjay.encoder.opening import (
    best_available,
    best_available_reranker,
    open_encoder,
    open_reranker,
)
from scrubjay.encoder.query_cache import CachedQueries

__all__ = [
    "CachedQueries",
    "Calibration",
    "Encoder",
    "Reranker",
    "best_available",
    "best_available_reranker",
    "calibration_of",
    "check_vectors",
    "measure_calibration",
    "open_encoder",
    "open_reranker",
]
