"""Runs the MCP server over stdin and stdout, as programs that start it themselves expect."""

from __future__ import annotations

import asyncio
import logging

from mcp.server.stdio import stdio_server

from scrubjay.surface.http.watching.logs import to_stderr
from scrubjay.surface.mcp.opening import LazyMemory
from scrubjay.surface.mcp.protocol import build_server


def run_stdio(memory: LazyMemory, bank: str | None) -> None:
    """Speak MCP on stdin and stdout until stdin ends; logs go to stderr."""
    to_stderr(logging.WARNING)

    async def run() -> None:
        server = build_server(memory, bank)
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    try:
        asyncio.run(run())
    finally:
        memory.close()
