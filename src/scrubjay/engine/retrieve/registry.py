"""The retrievers that every memory has, in the order in which people read them."""

from __future__ import annotations

from scrubjay.engine.retrieve.graph import GRAPH
from scrubjay.engine.retrieve.lexical import LEXICAL
from scrubjay.engine.retrieve.semantic import SEMANTIC
from scrubjay.engine.retrieve.temporal import TEMPORAL

RETRIEVERS = {one.name: one for one in (SEMANTIC, LEXICAL, GRAPH, TEMPORAL)}
