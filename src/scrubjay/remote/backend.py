"""HttpBackend: every operation as a request to a server, and its answer read back."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Mapping
from contextlib import aclosing
from pathlib import Path

import httpx

from scrubjay.engine.transfer import Progress, no_progress
from scrubjay.engine.transfer.paths import reading, writing
from scrubjay.errors import BadInput
from scrubjay.operations.operation import Operation, P, T, Target, Transfer
from scrubjay.patience import Patience
from scrubjay.remote.decoding import answer_of, task_of
from scrubjay.remote.encoding import Request, arguments_of, request_of
from scrubjay.remote.transport import Blocking, Sender, Suspending, error_of, unreachable, value_of
from scrubjay.types.values import Json

# A task is asked after at most this often.
_POLL_SECONDS = 0.1
_BYTES_AT_ONCE = 1 << 16


class _Given:
    """The arguments of one operation: what is sent, and what stays here."""

    def __init__(
        self,
        operation: Operation[P, T],
        target: Target,
        args: tuple[object, ...],
        kwargs: Mapping[str, object],
    ) -> None:
        given = arguments_of(operation, args, kwargs)
        address = operation.address
        if address.transfer is Transfer.NONE:
            (value,) = given.values()
            remedy = f"Run `scrubjay {operation.name}` on the server's machine."
            raise BadInput(operation.name, str(value), remedy)
        self.asks = not (address.optional and not any(given.values()))
        self.progress: Progress = no_progress
        self.file = Path()
        for name, value in tuple(given.items()):
            if isinstance(value, Path):
                self.file = value
                del given[name]
            elif name == "progress":
                assert callable(value)
                self.progress = value
                del given[name]
        self.request = request_of(operation, target, given)


class _Server:
    """Does operations by asking a server; one text for either kind of connections."""

    connections: type[Blocking | Suspending]

    def __init__(
        self, address: str, key: str | None = None, patience: Patience | None = None
    ) -> None:
        """Nothing is sent yet; BadInput for an address that is none."""
        self.sender = Sender(self.connections, address, key, patience)

    @property
    def location(self) -> str:
        """The server's address."""
        return self.sender.address

    async def _done(
        self,
        operation: Operation[P, T],
        target: Target,
        args: tuple[object, ...],
        kwargs: Mapping[str, object],
    ) -> T:
        given = _Given(operation, target, args, kwargs)
        return answer_of(operation, await self._answered(operation.address.transfer, given))

    async def _answered(self, transfer: Transfer, given: _Given) -> Json:
        if not given.asks:
            return None
        if transfer is Transfer.JSON:
            return await self.sender.send(given.request)
        if transfer is Transfer.TASK:
            return await self._finished(await self.sender.send(given.request), given.progress)
        try:
            if transfer is Transfer.DOWNLOAD:
                return await self._download(given)
            begun = await self._upload(given)
        except httpx.TransportError as error:
            raise unreachable(self.sender.address, error) from error
        return await self._finished(begun, given.progress)

    async def _download(self, given: _Given) -> int:
        opened, lines = self.sender.opened(), 0
        request = opened.client.build_request("GET", given.request.path)
        with writing(given.file) as out:
            async with aclosing(opened.download(request)) as pieces:
                async for piece in pieces:
                    out.write(piece)
                    lines += piece.count(b"\n")
                    given.progress(lines, 0)
        return lines

    async def _upload(self, given: _Given) -> Json:
        opened = self.sender.opened()
        request = opened.client.build_request(
            "POST",
            given.request.path,
            content=opened.upload(_pieces(given.file)),
            headers={"Content-Type": "application/x-ndjson"},
            params=given.request.query,
        )
        return value_of(await opened.send(request))

    async def _finished(self, begun: Json, progress: Progress) -> Json:
        path = f"/v1/tasks/{task_of(begun).id}"
        while True:
            task = task_of(await self.sender.send(Request("GET", path)))
            progress(task.done, task.total)
            if task.state == "failed":
                raise error_of(500, task.problem or {})
            if task.state == "done":
                return task.result
            await self.sender.opened().sleep(_POLL_SECONDS)


class HttpBackend(_Server):
    """A server; its banks are used from many threads at once."""

    connections = Blocking

    def run(
        self, operation: Operation[P, T], target: Target, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Send the operation, and read what the server answers."""
        return _at_once(self._done(operation, target, args, kwargs))

    def close(self) -> None:
        """Close the connections; the server goes on."""
        _at_once(self.sender.connections.close())


class AsyncHttpBackend(_Server):
    """The same for an event loop, without threads."""

    connections = Suspending

    async def run(
        self, operation: Operation[P, T], target: Target, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """See HttpBackend.run."""
        return await self._done(operation, target, args, kwargs)

    async def close(self) -> None:
        """See HttpBackend.close."""
        await self.sender.connections.close()


def _at_once(work: Coroutine[object, None, T]) -> T:
    """What a coroutine gives that never suspends, since its connections block."""
    try:
        work.send(None)
    except StopIteration as end:
        given: T = end.value
        return given
    raise AssertionError("blocking connections suspend nothing")


def _pieces(path: Path) -> Iterator[bytes]:
    with reading(path) as file:
        while piece := file.read(_BYTES_AT_ONCE):
            yield piece
