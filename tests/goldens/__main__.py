"""Records the goldens anew: `python -m tests.goldens`."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

from tests.goldens import commands, over_http, rankings

HERE = Path(__file__).parent
ENVIRONMENT = {
    "COLUMNS": "200",
    "NO_COLOR": "1",
    "SCRUBJAY_MODELS": "/nonexistent",
    "SCRUBJAY_ENCODER": "none",
}


def recorded(folder: Path) -> dict[str, object]:
    """Everything, by the name of its file."""
    return {
        "http": over_http.record(),
        "commands": commands.record(folder),
        "rankings": rankings.record(),
    }


def written(value: object) -> str:
    """A golden as its file has it: one answer a line."""
    if isinstance(value, list):
        lines = ",\n".join(json.dumps(part, ensure_ascii=False) for part in value)
        return f"[\n{lines}\n]\n"
    assert isinstance(value, dict)
    lines = ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
    return f"{{\n{lines}\n}}\n"


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    target.mkdir(exist_ok=True)
    os.environ.update(ENVIRONMENT)
    with tempfile.TemporaryDirectory() as folder:
        for name, value in recorded(Path(folder)).items():
            (target / f"{name}.json").write_text(written(value), encoding="utf-8")
