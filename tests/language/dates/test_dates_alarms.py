"""A word that names a time in one sentence plays another part in the next, and gives no window."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.language.dates.days_read import reading_at

from scrubjay.language.dates import TimeContext, question_window, told_times

CONTEXT = TimeContext(now=datetime(2026, 10, 5, 9, tzinfo=UTC), zone=UTC)  # a Monday
asked, occurred = reading_at(CONTEXT)

GLUED = [
    "Is the marker HLA-Cw3 in her results?",
    "Does compound RB-12 may react with tin?",
    "Which patients carry the 2q37 deletion?",
    "Who caught H1N1 on the ward?",
    "Which jacket is sun-bleached?",
    "Where are the Christmas-themed mugs?",
    "Does histone H1 bind there?",
]
OF_SOMETHING = [
    "Who scored in the last two minutes of the match?",
    "What was the mood in the last week of the strike?",
    "How many leave within a year of the operation?",
    "Who fell ill within three days of the picnic?",
    "Did she solve it within four hours?",
    "Which toys suit three year old twins in five year old shoes?",
    "What did we eat at week 3 of the diet?",
    "Who was best man the last year Tom rowed?",
    "Was it the last month that the ferry ran?",
    "Why did he smile for the first time in a week?",
    "Is it found in almost one quarter of households?",
]
VERBS = [
    "Which one may or may not be in the shed?",
    "Why may one slip on the stairs?",
    "Which of the following may have caused the leak?",
    "Does type 2 may not need insulin apply here?",
    "What happens if this falls short?",
    "Which instrument was played during the marches?",
    "In the season when nine matches were played, who won?",
]
RECENTLY = [
    "Where is the recently opened bakery?",
    "Which of the recently used files is largest?",
    "Which of the two clubs was founded most recently?",
    "Which of the rooms was painted more recently than the hall?",
    "Does it raise the risk of late frost?",
    "Wo ist die kürzlich eröffnete Bäckerei?",
]
NAMES = [
    "Who is on the portrait by Jan Vermeulen?",
    "Which planet is least drawn by Sun's gravity?",
    "Who led the crowd in the July Revolution?",
    "Who joined the March 14 Alliance?",
    "Do they have wet summers and mild winters?",
    "Are colder winters good for the vines?",
    "Who came after winter soldier?",
    "Did the study look at winter sports injuries?",
]
GENERAL = [
    "Can you buy beer in Hamburg on Sunday?",
    "Can people fish in Wales on Sunday?",
    "Where do hedgehogs sleep in winter?",
    "Why do leaves change colour in the fall?",
    "Do banks close on Good Friday?",
    "Which town has more rain during winter?",
    "Is it warmer in August or in February?",
    "Which month is colder in the valley, July or January?",
    "Does the fair always fall on the last Sunday of May?",
    "Is Mother's Day the second Sunday in May?",
    "Is June 12 a holiday in Manila?",
    "What is the average temperature in Bergen during winter?",
    "Is there an annual parade in June?",
    "Which brother sees less sunlight in August?",
    "In which month is the slope exposed to more sun, May or November?",
    "What is the annual fair held in late August?",
    "Do they have Mother's Day in other countries?",
    "What is the meaning of Independence Day there?",
    "Is the wreck still in the bay today?",
    "Is the museum open all year?",
    "Where is the old town gate located today?",
    "Is their founder still alive today?",
]
ABROAD = [
    "Regnet es im Mai mehr als im Juni?",
    "Est-ce qu'il pleut plus en mai qu'en juin ?",
    "¿Llueve más en mayo que en junio?",
    "¿El mercado es siempre el último domingo de mayo?",
    "Piove di più a maggio o a giugno?",
    "La fiera è sempre l'ultima domenica di maggio?",
    "Chove mais em maio do que em junho?",
    "A feira é sempre no último domingo de maio?",
    "Der Markt ist immer am letzten Sonntag im Mai, oder?",
    "Le marché est toujours le dernier dimanche de mai ?",
]
CLOCKS = [
    "At which hour did the load rise: 4 PM or 7 PM?",
    "How is auto-suspend set, 60 s or 90 s?",
]


@pytest.mark.parametrize(
    "text",
    [*GLUED, *OF_SOMETHING, *VERBS, *RECENTLY, *NAMES, *GENERAL, *ABROAD, *CLOCKS],
)
def test_a_word_that_plays_another_part_is_no_time(text: str) -> None:
    assert question_window(text, CONTEXT) is None


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("What did I spend in the last two weeks of September?", ("2026-09-17", "2026-09-30")),
        ("Show me the last two weeks of entries", ("2026-09-21", "2026-10-05")),
        ("Which papers expire within 30 days?", ("2026-10-05", "2026-11-04")),
        ("What did we pay in Q3?", ("2026-07-01", "2026-09-30")),
        ("Who did I meet on 3 May?", ("2026-05-03", "2026-05-03")),
        ("What have I recently bought?", ("2026-09-05", "2026-10-05")),
        ("Who painted the fence by June?", (None, "2026-06-30")),
        ("What did we decide at the July Lisbon meeting?", ("2026-07-01", "2026-07-31")),
        ("Can you come on Sunday?", ("2026-10-11", "2026-10-11")),
        ("Do lessons start in November?", ("2026-11-01", "2026-11-30")),
        ("¿Gastamos más en mayo o en junio?", ("2026-05-01", "2026-06-30")),
        ("Hat es im Mai mehr geregnet?", ("2026-05-01", "2026-05-31")),
        ("¿Llovió más en mayo o en junio?", ("2026-05-01", "2026-06-30")),
        ("A-t-il plus neigé en mai ?", ("2026-05-01", "2026-05-31")),
        ("Abbiamo speso di più a maggio?", ("2026-05-01", "2026-05-31")),
        ("Did it rain more in August?", ("2026-08-01", "2026-08-31")),
        ("What are we doing in the winter?", ("2026-12-01", "2027-02-28")),
        ("Is Mother's Day brunch on the second Sunday in May?", ("2026-05-10", "2026-05-10")),
        ("Who is still off today?", ("2026-10-05", "2026-10-05")),
        ("Where are the photos of Christmas?", ("2026-12-25", "2026-12-25")),
        ("Who is still coming today?", ("2026-10-05", "2026-10-05")),
        ("Is the hall booked for more people in May?", ("2027-05-01", "2027-05-31")),
        ("What did we pay in winter heating bills?", ("2025-12-01", "2026-02-28")),
        ("What did Ana learn in autumn half term?", ("2026-09-01", "2026-11-30")),
        ("Are there more meetings in November?", ("2026-11-01", "2026-11-30")),
        ("What do kids need in November?", ("2026-11-01", "2026-11-30")),
        ("Are tickets on sale in November?", ("2026-11-01", "2026-11-30")),
        ("Read me the last two weeks of our meetings", ("2026-09-21", "2026-10-05")),
        ("What changed in the past two years of my life?", ("2024-10-05", "2026-10-05")),
        ("Who wrote on 1/19/2011The box was torn?", ("2011-01-19", "2011-01-19")),
        ("What did I most recently order?", ("2026-09-05", "2026-10-05")),
        ("Did we ski in winter 2023?", ("2023-12-01", "2024-02-29")),
        ("What did the kids plant in spring mostly?", ("2026-03-01", "2026-05-31")),
        ("What happened in the 60s?", ("1960-01-01", "1969-12-31")),
        ("Who ruled from the 16th to the 18th century?", ("1500-01-01", "1799-12-31")),
        ("What was built in the 19th and 20th centuries?", ("1800-01-01", "1999-12-31")),
    ],
)
def test_the_same_word_is_a_time_where_it_says_when(
    text: str, days: tuple[str | None, str | None] | None
) -> None:
    assert asked(text) == days


@pytest.mark.parametrize(
    "text",
    [
        "Sample MMP-11 may be useful.",
        "Group 2 may not attend.",
        "The valley has cold winters and dry summers.",
        "Timeout for the loader: 60 s.",
        "The shop is open all year.",
        "Division 3. Matches at the park.",
        "About one quarter of the boxes are empty, as in almost one quarter of all houses.",
    ],
)
def test_a_memory_without_a_time_is_not_dated(text: str) -> None:
    assert told_times(text, CONTEXT).occurred is None


def test_a_date_behind_the_start_is_read_whole() -> None:
    assert occurred("Took the stall. start June 1") == ("2027-06-01", "2027-06-01")
