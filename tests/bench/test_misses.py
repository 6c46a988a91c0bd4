import json
from pathlib import Path

import pytest
from bench.evaluation.misses import Cause, cause_of, read_misses, typical
from bench.misses import main

from scrubjay.errors import BadInput
from scrubjay.types.values import Json


def place(rank: int | None, **ranks: int) -> dict[str, Json]:
    return {"unit_id": "u", "rank": rank, "fused_rank": rank, "retrievers": dict(ranks)}


@pytest.mark.parametrize(
    ("ranks", "evidence", "timed", "cause"),
    [
        ({"lexical": 3}, 11, False, Cause.NO_ROOM),
        ({"lexical": 3, "semantic": 3}, 2, True, Cause.OTHER_TIME),
        ({"lexical": 3, "semantic": 3, "temporal": 9}, 2, True, Cause.CROWDED),
        ({"lexical": 3, "semantic": 51}, 2, False, Cause.WORDS_ONLY),
        ({"semantic": 50}, 2, False, Cause.MEANING_ONLY),
        ({"lexical": 51, "graph": 1}, 2, False, Cause.UNSEEN),
    ],
)
def test_a_miss_has_the_first_cause_that_applies(
    ranks: dict[str, int], evidence: int, timed: bool, cause: Cause
) -> None:
    assert cause_of(place(None, **ranks), evidence, timed=timed) is cause


def questions_file(folder: Path) -> Path:
    def line(category: str, *gold: dict[str, Json], apart: bool = False) -> str:
        told = {"set": "s", "preset": "default", "category": category, "apart": apart}
        return json.dumps({**told, "window": None, "gold": list(gold)})

    path = folder / "questions.jsonl"
    path.write_text(
        "\n".join(
            [
                line("easy", place(1, lexical=1), place(10, semantic=4)),
                line("hard", place(11, lexical=4), place(None), place(None, lexical=5)),
                line("hard", place(None), apart=True),
            ]
        )
    )
    return path


def test_only_what_is_behind_the_tenth_place_of_questions_that_count_is_missed(
    tmp_path: Path,
) -> None:
    easy, hard = read_misses(questions_file(tmp_path), "default")
    assert (easy.questions, easy.evidence, easy.missed) == (1, 2, 0)
    assert (hard.questions, hard.evidence, hard.missed) == (1, 3, 3)
    assert list(typical(hard)) == [(Cause.WORDS_ONLY, 2), (Cause.UNSEEN, 1)]


def test_the_command_prints_each_category_and_writes_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "misses.json"
    assert main([str(questions_file(tmp_path)), "--json", str(out)]) == 0
    assert "words only 2" in " ".join(capsys.readouterr().out.split())
    assert json.loads(out.read_text())[1]["missed"] == 3


def test_a_preset_that_was_not_asked_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="tempr"):
        read_misses(questions_file(tmp_path), "tempr")
