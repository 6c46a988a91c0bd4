"""Chooses what each bank works with: the encoder, the reranker, and who is told of its work."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from datetime import datetime

from scrubjay.answers import Recall
from scrubjay.defaults import AUTO, Clock, utc_now
from scrubjay.encoder.base import Encoder, Reranker
from scrubjay.encoder.catalogue import ENCODERS, find_model
from scrubjay.encoder.model_files import RUNTIME_EXTRA, is_present, models_directory
from scrubjay.encoder.opening import (
    NO_ENCODER,
    best_available,
    best_available_reranker,
    open_encoder,
    open_reranker,
)
from scrubjay.encoder.query_cache import CachedQueries
from scrubjay.encoder.side_calls import SideCalls, TooLate
from scrubjay.engine.metering import Meter
from scrubjay.engine.read_path import ReadTools
from scrubjay.engine.retain.checking import check_moment, check_text
from scrubjay.engine.retrieve.registry import RETRIEVERS
from scrubjay.engine.retrieve.retriever import Retriever, Search
from scrubjay.engine.shared.looks import Looks
from scrubjay.engine.shared.waiting import Waiting
from scrubjay.engine.write_path import WriteTools
from scrubjay.errors import BadInput, EncoderError, EncoderMismatch, ExtraMissing, ModelMissing
from scrubjay.forking import watch
from scrubjay.limits import NAME_CHARACTERS_MAX
from scrubjay.store.base import BankReader, BankStore, EncoderPin
from scrubjay.trace import UNOBSERVED, Observer, Trace, observed

# What an answer names beside its retrievers: the stages in `timings` and `degraded`, and the parts
# of `why`. A retriever of such a name would hide them.
RESERVED = frozenset(
    {"parse", "plan", "retrieve", "fuse", "rerank", "budget", "hydrate"}
    | {"recency", "temporal_boost", "fused", "signs"}
)
# Told of a recall from a bank that has ended.
Recalled = Callable[[str, Recall], None]


def _untold(_: str, __: Recall) -> None:
    """Nobody wants to know."""


class Toolbox:
    """What engines are given from outside; encoders are opened once and shared by all banks.

    `encoder` is "auto" (the bank's own model, or the best one present), a catalogue name, an
    address, an object, or None for no vectors at all. The same holds for `reranker`.
    """

    def __init__(
        self,
        encoder: str | Encoder | None = AUTO,
        reranker: str | Reranker | None = AUTO,
        clock: Clock = utc_now,
        retrievers: Mapping[str, Retriever | Search] | None = None,
        observer: Observer = UNOBSERVED,
    ) -> None:
        if not callable(clock):
            raise BadInput("clock", clock, "Give a function that tells the time, with its zone.")
        if not all(callable(getattr(observer, name, None)) for name in ("ended", "looked_up")):
            raise BadInput("observer", observer, "Give an object with `ended` and `looked_up`.")
        self.clock = clock
        self.meter = Meter(clock)
        self._observer = observer
        # Who wants to know of recalls, too, has a method for it.
        self.recalled: Recalled = getattr(observer, "recalled", _untold)
        self.retrievers = {**RETRIEVERS, **_checked(retrievers)}
        self.foreign_retrievers = bool(retrievers)
        self._threads = _threads(self.retrievers)
        encoder = None if isinstance(encoder, str) and encoder == NO_ENCODER else encoder
        reranker = None if isinstance(reranker, str) and reranker == NO_ENCODER else reranker
        self._encoder = encoder
        self._given = None
        if encoder is not None and not (isinstance(encoder, str) and encoder == AUTO):
            self._given = CachedQueries(open_encoder(encoder), observer=observer)
        self._reranker = reranker
        self.reranker_wanted = reranker is not None
        self._reranking = SideCalls("scrubjay-reranker")
        self.waiting = Waiting()
        self._looks, self._looking = Looks(), _looking()
        self._opened: dict[str, CachedQueries | None] = {}
        self._used_with: set[str] = set()  # banks that the given encoder was right for
        self._opened_reranker: Reranker | None = None
        self._lock = threading.Lock()
        watch(self)

    def forked(self) -> None:
        """In a forked process there are no threads to let go, and a lock may be held for ever."""
        self._lock, self._threads = threading.Lock(), _threads(self.retrievers)
        self.meter = Meter(self.clock)
        self._looks, self._looking = Looks(), _looking()

    def close(self) -> None:
        """Let the threads go; one that hangs is not waited for."""
        for calls in self._threads.values():
            calls.close()
        self._looking.close()

    def told(self, bank: str, units: int, look: Callable[[], None]) -> None:
        """Say that a bank was told something; `look` is called beside, where it is time for it."""
        if self._looks.due(bank, units, self.clock()):
            with suppress(TooLate):  # one that hangs is not joined by others
                self._looking.begun(look)

    def moment(self, at: datetime | None) -> datetime:
        """The time that is given, by default now."""
        return check_moment(self.clock() if at is None else at, "at")

    def observed(self, operation: str, bank: str) -> AbstractContextManager[Trace]:
        """A trace for an operation, which the observer is told of when it ends."""
        return observed(operation, bank, self._observer)

    def reading(self, bank: BankReader) -> ReadTools:
        """What a recall from a bank needs."""
        pin = bank.encoder
        missing = ""
        try:
            # Without vectors there is nothing to compare a question with until reembed has run.
            encoder = None if pin is None else self.encoder_for(bank.name, pin)
            if encoder is None:
                missing = self.missing_encoder(bank, pin)
        except EncoderMismatch:
            raise
        except EncoderError as error:  # an endpoint is asked what it is
            encoder, missing = None, f"EncoderError: {error}"
        return ReadTools(
            encoder=encoder,
            missing_encoder=missing,
            waiting=self.waiting,
            reranker=self.reranker,
            reranker_wanted=self.reranker_wanted,
            reranking=self._reranking,
            clock=self.clock,
            threads=self._threads,
            retrievers=self.retrievers,
            foreign_retrievers=self.foreign_retrievers,
        )

    def writing(self, bank: BankStore, trace: Trace) -> WriteTools:
        """What a change to a bank needs; an empty bank without an encoder gets one.

        So does one that waits for its vectors: the encoder failed when it was told its first unit.
        """
        waits = bank.settings.embed_later
        try:
            encoder = self.encoder_for(bank.name, bank.encoder)
            if encoder is not None and bank.encoder is None and (waits or not bank.unit_count()):
                bank.pin_encoder(EncoderPin(encoder.fingerprint, encoder.dimension))
        except EncoderError as error:
            if not waits or isinstance(error, EncoderMismatch):
                raise
            return WriteTools(None, self.clock, trace, str(error))
        # A bank that began without vectors gets them all at once, by reembed.
        return WriteTools(encoder if bank.encoder is not None else None, self.clock, trace)

    def encoder_for(self, bank: str, pin: EncoderPin | None) -> CachedQueries | None:
        """The encoder for a bank, None if it has to do without; another one is EncoderMismatch."""
        if self._given is None:
            return None if self._encoder is None else self._automatic(pin)
        if pin is None or pin.fingerprint == self._given.fingerprint:
            self._used_with.add(bank)
            return self._given
        # A bank that was re-embedded since is searched with what it has now.
        moved_on = bank in self._used_with or pin.fingerprint in self._opened
        now = self._automatic(pin) if moved_on else None
        if now is None:
            raise EncoderMismatch(bank=bank, stored=pin.fingerprint, given=self._given.fingerprint)
        return now

    def adopt(self, encoder: Encoder) -> None:
        """Use an encoder for the banks whose vectors are its own."""
        with self._lock:
            if self._opened.get(encoder.fingerprint) is None:
                cached = CachedQueries(encoder, observer=self._observer)
                self._opened[encoder.fingerprint] = cached

    def _automatic(self, pin: EncoderPin | None) -> CachedQueries | None:
        wanted = "" if pin is None else pin.fingerprint
        with self._lock:
            # A missing model may be pulled while we run, so only what was found is remembered.
            if self._opened.get(wanted) is None:
                found = best_available() if pin is None else _pinned(pin)
                if found is not None:
                    found = CachedQueries(found, observer=self._observer)
                self._opened[wanted] = found
            return self._opened[wanted]

    def reranker(self) -> Reranker | None:
        """The reranker, None if there is none."""
        with self._lock:
            if self._opened_reranker is None and self._reranker is not None:
                automatic = isinstance(self._reranker, str) and self._reranker == AUTO
                self._opened_reranker = (
                    best_available_reranker() if automatic else open_reranker(self._reranker)
                )
            return self._opened_reranker

    def missing_encoder(self, bank: BankReader, pin: EncoderPin | None) -> str:
        """Why a bank is searched without meaning, and the command that mends it."""
        if self._encoder is None:
            return "opened with encoder=None; open with encoder='auto' to search by meaning"
        here = None if pin is None else _of_its_name(pin)
        if pin is not None and here is not None and here.fingerprint != pin.fingerprint:
            name = pin.fingerprint.split("@")[0]
            fill = f"`scrubjay reembed --bank {bank.name} --encoder {name}`"
            return f"the bank has {pin.fingerprint}, and here is {here.fingerprint}; run {fill}"
        if not bank.unit_count():
            nothing = "nothing has been told yet"
            if self.encoder_for(bank.name, pin) is not None:
                return nothing  # the first unit gets the bank its vectors
            name = ENCODERS[0].name if pin is None else pin.fingerprint.split("@")[0]
            return f"{nothing}, and there is no embedding model for it; {_remedy(name)}"
        if pin is not None:
            name = pin.fingerprint.split("@")[0]
            return f"its embedding model {name} cannot run on this machine; {_remedy(name)}"
        best = ENCODERS[0]
        fill = f"`scrubjay reembed --bank {bank.name} --encoder {best.name}`"
        return f"the bank has no vectors; run `{best.remedy}` if it is missing, then {fill}"


def _threads(retrievers: Iterable[str]) -> Mapping[str, SideCalls]:
    # Each has its own, so that one that hangs holds up nobody else.
    return {name: SideCalls(f"scrubjay-{name}") for name in retrievers}


def _looking() -> SideCalls:
    return SideCalls("scrubjay-drift", threads_max=1)


def _checked(retrievers: object) -> dict[str, Retriever]:
    if retrievers is None:
        return {}
    if not isinstance(retrievers, Mapping):
        raise BadInput("retrievers", retrievers, "Give a dict of name and function.")
    for name in retrievers:
        check_text(name, "retriever name", NAME_CHARACTERS_MAX)
        if name in RESERVED:
            remedy = f"Choose another; answers use {', '.join(sorted(RESERVED))} themselves."
            raise BadInput("retriever name", name, remedy)
    return {name: _retriever(name, given) for name, given in retrievers.items()}


def _retriever(name: str, given: object) -> Retriever:
    """A retriever as it is given, or a function as one: of the four by its name, or a new one."""
    if isinstance(given, Retriever):
        return replace(given, name=name, scoped=False)
    if not callable(given):
        remedy = "Give a function of (query, step), or a Retriever."
        raise BadInput(f"retriever {name}", given, remedy)
    known = RETRIEVERS.get(name)
    return Retriever(name, given) if known is None else replace(known, run=given, scoped=False)


def _remedy(name: str) -> str:
    try:
        model = find_model(name, ENCODERS)
        if is_present(model, models_directory()):
            return f"run `pip install 'scrubjay[{RUNTIME_EXTRA}]'`"
        return f"run `{model.remedy}`"
    except BadInput:  # an encoder of the caller's own
        return "open the memory with it"


def _pinned(pin: EncoderPin) -> Encoder | None:
    encoder = _of_its_name(pin)
    return encoder if encoder is not None and encoder.fingerprint == pin.fingerprint else None


def _of_its_name(pin: EncoderPin) -> Encoder | None:
    """What goes by the name of a bank's encoder here; it may be another revision."""
    try:
        return open_encoder(pin.fingerprint.split("@")[0])
    except (ModelMissing, ExtraMissing, BadInput):
        return None
