"""Every error scrubjay raises; each message names the value at fault and the remedy.

ScrubjayError
├── BadInput              a value the caller gave cannot be used
│   └── NotFound          a name or id the caller gave is not in the bank
├── EncoderError          an embedder or reranker failed or answered nonsense
│   ├── EncoderMismatch   the bank was written with another encoder
│   └── ModelMissing      a model is not on this machine, or its files are not the pinned ones
├── StoreError            the store cannot do what was asked
│   ├── StoreLocked       another process holds the store for writing
│   ├── StoreReadOnly     the store was opened, or its directory mounted, for reading only
│   ├── StoreFull         no space is left where the store lives, or a bank may hold no more
│   ├── QuotaExceeded     a bank was asked or told more often in a minute than it may be
│   ├── StoreTooNew       a newer scrubjay wrote this store
│   ├── StoreDamaged      rows are not readable; derived indexes never raise this, they are rebuilt
│   ├── StoreClosed       the store was closed before this call
│   └── StoreForked       the store was opened in the process that this one was forked off
├── ImportFailed          lines of an import file could not be taken
├── RecallFailed          every retriever failed and the caller asked to be strict
└── ExtraMissing          an optional part is not installed
"""

from __future__ import annotations

from collections.abc import Sequence


class ScrubjayError(Exception):
    """The base of all errors raised on purpose by scrubjay."""


class BadInput(ScrubjayError):
    """A value the caller gave cannot be used; nothing was changed."""

    def __init__(self, what: str, value: object, remedy: str) -> None:
        self.what = what
        self.value = value
        self.remedy = remedy
        super().__init__(f"{what}: {shorten(value)}. {remedy}")


class Reason(str):
    """What an error says; `without_value` is the same for where no value may be kept."""

    without_value: str

    @classmethod
    def of(cls, error: ScrubjayError) -> Reason:
        """The words of an error."""
        reason = cls(error)
        reason.without_value = str(error)
        if isinstance(error, BadInput):
            reason.without_value = f"{error.what}. {error.remedy}"
        return reason


class NotFound(BadInput):
    """A name or id the caller gave is not in the bank."""


class EncoderError(ScrubjayError):
    """An embedder or reranker failed, or answered something that cannot be stored."""


class EncoderMismatch(EncoderError):
    """The bank was written with another encoder than the one given."""

    def __init__(self, *, bank: str, stored: str, given: str) -> None:
        self.bank, self.stored, self.given = bank, stored, given
        before, now = stored.split("@")[0], given.split("@")[0]
        # Of a name that stands for another model since, the former cannot be had by it.
        other = "Run" if before == now else f"Open it with encoder={before!r}, or run"
        super().__init__(
            f"Bank {bank!r} was written with encoder {stored!r} and cannot be searched with "
            f"{given!r}. {other} `scrubjay reembed --bank {bank} --encoder {now}`."
        )


class ModelMissing(EncoderError):
    """A catalogue model is not on this machine, or its files are not the pinned ones."""


class StoreError(ScrubjayError):
    """The store cannot do what was asked."""


class StoreLocked(StoreError):
    """Another process holds the store for writing."""


class StoreReadOnly(StoreError):
    """The store was opened, or its directory is mounted, for reading only."""


class StoreFull(StoreError):
    """No space is left where the store lives, or a bank may hold no more."""


class QuotaExceeded(StoreError):
    """A bank was asked or told more often in a minute than it may be; nothing was done.

    `retry_after_s` says when it may again; None where a server said so in words.
    """

    def __init__(self, message: str, *, retry_after_s: int | None = None) -> None:
        self.retry_after_s = retry_after_s
        super().__init__(message)


class StoreTooNew(StoreError):
    """A newer scrubjay wrote this store."""


class StoreDamaged(StoreError):
    """The rows, which are the truth, cannot be read, or it is in doubt whose they are."""


class StoreClosed(StoreError):
    """The store was closed before this call."""


class StoreForked(StoreError):
    """The store was opened in the process that this one was forked off."""


class ImportFailed(ScrubjayError):
    """Lines of an import file could not be taken; `problems` lists them by line number."""

    def __init__(self, path: str, problems: Sequence[tuple[int, str]]) -> None:
        self.path = path
        self.problems = tuple(problems)
        shown = "; ".join(
            f"line {line}: {reason.rstrip('.')}" for line, reason in self.problems[:5]
        )
        more = f" (and {len(self.problems) - 5} more)" if len(self.problems) > 5 else ""
        super().__init__(
            f"{path}: {len(self.problems)} bad line(s): {shown}{more}. "
            "Nothing of the file was kept; mend the lines, or pass keep_going to keep the rest."
        )


class RecallFailed(ScrubjayError):
    """Every retriever failed and the caller asked to be strict."""


class ExtraMissing(ScrubjayError):
    """An optional part is not installed."""

    def __init__(self, extra: str | None, package: str, remedy: str | None = None) -> None:
        self.extra = extra  # None: no extra of ours brings it, and the remedy says what to do
        remedy = remedy or f"Run `pip install 'scrubjay[{extra}]'`."
        super().__init__(f"{package} is not installed. {remedy}")


def shorten(value: object, limit: int = 80) -> str:
    """A value as it may appear in a message: its repr, cut in the middle to `limit` characters."""
    try:
        shown = repr(value)
    # Anyone's code, or a number of too many digits; the message is about something else.
    except Exception:  # noqa: BLE001
        return f"a value of type {type(value).__name__}"
    if len(shown) <= limit:
        return shown
    # Both ends: a long path is known by its last name, a text by its first words.
    tail = limit // 2
    return f"{shown[: limit - tail - 1]}…{shown[-tail:]}"
