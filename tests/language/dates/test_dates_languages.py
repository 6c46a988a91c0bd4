"""The common forms of seven more languages, each in its own words and order."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from scrubjay.language.dates import SessionSpan, TimeContext, question_window
from scrubjay.language.dates.syntax.lexicon import languages

NOW = datetime(2024, 6, 19, 14, 30, tzinfo=UTC)
SESSIONS = tuple(
    SessionSpan(datetime(2024, 6, day, 10, tzinfo=UTC), datetime(2024, 6, day, 11, tzinfo=UTC))
    for day in (1, 4, 8, 12, 15)
)
CONTEXT = TimeContext(now=NOW, zone=UTC, sessions=SESSIONS)

SPANISH = [
    ("¿Qué hice anteayer?", "2024-06-17", "2024-06-17"),
    ("¿Qué hicimos el verano pasado?", "2023-06-01", "2023-08-31"),
    ("¿Qué compré en los últimos tres meses?", "2024-03-19", "2024-06-19"),
    ("¿Qué pasó el lunes pasado?", "2024-06-17", "2024-06-17"),
    ("¿Qué hice el viernes?", "2024-06-14", "2024-06-14"),
    ("¿Qué hemos hecho desde enero?", "2024-01-01", "2024-06-19"),
    ("¿Dónde trabajaba antes de 2018?", "", "2017-12-31"),
    ("¿Qué pasó entre marzo y mayo?", "2024-03-01", "2024-05-31"),
    ("reuniones del 3 al 7 de marzo", "2024-03-03", "2024-03-07"),
    ("a principios de 2023", "2023-01-01", "2023-03-31"),
    ("a finales de abril", "2024-04-21", "2024-04-30"),
    ("la primera semana de mayo", "2024-05-01", "2024-05-07"),
    ("hace un año", "2023-01-01", "2023-12-31"),
    ("hace dos semanas", "2024-06-03", "2024-06-09"),
    ("hace unos meses", "2024-03-21", "2024-05-20"),
    ("anoche", "2024-06-18", "2024-06-19"),
    ("esta semana", "2024-06-17", "2024-06-23"),
    ("el año que viene", "2025-01-01", "2025-12-31"),
    ("la próxima semana", "2024-06-24", "2024-06-30"),
    ("en Navidad", "2023-12-25", "2023-12-25"),
    ("en los años 90", "1990-01-01", "1999-12-31"),
    ("últimamente", "2024-05-20", "2024-06-19"),
    ("¿De qué hablamos desde la última vez que hablamos?", "2024-06-15", "2024-06-19"),
    ("hace tres sesiones", "2024-06-08", "2024-06-08"),
    ("el 03/04/2024 ¿qué pasó?", "2024-04-03", "2024-04-03"),
    ("en verano de 2022", "2022-06-01", "2022-08-31"),
    ("hasta marzo", "", "2024-03-31"),
    ("el fin de semana pasado", "2024-06-15", "2024-06-16"),
    ("mañana", "2024-06-20", "2024-06-20"),
]
FRENCH = [
    ("Qu'ai-je fait avant-hier ?", "2024-06-17", "2024-06-17"),
    ("l'été dernier", "2023-06-01", "2023-08-31"),
    ("lundi dernier", "2024-06-17", "2024-06-17"),
    ("ce mois-ci", "2024-06-01", "2024-06-30"),
    ("ces trois derniers jours", "2024-06-16", "2024-06-19"),
    ("au cours des deux dernières semaines", "2024-06-05", "2024-06-19"),
    ("depuis janvier", "2024-01-01", "2024-06-19"),
    ("avant 2018", "", "2017-12-31"),
    ("entre mars et mai", "2024-03-01", "2024-05-31"),
    ("du 3 au 7 mars", "2024-03-03", "2024-03-07"),
    ("début 2023", "2023-01-01", "2023-03-31"),
    ("fin avril", "2024-04-21", "2024-04-30"),
    ("mi-mai", "2024-05-11", "2024-05-20"),
    ("la première semaine de mai", "2024-05-01", "2024-05-07"),
    ("il y a un an", "2023-01-01", "2023-12-31"),
    ("il y a deux semaines", "2024-06-03", "2024-06-09"),
    ("il y a quelques mois", "2024-03-21", "2024-05-20"),
    ("hier soir", "2024-06-18", "2024-06-18"),
    ("l'année prochaine", "2025-01-01", "2025-12-31"),
    ("à Noël", "2023-12-25", "2023-12-25"),
    ("dans les années 90", "1990-01-01", "1999-12-31"),
    ("récemment", "2024-05-20", "2024-06-19"),
    ("depuis notre dernière conversation", "2024-06-15", "2024-06-19"),
    ("le 1er mai", "2024-05-01", "2024-05-01"),
    ("jusqu'en mars", "", "2024-03-31"),
    ("le week-end dernier", "2024-06-15", "2024-06-16"),
    ("vendredi", "2024-06-14", "2024-06-14"),
    ("en 2019", "2019-01-01", "2019-12-31"),
    ("la semaine prochaine", "2024-06-24", "2024-06-30"),
]
GERMAN = [
    ("Was habe ich vorgestern gemacht?", "2024-06-17", "2024-06-17"),
    ("letzten Sommer", "2023-06-01", "2023-08-31"),
    ("letzten Montag", "2024-06-17", "2024-06-17"),
    ("diesen Monat", "2024-06-01", "2024-06-30"),
    ("in den letzten drei Tagen", "2024-06-16", "2024-06-19"),
    ("seit Januar", "2024-01-01", "2024-06-19"),
    ("vor 2018", "", "2017-12-31"),
    ("zwischen März und Mai", "2024-03-01", "2024-05-31"),
    ("vom 3. bis 7. März", "2024-03-03", "2024-03-07"),
    ("Anfang 2023", "2023-01-01", "2023-03-31"),
    ("Ende April", "2024-04-21", "2024-04-30"),
    ("Mitte Mai", "2024-05-11", "2024-05-20"),
    ("die erste Woche im Mai", "2024-05-01", "2024-05-07"),
    ("vor einem Jahr", "2023-01-01", "2023-12-31"),
    ("vor zwei Wochen", "2024-06-03", "2024-06-09"),
    ("vor ein paar Monaten", "2024-03-21", "2024-05-20"),
    ("gestern Abend", "2024-06-18", "2024-06-18"),
    ("nächstes Jahr", "2025-01-01", "2025-12-31"),
    ("an Weihnachten", "2023-12-25", "2023-12-25"),
    ("in den 90er Jahren", "1990-01-01", "1999-12-31"),
    ("in letzter Zeit", "2024-05-20", "2024-06-19"),
    ("seit unserem letzten Gespräch", "2024-06-15", "2024-06-19"),
    ("am 1. Mai", "2024-05-01", "2024-05-01"),
    ("bis März", "", "2024-03-31"),
    ("letztes Wochenende", "2024-06-15", "2024-06-16"),
    ("am Freitag", "2024-06-14", "2024-06-14"),
    ("im Jahr 2019", "2019-01-01", "2019-12-31"),
    ("nächste Woche", "2024-06-24", "2024-06-30"),
    ("vorletzte Woche", "2024-06-03", "2024-06-09"),
    ("am 03.04.2024", "2024-04-03", "2024-04-03"),
    ("heute Morgen", "2024-06-19", "2024-06-19"),
]
ITALIAN = [
    ("Cosa ho fatto l'altro ieri?", "2024-06-17", "2024-06-17"),
    ("l'estate scorsa", "2023-06-01", "2023-08-31"),
    ("lunedì scorso", "2024-06-17", "2024-06-17"),
    ("questo mese", "2024-06-01", "2024-06-30"),
    ("negli ultimi tre giorni", "2024-06-16", "2024-06-19"),
    ("da gennaio", "2024-01-01", "2024-06-19"),
    ("prima del 2018", "", "2017-12-31"),
    ("tra marzo e maggio", "2024-03-01", "2024-05-31"),
    ("dal 3 al 7 marzo", "2024-03-03", "2024-03-07"),
    ("all'inizio del 2023", "2023-01-01", "2023-03-31"),
    ("a fine aprile", "2024-04-21", "2024-04-30"),
    ("la prima settimana di maggio", "2024-05-01", "2024-05-07"),
    ("un anno fa", "2023-01-01", "2023-12-31"),
    ("due settimane fa", "2024-06-03", "2024-06-09"),
    ("qualche mese fa", "2024-03-21", "2024-05-20"),
    ("ieri sera", "2024-06-18", "2024-06-18"),
    ("l'anno prossimo", "2025-01-01", "2025-12-31"),
    ("a Natale", "2023-12-25", "2023-12-25"),
    ("negli anni 90", "1990-01-01", "1999-12-31"),
    ("di recente", "2024-05-20", "2024-06-19"),
    ("il weekend scorso", "2024-06-15", "2024-06-16"),
    ("venerdì", "2024-06-14", "2024-06-14"),
    ("nel 2019", "2019-01-01", "2019-12-31"),
    ("fino a marzo", "", "2024-03-31"),
    ("stamattina", "2024-06-19", "2024-06-19"),
]
PORTUGUESE = [
    ("O que fiz anteontem?", "2024-06-17", "2024-06-17"),
    ("no verão passado", "2023-06-01", "2023-08-31"),
    ("segunda-feira passada", "2024-06-17", "2024-06-17"),
    ("este mês", "2024-06-01", "2024-06-30"),
    ("nos últimos três dias", "2024-06-16", "2024-06-19"),
    ("desde janeiro", "2024-01-01", "2024-06-19"),
    ("antes de 2018", "", "2017-12-31"),
    ("entre março e maio", "2024-03-01", "2024-05-31"),
    ("de 3 a 7 de março", "2024-03-03", "2024-03-07"),
    ("no início de 2023", "2023-01-01", "2023-03-31"),
    ("no final de abril", "2024-04-21", "2024-04-30"),
    ("a primeira semana de maio", "2024-05-01", "2024-05-07"),
    ("há um ano", "2023-01-01", "2023-12-31"),
    ("duas semanas atrás", "2024-06-03", "2024-06-09"),
    ("há alguns meses", "2024-03-21", "2024-05-20"),
    ("ontem à noite", "2024-06-18", "2024-06-19"),
    ("no próximo ano", "2025-01-01", "2025-12-31"),
    ("no Natal", "2023-12-25", "2023-12-25"),
    ("nos anos 90", "1990-01-01", "1999-12-31"),
    ("recentemente", "2024-05-20", "2024-06-19"),
    ("no fim de semana passado", "2024-06-15", "2024-06-16"),
    ("na sexta-feira", "2024-06-14", "2024-06-14"),
    ("em 2019", "2019-01-01", "2019-12-31"),
    ("até março", "", "2024-03-31"),
    ("a semana que vem", "2024-06-24", "2024-06-30"),
]
CHINESE = [
    ("前天我做了什么", "2024-06-17", "2024-06-17"),
    ("去年夏天", "2023-06-01", "2023-08-31"),
    ("上周五", "2024-06-14", "2024-06-14"),
    ("上周一", "2024-06-10", "2024-06-10"),
    ("这个月", "2024-06-01", "2024-06-30"),
    ("过去三天", "2024-06-16", "2024-06-19"),
    ("最近一周", "2024-06-12", "2024-06-19"),
    ("从一月到现在", "2024-01-01", "2024-06-19"),
    ("2018年之前", "", "2017-12-31"),
    ("三月到五月", "2024-03-01", "2024-05-31"),
    ("从3月3日到3月7日", "2024-03-03", "2024-03-07"),
    ("2023年初", "2023-01-01", "2023-03-31"),
    ("四月底", "2024-04-21", "2024-04-30"),
    ("一年前", "2023-01-01", "2023-12-31"),
    ("两周前", "2024-06-03", "2024-06-09"),
    ("几个月前", "2024-03-21", "2024-05-20"),
    ("昨晚", "2024-06-18", "2024-06-19"),
    ("明年", "2025-01-01", "2025-12-31"),
    ("圣诞节那天", "2023-12-25", "2023-12-25"),
    ("90年代", "1990-01-01", "1999-12-31"),
    ("最近我在读什么", "2024-05-20", "2024-06-19"),
    ("自上次聊天以来", "2024-06-15", "2024-06-19"),
    ("上周末", "2024-06-15", "2024-06-16"),
    ("2019年我住在哪里", "2019-01-01", "2019-12-31"),
    ("下周", "2024-06-24", "2024-06-30"),
    ("今年春节", "2024-02-10", "2024-02-10"),
    ("第一季度", "2024-01-01", "2024-03-31"),
    ("三月份", "2024-03-01", "2024-03-31"),
    ("6月5号", "2024-06-05", "2024-06-05"),
    ("第三次聊天", "2024-06-08", "2024-06-08"),
    ("二十天前", "2024-05-30", "2024-05-30"),
]
JAPANESE = [
    ("一昨日何をした？", "2024-06-17", "2024-06-17"),
    ("去年の夏", "2023-06-01", "2023-08-31"),
    ("先週の金曜日", "2024-06-14", "2024-06-14"),
    ("今月", "2024-06-01", "2024-06-30"),
    ("過去三日間", "2024-06-16", "2024-06-19"),
    ("1月から", "2024-01-01", "2024-06-19"),
    ("2018年以前", "", "2017-12-31"),
    ("3月から5月まで", "2024-03-01", "2024-05-31"),
    ("3月3日から7日", "2024-03-03", "2024-03-07"),
    ("2023年初め", "2023-01-01", "2023-03-31"),
    ("4月末", "2024-04-21", "2024-04-30"),
    ("1年前", "2023-01-01", "2023-12-31"),
    ("2週間前", "2024-06-03", "2024-06-09"),
    ("数ヶ月前", "2024-03-21", "2024-05-20"),
    ("昨夜", "2024-06-18", "2024-06-19"),
    ("来年", "2025-01-01", "2025-12-31"),
    ("クリスマスに", "2023-12-25", "2023-12-25"),
    ("90年代", "1990-01-01", "1999-12-31"),
    ("最近読んだ本は？", "2024-05-20", "2024-06-19"),
    ("2019年", "2019-01-01", "2019-12-31"),
    ("来週", "2024-06-24", "2024-06-30"),
    ("半年前", "2023-12-01", "2023-12-31"),
    ("金曜日に何をした？", "2024-06-14", "2024-06-14"),
    ("前回の会話", "2024-06-15", "2024-06-15"),
    ("3回前の会話", "2024-06-08", "2024-06-08"),
]
LOOK_ALIKES = [
    "¿Qué es una semana laboral?",
    "¿Puedo preguntarte algo?",
    "Quel est mon plat préféré ?",
    "Was ist mein Lieblingsessen?",
    "Guten Morgen",
    "Qual è il mio piatto preferito?",
    "Qual é a segunda opção?",
    "我的生日是哪天",
    "我最喜欢的食物是什么",
    "私の誕生日はいつ？",
    "好きな食べ物は何ですか？",
]


def days(text: str) -> tuple[str, str] | None:
    mention = question_window(text, CONTEXT)
    if mention is None:
        return None
    window = mention.window
    return (
        "" if window.start is None else window.start.date().isoformat(),
        "" if window.end is None else window.end.date().isoformat(),
    )


@pytest.mark.parametrize(("text", "start", "end"), SPANISH)
def test_spanish_gives_the_days_it_names(text: str, start: str, end: str) -> None:
    assert days(text) == (start, end)


@pytest.mark.parametrize(("text", "start", "end"), FRENCH)
def test_french_gives_the_days_it_names(text: str, start: str, end: str) -> None:
    assert days(text) == (start, end)


@pytest.mark.parametrize(("text", "start", "end"), GERMAN)
def test_german_gives_the_days_it_names(text: str, start: str, end: str) -> None:
    assert days(text) == (start, end)


@pytest.mark.parametrize(("text", "start", "end"), ITALIAN)
def test_italian_gives_the_days_it_names(text: str, start: str, end: str) -> None:
    assert days(text) == (start, end)


@pytest.mark.parametrize(("text", "start", "end"), PORTUGUESE)
def test_portuguese_gives_the_days_it_names(text: str, start: str, end: str) -> None:
    assert days(text) == (start, end)


@pytest.mark.parametrize(("text", "start", "end"), CHINESE)
def test_chinese_gives_the_days_it_names(text: str, start: str, end: str) -> None:
    assert days(text) == (start, end)


@pytest.mark.parametrize(("text", "start", "end"), JAPANESE)
def test_japanese_gives_the_days_it_names(text: str, start: str, end: str) -> None:
    assert days(text) == (start, end)


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_only_looks_like_a_time_in_another_language_gives_none(text: str) -> None:
    assert days(text) is None


def test_numbers_alone_are_read_in_the_order_of_the_text_s_language() -> None:
    assert days("What did I note on 03/04/2024?") == ("2024-03-04", "2024-03-04")
    assert days("Was habe ich am 03/04/2024 notiert?") == ("2024-04-03", "2024-04-03")


def test_only_the_languages_asked_for_are_read() -> None:
    french = TimeContext(now=NOW, zone=UTC, languages=("fr",))
    assert question_window("What did I do yesterday?", french) is None
    assert question_window("Qu'ai-je fait hier ?", french) is not None


def test_accents_may_be_left_out() -> None:
    assert days("que paso el miercoles pasado") == ("2024-06-12", "2024-06-12")
    assert days("Ou etais-je l'ete dernier ?") == ("2023-06-01", "2023-08-31")


def test_every_language_has_a_file() -> None:
    assert set(languages()) == {"en", "es", "fr", "de", "it", "pt", "zh", "ja"}
