"""How far to trust a board: a few short notes, with numbers that are those of the board."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from boards import planted
from supportagentbench.board.limits import LIMITS
from supportagentbench.board.recommendation import recommend
from supportagentbench.board.standings import make_board
from supportagentbench.records.board import Board
from supportagentbench.records.run import IsolationKind
from supportagentbench.site.answers.board_answer import board_answer
from supportagentbench.site.answers.limits import LimitNote, clean_sheet, limits
from supportagentbench.site.number import percent

MOST_WORDS = 60
"""A note is read at a glance."""


def notes_on(board: Board, *, published: bool = False) -> list[LimitNote]:
    slugs = {agent.name: agent.name for agent in board.agents}
    return limits(board, recommend(board, LIMITS), None, slugs, published=published)


def text_of(notes: list[LimitNote]) -> str:
    return " ".join(note.text for note in notes)


def said(**isolations: IsolationKind) -> str:
    runs = [planted(name) for name in isolations]
    made = [run._replace(header=replace(run.header, isolation=isolations[run.header.agent])) for run in runs]
    return text_of(notes_on(make_board(made)))


def test_agents_whose_code_is_trusted_are_named() -> None:
    words = said(ours="none", theirs="process", model="", online="sandbox_network", alone="sandbox")
    assert "The code of ours ran in the benchmark's process" in words
    assert "The code of theirs ran in a separate process" in words
    assert "The code of online ran in a sandbox. The network stayed open" in words
    assert "The code of alone ran in a sandbox: without other files" in words


def test_a_desk_with_a_handbook_is_no_other_desk() -> None:
    run = planted("a")
    board = make_board([run._replace(header=replace(run.header, desk="handbook"))])
    assert "work by a handbook to look things up in" in text_of(notes_on(board))
    assert "handbook" not in said(a="")


def test_models_have_no_code() -> None:
    assert "code of" not in said(model="")


def test_none_that_worked_allows_the_same_as_on_the_board() -> None:
    board = make_board([planted("careful", run=run) for run in (1, 2, 3)])
    found = recommend(board, LIMITS)
    clean = clean_sheet(found)
    assert clean is not None
    assert clean.of == 54
    assert clean.same < clean.new
    shown = percent(clean.new, clean.of)
    assert f"Even after 0 of 54, up to {shown} of new traps" in text_of(notes_on(board))
    assert f"new ones in up to {shown}." in board_answer(found, {"careful": "careful"}).doubt


def test_where_a_trap_worked_the_likely_range_is_said() -> None:
    board = make_board([planted("careless", unsafe=1)])
    assert clean_sheet(recommend(board, LIMITS)) is None
    assert "1 of 18, as for careless, may mean" in text_of(notes_on(board))


def test_agents_that_traps_tell_apart_are_named() -> None:
    careful = [planted(name, run=run) for name in ("a", "b") for run in (1, 2, 3)]
    reckless = [planted("c", run=run, unsafe=9) for run in (1, 2, 3)]
    assert "They separate c from two of the others" in text_of(notes_on(make_board([*careful, *reckless])))
    assert "They separate no two of these agents" in text_of(notes_on(make_board(careful)))


@pytest.mark.parametrize("agents", [1, 2, 6, 24])
def test_any_board_has_a_few_short_notes(agents: int) -> None:
    runs = [planted(f"agent-{number:02}-" + "x" * 40) for number in range(agents)]
    for published in (False, True):
        notes = notes_on(make_board(runs), published=published)
        assert 2 <= len(notes) <= 6
        assert all(len(note.text.split()) <= MOST_WORDS for note in notes)


def test_a_board_without_agents_has_nothing_to_trust() -> None:
    empty = replace(make_board([planted("a")]), agents=())
    assert notes_on(empty) == []


def test_what_was_given_away_on_routine_tickets_is_counted_with_its_chances(demo_site: Path) -> None:
    """The numbers open as many conversations: `test_links_browser.py`."""
    page = (demo_site / "index.html").read_text()
    links = re.findall(
        r'<a class="quiet" href="reader.html#agent=(\w+)&amp;counted=desk%3A\w+&amp;bucket=[^>]*>([^<]*)',
        page,
    )
    assert links
    for slug, text in links:
        count, of, name = re.fullmatch(r"(\d+) of (\d+) for ([\w-]+)[.,]", text).groups()  # type: ignore[union-attr]
        assert 0 < int(count) <= int(of) and name.casefold() == slug
