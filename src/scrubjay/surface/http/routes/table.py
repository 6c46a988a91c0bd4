"""Every address of the server; routing, keys, documentation and tests all read this table."""

from __future__ import annotations

from scrubjay.surface.http.handling.route import Route
from scrubjay.surface.http.routes import (
    access,
    banks,
    connections,
    memories,
    recalling,
    status,
    transfer,
    views,
    watching,
)

ROUTES: tuple[Route, ...] = (
    *banks.ROUTES,
    *memories.ROUTES,
    *recalling.ROUTES,
    *connections.ROUTES,
    *views.ROUTES,
    *transfer.ROUTES,
    *status.ROUTES,
    *access.ROUTES,
    *watching.ROUTES,
)
