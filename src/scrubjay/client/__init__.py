"""A Memory that lives on a server: the same methods, over HTTP; needs the `client` extra."""

from __future__ import annotations

from scrubjay.errors import ExtraMissing

try:
    from scrubjay.client.async_http_memory import AsyncHttpMemory
    from scrubjay.client.http_memory import HttpMemory
    from scrubjay.client.transport import Patience, ServerRefused
except ModuleNotFoundError as error:
    if error.name != "httpx":
        raise
    raise ExtraMissing("client", "httpx") from error

__all__ = ["AsyncHttpMemory", "HttpMemory", "Patience", "ServerRefused"]
