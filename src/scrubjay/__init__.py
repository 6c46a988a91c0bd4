"""scrubjay: memory for AI agents; four searches, one ranked answer."""

from importlib import import_module
from typing import TYPE_CHECKING

# For type checkers; a test holds that these are the names below.
if TYPE_CHECKING:
    from scrubjay.answers import Explanation as Explanation
    from scrubjay.answers import Item as Item
    from scrubjay.answers import Parsed as Parsed
    from scrubjay.answers import Plan as Plan
    from scrubjay.answers import Recall as Recall
    from scrubjay.answers import RecallOptions as RecallOptions
    from scrubjay.async_bank import AsyncBank as AsyncBank
    from scrubjay.async_memory import AsyncMemory as AsyncMemory
    from scrubjay.bank import Bank as Bank
    from scrubjay.bank_names import bank_for as bank_for
    from scrubjay.encoder.base import Encoder as Encoder
    from scrubjay.encoder.base import Reranker as Reranker
    from scrubjay.errors import BadInput as BadInput
    from scrubjay.errors import EncoderError as EncoderError
    from scrubjay.errors import EncoderMismatch as EncoderMismatch
    from scrubjay.errors import ExtraMissing as ExtraMissing
    from scrubjay.errors import ImportFailed as ImportFailed
    from scrubjay.errors import ModelMissing as ModelMissing
    from scrubjay.errors import NotFound as NotFound
    from scrubjay.errors import QuotaExceeded as QuotaExceeded
    from scrubjay.errors import RecallFailed as RecallFailed
    from scrubjay.errors import ScrubjayError as ScrubjayError
    from scrubjay.errors import StoreClosed as StoreClosed
    from scrubjay.errors import StoreDamaged as StoreDamaged
    from scrubjay.errors import StoreError as StoreError
    from scrubjay.errors import StoreForked as StoreForked
    from scrubjay.errors import StoreFull as StoreFull
    from scrubjay.errors import StoreLocked as StoreLocked
    from scrubjay.errors import StoreReadOnly as StoreReadOnly
    from scrubjay.errors import StoreTooNew as StoreTooNew
    from scrubjay.memory import Memory as Memory
    from scrubjay.preset import Preset as Preset
    from scrubjay.types.filters import UnitFilter as UnitFilter
    from scrubjay.types.graph import Cause as Cause
    from scrubjay.types.graph import Entity as Entity
    from scrubjay.types.graph import LinkKind as LinkKind
    from scrubjay.types.graph import Relation as Relation
    from scrubjay.types.graph import RelationClass as RelationClass
    from scrubjay.types.outcomes import Erasure as Erasure
    from scrubjay.types.outcomes import Retained as Retained
    from scrubjay.types.units import Session as Session
    from scrubjay.types.units import StoredUnit as StoredUnit
    from scrubjay.types.units import Unit as Unit
    from scrubjay.types.values import Window as Window

__version__ = "0.1.0"

# Imported on first use: the command line answers `--help` without loading the engine.
_PUBLIC = {
    "answers": "Explanation Item Parsed Plan Recall RecallOptions",
    "async_bank": "AsyncBank",
    "async_memory": "AsyncMemory",
    "bank": "Bank",
    "bank_names": "bank_for",
    "encoder.base": "Encoder Reranker",
    "errors": (
        "BadInput EncoderError EncoderMismatch ExtraMissing ImportFailed ModelMissing NotFound "
        "QuotaExceeded RecallFailed ScrubjayError StoreClosed StoreDamaged StoreError StoreForked "
        "StoreFull StoreLocked StoreReadOnly StoreTooNew"
    ),
    "memory": "Memory",
    "preset": "Preset",
    "types.filters": "UnitFilter",
    "types.graph": "Cause Entity LinkKind Relation RelationClass",
    "types.outcomes": "Erasure Retained",
    "types.units": "Session StoredUnit Unit",
    "types.values": "Window",
}
_HOMES = {name: f"scrubjay.{home}" for home, names in _PUBLIC.items() for name in names.split()}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
