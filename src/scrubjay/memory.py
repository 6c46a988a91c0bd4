"""Memory: a store full of banks, opened in one line."""

from __future__ import annotations

import builtins
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self, Unpack

from scrubjay.bank import Bank
from scrubjay.bank_forms import BankForms
from scrubjay.defaults import AUTO, DEFAULT_BANK, Clock, utc_now
from scrubjay.deprecated import Synonyms
from scrubjay.errors import BadInput
from scrubjay.later import later
from scrubjay.limits import BANKS_PER_RECALL_MAX
from scrubjay.operations.operation import Target
from scrubjay.trace import UNOBSERVED, Observer

# See bank.py.
if TYPE_CHECKING:
    from scrubjay import backend as backends
    from scrubjay.answers import Recall, RecallKeywords, RecallOptions
    from scrubjay.backend import Backend
    from scrubjay.encoder.base import Encoder, Reranker
    from scrubjay.engine import recall_options
    from scrubjay.engine.retain import checking, inputs
    from scrubjay.engine.retrieve.retriever import Retriever, Search
    from scrubjay.operations import banks as of_banks
    from scrubjay.operations import recalling
    from scrubjay.types.reports import BankInfo
else:
    backends = later("scrubjay.backend")
    recall_options = later("scrubjay.engine.recall_options")
    checking = later("scrubjay.engine.retain.checking")
    inputs = later("scrubjay.engine.retain.inputs")
    of_banks = later("scrubjay.operations.banks")
    recalling = later("scrubjay.operations.recalling")


class Memory(BankForms, Synonyms):
    """Everything an agent was told, in banks; every method takes `bank=`, by default "default".

    Open it with `Memory.open()`, close it with `close()` or a `with` block. One process writes
    a store, any number read it; all methods may be called from many threads at once.
    """

    def __init__(self, backend: Backend) -> None:
        self.backend = backend

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str] | None = None,
        *,
        encoder: str | Encoder | None = AUTO,
        reranker: str | Reranker | None = AUTO,
        read_only: bool = False,
        clock: Clock = utc_now,
        retrievers: Mapping[str, Retriever | Search] | None = None,
        observer: Observer = UNOBSERVED,
        key: str | None = None,
    ) -> Self:
        """Open a store: a directory (made if new), ':memory:', or by default your data directory.

        `encoder` and `reranker` are "auto", a name from `scrubjay models list`, an address, an
        object with the protocol, or None ("none") to do without. `retrievers` replaces the four by
        name, or adds to them; `observer` is told of changes. `http://host:port` is a server, with
        its `key`.
        """
        tools = (encoder, reranker, clock, retrievers, observer)
        return cls(backends.open_backend(path, tools, read_only=read_only, key=key))

    @property
    def location(self) -> str:
        """Where the store is."""
        return self.backend.location

    def bank(self, name: str = DEFAULT_BANK, **settings: object) -> Bank:
        """The bank of that name, made if new; settings given are stored with it.

        On a server it is made when something is told, or with settings, which needs an admin key.
        """
        target = Target(checking.check_bank_name(name))
        self.backend.run(of_banks.make_bank, target, settings)
        return Bank(self.backend, target)

    def _bank(self, name: str) -> Bank:
        """The bank that a `bank=` names."""
        return Bank(self.backend, Target(checking.check_bank_name(name), made_when_used=True))

    def banks(self) -> builtins.list[BankInfo]:
        """All banks, by name."""
        return self.backend.run(of_banks.banks, Target(""))

    def recall_across(
        self,
        question: str,
        banks: Sequence[str],
        options: RecallOptions | None = None,
        **given: Unpack[RecallKeywords],
    ) -> Recall:
        """One recall over several banks: a user's, a project's, a team's; each item has its `bank`.

        Every bank is asked by itself, with what the key may read there, and the answers become one
        ranking by relevance. Those named first go before others of the same relevance.
        """
        names = [checking.check_bank_name(name) for name in inputs.listed(banks, "banks")]
        if not names or len(set(names)) != len(names) or len(names) > BANKS_PER_RECALL_MAX:
            remedy = f"Name one to {BANKS_PER_RECALL_MAX} banks, each once."
            raise BadInput("banks", names, remedy)
        wanted = recall_options.options_of(given, options)
        return self.backend.run(recalling.recall_across, Target(""), question, tuple(names), wanted)

    def delete_bank(self, name: str) -> None:
        """Erase a bank and its files."""
        self.backend.run(of_banks.delete_bank, Target(checking.check_bank_name(name)))

    def backup(self, target: str | Path) -> None:
        """Copy the store, consistent while others write, into a new directory."""
        self.backend.run(of_banks.backup, Target(""), checking.check_path(target))

    @staticmethod
    def restore(backup: str | Path, path: str | Path) -> None:
        """Make a store at `path`, new or empty, from a backup."""
        backends.restore_store(backup, path)

    def close(self) -> None:
        """Close the store; using it afterwards raises StoreClosed."""
        self.backend.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
