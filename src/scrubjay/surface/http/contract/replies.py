"""What the server answers, where that is not one declared shape of the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from scrubjay.answers import Parsed
from scrubjay.marks import Flat, Unsaid
from scrubjay.operations.declared import TaskReply
from scrubjay.settings import BankSettings
from scrubjay.types.outcomes import Extracted, Retained, Trouble, Usage
from scrubjay.types.reports import BankInfo, Stats
from scrubjay.types.values import Measure, UnitId


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a request was refused, and what to do."""

    type: str
    title: str
    status: int
    detail: str
    remedy: str
    request_id: str


@dataclass(frozen=True, slots=True)
class Banks:
    """Banks that may be read."""

    banks: tuple[BankInfo, ...]


@dataclass(frozen=True, slots=True)
class BankCard:
    """A bank's identity card and settings."""

    info: Annotated[BankInfo, Flat()]
    settings: BankSettings


@dataclass(frozen=True, slots=True)
class Facts:
    """What a language model found in what was told."""

    facts: tuple[UnitId, ...]
    troubles: tuple[Trouble, ...]
    usage: Usage
    facts_retained: Retained


@dataclass(frozen=True, slots=True)
class Told:
    """What retaining did, and what a language model found, if it was asked."""

    retained: Annotated[Retained, Flat()]
    extraction: Annotated[Facts | None, Unsaid()] = None

    @classmethod
    def of(cls, extracted: Extracted) -> Told:
        """The answer to a telling with extraction."""
        facts, troubles, usage = extracted.facts, extracted.troubles, extracted.usage
        return cls(extracted.retained, Facts(facts.ids, troubles, usage, facts))


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """What a question says, and the types its words hint at."""

    hints: tuple[str, ...]
    parsed: Annotated[Parsed, Flat()]


@dataclass(frozen=True, slots=True)
class Made:
    """The number of what was made."""

    id: int


@dataclass(frozen=True, slots=True)
class Compacted:
    """Whether no byte of what was erased is left, and if not, why."""

    done: bool
    pending: str | None


@dataclass(frozen=True, slots=True)
class Health:
    """How the server is."""

    status: str


@dataclass(frozen=True, slots=True)
class Whoami:
    """Who the server takes the caller for; `grants` are scopes by bank, `*` for every bank."""

    required: bool  # whether a key is needed
    authenticated: bool
    id: str | None  # None: no key
    name: str | None
    grants: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class KeyCard:
    """A key without its secret."""

    id: str
    name: str
    grants: Mapping[str, str]
    rate: float
    created_at: str
    revoked_at: str | None  # None: it is good


@dataclass(frozen=True, slots=True)
class KeyMade:
    """A new key: `key` is what is sent with requests, and is shown this once."""

    card: KeyCard
    key: str


@dataclass(frozen=True, slots=True)
class ImportProblem:
    """A line that cannot be read, and why."""

    file: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """What an import would find; `skipped` counts what it leaves out, by the reason."""

    kind: str
    units: int
    sessions: int
    types: Mapping[str, int]
    skipped: Mapping[str, int]
    problems: tuple[ImportProblem, ...]
    first: tuple[str, ...]  # texts, cut


@dataclass(frozen=True, slots=True)
class KeyCards:
    """Keys, oldest first."""

    keys: tuple[KeyCard, ...]


@dataclass(frozen=True, slots=True)
class TaskReplies:
    """Long work, newest first."""

    tasks: tuple[TaskReply, ...]


@dataclass(frozen=True, slots=True)
class Latency:
    """How long something took: counts up to each bound in seconds, the last without one."""

    of: str  # "request", "recall", "wait", "change" or "stage"
    labels: Mapping[str, str]
    count: int
    sum_s: Measure
    buckets: tuple[tuple[Measure | None, int], ...]


@dataclass(frozen=True, slots=True)
class Status:
    """A server at a glance; counts are since it was started."""

    version: str
    started_at: datetime
    store: str
    keys_required: bool
    banks: tuple[Stats, ...]  # the first by name
    banks_total: int
    tasks: tuple[TaskReply, ...]
    at_work: int
    questions: int
    nothing_relevant: int
    widened: int
    degraded: Mapping[str, int]
    refused: Mapping[str, int]
    latencies: tuple[Latency, ...]
