"""scrubjay: memory for AI agents; four searches, one ranked answer."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.answers import Explanation, Item, Parsed, Plan, Recall, RecallOptions
    from scrubjay.async_bank import AsyncBank
    from scrubjay.async_memory import AsyncMemory
    from scrubjay.bank import Bank
    from scrubjay.encoder.base import Encoder, Reranker
    from scrubjay.errors import (
        BadInput,
        EncoderError,
        EncoderMismatch,
        ExtraMissing,
        ImportFailed,
        ModelMissing,
        NotFound,
        RecallFailed,
        ScrubjayError,
        StoreClosed,
        StoreDamaged,
        StoreError,
        StoreForked,
        StoreFull,
        StoreLocked,
        StoreReadOnly,
        StoreTooNew,
    )
    from scrubjay.memory import Memory
    from scrubjay.preset import Preset
    from scrubjay.types import (
        Cause,
        Entity,
        Erasure,
        LinkKind,
        Relation,
        RelationClass,
        Retained,
        Session,
        StoredUnit,
        Unit,
        UnitFilter,
        Window,
    )

__version__ = "0.1.0"

__all__ = [
    "AsyncBank",
    "AsyncMemory",
    "BadInput",
    "Bank",
    "Cause",
    "Encoder",
    "EncoderError",
    "EncoderMismatch",
    "Entity",
    "Erasure",
    "Explanation",
    "ExtraMissing",
    "ImportFailed",
    "Item",
    "LinkKind",
    "Memory",
    "ModelMissing",
    "NotFound",
    "Parsed",
    "Plan",
    "Preset",
    "Recall",
    "RecallFailed",
    "RecallOptions",
    "Relation",
    "RelationClass",
    "Reranker",
    "Retained",
    "ScrubjayError",
    "Session",
    "StoreClosed",
    "StoreDamaged",
    "StoreError",
    "StoreForked",
    "StoreFull",
    "StoreLocked",
    "StoreReadOnly",
    "StoreTooNew",
    "StoredUnit",
    "Unit",
    "UnitFilter",
    "Window",
]

# Imported on first use: the command line answers `--help` without loading the engine.
_NAMES_BY_MODULE = {
    "scrubjay.answers": ("Explanation", "Item", "Parsed", "Plan", "Recall", "RecallOptions"),
    "scrubjay.async_bank": ("AsyncBank",),
    "scrubjay.async_memory": ("AsyncMemory",),
    "scrubjay.bank": ("Bank",),
    "scrubjay.encoder.base": ("Encoder", "Reranker"),
    "scrubjay.errors": (
        "BadInput",
        "EncoderError",
        "EncoderMismatch",
        "ExtraMissing",
        "ImportFailed",
        "ModelMissing",
        "NotFound",
        "RecallFailed",
        "ScrubjayError",
        "StoreClosed",
        "StoreDamaged",
        "StoreError",
        "StoreForked",
        "StoreFull",
        "StoreLocked",
        "StoreReadOnly",
        "StoreTooNew",
    ),
    "scrubjay.memory": ("Memory",),
    "scrubjay.preset": ("Preset",),
    "scrubjay.types": (
        "Cause",
        "Entity",
        "Erasure",
        "LinkKind",
        "Relation",
        "RelationClass",
        "Retained",
        "Session",
        "StoredUnit",
        "Unit",
        "UnitFilter",
        "Window",
    ),
}

_HOMES = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
