"""Banks on a server, asked over HTTP; needs the `client` extra."""

from importlib.util import find_spec

from scrubjay.errors import ExtraMissing

if find_spec("httpx") is None:
    raise ExtraMissing("client", "httpx")
