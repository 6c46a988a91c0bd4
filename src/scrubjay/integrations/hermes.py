"""A memory provider for Hermes Agent: recalls before a turn, keeps turns, offers two tools."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scrubjay.bank import Bank
from scrubjay.errors import ExtraMissing, ScrubjayError, StoreLocked
from scrubjay.integrations.context import answer_for, bank_named, context_for
from scrubjay.memory import Memory
from scrubjay.types.filters import UnitFilter
from scrubjay.types.units import Unit

try:
    from agent.memory_provider import MemoryProvider
except ModuleNotFoundError as error:
    # An application and no library: ours goes into its environment, not the other way round.
    raise ExtraMissing(
        None, "Hermes Agent", "Install scrubjay into its environment; it loads this module there."
    ) from error

_LOG = logging.getLogger("scrubjay.hermes")
# Only who speaks with the user keeps turns: prompts of a schedule are nobody's words.
_SPEAKS = "primary"
_TOOLS: list[dict[str, Any]] = [
    {
        "name": "scrubjay_recall",
        "description": "Ask the long-term memory a question in your own words.",
        "parameters": {
            "type": "object",
            "properties": {"question": {"type": "string"}},
            "required": ["question"],
        },
    },
    {
        "name": "scrubjay_remember",
        "description": "Keep one fact, preference or event for later, in a whole sentence.",
        "parameters": {
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "required": ["text"],
        },
    },
]


class ScrubjayProvider(MemoryProvider):
    """Keeps the memory in `$HERMES_HOME/scrubjay`, or where SCRUBJAY_STORE says.

    One process writes a store in a directory; where another one holds it, this one recalls only.
    For several, let SCRUBJAY_STORE be the address of a server.
    """

    def __init__(self) -> None:
        self._memory: Memory | None = None
        self._session = ""
        self._writes = False
        self._name = ""

    @property
    def name(self) -> str:
        """What `memory.provider` in the configuration says."""
        return "scrubjay"

    def is_available(self) -> bool:
        """Always: nothing is to be configured."""
        return True

    def initialize(self, session_id: str, **kwargs: Any) -> None:  # noqa: ANN401
        """Open the store for a session; a bank for each profile and user."""
        self.shutdown()
        home = Path(str(kwargs.get("hermes_home") or Path.home() / ".hermes"))
        store = os.environ.get("SCRUBJAY_STORE") or str(home / "scrubjay")
        profile, user = kwargs.get("agent_identity"), kwargs.get("user_id")
        parts = [str(part) for part in (profile, user) if part]
        self._name = bank_named("hermes", *parts) if parts else "hermes"
        self._session = session_id
        self._writes = kwargs.get("agent_context", _SPEAKS) == _SPEAKS
        try:
            self._memory = Memory.open(store)
        except StoreLocked as error:
            _LOG.warning("recalling only: %s", error)
            self._memory, self._writes = Memory.open(store, read_only=True), False

    @property
    def bank(self) -> Bank:
        """The bank in use."""
        if self._memory is None:
            raise ScrubjayError("The provider is not initialized. Call initialize(session_id).")
        return self._memory.bank(self._name)

    def system_prompt_block(self) -> str:
        """That there is a memory, and what for."""
        return (
            "You have a long-term memory of earlier conversations. What a message needs of it is "
            "put before you as quoted data; call scrubjay_recall to look further, and "
            "scrubjay_remember for what the user wants to be kept."
        )

    def prefetch(self, query: str, *, session_id: str = "") -> str:  # noqa: ARG002
        """What a message needs of the memory; "" for nothing."""
        return context_for(self.bank, query)

    def sync_turn(
        self,
        user_content: str,
        assistant_content: str,
        *,
        session_id: str = "",
        messages: Sequence[Mapping[str, Any]] | None = None,  # noqa: ARG002
    ) -> None:
        """Keep a turn; Hermes calls this off the path of the answer."""
        said = (("user", user_content), ("assistant", assistant_content))
        self._keep([*said], session_id or self._session)

    def get_tool_schemas(self) -> list[dict[str, Any]]:
        """Two tools, by names that are not Hermes' own."""
        return _TOOLS

    def handle_tool_call(self, tool_name: str, args: Mapping[str, Any], **_: Any) -> str:  # noqa: ANN401
        """What a tool answers, as JSON; an error in words, for the model to try again."""
        try:
            if tool_name == "scrubjay_recall":
                return json.dumps({"result": answer_for(self.bank, str(args.get("question", "")))})
            if tool_name == "scrubjay_remember" and self._writes:
                kept = self.bank.retain(str(args.get("text", "")), session=self._session or None)
                return json.dumps({"result": "Kept." if kept.new else "Known already."})
        except ScrubjayError as error:
            return json.dumps({"error": str(error)})
        return json.dumps({"error": f"{tool_name} cannot be done here."})

    def on_session_switch(self, new_session_id: str, **_: Any) -> None:  # noqa: ANN401
        """What is said from now on belongs to another conversation."""
        self._session = new_session_id

    def on_pre_compress(self, messages: Sequence[Mapping[str, Any]]) -> str:
        """Keep what is about to be summarized; a turn that is known is not kept again."""
        said = [
            (str(message.get("role")), str(message.get("content") or ""))
            for message in messages
            if message.get("role") in ("user", "assistant")
        ]
        known = {
            (unit.speaker, unit.text)
            for unit in self.bank.list(UnitFilter(session=self._session), limit=1_000).units
        } if self._writes and self.bank.stats().units else set()  # fmt: skip
        self._keep([one for one in said if one not in known], self._session)
        return ""

    def on_memory_write(
        self,
        action: str,
        target: str,
        content: str,
        metadata: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> None:
        """Keep what the built-in memory is told; what it drops stays here as history."""
        if self._writes and action in ("add", "replace") and content.strip():
            self.bank.retain(content, tags=[f"hermes-{target}"], session=self._session or None)

    def backup_paths(self) -> list[str]:
        """The store lies in the home of Hermes, unless it was put elsewhere."""
        store = os.environ.get("SCRUBJAY_STORE", "")
        return [store] if store and "://" not in store else []

    def shutdown(self) -> None:
        """Close the store."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None

    def _keep(self, said: list[tuple[str, str]], session: str) -> None:
        units = [
            Unit(text, type="message", speaker=who, session=session or None)
            for who, text in said
            if text.strip()
        ]
        if self._writes and units:
            self.bank.retain(units)


def register(context: Any) -> None:  # noqa: ANN401
    """What Hermes calls to load the plugin."""
    context.register_memory_provider(ScrubjayProvider())
