"""Optional: a language model reads what was told, and its facts are kept beside the words."""

from scrubjay.engine.extract.extractor import Extractor, LlmSettings
from scrubjay.engine.extract.report import Extraction
from scrubjay.types.outcomes import Extracted, Trouble, Usage

__all__ = ["Extracted", "Extraction", "Extractor", "LlmSettings", "Trouble", "Usage"]
