"""The phrases of preference and opinion are found although most texts are turned away early."""

import pytest

from scrubjay.language.stances import HABIT, OPINION, STATED_PREFERENCE

_PREFERENCES = """prefer|prefers|preferred|preference|preferences|preferably|favorite|favourites
would rather|'d much rather|would like|'d really love|would hate|my default|my usual|my go-to
is a fan of|are fond of|'m not keen on|am a big fan of|'s partial to|can't stand|cannot stand
from now on|by choice""".replace("\n", "|")
_HABITS = """she usually orders|he normally sits|i typically pick|they generally wear
we tend to avoid|he tends to take|user always drinks|i never use""".replace("\n", "|")
_OPINIONS = """in my view|in his opinion|in her book|in their experience|in our view|if you ask me
honestly|frankly|personally|arguably|to be honest|imho|imo|it seems to me|it seems that
it seems like|feel that|feels that|sure that|certain that|agree that|agrees that|not sure
feel like|feels like|i feel|convinced|sceptical|skeptical|doubtful|of the opinion|regard it as
regards it as|view it as|views it as|see it as|sees it as|the key to|the secret to
matters more|matters most|waste of|worth it|worth the|worth every|worth paying|worth reading
people should|we shouldn't|one should|nobody should""".replace("\n", "|")


@pytest.mark.parametrize("phrase", _PREFERENCES.split("|"))
def test_every_way_to_state_a_preference_is_found(phrase: str) -> None:
    assert STATED_PREFERENCE.find(f"{phrase} the blue mug") == phrase


@pytest.mark.parametrize("phrase", _HABITS.split("|"))
def test_every_habit_of_choice_is_found(phrase: str) -> None:
    assert HABIT.find(f"on trains {phrase} something") == phrase


@pytest.mark.parametrize("phrase", _OPINIONS.split("|"))
def test_every_way_to_voice_an_opinion_is_found(phrase: str) -> None:
    assert OPINION.find(f"{phrase} the blue mug") == phrase


def test_a_piece_of_a_phrase_is_not_the_phrase() -> None:
    assert STATED_PREFERENCE.find("the fan was standing by, at a partial angle") is None
    assert HABIT.find("it never rained") is None
    assert OPINION.find("the view from in my room was worth a photo") is None
