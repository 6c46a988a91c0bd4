"""What an encoder of the catalogue says of itself, whichever way it embeds."""

from __future__ import annotations

from pathlib import Path

from scrubjay.encoder.catalogue import Embedding, Model
from scrubjay.encoder.model_files import require_usable


class CatalogueEncoder:
    """The part of an Encoder that its catalogue entry answers; no file is read for it."""

    def __init__(self, model: Model, embedding: Embedding, directory: Path) -> None:
        require_usable(model, directory)
        self._model, self._embedding, self._directory = model, embedding, directory
        self.name, self.fingerprint = model.name, model.fingerprint
        self.dimension, self.context_words = embedding.dimension, embedding.context_words
        self.calibration = embedding.calibration
