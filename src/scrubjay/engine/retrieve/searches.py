"""Remembers the searches of one recall, so that retrievers that ask the same share an answer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from scrubjay.store.base import Hits


@dataclass(slots=True)
class _Search:
    """One search: what is looked for and, once it is done, the best hits down to `limit`."""

    sought: object
    limit: int = 0
    hits: Hits | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class Searches:
    """Each search of a recall once, however many retrievers need it; safe in threads."""

    def __init__(self) -> None:
        self._known: list[_Search] = []
        self._lock = threading.Lock()

    def best(self, sought: object, limit: int, search: Callable[[], Hits]) -> Hits:
        """The `limit` best for what is `sought`, which tells searches apart by being equal.

        `search` makes them. Who asks while another searches waits for its answer; an answer to
        more than `limit` is cut. The last one known may hold fewer than `limit`: then there are
        no more.
        """
        known = self._of(sought)
        with known.lock:
            if known.hits is None or known.limit < limit:
                known.hits, known.limit = search(), limit
            return known.hits.take(slice(limit))

    def _of(self, sought: object) -> _Search:
        # A scope may hold a dictionary, so it can be compared but not hashed; searches are few.
        with self._lock:
            for known in self._known:
                if known.sought == sought:
                    return known
            self._known.append(_Search(sought))
            return self._known[-1]
