"""The examples on the pages of integrations run, each against its framework."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.docs.test_snippets import ELSEWHERE, blocks_of, run_python
from tests.integrations.frameworks.conftest import NEEDS

from scrubjay import Memory


@pytest.mark.parametrize("page", ELSEWHERE, ids=lambda page: page.stem)
def test_the_blocks_of_a_page_run(page: Path) -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    ran = 0
    for block in blocks_of(page):
        if block.language == "python":
            run_python(block, page, names)
            ran += 1
    for value in names.values():
        if isinstance(value, Memory):
            value.close()
    assert ran


def test_every_framework_has_its_page() -> None:
    stems = {page.stem.replace("-", "_") for page in ELSEWHERE} | {"hermes", "pages"}
    assert {name.removeprefix("test_").removesuffix(".py") for name in NEEDS} == stems
