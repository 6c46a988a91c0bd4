"""Modules that are imported when something of them is first used.

`from scrubjay import Memory` must not cost what a recall needs: numpy, the engine, the stores. The
facade names those parts for type checkers, and gets them through here.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


class _Later(ModuleType):
    def __getattr__(self, name: str) -> object:
        found: object = getattr(import_module(self.__name__), name)
        setattr(self, name, found)  # the next look-up is a plain one
        return found


def later(name: str) -> ModuleType:
    """A module that is imported with the first look at one of its names."""
    return _Later(name)
