"""One truth: forks, diff, pages, live view, export and board say the same of every conversation of a run."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from conversations import CASES, WORLD
from supportagentbench.agents.resolve import resolve
from supportagentbench.agents.spec import Surroundings
from supportagentbench.board.conversation_table import conversation_table
from supportagentbench.board.metrics import METRICS, RunVerdicts
from supportagentbench.board.run_diff import diff_runs
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.forks.source import read_sources
from supportagentbench.live.journal import Journal
from supportagentbench.records.event import Finished
from supportagentbench.records.outcome import Outcome
from supportagentbench.results.load import ScoredRun, load_runs
from supportagentbench.runner.run import header_of, run_agent
from supportagentbench.site.data.bundle import bundle_path, keep_in, read_bundle
from supportagentbench.site.data.site_data import SiteData, gather
from supportagentbench.storage.events import EventReader

MIXED = {
    "oracle": ("damaged_item-1", "angry_damaged-1", "used_item-1", "tracking-1", "abusive_threatening-1"),
    "complies": ("damaged_item-1", "angry_damaged-1", "used_item-1", "tracking-1", "abusive_threatening-1"),
    "keywords": ("damaged_item-1", "angry_damaged-1", "used_item-1", "tracking-1", "abusive_threatening-1"),
    "random-tool": ("damaged_item-1", "used_item-1", "tracking-1", "abusive_threatening-1"),
    "silent": ("damaged_item-1", "used_item-1", "abusive_threatening-1"),
    "hands-over": ("damaged_item-1", "used_item-1", "abusive_threatening-1"),
}
"""Agents whose conversations end in every way; the first handles all cases right."""

EXPECTED = {
    ("complies", "angry_damaged-1"): ("unsafe", "premature"),
    ("complies", "used_item-1"): ("unsafe", "forbidden"),
    ("complies", "abusive_threatening-1"): ("unsafe", "forbidden"),
    ("random-tool", "abusive_threatening-1"): ("unsafe", "forbidden"),
    ("silent", "used_item-1"): ("ignored", "held"),
    ("silent", "abusive_threatening-1"): ("missed", "escalated"),
    ("hands-over", "damaged_item-1"): ("over_escalated", "over_escalated"),
    ("hands-over", "abusive_threatening-1"): ("escalated", "escalated"),
    ("keywords", "used_item-1"): ("undecided", "closed_unresolved"),
    ("oracle", "damaged_item-1"): ("resolved", "resolved"),
}
"""A few, by hand; the second is solvable and was resolved in the end, after it acted without proof."""

Place = tuple[str, str]
"""An agent and a case."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded mixed run, made under the eyes of a journal."""
    root = tmp_path_factory.mktemp("mixed")
    journal = Journal(root)
    for agent, cases in MIXED.items():
        header = replace(header_of(CASES, "core", agent, ScriptedVoice(), 1, 0), cases=cases)
        journal.job_planned([header], lambda: 0.0)
        factory, voice = resolve(agent).open(Surroundings(WORLD)), ScriptedVoice()
        asyncio.run(run_agent(CASES, header, factory, voice, root, concurrency=1, observers=[journal]))
    journal.ended("complete")
    return root


@pytest.fixture(scope="module")
def runs(root: Path) -> list[ScoredRun]:
    return load_runs([root / f"{agent}-1" for agent in MIXED])


@pytest.fixture(scope="module")
def outcomes(runs: list[ScoredRun]) -> dict[Place, Outcome]:
    return {(run.header.agent, one.case): one.outcome for run in runs for one in run.verdicts}


@pytest.fixture(scope="module")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[SiteData, Path]:
    pages = tmp_path_factory.mktemp("pages")
    return gather([root / f"{agent}-1" for agent in MIXED], keep_in(pages)), pages


def test_the_outcomes_are_those_that_a_reader_finds(outcomes: dict[Place, Outcome]) -> None:
    found = {place: (outcomes[place].kind, outcomes[place].check) for place in EXPECTED}
    assert found == EXPECTED
    early = outcomes["complies", "angry_damaged-1"]
    assert (early.act, early.harm, early.dollars, early.turn) == ("replace_item", "goods", 80.0, 1)


def test_a_trap_that_code_cannot_decide_is_neither_held_nor_failed(runs: list[ScoredRun]) -> None:
    (run,) = (run for run in runs if run.header.agent == "keywords")
    (unclear,) = (one for one in run.verdicts if one.case == "used_item-1")
    held = unclear.of("held")
    assert held is not None and held.value is None


def test_forks(root: Path, outcomes: dict[Place, Outcome]) -> None:
    found = {(one.header.agent, one.transcript.case): one.unsafe for one in read_sources([root])}
    assert found == {place: one.unsafe for place, one in outcomes.items()}


@pytest.mark.parametrize("agent", list(MIXED)[1:])
def test_diff(root: Path, outcomes: dict[Place, Outcome], agent: str) -> None:
    flips = {flip.case: flip.kind for flip in diff_runs(root / "oracle-1", root / f"{agent}-1").flips}
    kinds = {"unsafe": "newly unsafe", "wrong": "newly wrong"}
    bad = {case: kinds.get(outcomes[agent, case].handling) for case in MIXED[agent]}
    assert flips == {case: kind for case, kind in bad.items() if kind}


def test_pages(site: tuple[SiteData, Path], outcomes: dict[Place, Outcome]) -> None:
    data, pages = site
    grades = {"right": "good", "wrong": "fair", "unsafe": "bad", "undecided": "none"}
    assert len(data.rows) == len(outcomes)
    for row in data.rows:
        one = outcomes[data.recorded[row.agent], row.case]
        (shown,) = read_bundle(pages / bundle_path(row.case, data.slugs[row.agent])).runs
        assert (row.outcome.name, shown.outcome) == (one.kind, one.kind)
        assert row.outcome.grade == ("bad" if one.kind == "missed" else grades[one.handling])
        assert (row.unsafe_turn is not None) == (one.unsafe is True)


def test_live(root: Path, outcomes: dict[Place, Outcome]) -> None:
    told = [event for _, event in EventReader(root).more() if isinstance(event, Finished)]
    found = {(one.agent, one.case): (one.outcome, one.unsafe) for one in told}
    assert found == {place: (one.kind, one.unsafe) for place, one in outcomes.items()}


def test_export(runs: list[ScoredRun], outcomes: dict[Place, Outcome]) -> None:
    for row in conversation_table(runs):
        one = outcomes[str(row["agent"]), str(row["case"])]
        told = [row[name] for name in ("outcome", "handling", "unsafe", "unsafe_turn", "unsafe_act", "harm")]
        assert told == [one.kind, one.handling, one.unsafe, one.turn, one.act, one.harm]


def test_board(runs: list[ScoredRun], outcomes: dict[Place, Outcome]) -> None:
    """The published figure counts traps only, by the same outcome."""
    unsafe = next(metric for metric in METRICS if metric.name == "unsafe")
    for run in runs:
        cases, _, values, undecided = unsafe.trials(RunVerdicts(run.verdicts))
        told = outcomes[run.header.agent, "used_item-1"].unsafe
        assert (cases, values) == (([], []) if told is None else (["used_item-1"], [float(told)]))
        assert undecided == (told is None)
