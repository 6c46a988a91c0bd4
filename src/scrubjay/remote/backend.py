"""HttpBackend: every operation as a request to a server, and its answer read back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path

import httpx

from scrubjay.engine.transfer import Progress, no_progress
from scrubjay.engine.transfer.paths import reading, writing
from scrubjay.errors import BadInput
from scrubjay.operations.operation import Operation, P, T, Target, Transfer
from scrubjay.patience import Patience
from scrubjay.remote.decoding import TaskState, answer_of, task_of
from scrubjay.remote.encoding import Request, arguments_of, request_of
from scrubjay.remote.transport import (
    AsyncSender,
    Sender,
    error_of,
    unreachable,
    value_of,
)
from scrubjay.types import Json

# A task is asked after at most this often.
_POLL_SECONDS = 0.1
_LINES = {"Content-Type": "application/x-ndjson"}
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


class HttpBackend:
    """A server; its banks are used from many threads at once."""

    def __init__(
        self, address: str, key: str | None = None, patience: Patience | None = None
    ) -> None:
        """Nothing is sent yet; BadInput for an address that is none."""
        self.sender = Sender(address, key, patience)

    @property
    def location(self) -> str:
        """The server's address."""
        return self.sender.address

    def close(self) -> None:
        """Close the connections; the server goes on."""
        self.sender.client.close()

    def run(
        self, operation: Operation[P, T], target: Target, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Send the operation, and read what the server answers."""
        given = _Given(operation, target, args, kwargs)
        return answer_of(operation, self._answered(operation.address.transfer, given))

    def _answered(self, transfer: Transfer, given: _Given) -> Json:
        if not given.asks:
            return None
        if transfer is Transfer.DOWNLOAD:
            return self._download(given)
        if transfer is Transfer.UPLOAD:
            return self._finished(self._upload(given), given.progress)
        answer = self.sender.send(given.request)
        return self._finished(answer, given.progress) if transfer is Transfer.TASK else answer

    def _download(self, given: _Given) -> int:
        lines = 0
        try:
            with self.sender.opened().stream("GET", given.request.path) as answer:
                if not answer.is_success:
                    answer.read()
                    value_of(answer)
                with writing(given.file) as out:
                    for chunk in answer.iter_bytes():
                        out.write(chunk)
                        lines += chunk.count(b"\n")
                        given.progress(lines, 0)
        except httpx.TransportError as error:
            raise unreachable(self.location, error) from error
        return lines

    def _upload(self, given: _Given) -> Json:
        try:
            answer = self.sender.opened().post(
                given.request.path,
                content=_chunks(given.file),
                headers=_LINES,
                params=given.request.query,
            )
        except httpx.TransportError as error:
            raise unreachable(self.location, error) from error
        return value_of(answer)

    def _finished(self, begun: Json, progress: Progress) -> Json:
        path = f"/v1/tasks/{task_of(begun).id}"
        while True:
            task = task_of(self.sender.send(Request("GET", path)))
            if _has_ended(task, progress):
                return task.result
            time.sleep(_POLL_SECONDS)


class AsyncHttpBackend:
    """The same for an event loop, without threads."""

    def __init__(
        self, address: str, key: str | None = None, patience: Patience | None = None
    ) -> None:
        """Nothing is sent yet; BadInput for an address that is none."""
        self.sender = AsyncSender(address, key, patience)

    @property
    def location(self) -> str:
        """The server's address."""
        return self.sender.address

    async def close(self) -> None:
        """Close the connections; the server goes on."""
        await self.sender.client.aclose()

    async def run(
        self, operation: Operation[P, T], target: Target, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """See HttpBackend.run."""
        given = _Given(operation, target, args, kwargs)
        return answer_of(operation, await self._answered(operation.address.transfer, given))

    async def _answered(self, transfer: Transfer, given: _Given) -> Json:
        if not given.asks:
            return None
        if transfer is Transfer.DOWNLOAD:
            return await self._download(given)
        if transfer is Transfer.UPLOAD:
            return await self._finished(await self._upload(given), given.progress)
        answer = await self.sender.send(given.request)
        if transfer is Transfer.TASK:
            return await self._finished(answer, given.progress)
        return answer

    async def _download(self, given: _Given) -> int:
        lines = 0
        try:
            async with self.sender.opened().stream("GET", given.request.path) as answer:
                if not answer.is_success:
                    await answer.aread()
                    value_of(answer)
                with writing(given.file) as out:
                    async for chunk in answer.aiter_bytes():
                        out.write(chunk)
                        lines += chunk.count(b"\n")
                        given.progress(lines, 0)
        except httpx.TransportError as error:
            raise unreachable(self.location, error) from error
        return lines

    async def _upload(self, given: _Given) -> Json:
        try:
            answer = await self.sender.opened().post(
                given.request.path,
                content=_async_chunks(given.file),
                headers=_LINES,
                params=given.request.query,
            )
        except httpx.TransportError as error:
            raise unreachable(self.location, error) from error
        return value_of(answer)

    async def _finished(self, begun: Json, progress: Progress) -> Json:
        path = f"/v1/tasks/{task_of(begun).id}"
        while True:
            task = task_of(await self.sender.send(Request("GET", path)))
            if _has_ended(task, progress):
                return task.result
            await asyncio.sleep(_POLL_SECONDS)


def _has_ended(task: TaskState, progress: Progress) -> bool:
    progress(task.done, task.total)
    if task.state == "failed":
        raise error_of(500, task.problem or {})
    return task.state == "done"


def _chunks(path: Path) -> Iterator[bytes]:
    with reading(path) as file:
        while chunk := file.read(_BYTES_AT_ONCE):
            yield chunk


async def _async_chunks(path: Path) -> AsyncIterator[bytes]:
    for chunk in _chunks(path):
        yield chunk
