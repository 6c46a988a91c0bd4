"""Asks any OpenAI-compatible endpoint for the facts in what was told, and survives its answers."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from scrubjay.encoder.http_client import JsonClient, parse_endpoint
from scrubjay.engine.extract.prompt import messages
from scrubjay.engine.extract.reading import Read, Unusable, content_of, read_facts
from scrubjay.engine.extract.report import Extraction
from scrubjay.errors import BadInput, EncoderError
from scrubjay.patience import Patience, with_endpoints
from scrubjay.settings import BankSettings
from scrubjay.types.outcomes import Trouble, Usage
from scrubjay.types.units import StoredUnit
from scrubjay.types.values import Json

URL_VARIABLE = "SCRUBJAY_LLM_URL"
MODEL_VARIABLE = "SCRUBJAY_LLM_MODEL"
KEY_VARIABLE = "SCRUBJAY_LLM_KEY"
PRICES_VARIABLE = "SCRUBJAY_LLM_PRICES"

# Questions at once: endpoints serve a few in parallel, and one slow answer holds up few others.
REQUESTS_AT_ONCE = 4
ANSWER_TOKENS_MAX = 4_096
_PER_MILLION = 1e6
# A model writes its answer word by word.
_PATIENCE = Patience(timeout_s=60.0)


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """Which model is asked where, how patiently, and what a million tokens cost."""

    url: str
    model: str
    api_key: str | None = None
    price_in: float | None = None  # per million tokens read; None: not known
    price_out: float | None = None  # per million tokens written
    patience: Patience = _PATIENCE

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> LlmSettings:
        """SCRUBJAY_LLM_URL, _MODEL, _KEY and _PRICES ("in,out"), SCRUBJAY_ENDPOINT_SECONDS.

        BadInput if address or model is missing.
        """
        url, model = environment.get(URL_VARIABLE), environment.get(MODEL_VARIABLE)
        if not url:
            raise BadInput(URL_VARIABLE, url, "Set it to an OpenAI-compatible address.")
        if not model:
            raise BadInput(MODEL_VARIABLE, model, "Set it to the model's name.")
        price_in, price_out = _prices(environment.get(PRICES_VARIABLE))
        patience = with_endpoints(_PATIENCE, environment)
        return cls(url, model, environment.get(KEY_VARIABLE), price_in, price_out, patience)


def _prices(text: str | None) -> tuple[float | None, float | None]:
    if not text:
        return None, None
    try:
        price_in, price_out = (float(part) for part in text.split(","))
    except ValueError:
        raise BadInput(PRICES_VARIABLE, text, "Give IN,OUT per million tokens.") from None
    return price_in, price_out


class Extractor:
    """Facts from notes, by a language model; safe to use from many threads."""

    def __init__(self, settings: LlmSettings) -> None:
        """Nothing is asked yet; BadInput for an address that is none."""
        self._settings = settings
        endpoint = parse_endpoint(settings.url, "/v1/chat/completions")
        self._client = JsonClient(
            endpoint.url, api_key=settings.api_key, patience=settings.patience
        )

    def extract(self, sources: Sequence[StoredUnit], settings: BankSettings) -> Extraction:
        """The facts of units already kept; every failure is a Trouble, none is raised."""
        if not sources:
            return Extraction((), (), Usage())
        with ThreadPoolExecutor(min(REQUESTS_AT_ONCE, len(sources))) as pool:
            answers = list(pool.map(partial(self._one, settings=settings), sources))
        usage = Usage()
        for _, own in answers:
            usage = usage.plus(own)
        units = tuple(unit for read, _ in answers for unit in read.units)
        troubles = tuple(
            Trouble(source.id, reason)
            for source, (read, _) in zip(sources, answers, strict=True)
            for reason in read.reasons
        )
        return Extraction(units, troubles, usage)

    def _one(self, source: StoredUnit, settings: BankSettings) -> tuple[Read, Usage]:
        usage = Usage(requests=1)
        try:
            answer = self._client.post(self._body(source, settings))
            usage = self._usage(answer)
            return read_facts(content_of(answer), source, settings), usage
        except (EncoderError, Unusable) as error:
            return Read((), (str(error),)), usage
        except RecursionError:
            return Read((), ("the answer is nested too deeply",)), usage

    def _body(self, source: StoredUnit, settings: BankSettings) -> dict[str, Json]:
        return {
            "model": self._settings.model,
            "messages": messages(source, settings.types),
            "temperature": 0,
            "max_tokens": ANSWER_TOKENS_MAX,
            "response_format": {"type": "json_object"},
        }

    def _usage(self, answer: Json) -> Usage:
        said = answer.get("usage") if isinstance(answer, Mapping) else None
        read, written = (
            _count(said.get(name)) if isinstance(said, Mapping) else 0
            for name in ("prompt_tokens", "completion_tokens")
        )
        price_in, price_out = self._settings.price_in, self._settings.price_out
        if price_in is None or price_out is None:
            return Usage(1, read, written)
        cost = (read * price_in + written * price_out) / _PER_MILLION
        return Usage(1, read, written, cost)


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
