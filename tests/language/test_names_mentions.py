"""Finding names in running text, by how they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.language.names import find_mentions
from scrubjay.limits import ENTITIES_PER_UNIT_MAX


def names(text: str) -> list[str]:
    return [mention.text for mention in find_mentions(text)]


def kinds(text: str) -> dict[str, str]:
    return {mention.text: mention.kind for mention in find_mentions(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tomorrow Ingrid drives to Oslo.", ["Ingrid", "Oslo"]),
        ("Hey Marcus! Thanks for the cake.", ["Marcus"]),
        ("Congrats, Leila, on the new job.", ["Leila"]),
        ("Ask Dmitri whether Noor called.", ["Dmitri", "Noor"]),
        ("I saw Kofi I think.", ["Kofi"]),
        ("Visiting Amara next week. Photos of Felix came today.", ["Amara", "Felix"]),
        ("Gardening calms me. Breakfast was late. Setbacks happen.", []),
        ("It's fine. I'm here. Let's go. That's why.", []),
        ("Zorvex shipped the parts.", ["Zorvex"]),
        ("Will Okoro said so.", ["Will Okoro"]),
        ("Will it rain? May I go? Mark the date.", []),
        ("Mark said no. Grace has left.", ["Mark", "Grace"]),
        ("Yevgo looks after the pump.", ["Yevgo"]),
        ("Kombucha bottles are in the shed.", []),
        ("Zorvita, our baker, starts at four.", ["Zorvita"]),
        ("Hazelnuts, the usual snack, are out.", []),
        ("Odalys rang.", []),
        ("Norbeck isn't paying. Zorvita doesn’t mind.", ["Norbeck", "Zorvita"]),
        ("Northmoor say their driver is ill. Zorvex want it in writing.", ["Northmoor", "Zorvex"]),
        ("Couscous with raisins again. Flapjacks do the trick.", []),
        ("Young Tom carried it. Old Tom paid.", ["Young Tom", "Old Tom"]),
        ("Young people like it. Old Street is wet.", ["Old Street"]),
    ],
)
def test_a_capital_at_the_start_of_a_sentence_proves_nothing(
    text: str, expected: list[str]
) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "We meet on Tuesday, in March or in the Spring.",
        "She speaks Turkish, Korean and Portuguese.",
        "My Mom and my Dad love it.",
        "This is REALLY, TRULY important.",
        "The TV is OK but the PC is not.",
        "We close at Christmas and on Boxing Day, not on New Year's Eve or at Easter.",
        "Christmas Eve I spent at home. New Year's Eve we danced.",
        "Two X-rays, a T-shirt and an E-mail, then a U-turn.",
        "We have two Chrises, both Toms and three Annas.",
        "Closed between Christmas and New Year, and on Mother's Day.",
        "CALL ME BACK NOW PLEASE",
    ],
)
def test_capitals_written_for_other_reasons_are_no_names(text: str) -> None:
    assert names(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a letter from Pieter van den Broek", ["Pieter van den Broek"]),
        ("met van der Meer yesterday", ["van der Meer"]),
        ("with Sinéad O'Connor and Anne-Sophie", ["Sinéad O'Connor", "Anne-Sophie"]),
        ("reading Octavia E. Butler again", ["Octavia E. Butler"]),
        ("a report by J.R.R. Tolkien", ["J.R.R. Tolkien"]),
        ("at the Bank of Finland", ["Bank of Finland"]),
        ("works for Marks & Spencer", ["Marks & Spencer"]),
        ("stayed in Los Angeles and New Orleans", ["Los Angeles", "New Orleans"]),
        ("plays Final Fantasy 7 daily", ["Final Fantasy 7"]),
        ("saw Nadia 3 times", ["Nadia"]),
        ("loves Lisbon's Time Out Market", ["Lisbon", "Time Out Market"]),
        ('finished "The Grapes of Wrath" today', ["The Grapes of Wrath"]),
        ("flew from the US to the U.K.", ["US", "U.K."]),
        ("writes C++ and C# at work", ["C++", "C#"]),
        ("Then Thomas’ cat met Nadia’s dog", ["Thomas", "Nadia"]),
    ],
)
def test_names_are_taken_whole(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_a_title_is_set_apart_from_the_name() -> None:
    for text in ("We asked Prof. Adeyemi's advice.", "Today Prof. Adeyemi taught."):
        (mention,) = find_mentions(text)
        assert (mention.text, mention.title, mention.kind) == ("Adeyemi", "prof", "person")


def test_kinds_are_told_by_the_words_of_a_name() -> None:
    text = "In Warsaw, Ingrid Vale of Vale Holdings visited Lake Geneva for Project Heron."
    assert kinds(text) == {
        "Warsaw": "place",
        "Ingrid Vale of Vale Holdings": "organisation",
        "Lake Geneva": "place",
        "Project Heron": "project",
    }


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I met Ingrid Vale there.", "person"),
        ("I met Zhou Meilin there.", "person"),
        ("I met Aunt Rosa there.", "person"),
        ("I love Tom Sawyer Quizzes.", "name"),
        ("I love Zorvex.", "name"),
    ],
)
def test_people_are_told_by_given_name_family_name_or_kinship(text: str, kind: str) -> None:
    (mention,) = find_mentions(text)
    assert mention.kind == kind


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("OPS-1204 broke prod-us-2", ["OPS-1204", "prod-us-2"]),
        ("see https://example.org/x?y=1, please", ["https://example.org/x?y=1"]),
        ("write to ana@example.org or @ana_r in #ops", ["ana@example.org", "@ana_r", "#ops"]),
        ("edit /var/log/app.log and lib/core/run.py", ["/var/log/app.log", "lib/core/run.py"]),
        ("tag v1.4.2 at 9f8e7d6c5b", ["v1.4.2", "9f8e7d6c5b"]),
        ("locker 90417 is mine", ["90417"]),
        ("set max_retries and retryCount", ["max_retries", "retryCount"]),
        ("mid-2019, top-5, 24/7, 10am, $15000, 3.5 and the 1980s", []),
        ("it runs on kp-db1 and ord-db02, not on covid-19", ["kp-db1", "ord-db02"]),
        (
            "pedaal-api calls lock-svc and the ntex-mqtt-client",
            ["pedaal-api", "lock-svc", "ntex-mqtt-client"],
        ),
        ("a well-known, semi-skimmed, up-to-date follow-up of a long-term web-based e-mail", []),
        (
            "stg.pedaal.example replaces staging.pedaal.test and db.internal.lumo",
            ["stg.pedaal.example", "staging.pedaal.test", "db.internal.lumo"],
        ),
        ("it is done.then we left, e.g. at five p.m. and so on...fine", []),
        ("column rit.end_ts became rit.einde_op", ["rit.end_ts", "rit.einde_op"]),
        (
            "on branch fix/late-rows and feature/duel-mode, and/or he/she",
            ["fix/late-rows", "feature/duel-mode"],
        ),
        (
            "we use `ruff` and `structlog.get_logger`, never `rm -rf` or `true`",
            ["ruff", "structlog.get_logger"],
        ),
        ("the migration 0087_add_zone is ready", ["0087_add_zone"]),
    ],
)
def test_identifiers_are_found_whole(text: str, expected: list[str]) -> None:
    assert names(text) == expected
    assert set(kinds(text).values()) <= {"identifier"}


def test_a_doubtful_word_is_a_name_when_it_recurs_inside_a_sentence() -> None:
    assert names("Heron was late. They say Heron will ship.") == ["Heron", "Heron"]
    assert names("Heron watching relaxes me.") == []


def test_the_speaker_is_believed_to_be_a_name() -> None:
    assert find_mentions("Summit here, good morning.") == ()
    (mention,) = find_mentions("Summit here, good morning.", speaker="Summit")
    assert mention.folded == "summit"


def test_headings_and_code_do_not_make_names() -> None:
    text = (
        "### Plan Your Weekly Budget\n- **Review Costs**: ask Ingrid.\n```\nclass FooBar: pass\n```"
    )
    assert names(text) == ["Ingrid"]


def test_german_nouns_are_not_names() -> None:
    assert names("Gestern hat Ingrid mit der Nachbarin das Auto und die Garage geputzt.") == [
        "Ingrid"
    ]
    assert names("Der Schlüssel für den Keller hängt im Flur.") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Unsere Nachbarin Minzke hat den Schlüssel.", ["Minzke"]),
        ("Der Klempner heißt Sauerteig und kommt am Mittwoch.", ["Sauerteig"]),
        ("Er wird von allen Struppi genannt, obwohl er nicht will.", ["Struppi"]),
        ("Sie arbeitet seit dem Sommer nicht mehr, ihr Sohn wohnt in Kappeln.", ["Kappeln"]),
        ("Wir fahren mit der Deutschen Bahn in die Stadt.", ["Deutschen Bahn"]),
    ],
)
def test_a_german_name_needs_another_sign_than_its_capital(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ayşe Bursa'da oturuyor.", ["Ayşe", "Bursa"]),
        ("Anahtarı Zeynep'e verdim, Mehmet'in arabası bozuk.", ["Zeynep", "Mehmet"]),
        ("吉田部長に電話しました。", ["吉田"]),
        ("経理部長に電話しました。", []),
        ("うちの犬はコタロウといいます。", ["コタロウ"]),
        ("姉の名前は遥です。", ["遥"]),
    ],
)
def test_what_is_appended_to_a_name_is_no_part_of_it(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我的邻居名叫陈大伟，他在看《红楼梦》。", ["陈大伟", "红楼梦"]),
        ("昨天周老师来了", ["周老师"]),
        ("鈴木さんに会いました", ["鈴木"]),
        ("박지훈 씨를 만났다", ["박지훈"]),
        ("今天天气很好，我们去公园散步。", []),
        ("Вчера мы видели Ольгу", ["Ольгу"]),
        ("Hier, Aurélie est allée à Genève", ["Aurélie", "Genève"]),
    ],
)
def test_other_scripts_and_languages(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@given(st.text(max_size=200))
def test_any_text_is_read_and_spans_hold_the_names(text: str) -> None:
    end = 0
    for mention in find_mentions(text):
        assert text[mention.start : mention.end] == mention.text
        assert mention.start >= end
        assert 0.5 <= mention.confidence <= 1
        assert mention.folded
        end = mention.end


PIECES = [
    "Ingrid",
    "van",
    "of",
    "the",
    "3",
    "&",
    "Dr.",
    "I",
    "May",
    "’s",
    "OPS-7",
    "-",
    "US",
    "HEY",
]
SIGNS = [".", "\n", "**", "#", "“", "(", "```"]


@given(st.lists(st.sampled_from(PIECES + SIGNS), max_size=30))
def test_any_mixture_of_words_and_signs_keeps_spans_exact(parts: list[str]) -> None:
    text = " ".join(parts)
    for mention in find_mentions(text):
        assert text[mention.start : mention.end] == mention.text


def test_the_number_of_mentions_is_bounded() -> None:
    assert len(find_mentions("Ingrid met Noor. " * 1_000)) == ENTITIES_PER_UNIT_MAX


def test_numbered_things_at_a_sentences_start_are_no_name() -> None:
    assert names("Glaze tests 14 to 22 are on the drying rack.") == []
    assert names("Kiln marks 3, 4 and 5 were rubbed off.") == []
