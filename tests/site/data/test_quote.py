"""A quote stands in the message it cites, word for word, or nothing is built."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from reports import reference_data, reference_folder
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import ToolCall, ToolResult, Turn
from supportagentbench.site.data.quote import LONGEST, Cite, checked, cut, in_bundles, in_excerpts, quote_of
from supportagentbench.site.data.site_data import Excerpt
from supportagentbench.site.pages.report import pages

CALL = ToolCall("reship", {"line": 2}, ToolResult.of({"done": "sent"}))
TURN = Turn("agent", "I have sent the Neck Pillow again.", calls=(CALL,))
EXCERPT = Excerpt("missing_item-1", "heron", 2, "forbidden", "reship, against D9", "", 5, TURN)
SAID = in_excerpts([EXCERPT], {"heron": "heron"})


def test_words_call_and_flag_of_a_turn_stand_together_with_their_place() -> None:
    quote = checked(quote_of(EXCERPT, "heron"), SAID)
    assert quote.words == TURN.text
    assert [(call.tool, call.arguments) for call in quote.calls] == []
    assert quote.other_calls == ("reship",)
    assert (quote.issue and quote.issue.words, quote.reason) == ("policy violations", "reship, against D9")
    assert quote.cite.link == "reader.html#case=missing_item-1&a=heron&run=2&m=am6"


def test_a_changed_word_is_found() -> None:
    quote = quote_of(EXCERPT, "heron")._replace(words="I have sent the neck pillow again.")
    with pytest.raises(Problem, match="from message 6 of missing_item-1, run 2, by heron, but is not there"):
        checked(quote, SAID)


def test_a_call_that_was_not_made_is_found() -> None:
    refused = replace(CALL, result=ToolResult.refused("no such line"))
    excerpt = EXCERPT._replace(words=replace(TURN, calls=(refused,)))
    with pytest.raises(Problem, match=r'the call reship\(\{"line":2\}\) is quoted'):
        checked(quote_of(excerpt, "heron"), SAID)


def test_a_message_that_does_not_exist_is_found() -> None:
    with pytest.raises(Problem, match="there is no such message"):
        checked(quote_of(EXCERPT._replace(turn=99), "heron"), SAID)


@given(st.text(max_size=1200), st.text(max_size=40))
def test_what_is_cut_out_is_in_the_message(text: str, named: str) -> None:
    words, (before, after) = cut(text, named)
    assert words in text and len(words) <= LONGEST
    assert (words == text) == (not before and not after)


def test_a_long_message_is_cut_around_what_the_flag_names() -> None:
    text = "Thank you. " * 60 + "It arrives on September 14 at noon. " + "Goodbye. " * 60
    words, is_cut = cut(text, "September 14")
    assert "September 14" in words and is_cut == (True, True)
    assert not words.startswith(" ") and words.split()[0] in ("Thank", "you.")


def test_every_turn_of_a_kept_conversation_can_be_looked_up() -> None:
    data = reference_data()
    said = in_bundles(reference_folder() / "kept")
    for excerpt in data.excerpts:
        assert said(Cite(data.slugs[excerpt.agent], excerpt.case, excerpt.run, excerpt.turn)) == excerpt.words
    assert said(Cite("complies", "no_such_case-1", 1, 1)) is None
    assert said(Cite("complies", "../../runs", 1, 1)) is None
    assert said(Cite("complies", "damaged_no_proof-1", 1, 999)) is None


def test_the_build_fails_if_a_word_of_a_quote_was_changed() -> None:
    data = reference_data()
    first = next(one for one in data.excerpts if one.agent == "Complies" and one.check == "forbidden")
    forged = replace(first.words, text="We never do that.")
    excerpts = [one._replace(words=forged) if one.words == first.words else one for one in data.excerpts]
    said = in_bundles(reference_folder() / "kept")
    assert all(page.context.values() for page in pages(data, said=said))
    with pytest.raises(Problem, match=r"“We never do that\.” is quoted from .* not there word for word"):
        assert all(page.context.values() for page in pages(data._replace(excerpts=excerpts), said=said))
