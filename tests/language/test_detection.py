"""Guessing the language of a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.language.detection import UNDECIDED, detect_language
from scrubjay.language.stopwords import language_words, noise_words


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "We put the kayak back in the shed before the storm"),
        ("de", "Wir haben das Kajak vor dem Sturm in den Schuppen gebracht"),
        ("fr", "Nous avons rangé le kayak dans la remise avant la tempête"),
        ("es", "Guardamos el kayak en el cobertizo antes de la tormenta"),
        ("it", "Abbiamo messo il kayak nella rimessa prima della tempesta"),
        ("pt", "Guardámos o caiaque na garagem antes da tempestade"),
        ("nl", "We hebben de kajak voor de storm in de schuur gezet"),
        ("sv", "Vi ställde kajaken i skjulet innan det blev storm och regn"),
        ("fi", "Laitoimme kajakin vajaan ennen kuin myrsky oli täällä"),
        ("pl", "Schowaliśmy kajak do szopy przed burzą, bo był nowy"),
        ("tr", "Fırtınadan önce kanoyu kulübeye koyduk çünkü daha yeni"),
        ("ru", "Мы убрали каяк в сарай перед бурей"),
        ("uk", "Ми сховали каяк у сарай перед бурею, бо він новий і її"),
        ("el", "Βάλαμε το καγιάκ στην αποθήκη"),
        ("ar", "وضعنا القارب في المخزن قبل العاصفة"),
        ("fa", "قایق را پیش از توفان در انبار گذاشتیم"),
        ("he", "שמנו את הקיאק במחסן לפני הסערה"),
        ("hi", "हमने तूफान से पहले नाव अंदर रख दी"),
        ("th", "เราเก็บเรือคายัคก่อนพายุ"),
        ("zh", "暴风雨前我们把皮划艇放进了棚子"),
        ("ja", "嵐の前にカヤックを小屋にしまいました"),
        ("ko", "폭풍 전에 카약을 창고에 넣었다"),
    ],
)
def test_a_plain_sentence_is_recognised(language: str, text: str) -> None:
    assert detect_language(text) == language


def test_names_in_another_script_do_not_decide() -> None:
    assert detect_language("我们把 Kubernetes 和 PostgreSQL 升级到了新版本") == "zh"
    assert detect_language("Write to me at 北京 office and tell them the news") == "en"
    assert detect_language("他的邮箱是very.long_name2024@mail.example.org") == "zh"


def test_nothing_to_go_by_is_undecided() -> None:
    for text in ("", "   ", "42 + 17", "🎉🎉", "Xyzzy Qwrt"):
        assert detect_language(text) == UNDECIDED


def test_a_single_name_decides_for_no_foreign_language() -> None:
    assert detect_language("Ada bought herons") == UNDECIDED
    assert detect_language("Ada bought all of the herons") == "en"


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    english = "The heron is on the roof and it will not come down. " * 30
    assert detect_language(english + "это уже другой язык " * 1_000) == "en"


@given(st.text())
def test_any_text_gets_a_short_code_and_always_the_same(text: str) -> None:
    code = detect_language(text)
    assert code == detect_language(text)
    assert len(code) == 2 or code == UNDECIDED


def test_every_language_with_a_list_has_stop_words_and_question_words() -> None:
    for language, words in language_words().items():
        assert words.stop, language
        assert words.question, language
    assert {"the", "who"} <= noise_words("en")
    assert noise_words("xx") == frozenset()
