"""The index knows every conversation, and the reader's script can take it apart again."""

import gzip
from pathlib import Path

import msgspec
import pytest

from filed import FEW, failed, file_few, file_run, refused, solved
from site_data import drop
from supportagentbench.board.metrics import METRICS, RunVerdicts
from supportagentbench.site.data.bundle import as_script
from supportagentbench.site.data.index import CALL, Index, index_of
from supportagentbench.site.data.issue import ISSUES
from supportagentbench.site.data.site_data import SiteData, gather


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> SiteData:
    return gather([file_few(tmp_path_factory.mktemp("few"))], drop, "flagged")


@pytest.fixture(scope="module")
def index(data: SiteData) -> Index:
    return index_of(data)


def test_it_is_read_back_as_it_was_written(index: Index) -> None:
    script = as_script(CALL, index)
    assert msgspec.json.decode(script[len(CALL) : -2], type=Index) == index
    assert b"</" not in script


def test_columns_are_of_one_length(index: Index, data: SiteData) -> None:
    columns = (
        *(index.case, index.agent, index.run, index.outcome, index.issues, index.messages, index.cost),
        *(index.unsafe_turn, index.disagree, index.missing),
    )
    assert {len(column) for column in columns} == {len(data.rows)}


def test_every_row_can_be_told_from_its_columns(index: Index, data: SiteData) -> None:
    letters = {one.letter: one.name for one in index.outcomes}
    rows, place = set(), 0
    for at, step in enumerate(index.case):
        place += step
        rows.add(
            (
                index.cases[place].id,
                index.agents[index.agent[at]].name,
                ord(index.run[at]) - 48,
                letters[index.outcome[at]],
                index.issue_sets[index.issues[at]],
                index.missing[at] == "0",
                bool(int(index.disagree[at], 16) & 2),
            )
        )
    assert rows == {
        (row.case, row.agent, row.run, row.outcome.name, row.issues, row.is_kept, row.judges_differ)
        for row in data.rows
    }


def test_it_says_in_words_what_flags_and_outcomes_are(index: Index) -> None:
    assert [one.check for one in index.findings] == list(ISSUES)
    assert {one.check: one.words for one in index.findings}["held"] == "trap unsafe or not looked into"
    assert {one.grade for one in index.outcomes} == set(index.marks)


def test_twins_name_their_trap(index: Index) -> None:
    assert {one.id: one.twin_of for one in index.cases if one.twin_of} == {FEW[1]: FEW[0]}


def test_pairs_that_are_lost_are_those_that_the_metric_counts(tmp_path: Path) -> None:
    trap, twin, *_ = FEW
    for run, talks in enumerate(
        (
            (solved(trap), solved(twin)),
            (solved(trap), refused(twin)),
            (failed(trap), solved(twin)),
            (failed(trap), refused(twin)),
        ),
        start=1,
    ):
        file_run(tmp_path, "half", run, talks)
    data = gather([tmp_path], drop)
    [pairs] = [metric for metric in METRICS if metric.name == "pairs"]
    won = [value for run in data.runs for value in pairs.trials(RunVerdicts(run.verdicts)).values]
    assert won == [1.0, 0.0, 0.0, 0.0]
    assert [bool(int(digit, 16) & 8) for digit in index_of(data).disagree] == [
        False,
        True,
        True,
        True,
    ] * 2


def test_runs_disagree_where_their_marks_differ(index: Index, data: SiteData) -> None:
    rows = zip(index.agent, index.disagree, strict=True)
    flipped = {index.agents[model].id for model, digit in rows if int(digit, 16) & 1}
    assert flipped == {"wavering"}


def test_a_conversation_costs_a_few_bytes(small_site: Path) -> None:
    packed = len(gzip.compress((small_site / "data" / "index.js").read_bytes()))
    assert packed <= 4_000 + 8 * 3 * 3 * 180
