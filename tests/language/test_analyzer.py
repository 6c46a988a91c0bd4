"""The words a text is found by."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import BadInput
from scrubjay.language.analyzer import Analysis, Analyzer

STANDARD = Analyzer()
SIMPLE = Analyzer(Analysis.SIMPLE)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("OPS-311", ["ops-311", "ops", "311"]),
        ("ann@mail.example", ["ann@mail.example", "ann", "mail.example", "mail", "example"]),
        ("src/main_loop.py", ["src/main_loop.py", "src", "main_loop.py", "main", "loop", "py"]),
        ("v16.2.1", ["v16.2.1", "16.2.1", "16.2", "16"]),
        ("3.5", ["3.5"]),
        ("parseHttpHeader", ["parsehttpheader", "parse", "http", "header"]),
        ("XMLReader", ["xmlreader", "xml", "reader"]),
        ("max_retry_count", ["max_retry_count", "max", "retry", "count"]),
        ("2,350.75", ["2350.75", "2350"]),
        ("C++ F#", ["c++", "f#"]),
        ("U.K.", ["u.k", "uk"]),
        ("x-ray", ["x-ray", "ray"]),
    ],
)
def test_a_compound_stays_whole_and_is_also_split(text: str, terms: list[str]) -> None:
    assert SIMPLE.document_terms(text) == terms


@pytest.mark.parametrize("name", ["iPhone", "LeBron", "OpenAI", "McLaren"])
def test_a_name_with_a_capital_inside_is_no_camel_case(name: str) -> None:
    assert SIMPLE.document_terms(name) == [name.lower()]


def test_an_apostrophe_hides_no_word() -> None:
    assert SIMPLE.document_terms("Farid's l’école dell'arte") == [
        "farid",
        "école",
        "ecole",
        "arte",
    ]
    assert SIMPLE.document_terms("don’t") == ["don't"]


def test_case_and_width_do_not_matter() -> None:
    assert SIMPLE.document_terms("ＲＥＤＩＳ Straße İzmir") == ["redis", "strasse", "izmir"]


def test_an_accent_may_be_left_out() -> None:
    assert SIMPLE.document_terms("Zoë Łódź Brøndby") == [
        *("zoë", "zoe"),
        *("łódź", "lodz"),
        *("brøndby", "brondby"),
    ]


def test_a_mark_that_makes_another_letter_is_kept() -> None:
    assert SIMPLE.document_terms("край") == ["край"]
    assert SIMPLE.document_terms("зелёный") == ["зелёный", "зеленый"]
    assert SIMPLE.document_terms("हिन्दी") == ["हिन्दी"]


def test_scripts_without_spaces_become_pairs() -> None:
    assert SIMPLE.document_terms("红茶杯 茶") == ["红茶", "茶杯", "茶"]
    assert SIMPLE.document_terms("도서관에") == ["도서", "서관", "관에"]
    assert SIMPLE.document_terms("用Redis缓存") == ["用", "redis", "缓存"]


def test_emoji_and_punctuation_are_no_words() -> None:
    assert STANDARD.document_terms("🎉 — … !? 👩‍💻") == []


def test_surface_and_stem_are_both_indexed_and_a_word_that_is_its_stem_once() -> None:
    assert STANDARD.document_terms("The gardeners were planting trees") == [
        *("the", "gardeners", "garden", "were"),
        *("planting", "plant", "trees", "tree"),
    ]


def test_words_are_counted_as_often_as_they_come() -> None:
    assert STANDARD.document_terms("tea tea tea").count("tea") == 3


def test_the_stems_are_those_of_the_text_s_language() -> None:
    assert "bibliothek" in STANDARD.document_terms("Die Bibliotheken sind heute geschlossen")
    assert "bibliotec" in STANDARD.document_terms("Le biblioteche sono chiuse oggi")


def test_a_text_of_no_certain_language_is_stemmed_as_english() -> None:
    assert "ticket" in STANDARD.document_terms("Porto tickets")
    assert "deploy" in STANDARD.document_terms("今天的deployments失败了")


def test_a_fixed_language_stems_every_text() -> None:
    assert "biblioteche" in Analyzer("german").document_terms("Le biblioteche sono chiuse oggi")
    assert "bibliotec" not in Analyzer("de").document_terms("Le biblioteche sono chiuse oggi")


def test_words_with_digits_are_never_stemmed() -> None:
    assert STANDARD.document_terms("the models b52s and builds3") == [
        *("the", "models", "model", "b52s", "and", "builds3"),
    ]


def test_irregular_forms_meet_their_base() -> None:
    asked = STANDARD.query_terms("where did Ada buy the geese").any_of
    assert {"buy", "goos"} <= set(asked)
    assert {"buy", "goos"} <= set(STANDARD.document_terms("Ada bought a goose at the fair"))


def test_an_unknown_analysis_is_refused_with_the_choice() -> None:
    with pytest.raises(BadInput, match=r"'klingon'.*english"):
        Analyzer("klingon")


def test_a_question_drops_stop_words_and_question_words() -> None:
    assert STANDARD.query_terms("Where does the heron nest?").any_of == ("heron", "nest")
    assert STANDARD.query_terms("wo ist der Schlüssel für das Lager").any_of[0] == "schlüssel"


def test_a_question_of_stop_words_only_keeps_them() -> None:
    assert STANDARD.query_terms("who is it").any_of == ("who", "is", "it")


def test_the_simple_analysis_drops_nothing() -> None:
    asked = SIMPLE.query_terms("where is the heron", languages=("en",))
    assert asked.any_of == ("where", "is", "the", "heron")
    assert asked.languages == ()


def test_a_question_is_stemmed_in_the_languages_of_the_bank_too() -> None:
    asked = STANDARD.query_terms("riparazione tetto", languages=("it", "german"))
    assert "ripar" in asked.any_of
    assert set(asked.languages) >= {"it", "de"}


def test_a_quotation_is_a_phrase_of_words_as_written() -> None:
    asked = STANDARD.query_terms('who sang “Blue Herons” to the "crowd"')
    assert asked.phrases == (("blue", "herons"),)
    assert {"blue", "heron", "crowd"} <= set(asked.any_of)
    words = STANDARD.surface_terms("They sang Blue Herons in OPS-311.")
    assert words == ["they", "sang", "blue", "herons", "in", "ops-311"]


def test_a_minus_excludes_a_word_and_nothing_else() -> None:
    asked = STANDARD.query_terms('heron -nests -"pond" -"two words" prod-eu - -7 -f')
    assert asked.none_of == ("nests", "pond")
    assert not {"nests", "pond", "words"} & set(asked.any_of)
    assert {"heron", "prod-eu", "7"} <= set(asked.any_of)


def test_terms_of_a_question_are_unique() -> None:
    asked = STANDARD.query_terms("heron herons heron").any_of
    assert asked == ("heron", "herons")


def test_threads_get_the_terms_one_thread_gets() -> None:
    texts = [f"The {word}ings were {word}ed by {word}ers" for word in ("build", "test", "paint")]
    alone = [STANDARD.query_terms(text).any_of for text in texts]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda text: STANDARD.query_terms(text).any_of, texts * 50))
    assert together == alone * 50


@given(st.text())
def test_terms_analyse_to_themselves(text: str) -> None:
    terms = SIMPLE.document_terms(text)
    assert set(SIMPLE.document_terms(" ".join(terms))) == set(terms)


@given(st.text())
def test_any_text_gives_terms_without_spaces(text: str) -> None:
    for term in STANDARD.document_terms(text):
        assert term
        assert not any(letter.isspace() for letter in term)


@given(st.text())
def test_standard_terms_hold_the_simple_ones(text: str) -> None:
    assert set(SIMPLE.document_terms(text)) <= set(STANDARD.document_terms(text))


@given(st.text(alphabet="abéß茶\"- -.'_7"), st.sampled_from([(), ("en",), ("de", "zh")]))
def test_a_question_asks_only_for_what_a_text_would_hold(
    text: str, languages: tuple[str, ...]
) -> None:
    asked = SIMPLE.query_terms(text, languages=languages)
    held = set(SIMPLE.document_terms(text))
    assert set(asked.any_of) | set(asked.none_of) <= held
    assert len(set(asked.any_of)) == len(asked.any_of)
    assert not set(asked.any_of) & set(asked.none_of)
