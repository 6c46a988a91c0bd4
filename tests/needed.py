"""What a test needs that Python's package index does not have: there, or said to be lacking."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def lacking(what: str, remedy: str) -> NoReturn:
    """Leave the test out, and say why; where CI=true everything is to be there, so fail it."""
    lack = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
    raise lack.Exception(f"{what} is not here: {remedy}")


def unobtainable(what: str, remedy: str) -> NoReturn:
    """Leave the test out, and say why, also where CI=true: for what no package index has."""
    raise pytest.skip.Exception(f"{what} is not here: {remedy}")
