"""The one place that imports onnxruntime, after telling it to report nothing to anybody."""

from __future__ import annotations

import os
from types import ModuleType

# The library reads this variable while it is imported. Without it, it writes a device id and a
# queue of events below the user's cache directory and sends them a few seconds later; its own
# `disable_telemetry_events` comes too late for what the import has queued.
SILENCE_VARIABLE = "ORT_DISABLE_TELEMETRY"


def import_onnxruntime() -> ModuleType:
    """The library, silent. ImportError where it is not installed.

    A value that the variable already has is left alone. Where the program imported the library
    before us, what that import queued is beyond our reach; everything later is switched off.
    """
    if not os.environ.get(SILENCE_VARIABLE):
        os.environ[SILENCE_VARIABLE] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    loaded: ModuleType = onnxruntime
    return loaded
