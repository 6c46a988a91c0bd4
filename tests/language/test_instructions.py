"""A standing instruction is known by its words, and what only sounds like one is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.language.instructions import standing_instruction

INSTRUCTIONS = [
    "Always answer in metric units.",
    "Please never share my address with couriers.",
    "From now on, use the new template for quotes.",
    "Commit messages from now on: imperative, no full stop.",
    "Don't book anything before nine unless I say so.",
    "And no calls on Fridays unless it burns.",
    "Never deploy to production without asking me.",
    "When I ask about a train, give the platform too.",
    "Whenever you write to a supplier, keep it formal.",
    "One rule for the newsletter: no photos of children.",
    "You must never mention the price first.",
    "The oven is new. Always preheat it for ten minutes, please.",
    "Keep your replies to three lines.",
    "Please stop adding hashtags to posts.",
    "Address me by my surname.",
    "Only recommend films without violence.",
    "If I ask for a recipe, leave out the nuts.",
    "Don't give my number to anybody.",
    "Make sure to lint the code before committing.",
    "Remember to copy Ines in every invoice.",
    "Write in the second person from here on.",
    "Halte deine Antworten bitte kurz.",
    "Garde tes réponses courtes.",
    "Mantén tus respuestas cortas.",
    "Antworte immer auf Deutsch.",
    "Ab sofort bitte nur noch kurze Antworten.",
    "Buche nichts vor neun, es sei denn, ich sage es.",
    "Buche keine Flüge, ohne mich zu fragen.",
    "Réponds toujours en français.",
    "Désormais, tu m'appelles Jo.",
    "Ne réserve rien sauf si je le demande.",
    "Responde siempre en español.",
    "A partir de ahora, usa frases cortas.",
    "No reserves nada a menos que te lo pida.",
    "以后请用中文回答。",
    "不要给我发邮件，除非我要求。",
]
OTHERS = [
    "Never mind, I found it.",
    "Always a pleasure to see you.",
    "Never give up!",
    "You never know what comes next.",
    "You can always count on me.",
    "She always takes the early ferry.",
    "I never liked that colour.",
    "The driver comes at four from now on, says the depot.",
    "Do you always answer in German?",
    "In the future, cars will fly.",
    "Send me the file, please.",
    "It was never about the money.",
    "Call me back when you can.",
    "Make sure the door is locked, it was open.",
    "I stopped using that app.",
    "Your answers were all wrong today.",
    "Only the blue one fits my bike.",
    "If I ask nicely, she helps me.",
    "He did not talk to anyone there.",
    "Remember to buy milk on the way.",
    "Er kommt immer zu spät.",
    "Il est toujours en retard.",
    "Siempre llega tarde.",
    "他总是迟到。",
]


@pytest.mark.parametrize("text", INSTRUCTIONS)
def test_a_standing_instruction_is_known(text: str) -> None:
    assert standing_instruction(text) is not None


@pytest.mark.parametrize("text", OTHERS)
def test_what_only_sounds_like_one_is_none(text: str) -> None:
    assert standing_instruction(text) is None


def test_what_the_agent_advises_binds_nobody() -> None:
    assert standing_instruction("Always keep a backup.", speaker="assistant") is None
    assert standing_instruction("Always keep a backup.", speaker="user") is not None


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    found = standing_instruction(text)
    assert found is None or found in text.lower().replace("’", "'")
