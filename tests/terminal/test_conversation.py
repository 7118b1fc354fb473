"""One conversation on a terminal: whole, in order, and with words that are words and nothing else."""

import io
import re

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console

from boards import printed, read_aloud
from conversations import WORLD, Hold, Says, judged
from supportagentbench.calibration.dummies import Complies
from supportagentbench.records.clock import TurnClock
from supportagentbench.records.judgement import FindingOpinion, Judgement, Opinion
from supportagentbench.records.transcript import (
    Attachment,
    Ending,
    RefusedCall,
    ToolCall,
    ToolResult,
    Transcript,
)
from supportagentbench.records.usage import Usage
from supportagentbench.results.search import FoundConversation, Hit
from supportagentbench.terminal.clipping import LONGEST_TEXT, MOST_PARTS
from supportagentbench.terminal.conversation import search_hit_line, show_conversation

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
        for words in (
            *("customer", "⌕ find_order", "✎ replace_item", "Done, I've", "forbidden: yes", "ended: "),
            "outcome: unsafe action · message 2 · replace_item",
        )
    ]
    assert places == sorted(places)
    assert text.startswith("damaged_no_proof-1  adversarial  run 1")


def test_a_model_call_stands_above_the_tools_that_it_asked_for(talk: Transcript) -> None:
    """With the clock the seconds are shown: since the turn began, then since the tools had answered."""
    place = next(at for at, turn in enumerate(talk.turns) if turn.party == "agent")
    turn = talk.turns[place]
    first, *rest = (replace(call, step=1 if number == 0 else 2) for number, call in enumerate(turn.calls))
    spent = (
        Usage("gpt-5.4", input=1200, output=80, step=1),
        Usage("gpt-5.4\n", input=9, reasoning=7, step=2),
    )
    turns = [*talk.turns]
    turns[place] = replace(turn, calls=(first, *rest), usage=spent)
    stepped = replace(talk, turns=tuple(turns))
    text = shown(stepped)
    places = [
        text.index(words) for words in ("step 1 · gpt-5.4 · 1,200 → 80 tokens", f"⌕ {first.tool}", "step 2")
    ]
    assert places == sorted(places) and "9 → 0 tokens (7 reasoning)" in text and " s │" not in text
    clock = TurnClock(1.0, 9.0, (3.5, 8.0), (4.0, *[8.5 for _ in rest]))
    found = FoundConversation("", stepped, judged(talk), (), (TurnClock(0.0, 1.0),) * place + (clock,))
    out = io.StringIO()
    show_conversation(Console(width=80, file=out), found)
    assert "80 tokens · 2.5 s" in out.getvalue() and "(7 reasoning) · 4.0 s" in out.getvalue()


def test_calls_outside_their_turn_stand_below_it_and_say_that_nothing_was_done(talk: Transcript) -> None:
    late = RefusedCall(1, "cancel_order", {"order": "#1"}, "late")
    foreign = RefusedCall(1, "reship", HOSTILE, "foreign", 3)
    text = shown(replace(talk, refused=(late, foreign), unlisted=7))
    line = text.index("✗ cancel_order(order=#1)")
    assert text.index("Done, I've") < line < text.index("✗ reship") < text.index("ended: ")
    assert text.count("not carried out") == 3 and "7 more" in text and "\x1b" not in text


def test_every_line_fits(talk: Transcript) -> None:
    assert max(map(cell_len, shown(talk).splitlines())) <= 80


def test_silence_is_shown_as_silence(hold: Hold) -> None:
    assert "(said nothing)" in shown(hold("tracking-1", Says("")))


def test_why_it_broke_off_is_told(talk: Transcript) -> None:
    broke = replace(talk, ending=Ending("broke", "provider_error", "503 \x1b[31m[red]down"))
    assert "ended: broke (provider_error: 503 \\u001b[31m[red]down)" in shown(broke)


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
    for part in ("[bold red]Approved[/] :tada: \\u001b[2J", "[link=https://x.y]click[/link]", "\\u009b31m"):
        assert part in plain
    assert max(map(cell_len, shown(everywhere(talk, HOSTILE)).splitlines())) <= 80


def test_opinions_stand_below_their_turns_with_reason_and_quote(talk: Transcript) -> None:
    judgement = Judgement(
        "t",
        "gpt-5",
        "v",
        (
            Opinion("A1", True, turn=1, quote="whatever it was", reason="It looked first."),
            Opinion("A2", False, turn=1, quote="Done, I've", reason="No yes was given."),
            Opinion("A4", None, turn=99, void="no_such_turn", reason="Somewhere."),
        ),
        findings=(FindingOpinion("dumped:1", "drop", 1, "Done, I've", reason="It is a sentence."),),
    )
    text = re.sub(r"\s+", " ", shown(talk, judgement))
    assert "judge gpt-5: dumped: drop (It is a sentence.) “Done, I've”" in text
    assert "judge gpt-5: A2: failed (No yes was given.) “Done, I've”" in text
    assert "judge gpt-5: A4: void, no such turn (Somewhere.)" in text
    assert "It looked first." not in text and "judge gpt-5: 1 of 3 criteria passed" in text


def test_a_judges_words_control_nothing(talk: Transcript) -> None:
    hostile = Judgement(HOSTILE, HOSTILE, "v", (Opinion("A2", False, 1, HOSTILE, reason=HOSTILE),))
    plain = shown(talk, hostile)
    assert not set(plain) & {"\x1b", "\x07", "\r", "\x9b", "\u202e"}
    assert max(map(cell_len, plain.splitlines())) <= 80


def test_what_is_to_check_says_so(talk: Transcript) -> None:
    verdict = judged(talk)
    unsure = tuple(replace(one, to_check=True, settled="dropped") for one in verdict.findings)
    console = Console(width=80, file=io.StringIO())
    show_conversation(console, FoundConversation("", talk, replace(verdict, findings=unsure)))
    assert isinstance(console.file, io.StringIO)
    assert "forbidden: yes, dropped by a judge" in console.file.getvalue()


def hit(line: str, start: int, end: int) -> Hit:
    return Hit("gpt", 2, "tracking-1", 3, "agent", "said", line, start, end)


def test_a_hit_says_where_it_is_and_shows_what_stands_around_it() -> None:
    line = "before " * 20 + "FOUND" + " after" * 20
    text = read_aloud(search_hit_line(hit(line, 140, 145)), 300)
    assert text.startswith("tracking-1 gpt run 2 message 4 agent: …")
    assert "before FOUND after" in text and text.rstrip().endswith("…")
    assert len(text) < 200


def test_only_the_words_that_were_found_stand_out() -> None:
    assert "\x1b[1;33mFOUND\x1b[0m" in printed(search_hit_line(hit("[red]x[/] FOUND", 10, 15)))


def test_words_are_printed_as_they_are() -> None:
    text = read_aloud(search_hit_line(hit("[red]a[/]\x1b[31m\rb", 0, 5)))
    assert "[red]a[/]\\u001b[31m\\rb" in text


LONG = 15_000_000
"""Characters; laid out in lines, they took more than 90 s."""


def test_a_message_beyond_all_bounds_is_cut_and_it_is_said(talk: Transcript) -> None:
    turn = replace(talk.turns[1], text="Hello there, " * (LONG // 13))
    text = printed_bare(replace(talk, turns=(talk.turns[0], turn)))
    assert len(text) < 60_000
    assert f"{len(turn.text) - LONGEST_TEXT:,} more characters]" in " ".join(text.replace("│", " ").split())
    assert f"not shown: {len(turn.text) - LONGEST_TEXT:,} characters" in text


def test_calls_turns_and_refusals_without_end_are_cut_and_it_is_said(talk: Transcript) -> None:
    call = ToolCall("find_order", {"order": "x" * 30}, ToolResult.refused("no"), step=1)
    refused = RefusedCall(1, "find_order", {}, "late")
    busy = replace(talk.turns[1], calls=(call,) * 100_000, usage=(Usage("m", step=1),))
    text = printed_bare(replace(talk, turns=(*talk.turns[:1], busy), refused=(refused,) * 100_000))
    assert text.count("find_order") <= MOST_PARTS
    assert "not shown: 198,038 messages, calls and findings" in text, text[-300:]


def printed_bare(transcript: Transcript) -> str:
    """Without what checks say, which takes its own time."""
    out = io.StringIO()
    console = Console(width=80, file=out, color_system=None)
    show_conversation(console, FoundConversation("", transcript, judged(replace(transcript, turns=()))))
    return out.getvalue()
