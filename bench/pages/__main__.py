"""Writes every measured block of the pages anew."""

from __future__ import annotations

from bench.pages import PAGES, written

for page in PAGES:
    page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")
