"""Plain text: the writer's own words stay, all of them; quotes, delimiters and signatures go."""

import sys
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.records.problem import Problem
from supportagentbench.tickets.plain_text import (
    LARGEST_MESSAGE,
    MOST_LINES,
    MessageTooLarge,
    check_libraries,
    exactly,
    html_to_text,
    own_words,
    tidy,
    written,
)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One <b>bold</b> word.</p><p>Two</p>", "One bold word.\n\nTwo"),
        ("a<br>b<br/><br>c", "a\nb\n\nc"),
        ("<div>a</div><div>b</div>", "a\nb"),
        ("<ul><li>one</li><li>two</li></ul>after", "- one\n- two\n\nafter"),
        (
            "<table><tr><td>Lamp</td><td>2</td></tr><tr><td>Cord</td><td>1</td></tr></table>",
            "Lamp | 2\nCord | 1",
        ),
        ("<p>seen</p><div style='DISPLAY : none'>hid<p>den</p></div><p>too</p>", "seen\n\ntoo"),
        ("<p hidden>hidden</p><script>x()</script><style>p{}</style>seen", "seen"),
        ("<head><title>no</title></head><body>yes</body>", "yes"),
        ("a &amp; b &lt;c&gt; &euro;5&nbsp;off", "a & b <c> €5 off"),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("<p>Mine</p><blockquote><p>Theirs</p></blockquote>", "Mine\n\n> Theirs"),
        ("no tags at all", "no tags at all"),
        ("<!-- nothing --><p>seen<!-- and --> too</p>", "seen too"),
        ("", ""),
        ("<p></p>", ""),
        ("   ", ""),
    ],
)
def test_html_is_read_as_it_is_shown(html: str, text: str) -> None:
    assert html_to_text(html).strip() == text


def test_text_below_many_levels_is_not_lost() -> None:
    assert html_to_text("<div>" * 5_000 + "deep" + "</div>" * 5_000 + "<p>after") == "deep\n\nafter"


@pytest.mark.parametrize(
    "quoted",
    [
        "\n\nOn Tue, 5 May 2026 at 12:00, Ada Rook wrote:\n> Where is it?\n> Ada",
        "\n\nOn Tue, 5 May 2026 at 12:00, Ada Rook\n<ada@mail.example> wrote:\n> Where is it?",
        "\n\nAm 05.05.2026 um 12:00 schrieb Ada Rook:\n> Wo ist es?",
        "\n\nLe mar. 5 mai 2026 à 12:00, Ada Rook a écrit :\n> Où est-il ?",
        "\n\nEl mar, 5 may 2026 a las 12:00, Ada Rook escribió:\n> ¿Dónde está?",
        "\n\n-----Original Message-----\nFrom: Ada\nTo: Desk\n\nWhere is it?",
        "\n\n________________________________\nFrom: Ada\n\nWhere is it?",
        "\n\n##- Please type your reply above this line -##\n\nYour request (7) has been updated.",
        "\n\n##- Bitte geben Sie Ihre Antwort oberhalb dieser Zeile ein -##\nIhre Anfrage",
        "\n\n> Where is it?\n> Ada\n",
        "\n\n-- \nAda Rook\nRook & Sons\n+44 7700 900123",
        "\n\n--\nAda",
        "\n\nSent from my iPhone",
        "\n\nGet Outlook for iOS",
        "\n\nVon meinem iPhone gesendet",
        "\n\nEnvoyé de mon iPhone",
        "\n\nSent from my Pixel\n\nOn Tue, 5 May 2026, Ada wrote:\n> So?",
    ],
)
def test_what_others_wrote_and_signatures_are_cut(quoted: str) -> None:
    assert own_words(f"It is on its way.\nReally.{quoted}") == "It is on its way.\nReally."


@pytest.mark.parametrize(
    "text",
    [
        "From: the shop I got a lamp.",
        "Two dashes -- here, not a signature.",
        "> quoted and nothing else",
        "-- \nonly a signature",
        "##- Please type your reply above this line -##",
        "Sent from my heart: thank you!\nIt was on the day I wrote:\nthe lamp",
        "On Monday I wrote: it is broken.",
        "Hello.\nOn Monday your colleague wrote:\nYour refund is approved.\nBut nothing arrived!",
        "One lamp\n________________________________\nOne cord",
        "Mine.\nOn Monday she wrote:\n" + "On Monday he wrote:\n" * 30 + "So what?",
        "a\n--\n" + "\n".join(f"line {number}" for number in range(20)),
    ],
)
def test_words_that_only_look_like_a_quote_stay(text: str) -> None:
    assert own_words(text) == text


def test_an_answer_below_the_quote_stays() -> None:
    text = "On Tue, 5 May 2026 at 12:00, Desk wrote:\n> Which size?\n\nLarge.\n\n> Which colour?\n\nRed."
    assert own_words(text).split() == ["Large.", "Red."]


def test_a_forwarded_message_stays_whole() -> None:
    text = "---------- Forwarded message ---------\nFrom: Shop\nSubject: Order 7\n\nYour order is on its way."
    assert own_words(text) == text


def test_a_quote_after_words_that_look_like_one_is_cut() -> None:
    said = "On Monday your colleague wrote:\nIt is sent.\nIs it?"
    assert own_words(f"{said}\n\nOn 5 May 2026, at 12:00, Desk wrote:\n\nWe look into it.") == said


def test_a_line_after_a_thousand_lines_stays() -> None:
    text = "\n".join(f"item {number}" for number in range(3_000))
    assert own_words(text) == text


def test_gmail_and_outlook_quotes_in_html_are_cut() -> None:
    gmail = (
        '<div dir="ltr">Large, please.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        "On Tue, May 5, 2026 Desk &lt;<a href='mailto:d@x.example'>d@x.example</a>&gt; wrote:<br></div>"
        '<blockquote class="gmail_quote">Which size?</blockquote></div>'
    )
    assert written(None, gmail) == "Large, please."


@pytest.mark.parametrize(
    ("plain", "html", "text"),
    [("plain", "<p>html</p>", "plain"), (" \n", "<p>html</p>", "html"), (None, None, ""), ("", "", "")],
)
def test_plain_text_comes_first(plain: str | None, html: str | None, text: str) -> None:
    assert written(plain, html) == text


def test_line_ends_and_control_characters() -> None:
    assert tidy("a\r\nb\rc\u2028d\x00\x1b[31me\ufeff\n\n\n\nf\xa0g") == "a\nb\nc\nd[31me\n\nf g"
    assert tidy("x\ud800") == "x?"


@pytest.mark.parametrize(
    "hostile",
    [
        "<div>" * 150_000,
        "<" * 900_000,
        "&" * 900_000,
        "<p" + " a=b" * 200_000 + ">",
        "<blockquote>" * 80_000 + "x",
        "<br>x" * (MOST_LINES - 10),
        "<pre>" + "x\n" * (MOST_LINES - 10),
        "<li>" * 200_000,
        "<p style='" + "display " * 100_000 + "'>",
    ],
)
def test_html_takes_a_bounded_time(hostile: str) -> None:
    start = time.process_time()
    with suppress(MessageTooLarge):
        written(None, hostile)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    "hostile",
    [
        "2026/05/05 " + " <@>" * 200_000,
        ("2026/05/05 " + " <@>" * 40 + "\n") * 5_000,
        "Am " + "schrieb " * 100_000 + ":",
        ("Op " + "heeft " * 30 + "\n") * 5_000,
        "On \n" * (MOST_LINES - 10),
        ">" * 900_000,
        "##-" * 300_000,
        "-- \n" * (MOST_LINES - 10),
        "sent from my " * 70_000,
        " " * 900_000,
        "\n" * 900_000,
    ],
)
def test_quotes_are_looked_for_in_a_bounded_time(hostile: str) -> None:
    start = time.process_time()
    with suppress(MessageTooLarge):
        written(hostile, None)
    assert time.process_time() - start < 5


def test_larger_messages_are_refused_at_once() -> None:
    for large in ("x" * (LARGEST_MESSAGE + 1), "<p>" * 3_500_000):
        with pytest.raises(MessageTooLarge):
            written(None, large)
        with pytest.raises(MessageTooLarge):
            written(large, None)
        with pytest.raises(MessageTooLarge):
            exactly(large)
    with pytest.raises(MessageTooLarge):
        exactly("x\n" * MOST_LINES)


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    written(text, None)
    written(None, text)


@pytest.mark.parametrize("name", ["lxml.etree", "quotequail"])
def test_a_missing_library_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(Problem, match=r"pip install 'supportagentbench\[tickets\]'"):
        check_libraries()
