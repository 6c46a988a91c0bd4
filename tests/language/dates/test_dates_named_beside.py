"""Times that what stands beside them dates, counts or denies, in every language of the files."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from tests.language.dates.days_read import day, reading_at

from scrubjay.language.dates import TimeContext, told_times

# A Wednesday.
NOW = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)
CONTEXT = TimeContext(now=NOW, zone=UTC, born=date(1988, 8, 14))


asked, told = reading_at(CONTEXT)


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("Qu'est-ce que Paul m'a écrit lundi ?", "2026-11-16"),
        ("qu'est-ce que le notaire m'a écrit avant-hier", "2026-11-16"),
        ("cosa ha detto il meccanico lunedì", "2026-11-16"),
        ("qué me ha dicho Ana ayer", "2026-11-17"),
        ("qui est passé lundi soir", "2026-11-16"),
        ("quanto ho corso questa settimana", "2026-11-16"),
        ("why did she call yesterday", "2026-11-17"),
        ("how'd the race go on saturday", "2026-11-14"),
        ("who'd we see on sunday", "2026-11-15"),
        ("who won the quiz on tues", "2026-11-17"),
        ("monday's meeting - who was there", "2026-11-16"),
        ("qué comimos en Nochevieja", "2025-12-31"),
        ("onde estávamos no Natal", "2025-12-25"),
        ("that was the 21st of october. what exactly?", "2026-10-21"),
    ],
)
def test_what_was_said_and_done_on_a_day_is_looked_for_behind(question: str, start: str) -> None:
    found = asked(question)
    assert found is not None and found[0] == start


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("was I away on oct 27/28", "2026-10-27", "2026-10-28"),
        ("what did we do from the 29th to the 2nd of jan", "2025-12-29", "2026-01-02"),
        ("what did we say exactly a week ago today", "2026-11-11", "2026-11-11"),
        ("when is Ruth coming in december, first half i think", "2026-12-01", "2026-12-15"),
        ("who came in the last days of october", "2026-10-21", "2026-10-31"),
        ("quién vino en los últimos días de octubre", "2026-10-21", "2026-10-31"),
        ("what changed since we moved in may", "2026-05-01", "2026-11-18"),
        ("what did I do the day after my birthday", "2026-08-15", "2026-08-15"),
        ("was habe ich am Wochenende vom 7. November gemacht", "2026-11-07", "2026-11-08"),
        ("qu'est-ce qu'on a fait le week-end du 7 novembre", "2026-11-07", "2026-11-08"),
        ("cosa abbiamo fatto il weekend del 7 novembre", "2026-11-07", "2026-11-08"),
        ("qué hicimos el fin de semana del 7 de noviembre", "2026-11-07", "2026-11-08"),
        ("que fizemos no fim de semana de 7 de novembro", "2026-11-07", "2026-11-08"),
        ("was steht vom 3. bis 7. Dezember an", "2026-12-03", "2026-12-07"),
        ("cosa ho fatto il 12", "2026-11-12", "2026-11-12"),
        ("cosa ho segnato per metà dicembre", "2026-12-11", "2026-12-20"),
        ("could we do the 12th instead", "2026-12-12", "2026-12-12"),
    ],
)
def test_a_stretch_is_read_whole(question: str, start: str, end: str) -> None:
    assert asked(question) == (start, end)


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("o que fiz no meu 30.º aniversário", "2018-08-14"),
        ("qué hice para mi 30.º cumpleaños", "2018-08-14"),
        ("qu'est-ce que j'ai fait pour mes 30 ans", "2018-08-14"),
        ("cosa ho fatto per il mio 30° compleanno", "2018-08-14"),
        ("qu'est-ce que j'ai fait pour mon dernier anniversaire", "2026-08-14"),
        ("dove lavoravo a vent'anni", "2008-08-14"),
        ("qué hice a los 20", "2008-08-14"),
    ],
)
def test_birthdays_and_ages_are_counted_from_the_day_of_birth(question: str, start: str) -> None:
    found = asked(question)
    assert found is not None and found[0] == start


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("Swimming lessons: 6, 13, 20 and 27 april", "2027-04-06", "2027-04-27"),
        ("Schwimmkurs am 6., 13., 20. und 27. April", "2027-04-06", "2027-04-27"),
        ("Tengo clases el 6, 13, 20 y 27 de abril", "2027-04-06", "2027-04-27"),
        ("J'ai cours les 6, 13 et 20 avril", "2027-04-06", "2027-04-20"),
        ("Ho lezione il 6, 13 e 20 aprile", "2027-04-06", "2027-04-20"),
        ("Tenho aulas nos dias 6, 13 e 20 de abril", "2027-04-06", "2027-04-20"),
        ("physio: wed 25th, wed 2nd dec", "2026-11-25", "2026-12-02"),
        ("Wir sind vom 28. bis 3. Mai weg", "2027-04-28", "2027-05-03"),
        ("Nos vemos el sábado 12 a la una", "2026-12-12", "2026-12-12"),
        ("On se voit samedi 12 au bar", "2026-12-12", "2026-12-12"),
        ("Ci vediamo sabato 12 al bar", "2026-12-12", "2026-12-12"),
        ("Vemo-nos sábado 12 no bar", "2026-12-12", "2026-12-12"),
        ("Wir treffen uns Samstag 12. in der Bar", "2026-12-12", "2026-12-12"),
        ("Torniamo domenica sera dal mare.", "2026-11-22", "2026-11-22"),
        ("dermatologist 29/1 14.20", "2027-01-29", "2027-01-29"),
        ("Zahnreinigung 27.3. um 8 Uhr", "2027-03-27", "2027-03-27"),
        ("dinner at Kim's, saturday 7ish", "2026-11-21", "2026-11-21"),
        ("We're having the loft insulated on the 28th", "2026-11-28", "2026-11-28"),
        ("Report for the trustees by Tuesday", "2026-11-24", "2026-11-24"),
        ("The first rehearsal after the summer is on 9 December.", "2026-12-09", "2026-12-09"),
        ("o exame ficou para 12 de junho", "2027-06-12", "2027-06-12"),
    ],
)
def test_a_statement_is_dated_by_all_the_days_it_names(text: str, start: str, end: str) -> None:
    assert told(text) == (start, end)


@pytest.mark.parametrize(
    ("text", "held", "was"),
    [
        ("La reunión del 22 de abril se pasa al 29", "2027-04-29", "2027-04-22"),
        ("La riunione del 22 aprile passa al 29", "2027-04-29", "2027-04-22"),
        ("La réunion du 22 avril passe au 29", "2027-04-29", "2027-04-22"),
        ("Das Treffen vom 20. ist auf den 27. verlegt", "2026-11-27", "2026-11-20"),
        ("The course was to be in march but now it's 10-12 May", "2027-05-10", "2027-03-01"),
        ("The exam was going to be on 3 dec, it's 10 dec now", "2026-12-10", "2026-12-03"),
    ],
)
def test_what_is_moved_keeps_the_day_it_was_on(text: str, held: str, was: str) -> None:
    found = told_times(text, CONTEXT)
    assert found.occurred is not None and day(found.occurred.window.start) == held
    assert found.was is not None and day(found.was.start) == was


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("My contract got extended to the end of 2028", None, "2028-12-31"),
        ("La piscine est fermée jusqu'au 3 janvier", None, "2027-01-03"),
        ("Il negozio è chiuso fino al 3 gennaio", None, "2027-01-03"),
        ("The lease on the flat runs from 1 May 2026 to 30 April 2027", "2026-05-01", "2027-04-30"),
        ("Der Mietvertrag läuft vom 1.5.2026 bis 30.4.2027", "2026-05-01", "2027-04-30"),
    ],
)
def test_what_holds_has_its_edges(text: str, start: str | None, end: str | None) -> None:
    found = told_times(text, CONTEXT)
    assert (day(found.valid_from), day(found.valid_to)) == (start, end)


@pytest.mark.parametrize(
    "question",
    [
        "what did I think about the Audi Q3",
        "Is The Day After Tomorrow any good?",
        "wer spielt in Silvester Stallones erstem Rocky mit",
        "o Abril é o nome da editora?",
        "quem ficou em quarta na corrida",
        "como peço a segunda via do boleto",
        "qual é a população de Natal, no Brasil",
        "does the over-60s discount apply to Ray",
        "what's the part no. for the valve, 12-04-33 or 12-04-38",
        "who plays Tuesday in that film with the seven sisters",
        "does Crusoe ever teach Friday to read",
        "tu te souviens de la marque des Mars glacés",
        "chi recita in La domenica specialmente",
        "quién es el Viernes de Robinson",
        "c'est quoi la Pentecôte",
        "qué es la Nochebuena",
        "o que é a Quarta-feira de Cinzas",
        "the recipe for christmas pudding",
        "la ricetta della colomba di Pasqua",
        "qué autobús es el 12",
        "a che ora apre il bar la domenica",
    ],
)
def test_who_what_and_which_is_no_time(question: str) -> None:
    assert asked(question) is None


@pytest.mark.parametrize(
    "text",
    ["Mon chien a 12 ans", "El piso es el 3.º B", "The beam is 12/16.", "Mein Bus ist die 12"],
)
def test_what_something_has_or_is_dates_nothing(text: str) -> None:
    assert told(text) is None
