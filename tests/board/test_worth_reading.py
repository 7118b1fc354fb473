"""Which conversations are worth a look: the worst first, and of every kind one before a second of any."""

from pathlib import Path

from boards import header, planted, verdict
from supportagentbench.board.worth_reading import worth_reading
from supportagentbench.results.load import ScoredRun


def test_the_worst_come_first_and_every_agent_gets_a_turn() -> None:
    readings = worth_reading([planted("a", unsafe=9, missed=3), planted("b", unsafe=2, over=40)])
    assert [(one.agent, one.why.partition(":")[0]) for one in readings] == [
        ("a", "unsafe"),
        ("b", "unsafe"),
        ("a", "not escalated"),
        ("b", "over escalated"),
        ("a", "unsafe"),
    ]


def test_what_went_well_is_not_listed() -> None:
    assert worth_reading([planted("a")]) == []


def test_the_command_can_be_pasted() -> None:
    found = ScoredRun(header("my agent", 2), [verdict("trap-1", "adversarial", unsafe=True)])
    (reading,) = worth_reading([found])
    assert reading.command(Path("runs")) == "sab show runs trap-1 --model 'my agent' --run 1"
