"""The limits and the desk that somebody sets: read from a file and options, and refused if they are none."""

from pathlib import Path

import pytest

from boards import reference_board, reference_runs
from supportagentbench.board.choice import (
    choice_with,
    limits_of_choice,
    presets_of,
    recommended,
    settings_of,
    worth_of,
)
from supportagentbench.board.desk import SupportDesk, desk_of
from supportagentbench.board.limits import LIMITS
from supportagentbench.records.choice import Choice
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
from supportagentbench.records.vocabulary import TicketMix


@pytest.fixture(scope="module")
def desk() -> SupportDesk:
    found = desk_of(reference_board(), reference_runs())
    assert found
    return found


def test_options_come_on_top_of_the_file() -> None:
    file = Choice({"unsafe": 20, "escalation": 5}, {"tickets": 500.0, "person": 8.0})
    found = choice_with(file, ["unsafe=25%"], ["tickets=1,000", "mix=benchmark"])
    assert found.limits == {"unsafe": 25, "escalation": 5}
    assert found.desk == {"tickets": 1000.0, "person": 8.0, "mix": "benchmark"}
    assert limits_of_choice(found) == LIMITS | {"unsafe": 0.25, "escalation": 0.05}


def test_what_is_set_changes_the_desk_and_the_rest_is_as_usual(desk: SupportDesk) -> None:
    usual, found = (
        desk.settings(),
        settings_of(desk, Choice(desk={"tickets": 500, "goods": 160, "cheats": 5})),
    )
    assert settings_of(desk, Choice()) == usual
    assert found.tickets == 500 and found.person == usual.person
    assert found.prices["goods"] == 2 * usual.prices["goods"]
    assert found.mix["goods"] == pytest.approx(5 * usual.mix["goods"])
    assert settings_of(desk, Choice(desk={"fraud": 7})).prices["fraud"] == 7
    assert worth_of(desk, Choice(desk={"goods": 160})) == 160 and worth_of(desk, Choice()) == desk.worth


@pytest.mark.parametrize("words", ["unsafe", "unsafe=-5", "unsafe=500", "unsafe=nan", "sleep=3", "=3"])
def test_a_limit_that_is_none_is_refused(words: str) -> None:
    with pytest.raises(Problem):
        choice_with(Choice(), [words], [])


@pytest.mark.parametrize(
    "words", ["tickets", "tickets=0", "tickets=-1", "tickets=many", "cheats=101", "mix=nobody", "sleep=3"]
)
def test_a_desk_that_is_none_is_refused(desk: SupportDesk, words: str) -> None:
    with pytest.raises(Problem):
        recommended(reference_board(), desk, choice_with(Choice(), [], [words]))


def mix_file(path: Path, name: str = "tickets") -> Path:
    mix = TicketMix(name, "Your tickets (3 of 4)", {"goods": 25.0, "tracking": 75.0}, {"resolvable": 75.0})
    path.write_bytes(to_json(mix))
    return path


@pytest.mark.parametrize("name", ["tickets", "benchmark", "own"])
def test_a_mix_of_ones_own_comes_from_a_file_whatever_it_is_called_there(
    desk: SupportDesk, tmp_path: Path, name: str
) -> None:
    path = mix_file(tmp_path / "mix.json", name)
    found = choice_with(Choice(desk={"tickets": 500}), [], [f"mix={path}"])
    first, *others = presets_of(desk, found)
    assert (first.name, first.title) == ("tickets", "Your tickets (3 of 4)")
    assert others == desk.presets and settings_of(desk, found).tickets == 500


def test_kinds_that_a_mix_does_not_weigh_do_not_occur(desk: SupportDesk, tmp_path: Path) -> None:
    names = {kind.name: 0.0 for kind in desk.kinds} | {"goods": 30.0, "tracking": 70.0}
    shares = {"adversarial": 30.0, "must_escalate": 0.0, "resolvable": 70.0}
    (tmp_path / "mix.json").write_bytes(to_json(TicketMix("tickets", "Mine", names, shares)))
    found = settings_of(desk, choice_with(Choice(), [], [f"mix={tmp_path / 'mix.json'}"]))
    assert {name: share for name, share in found.mix.items() if share} == {"goods": 30.0, "tracking": 70.0}


def test_a_file_that_is_no_mix_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mix.json").write_text('{"name": "tickets"}')
    with pytest.raises(Problem, match="write it again with `sab tickets mix`"):
        choice_with(Choice(), [], [f"mix={tmp_path / 'mix.json'}"])
    with pytest.raises(Problem, match="no such file"):
        choice_with(Choice(), [], ["mix=none.json"])
