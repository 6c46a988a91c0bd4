"""Serves the console's files, with headers that let a browser run nothing else."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

STATIC = Path(__file__).parent / "static"
# By suffix; a file of another kind is not served.
MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
# Scripts and styles of this server alone, none of them inline; requests to this server alone. With
# trusted types, markup made from a text is refused by the browser too.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)


@dataclass(frozen=True, slots=True)
class File:
    """One file as it is sent."""

    content: bytes
    packed: bytes
    media_type: str
    tag: str


def find(name: str) -> File | None:
    """The file of a name, None for one that is not the console's."""
    known = {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*.*")}
    path = known.get(name)
    return None if path is None else _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _read(path: Path, _changed_ns: int) -> File:
    content = path.read_bytes()
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    return File(content, gzip.compress(content, mtime=0), MEDIA_TYPES[path.suffix], tag)


def answer(request: Request, file: File) -> Response:
    """A file; 304 to a browser that has it, packed for one that can unpack."""
    headers = {
        "Cache-Control": "no-cache",  # kept, and asked for again by its tag
        "Content-Security-Policy": POLICY,
        "Cross-Origin-Opener-Policy": "same-origin",
        "ETag": file.tag,
        "Vary": "Accept-Encoding",
    }
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(file.packed, headers=headers, media_type=file.media_type)
    return Response(file.content, headers=headers, media_type=file.media_type)
