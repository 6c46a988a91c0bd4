"""The examples run and find what they are there to show."""

from __future__ import annotations

import json
from pathlib import Path

from examples import agent_loop, meeting_notes, support_tenants, timeline

FOLDER = Path(__file__).parents[2] / "examples"


def test_an_agent_knows_on_tuesday_what_it_heard_on_monday() -> None:
    *_, ida, walnuts = agent_loop.main()
    assert ida == "You told me: My daughter Ida plays the cello."
    assert walnuts == "You told me: I am allergic to walnuts."


def test_notes_of_meetings_answer_with_what_holds_now() -> None:
    launch, turnstiles, office = meeting_notes.main()
    assert "2 June 2026" in launch
    assert "rust" in turnstiles
    assert office.startswith("Priya")


def test_tenants_find_their_own_and_the_handbook() -> None:
    found = support_tenants.main()
    assert found["acme"] == [
        "Acme's invoices go to 4 Quay Street.",
        "Refunds are paid within 14 days.",
    ]
    assert found["globex"][0] == "Globex's invoices go to 9 Mill Lane."
    assert len(found["banks left"]) == 2


def test_a_timeline_has_the_months_of_an_export_and_answers_by_time() -> None:
    *months, march = timeline.main()
    assert months == ["2026-01 1", "2026-02 1", "2026-03 1"]
    assert march == "I passed the sailing exam!"


def test_the_notebook_runs_from_top_to_bottom() -> None:
    notebook = json.loads((FOLDER / "first_steps.ipynb").read_text(encoding="utf-8"))
    names: dict[str, object] = {}
    for cell in notebook["cells"]:
        assert not cell.get("outputs")
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert "explained" in names


def test_every_example_is_listed() -> None:
    listed = (FOLDER / "README.md").read_text(encoding="utf-8")
    files = [path.name for path in FOLDER.iterdir() if path.suffix in (".py", ".ipynb")]
    assert not [name for name in files if f"`{name}`" not in listed]
