"""Words that are spoken of, works, people and things that are called or described by a time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from scrubjay.language.dates import TimeContext, question_window, told_window

# A Wednesday.
CONTEXT = TimeContext(now=datetime(2026, 10, 14, 10, 0, tzinfo=UTC), zone=UTC)


def is_timeless(text: str) -> bool:
    return question_window(text, CONTEXT) is None


@pytest.mark.parametrize(
    "text",
    [
        'translate "I\'ll call you on Monday" to Spanish',
        "how would you say 'see you in June' in French",
        'what did she mean by "next Tuesday"',
        'Übersetze "Wir sehen uns am Montag" ins Englische',
        'Traduis "on se voit lundi" en anglais',
        "“星期一见”翻译成英文",
        "「月曜日に会いましょう」を英語に訳して",
    ],
)
def test_what_stands_in_quotation_marks_is_no_time_of_a_question(text: str) -> None:
    assert is_timeless(text)


def test_a_question_that_is_quoted_as_a_whole_has_its_time() -> None:
    assert not is_timeless('"what did we do on friday"')
    assert not is_timeless("what did the boys' coach say on Monday")


@pytest.mark.parametrize(
    "text",
    [
        "what's the short form of december",
        "what's the abbreviation of Wednesday",
        "is it spelled Febuary",
        "a synonym for autumn please",
        "why is it called Good Friday",
        "what is tomorrow in Hindi",
        "correct this: we seen him on friday",
        "what does sat stand for",
        "Wie sagt man Donnerstag auf Englisch?",
        "Wie buchstabiert man Dienstag",
        "Was ist die Abkürzung für September",
        "Warum heißt es Karfreitag",
        "Comment dit-on jeudi en italien",
        "C'est quoi l'abréviation de février",
        "d'où vient l'expression poisson d'avril",
        "¿Cómo se dice miércoles en alemán?",
        "¿Agosto se escribe con mayúscula?",
        "Come si dice mercoledì in francese",
        "Qual é a abreviatura de setembro",
        "星期三用英语怎么说",
        "水曜日は英語で何と言いますか",
    ],
)
def test_a_word_that_is_asked_about_is_no_time(text: str) -> None:
    assert is_timeless(text)


@pytest.mark.parametrize(
    "text",
    [
        "translate the letter from Tuesday",
        "correct the hours I logged on Monday",
        "spell out what happened on Tuesday",
        "why did they call on Sunday",
        "how do I get to the party on Saturday",
        "what did Ana write on 3 Oct in French",
        "what was the word I learned on Tuesday",
        "Übersetze den Brief vom Montag",
        "wie heißt die Frau, die im Mai hier war",
        "Traduis la lettre de lundi",
        "¿Qué se dice en el acta del lunes?",
    ],
)
def test_what_somebody_said_or_wrote_has_its_time(text: str) -> None:
    assert not is_timeless(text)


@pytest.mark.parametrize(
    "text",
    [
        "write me a haiku about autumn",
        "write me a short story set in winter",
        "make up a story where a snowman is afraid of spring",
        "what's the film with the snowman and Christmas",
        "Schreib mir ein Gedicht über den Herbst",
        "Wie heißt der Film mit dem ersten Advent und dem Bären?",
        "Invente une histoire sur l'hiver",
        "Escríbeme un poema sobre el otoño",
        "¿Quién pintó La Primavera?",
        "Scrivimi una poesia sull'autunno",
        "Dove si trova la Primavera di Botticelli?",
        "Escreve um poema sobre o outono",
        "写一首关于秋天的诗",
        "秋についての詩を書いて",
    ],
)
def test_what_a_work_tells_of_is_no_time(text: str) -> None:
    assert is_timeless(text)


@pytest.mark.parametrize(
    "text",
    [
        "write a poem about our trip in June",
        "what story did Mum tell us on Sunday",
        "what's the story about the boiler on Monday",
        "what did we watch on Friday, the film with Bruno Ganz",
        "what did I say about the film on Saturday",
        "Was stand in der Geschichte vom Montag",
        "l'histoire avec la chaudière en mars, c'était quoi",
        "Qué película vimos el viernes",
    ],
)
def test_what_was_told_or_seen_has_its_time(text: str) -> None:
    assert not is_timeless(text)


@pytest.mark.parametrize(
    "text",
    [
        "how many days are in February",
        "which month comes after April",
        "Wie viele Tage hat der Februar",
        "quel mois vient après avril",
        "¿Qué mes viene después de abril?",
        "Quanti giorni ha febbraio",
        "Quantos dias tem fevereiro",
        "二月有几天",
        "how hot is it in Rome in August usually",
        "what should one plant in spring",
    ],
)
def test_what_the_calendar_knows_and_what_is_usual_is_no_time(text: str) -> None:
    assert is_timeless(text)


def test_days_of_somebody_in_a_month_are_counted_in_it() -> None:
    assert not is_timeless("how many days off did I take in April")
    assert not is_timeless("Wie viele Tage hatte ich im März Urlaub")


@pytest.mark.parametrize(
    "text",
    [
        "Où sont rangés les pneus d'hiver ?",
        "¿Dónde está la ropa de verano?",
        "Dove sono i pneumatici d'inverno",
        "Onde estão os pneus de inverno",
        "冬天的衣服在哪里",
        "冬のコートはどこ",
        "what's the capacity of the 2019 boiler",
        "is the 2012 Prius still insured",
        "How much salt goes into the New Year's dough?",
    ],
)
def test_a_season_or_year_that_describes_a_thing_is_no_time(text: str) -> None:
    assert is_timeless(text)
    assert told_window(text.strip(" ?¿"), CONTEXT) is None


@pytest.mark.parametrize(
    "text",
    [
        "Qu'est-ce qu'on a fait pendant les vacances d'été",
        "les photos d'hiver",
        "la facture d'avril",
        "what did the 2024 trip cost",
        "what was in the 2023 tax return",
    ],
)
def test_records_and_events_are_dated_by_their_season_or_year(text: str) -> None:
    assert not is_timeless(text)


@pytest.mark.parametrize(
    "text",
    [
        "Julio tiene llave del trastero o no",
        "Abril vive en Madrid o en Sevilla",
        "Domenica ha la patente?",
        "Avril mange-t-elle de la viande",
        "Does Wednesday from the Addams Family have a brother?",
        "can Wednesday read yet",
        "who is Carol Christmas",
        "what's that restaurant called, Sunday",
        "is it called May Day",
        "is USA Today a good paper",
        "五月さんの電話番号は",
    ],
)
def test_somebody_or_something_called_like_a_time_is_none(text: str) -> None:
    assert is_timeless(text)


@pytest.mark.parametrize(
    "text",
    [
        "Domenica andiamo al mare?",
        "Julio: ¿cuánto gastamos?",
        "Comment s'est passé Noël",
        "will Monday be ok for the plumber",
        "who called Friday",
        "does Friday work for Ana",
        "how's friday looking",
        "what about october",
    ],
)
def test_a_day_or_month_that_is_asked_about_stays_one(text: str) -> None:
    assert not is_timeless(text)


@pytest.mark.parametrize(
    "text",
    [
        'She called it "Blue Monday".',
        "In winter I prefer tea to coffee.",
        "Im Sommer trinke ich lieber Tee als Kaffee.",
        "The 2020 moulds hold two litres.",
    ],
)
def test_titles_and_tastes_date_no_statement(text: str) -> None:
    assert told_window(text, CONTEXT) is None
