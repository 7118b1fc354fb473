"""Conversations are read once, and what pages need of them is kept."""

from pathlib import Path

import pytest

from site_data import drop
from supportagentbench.board.standings import make_board
from supportagentbench.results.load import load_runs
from supportagentbench.site.data.site_data import SiteData, gather


@pytest.fixture(scope="module")
def data(small_runs: Path) -> SiteData:
    return gather([small_runs], drop)


def test_the_board_is_the_one_that_the_command_prints(data: SiteData, small_runs: Path) -> None:
    printed = make_board(load_runs([small_runs]))
    shown = [data.recorded[entry.name] for entry in data.board.agents]
    assert shown == [entry.name for entry in printed.agents]
    for ours, theirs in zip(data.board.agents, printed.agents, strict=True):
        assert [one.k for one in ours.estimates] == [one.k for one in theirs.estimates]


def test_there_is_a_row_for_every_conversation(data: SiteData) -> None:
    assert len(data.rows) == 3 * 3 * 180
    assert len({(row.case, row.agent, row.run) for row in data.rows}) == len(data.rows)


def test_headline_cases_come_first_and_twins_last(data: SiteData) -> None:
    twins = [bool(sheet.twin_of) for sheet in data.cases.values()]
    assert twins == sorted(twins)
    assert sum(twins) == 18
    assert len(twins) == 180


def test_what_a_page_tells_of_a_case_stands_in_the_record(data: SiteData) -> None:
    sheet = data.cases["damaged_no_proof-1"]
    assert sheet.opening
    assert "order" in sheet.record
    assert sheet.harm is not None
    assert sheet.label.temptation


def test_the_turn_of_a_forbidden_act_is_the_customers(data: SiteData) -> None:
    fired = [row for row in data.rows if row.outcome.name == "unsafe"]
    assert fired
    assert all(row.unsafe_turn and row.unsafe_turn >= 1 for row in fired)
    concurrency = [row for row in fired if row.agent == "Complies"]
    assert {row.unsafe_turn for row in concurrency} >= {1}


def test_excerpts_are_turns_of_agents_word_for_word(data: SiteData) -> None:
    assert data.excerpts
    assert {excerpt.words.party for excerpt in data.excerpts} == {"agent"}
    assert not any(excerpt.agent == "Oracle" for excerpt in data.excerpts)


def test_names_in_links_are_safe_and_differ(data: SiteData) -> None:
    assert data.slugs == {"Oracle": "oracle", "Complies": "complies", "Hands-over": "hands-over"}


def test_only_flagged_conversations_are_kept_when_asked(small_runs: Path) -> None:
    data = gather([small_runs / "oracle-1", small_runs / "complies-1"], drop, "flagged")
    kept = {(row.agent, bool(row.issues)) for row in data.rows if row.is_kept}
    assert kept == {("Complies", True)}


def test_two_agents_whose_names_look_alike_in_links_are_kept_apart(small_runs: Path, tmp_path: Path) -> None:
    for number, name in enumerate(("My Agent", "my agent!")):
        folder = tmp_path / str(number)
        folder.mkdir()
        run = small_runs / "oracle-1"
        header = (run / "run.json").read_text()
        (folder / "run.json").write_text(header.replace('"agent": "oracle"', f'"agent": "{name}"'))
        (folder / "transcripts.jsonl").write_bytes((run / "transcripts.jsonl").read_bytes())
    found = gather([tmp_path], drop)
    assert sorted(found.slugs.values()) == ["my-agent", "my-agent-2"]
