"""Every address of the server; routing, keys, documentation and tests all read this table."""

from __future__ import annotations

from scrubjay.surface.http.handling.route import Route
from scrubjay.surface.http.routes import banks, connections, memories, recalling, transfer, watching

ROUTES: tuple[Route, ...] = (
    *banks.ROUTES,
    *memories.ROUTES,
    *recalling.ROUTES,
    *connections.ROUTES,
    *transfer.ROUTES,
    *watching.ROUTES,
)
