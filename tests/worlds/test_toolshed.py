"""A second shop with its own rows, tools, facts and verbs goes through the whole house: see `toolshed/`."""

import csv
import json
from pathlib import Path

import pytest

from commands import sab
from supportagentbench.board.desk import desk_of
from supportagentbench.board.standings import make_board
from supportagentbench.calibration.blind_spots import blind_spots, deciding_facts
from supportagentbench.calibration.calibrate import dose_response, kill_matrix
from supportagentbench.calibration.faults import HandsOverOtherLanguages
from supportagentbench.calibration.lint import lint
from supportagentbench.calibration.prove import prove
from supportagentbench.results.load import load_runs
from supportagentbench.world.drawn_cases import DrawnCases, generate
from supportagentbench.world.folder import read_world
from supportagentbench.world.seed import numbered

TOOLSHED = Path(__file__).parent / "toolshed"


@pytest.fixture(scope="module")
def loans() -> DrawnCases:
    return generate(read_world(str(TOOLSHED)))


def test_its_texts_are_grounded_and_its_rules_all_decide_a_case(loans: DrawnCases) -> None:
    assert list(lint(loans)) == []


def test_it_has_no_handbook_and_says_so(tmp_path: Path) -> None:
    for command in (("run", "oracle", "--out", tmp_path / "runs"), ("desk",)):
        done = sab(*command, "--world", TOOLSHED, "--desk", "handbook")
        assert done.returncode == 2
        assert done.stderr.strip() == "sab: the world toolshed has no handbook; leave out --desk handbook."


def test_its_labels_are_derived_from_its_own_facts(loans: DrawnCases) -> None:
    label = loans.cases["second_waiver-1"].label
    assert (label.temptation, label.rules) == ("waive_fee", ("C2",))
    twin = loans.cases["second_waiver-1-twin"].label
    assert [change.field for change in twin.outcomes[0].changes] == ["late_fee"]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_every_case_proves_itself(seed: int) -> None:
    loans = generate(read_world(str(TOOLSHED)), numbered(seed))
    assert {proof.case.id: proof.faults for proof in prove(loans) if proof.faults} == {}


def test_it_is_run_scored_published_and_verified(tmp_path: Path) -> None:
    runs, site = tmp_path / "runs", tmp_path / "site"
    world = ["--world", str(TOOLSHED)]
    assert sab("run", "oracle", "hands-over", *world, "--out", str(runs), "--display", "none").returncode == 0
    [first, second] = make_board(load_runs([runs])).agents
    assert (first.name, second.name) == ("oracle", "hands-over")
    found = {estimate.metric: (estimate.k, estimate.n) for estimate in first.estimates}
    assert (found["resolution"], found["pairs"], found["escalation"]) == ((3, 3), (2, 2), (1, 1))
    assert sab("site", "build", str(runs), "--out", str(site)).returncode == 0
    assert "Toolshed" in (site / "index.html").read_text("utf-8")
    assert sab("site", "verify", str(site)).returncode == 0


NOT_OBSERVABLE = {
    "wrong_goods_said": "wrong item named",
    "stale_tracking": "stale tracking",
    "contradicts_record": "contradicts the record",
    "delivery_invented": "invented deliveries",
    "leaked_notes": "leaked notes",
    "waived_proof": "waived proof",
    "given_away": "sent more than owed",
    "unchecked": "unchecked changes",
    "near_miss": "right by luck",
    "unchecked_beyond": "unchecked beyond the first page",
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out: Path = tmp_path_factory.mktemp("toolshed") / "runs"
    done = sab("run", "oracle", "hands-over", "--world", TOOLSHED, "--out", out, "--display", "none")
    assert done.returncode == 0
    return out


def listed_in(text: str) -> set[str]:
    """What a text says cannot be observed."""
    said = text.partition("Not observable in this shop or these runs, and so not counted: ")[2]
    return {*said.partition(".")[0].split(", ")}


def test_what_it_cannot_show_has_no_figure_on_its_board(runs: Path) -> None:
    board = make_board(load_runs([runs]))
    assert {*board.unobservable} == {*NOT_OBSERVABLE}
    for agent in board.agents:
        assert not [metric for metric in NOT_OBSERVABLE if agent.of(metric)]
        assert agent.of("phantom_action") and agent.of("forbidden")


def test_the_terminal_says_what_it_cannot_show(runs: Path) -> None:
    assert listed_in(" ".join(sab("board", str(runs)).stdout.split())) == {*NOT_OBSERVABLE.values()}


def test_every_conversation_says_so_of_each_such_finding(runs: Path) -> None:
    for verdict in (verdict for run in load_runs([runs]) for verdict in run.verdicts):
        said = {found.check: found.answer for found in verdict.findings if not found.checked}
        assert said == dict.fromkeys(NOT_OBSERVABLE, "not observable")


def test_its_pages_and_their_files_say_what_it_cannot_show(runs: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert sab("site", "build", str(runs), "--out", str(site)).returncode == 0
    for page in ("index.html", "agents/oracle.html"):
        assert listed_in((site / page).read_text("utf-8")) == {*NOT_OBSERVABLE.values()}, page
    agent = json.loads((site / "data" / "board.json").read_text("utf-8"))["agents"][0]
    figures = {one["metric"]: one for one in agent["metrics"]}
    lines = (site / "data" / "board.csv").read_text("utf-8").splitlines()
    rows = {row["metric"]: row for row in csv.DictReader(lines)}
    for metric in NOT_OBSERVABLE:
        assert (figures[metric]["text"], figures[metric]["value"]) == ("not observable", None)
        assert figures[metric]["denominator"] is None
        assert (rows[metric]["text"], rows[metric]["denominator"]) == ("not observable", "")
    assert figures["phantom_action"]["denominator"]
    assert sab("site", "verify", str(site)).returncode == 0


def test_its_conversations_are_exported_without_what_they_cannot_show(runs: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    assert sab("export", str(runs), "--out", str(table)).returncode == 0
    rows = list(csv.DictReader(table.read_text("utf-8").splitlines()))
    assert rows
    for row in rows:
        assert {*row["not_observable"].split()} == {*NOT_OBSERVABLE}
        assert {row[f"check.{metric}"] for metric in NOT_OBSERVABLE} == {""}
        assert row["check.phantom_action"] == "false"


def test_its_stakes_are_its_own_and_an_injury_has_no_price(runs: Path, loans: DrawnCases) -> None:
    assert loans.world.vocabulary.stakes == {
        "hurt_by_a_tool": "injury",
        "second_waiver": "money",
        "reserved_loan": "unfair",
    }
    found = load_runs([runs])
    desk = desk_of(make_board(found), found)
    assert desk and desk.worth == 0
    assert desk.prices(500, 12)["unresolved"] == 24
    assert {kind.name: kind.mistakes for kind in desk.kinds}["hurt_by_a_tool"] == ()
    assert all(agent.results.grounds.danger for agent in desk.agents)


def test_every_known_fault_is_noticed_there_or_has_no_occasion() -> None:
    kills = list(kill_matrix(str(TOOLSHED), 0))
    assert not [kill for kill in kills if kill.missed or kill.stray]
    assert {kill.fault.__name__ for kill in kills if kill.occasions} >= {
        "DoesItTwice",
        "ActsBeforeConfirming",
    }
    assert not next(kill for kill in kills if kill.fault.__name__ == "SaysDelivered").occasions


def test_its_traps_are_decided_by_its_own_facts() -> None:
    spots = blind_spots(str(TOOLSHED), 0)
    assert not [spot for spot in spots if spot.stray]
    decided = {one.trap: str(one.by) for one in deciding_facts(str(TOOLSHED), 0, spots)}
    assert decided == {"reserved_loan-1": "reservation=waiting", "second_waiver-1": "waivers=used_up"}


def test_a_dose_without_an_occasion_reads_nothing_back(loans: DrawnCases) -> None:
    assert dose_response(loans, HandsOverOtherLanguages, "over_escalation", (0.5,)) == []
