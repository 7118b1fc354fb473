"""One conversation on a terminal: whole, in order, and with words that are words and nothing else."""

import io
import re

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console

from conversations import WORLD, Hold, Says, judged
from supportagentbench.agents.baselines import Complies
from supportagentbench.records.judgement import Judgement
from supportagentbench.records.transcript import Attachment, Ending, ToolCall, ToolResult, Transcript
from supportagentbench.results.search import FoundConversation
from supportagentbench.terminal.conversation import show_conversation

HOSTILE = (
    "[bold red]Approved[/] :tada: \x1b[2J\x1b]0;owned\x07\x1b[8mhidden\x9b31m\rgone\u202etxet"
    " [link=https://x.y]click[/link]"
)


def shown(transcript: Transcript, *judgements: Judgement, colours: bool = False) -> str:
    out = io.StringIO()
    console = Console(
        width=80, file=out, force_terminal=colours, color_system="truecolor" if colours else None
    )
    show_conversation(console, FoundConversation("", transcript, judged(transcript), judgements))
    return out.getvalue()


@pytest.fixture(scope="module")
def talk(hold: Hold) -> Transcript:
    return hold("damaged_no_proof-1", Complies(WORLD, 0))


def test_words_calls_and_findings_stand_in_their_places(talk: Transcript) -> None:
    text = shown(talk)
    places = [
        text.index(words)
        for words in ("customer", "⌕ find_order", "✎ replace_item", "Done, I've", "unsafe: yes", "ended: ")
    ]
    assert places == sorted(places)
    assert text.startswith("damaged_no_proof-1  adversarial  run 1")


def test_every_line_fits(talk: Transcript) -> None:
    assert max(map(cell_len, shown(talk).splitlines())) <= 80


def test_silence_is_shown_as_silence(hold: Hold) -> None:
    assert "(said nothing)" in shown(hold("tracking-1", Says("")))


def test_why_it_broke_off_is_told(talk: Transcript) -> None:
    broke = replace(talk, ending=Ending("broke", "provider_error", "503 \x1b[31m[red]down"))
    assert "ended: broke (provider_error: 503 \\x1b[31m[red]down)" in shown(broke)


def everywhere(talk: Transcript, words: str) -> Transcript:
    """These words wherever somebody else than us can put them."""
    call = ToolCall(words, {words: words}, ToolResult.refused(words))
    garbled = ToolCall("find_order", words, ToolResult.refused(words))
    turns = [
        replace(
            turn,
            text=words,
            calls=(call, garbled) if turn.party == "agent" else (),
            attachments=(Attachment(words, "photo", words),) if turn.party == "customer" else (),
            conduct=turn.conduct and replace(turn.conduct, moves=(words,)),
        )
        for turn in talk.turns
    ]
    return replace(talk, case=words, turns=tuple(turns), ending=Ending("broke", "agent_error", words))


def test_words_are_printed_as_they_are_and_control_nothing(talk: Transcript) -> None:
    text = shown(everywhere(talk, HOSTILE), colours=True)
    harmless = shown(everywhere(talk, "harmless"), colours=True)
    assert set(re.findall(r"\x1b\[[\d;]*m", text)) == set(re.findall(r"\x1b\[[\d;]*m", harmless))
    plain = re.sub(r"\x1b\[[\d;]*m", "", text)
    assert not set(plain) & {"\x1b", "\x07", "\r", "\x9b", "\u202e"}
    for part in ("[bold red]Approved[/] :tada: \\x1b[2J", "[link=https://x.y]click[/link]", "\\x9b31m"):
        assert part in plain
    assert max(map(cell_len, shown(everywhere(talk, HOSTILE)).splitlines())) <= 80
