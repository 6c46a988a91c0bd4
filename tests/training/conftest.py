"""Leaves out what needs torch where torch is not installed: the project does not depend on it."""

from __future__ import annotations

from importlib.util import find_spec

MISSING = [name for name in ("torch", "onnx") if find_spec(name) is None]
collect_ignore = ["test_training_pipeline.py"] if MISSING else []


def pytest_report_header() -> str:
    if not MISSING:
        return "training: the pipeline is run in miniature"
    return f"training: the pipeline is not run, {' and '.join(MISSING)} is not installed"
