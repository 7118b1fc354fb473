"""Folding: markup, escapes and invisible letters hide nothing, and slips in a name are near."""

import time

import pytest

from supportagentbench.tickets.folding import (
    folded,
    forms,
    is_near,
    letters_apart,
    mixes_scripts,
    plain,
    squeezed,
)


@pytest.mark.parametrize(
    "text",
    [
        *("Dav\u200bid", "Dav\u00adid", "D\u2060a\ufe0fvid", "Da<b>vi</b>d", "Da<!-- x -->vid", "&#68;avid"),
        *(
            "&amp;#68;avid",
            r"\u0044avid",
            "Dav%69d",
            "Ｄａｖｉｄ",
            "𝐃𝐚𝐯𝐢𝐝",
            "D\x00avid",
            "Da\U000e0076vid",
            "D\u034favid",
        ),
    ],
)
def test_what_hides_a_name_is_gone(text: str) -> None:
    assert plain(text) == "David"


def test_what_is_said_stays() -> None:
    said = "3 < 5 & 7 > 2, it's 20% off – “naïve” ja, 你好"
    assert plain(said) == said
    assert plain("a<br>b</p>c") == "a\nb\nc" and plain("Jos=C3=A9") == "José"


def test_accents_umlauts_and_letters_that_look_alike() -> None:
    assert folded("Łukasz ØRSTED") == "lukasz orsted" and folded("Straße") == "strasse"
    assert "mueller" in forms("Müller") and "david" in forms("Dаvіd")
    assert mixes_scripts("Dаvid") and not mixes_scripts("Давид") and not mixes_scripts("David")
    assert squeezed("D. Å-b_1") == "dab1"


@pytest.mark.parametrize(
    ("word", "near"),
    [("lindqvist", True), ("lindkvist", True), ("lidnqvsit", True), ("linquist", True), ("lindt", False)],
)
def test_a_slip_or_two_are_near(word: str, near: bool) -> None:
    assert is_near(word, "lindqvist") is near
    assert not is_near("dave", "dane") and is_near("davdi", "david")


def test_letters_that_stand_alone_are_a_word() -> None:
    assert letters_apart("it is D a v i d here") == [(6, 15)] and letters_apart("a b to c") == []


@pytest.mark.parametrize("piece", ["<", "<!--", "%41", "&amp;", "<a", "=C3", "(%4", "a b "])
def test_no_text_takes_long(piece: str) -> None:
    began = time.perf_counter()
    letters_apart(plain(piece * (50_000 // len(piece))))
    assert time.perf_counter() - began < 5
