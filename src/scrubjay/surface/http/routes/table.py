"""Every address of the server; routing, keys, documentation and tests all read this table."""

from __future__ import annotations

from scrubjay.surface.http.endpoint import Endpoint
from scrubjay.surface.http.routes import (
    banks,
    connections,
    memories,
    recalling,
    transfer,
    watching,
)

ENDPOINTS: tuple[Endpoint, ...] = (
    *banks.ENDPOINTS,
    *memories.ENDPOINTS,
    *recalling.ENDPOINTS,
    *connections.ENDPOINTS,
    *transfer.ENDPOINTS,
    *watching.ENDPOINTS,
)
