"""A process that reads the store beside the one that writes it, and answers what that hands it."""

from __future__ import annotations

import select
import signal
import socket
import sys
from contextlib import suppress

from starlette.datastructures import Headers, QueryParams

from scrubjay.errors import NotFound, ScrubjayError
from scrubjay.memory import Memory
from scrubjay.observing import Answered
from scrubjay.surface.http.contract.reading import read_query
from scrubjay.surface.http.handling.dispatch import body_of, content_of
from scrubjay.surface.http.handling.route import Asking, RequestContext
from scrubjay.surface.http.handling.service import Service, open_service
from scrubjay.surface.http.readers.messages import (
    Asked,
    Given,
    NotGiven,
    Opened,
    Opening,
    Said,
    framed,
    received,
)
from scrubjay.surface.http.routes.table import ROUTES
from scrubjay.surface.http.shared.problems import Refusal
from scrubjay.surface.http.shared.server_settings import ServerSettings
from scrubjay.surface.http.state.keys import Caller
from scrubjay.surface.http.watching.logs import LOGGER, to_stderr
from scrubjay.surface.http.watching.watch import Watch

_BY_NAME = {route.name: route for route in ROUTES}
# Without a question for so long, what was written meanwhile is taken in before the next comes.
_IDLE_SECONDS = 0.5
# Banks that are kept up with; about as many as a store keeps open.
_BANKS_MAX = 64


class _Telling(Watch):
    """Gathers what the server is to count, until it is told with an answer."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: list[Answered] = []
        self.hits = self.misses = 0

    def heard(self, answer: Answered) -> None:
        self.answers.append(answer)

    def looked_up(self, *, hits: int, misses: int) -> None:
        self.hits += hits
        self.misses += misses

    def begin(self) -> None:
        """Forget what was told."""
        self.answers, self.hits, self.misses = [], 0, 0


def main(file: int) -> None:
    """Answer until the server is gone, or hangs up."""
    # Ctrl-C reaches every process of a terminal, and the server ends this one in its own time.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.socket(fileno=file) as connection:
        opening = received(connection, Opening)
        if opening is None:
            return
        to_stderr(opening.log_level)
        watch = _Telling()
        with Memory.open(
            opening.store,
            encoder=opening.encoder,
            reranker=opening.reranker,
            read_only=True,
            observer=watch,
        ) as memory:
            settings = ServerSettings(workers=1, request_seconds=opening.request_seconds)
            service = open_service(memory, None, settings=settings, watch=watch)
            try:
                # A server that is gone is no news: this process ends with it.
                with suppress(BrokenPipeError, ConnectionResetError):
                    _serve(connection, service, watch)
            finally:
                service.close()


def _serve(connection: socket.socket, service: Service, watch: _Telling) -> None:
    connection.sendall(framed(Opened()))
    banks: dict[str, None] = {}  # the one that was asked last at the end
    while True:
        while not select.select([connection], [], [], _IDLE_SECONDS)[0]:
            for bank in banks:
                _catch_up(service.memory, bank)
        asked = received(connection, Asked)
        if asked is None:
            return
        banks.pop(asked.bank, None)
        banks[asked.bank] = None
        if len(banks) > _BANKS_MAX:
            del banks[next(iter(banks))]
        watch.begin()
        connection.sendall(framed(_answer(asked, service, watch)))


def _catch_up(memory: Memory, bank: str) -> None:
    """Take in what was written, or let go of a bank that was deleted."""
    # What is wrong with it, whoever asks next is told.
    with suppress(ScrubjayError):
        try:
            memory.get("", bank=bank)
        except NotFound:
            return


def _answer(asked: Asked, service: Service, watch: _Telling) -> Said:
    route = _BY_NAME[asked.route]
    assert route.handler is not None, "streams are the server's"
    try:
        context = RequestContext(
            service.memory,
            Caller(None),
            asked.bank,
            asked.path,
            read_query(QueryParams(asked.query), route.query),
            body_of(asked.content, route),
            service,
            Asking(Headers(), "", https=False),
        )
        reply = route.handler(context)
        return Given(
            reply.status,
            dict(reply.headers),
            content_of(reply),
            tuple(watch.answers),
            watch.hits,
            watch.misses,
        )
    except (ScrubjayError, Refusal):
        return NotGiven()
    # The server will meet it too, and answer for it; a reader goes on.
    except Exception:  # noqa: BLE001
        LOGGER.exception("reader failed")
        return NotGiven()


if __name__ == "__main__":
    main(int(sys.argv[1]))
