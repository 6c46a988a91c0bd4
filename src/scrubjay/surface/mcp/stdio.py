"""Runs the MCP server over stdin and stdout, or a socket that another process joined to its own."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import AsyncIterator
from io import TextIOWrapper
from socket import socket
from typing import BinaryIO

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, ErrorData, JSONRPCError, jsonrpc_message_adapter

from scrubjay.surface.http.watching.logs import to_stderr
from scrubjay.surface.mcp.banks import Banks
from scrubjay.surface.mcp.opening import LazyMemory
from scrubjay.surface.mcp.protocol import build_server


def run_stdio(memory: LazyMemory, banks: Banks) -> None:
    """Speak MCP on stdin and stdout until stdin ends; logs go to stderr."""
    to_stderr(logging.WARNING)
    try:
        asyncio.run(_speak(memory, banks, sys.stdin.buffer, None))
    finally:
        memory.close()


def run_socket(memory: LazyMemory, banks: Banks, connection: socket) -> None:
    """Speak MCP with who is at the other end until it goes."""
    with connection.makefile("rb") as said, connection.makefile("w", encoding="utf-8") as answers:
        asyncio.run(_speak(memory, banks, said, anyio.wrap_file(answers)))


async def _speak(
    memory: LazyMemory, banks: Banks, said: BinaryIO, stdout: anyio.AsyncFile[str] | None
) -> None:
    server = build_server(memory, banks)
    answers: asyncio.Queue[SessionMessage] = asyncio.Queue()
    async with (
        stdio_server(stdin=_Messages(said, answers), stdout=stdout) as (reading, writing),
        anyio.create_task_group() as group,
    ):

        async def answer() -> None:
            while True:
                await writing.send(await answers.get())

        group.start_soon(answer)
        await server.run(reading, writing, server.create_initialization_options())
        group.cancel_scope.cancel()


class _Messages(anyio.AsyncFile[str]):
    """The lines of a stream that are messages; a request that is none is answered with an error.

    The protocol's own reader drops such a line, and whoever sent it would wait for ever.
    """

    def __init__(self, said: BinaryIO, answers: asyncio.Queue[SessionMessage]) -> None:
        super().__init__(TextIOWrapper(said, encoding="utf-8", errors="replace"))
        self._answers = answers

    async def __aiter__(self) -> AsyncIterator[str]:
        async for line in super().__aiter__():
            try:
                jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValueError:
                self._refuse(line)
            else:
                yield line

    def _refuse(self, line: str) -> None:
        try:
            sent = json.loads(line)  # which takes lone surrogates, and so finds the id beside them
        except (ValueError, RecursionError):
            sent = None
        asked = sent.get("id") if isinstance(sent, dict) else None
        if isinstance(asked, bool) or not isinstance(asked, int | str) or "method" not in sent:
            return
        said = "Not a request: give params as an object, and text without lone surrogates."
        error = ErrorData(code=INVALID_REQUEST, message=said)
        answer = JSONRPCError(jsonrpc="2.0", id=_text(asked), error=error)
        self._answers.put_nowait(SessionMessage(answer))


def _text(asked: int | str) -> int | str:
    return asked if isinstance(asked, int) else asked.encode("utf-8", "replace").decode()
