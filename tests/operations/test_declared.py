"""What an operation declares of its arguments holds wherever it is done."""

from __future__ import annotations

from typing import Annotated

import pytest

from scrubjay import BadInput, Memory
from scrubjay.marks import Between, Called
from scrubjay.operations.operation import Address, Engine, KeyScope, operation


@operation(Address("GET", "/v1/banks/{bank}/first", KeyScope.READ, "The first few."))
def first(
    _: Engine, limit: Annotated[int, Between(1, 3), Called("how many")], name: str = ""
) -> str:
    """A method somebody adds."""
    return name * limit


def test_a_declared_bound_is_checked_in_process_before_any_work() -> None:
    with Memory.open(":memory:", encoder=None, reranker=None) as memory:
        bank = memory.bank("notes")
        assert bank._run(first, 2, "ab") == "abab"
        with pytest.raises(BadInput, match=r"how many: 4\. Give a number from 1 to 3\."):
            bank._run(first, 4, "ab")
