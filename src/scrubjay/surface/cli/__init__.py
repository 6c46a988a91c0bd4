"""The command line: `scrubjay COMMAND`."""

from __future__ import annotations

from scrubjay.surface.cli.commands import (
    admin,
    agents,
    asking,
    banks,
    bench,
    connections,
    console,
    demo,
    docs,
    keys,
    looking,
    mcp,
    models,
    parsing,
    serve,
    sessions,
    telling,
    upkeep,
)
from scrubjay.surface.cli.root import app, main, run

__all__ = ["app", "main", "run"]

# Help lists the commands in this order: the memory's day first, then its upkeep.
for topic in (
    telling, asking, parsing, looking, connections, sessions, banks, upkeep, models, serve, console,
    mcp, agents, keys, admin, demo, docs, bench,
):  # fmt: skip
    topic.add_to(app)
