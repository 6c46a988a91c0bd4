"""Loads what a first change and a first question load; imported where processes are forked off."""

from __future__ import annotations

from scrubjay import Memory

with Memory.open(":memory:", encoder="hash", reranker=None) as _memory:
    _memory.retain(["The grey heron stood by the mill.", "Agnes Vogel went to Oslo."])
    _memory.recall("Where did Agnes go?")
