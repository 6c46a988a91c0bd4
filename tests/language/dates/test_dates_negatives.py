"""Words and numbers that only look like times give no window."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from scrubjay.language.dates import TimeContext, find_times, question_window, told_window

CONTEXT = TimeContext(now=datetime(2024, 6, 19, 14, 30, tzinfo=UTC), zone=UTC)

LOOK_ALIKES = [
    "What class did I take on Tuesdays at 6 PM?",
    "Who was Prospero's Tuesday?",
    "How do you write Thursday in Danish?",
    "What is the Welsh word for Sunday?",
    "Where is our copy of 1984?",
    "The march was noisy",
    "She rows 5 km in 25 minutes",
    "Nobody types 90 words in a minute",
    "¿Conoces a Abril?",
    "What did we do in the month before the wedding?",
    "Have I ever been to Paris before?",
    "What did I do after lunch?",
    "Before we go, who is Ann?",
    "What is the second most popular item?",
    "Can you march me through it?",
    "May the force be with you",
    "Who's on first?",
    "What's on at the Tuesday club?",
    "What is the plot of Groundhog Day?",
    "How late may guests arrive?",
    "What is Holly Christmas's number?",
    "What does Augustus call his boat?",
    "Who is a picky eater?",
    "Où se trouve la rue du 4 Septembre ?",
    "Onde fica a Rua Primeiro de Maio?",
    "Comment s'appelle le chien de Juin ?",
    "Qual è il numero di Domenica?",
    "my 3 year old son",
    "a two-week sprint",
    "What is a 30 day trial?",
    "How many days are in a leap year?",
    "What's my daily routine?",
    "section 3.12 of the doc",
    "What is 24/7?",
    "ratio of 3/4",
    "room 2019",
    "Is April coming to dinner?",
    "Did June call?",
    "Tell me about Summer Smith",
    "Where's my Sunday best?",
    "I love the month of fun",
    "day trip ideas",
    "night mode settings",
    "a minute of your time",
    "the second one",
    "Which week day is best?",
    "What is a good Christmas gift?",
    "How does daylight saving work?",
    "chapter 12, verse 3",
    "call 555-2019",
    "order #2023",
    "v2024.1 release notes",
    "RFC 2119",
    "ISO 8601",
    "the year of the dragon",
    "the 5 second rule",
    "24 hour fitness",
    "the 100 days of code challenge",
    "What's the last name on the list?",
    "one day I will",
    "some day",
    "What does Jan do?",
    "Is Mar the abbreviation?",
    "How old was I when I moved?",
    "What time is it?",
    "When did I last see Bob?",
    "What did I say last?",
    "Who was here first?",
    "the past tense of go",
    "in the future",
    "What's next?",
    "my first week at work",
    "the last day of school",
    "every Friday we meet",
    "on Mondays",
    "each morning",
    "What happens at night?",
    "in the evening I read",
    "What's the best season?",
    "the March issue of the magazine",
    "fall in love",
    "Winter is coming",
    "May be wrong",
    "The Thursday Murder Club",
    "Black Friday deals",
    "since when?",
    "before long",
    "after all",
    "by then",
    "until further notice",
    "since I was a kid",
    "How did I feel the morning after my birthday?",
    "What did I do the week of my birthday?",
    "What did I do on leap day?",
    "Who ran the March for Life?",
    "How do I say May in French?",
    "Is Sunday a good name?",
    "Tell me about the summer house",
    "What does the Friday feature do in the app?",
    "Who has room 1984?",
    "What about 1984 by Orwell?",
    "Which of the 12 months is longest?",
    "How long is a century?",
    "Is 2000 calories enough?",
    "in 1500 words or less",
    "What's 3 to 5 in odds?",
    "Does the 10:30 train exist?",
    "score was 3-2",
    "Did we win 10-7?",
    "Boeing 747-400",
    "size 10-12",
    "24-hour clock",
    "Where can I find Easter eggs in the code?",
    "the Halloween movie",
    "What is Cyber Monday?",
    "When is Thanksgiving?",
    "What day is Christmas on?",
    "my Monday morning blues",
    "the weekend warrior plan",
    "last resort",
    "past experience with Rust",
    "next steps",
    "previous employer",
    "first date ideas",
    "second opinion",
    "third party",
    "quarter mile",
    "half marathon",
    "second half of the match",
    "the first quarter of the game",
    "10 years of experience",
    "a 5 year plan",
    "for 3 weeks",
    "How long ago was it?",
    "two days later",
    "the next morning",
    "that summer",
    "the same day",
    "day one",
    "year one",
    "the day job",
]


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_only_looks_like_a_time_gives_none(text: str) -> None:
    assert question_window(text, CONTEXT) is None


@pytest.mark.parametrize("text", ["", " ", "?", "…", "-", "//", "\n\n", "\x00", "🙂🙂"])
def test_text_without_words_gives_none(text: str) -> None:
    assert find_times(text, CONTEXT) == ()
    assert question_window(text, CONTEXT) is None
    assert told_window(text, CONTEXT) is None


def test_a_title_in_quotation_marks_is_not_a_time() -> None:
    assert question_window('Who sang "Yesterday" at the party?', CONTEXT) is None


def test_now_is_found_but_asks_for_no_window() -> None:
    assert [mention.text for mention in find_times("Can we meet now?", CONTEXT)] == ["now"]
    assert question_window("Where do I live now?", CONTEXT) is None
