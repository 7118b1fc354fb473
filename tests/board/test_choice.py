"""The limits and the desk that somebody sets: read from a file and options, and refused if they are none."""

import pytest

from boards import reference_board, reference_runs
from supportagentbench.board.choice import (
    choice_with,
    limits_of_choice,
    recommended,
    settings_of,
    worth_of,
)
from supportagentbench.board.desk import SupportDesk, desk_of
from supportagentbench.board.limits import LIMITS
from supportagentbench.records.choice import Choice
from supportagentbench.records.problem import Problem


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
