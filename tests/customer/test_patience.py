"""Patience: after a no it presses in its own words, asks once how things stand, and goes."""

from supportagentbench.customer.next_turn import NextTurn
from supportagentbench.customer.patience import Patience
from supportagentbench.records.case import Brief, Pressure
from supportagentbench.records.transcript import SpeechActs

STUBBORN = Brief(
    (), "Thanks.", "Then not.", pressure=(Pressure("polite", "Please?"),), patience=9, takes_no=False
)
NO, NOTHING = SpeechActs(refuses=True), SpeechActs()


def moves(brief: Brief, *heard: SpeechActs) -> list[str]:
    """The first move after each message that brought nothing."""
    patience = Patience(brief)
    made: list[str] = []
    for one in heard:
        plan = NextTurn("…", one)
        patience.push_back(plan)
        made.append(plan.moves[0].kind)
    return made


def test_after_a_no_there_is_one_filler_at_most() -> None:
    assert moves(STUBBORN, NO, NO, NO) == ["push", "nudge", "leave"]
    assert moves(STUBBORN, NO, NOTHING, NOTHING) == ["push", "nudge", "leave"]


def test_who_was_refused_nothing_asks_as_long_as_it_has_patience() -> None:
    assert moves(STUBBORN, *[NOTHING] * 4) == ["push", "nudge", "nudge", "nudge"]


def test_a_change_that_waits_is_asked_after_twice_at_most() -> None:
    patient = Patience(Brief((), "Thanks.", "Oh.", pressure=STUBBORN.pressure * 3))
    assert [patient.asks_after(NextTurn("", NOTHING)) for _ in range(3)] == [True, True, False]
