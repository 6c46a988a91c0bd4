"""Addresses that show a bank to who looks at it: its time, its neighbourhoods, its entities."""

from __future__ import annotations

from dataclasses import replace

from scrubjay.codec.compiled import encode
from scrubjay.operations import views
from scrubjay.surface.http.contract.bodies import HistogramQuery
from scrubjay.surface.http.handling.performing import route_of, routes_of
from scrubjay.surface.http.handling.route import Reply, RequestContext


def histogram(request: RequestContext) -> Reply:
    """How many memories were told, or happened, when."""
    asked = request.asked(HistogramQuery)
    counted = request.memory.histogram(
        asked.filter(), by=asked.by, grain=asked.grain, bank=request.bank
    )
    return Reply(encode(counted))


ROUTES = routes_of(
    views, replace(route_of(views.histogram), handler=histogram, query=HistogramQuery)
)
