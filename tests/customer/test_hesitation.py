"""Hesitation: it holds back once, and a mistyped number is cut short so that it is nobody else's."""

from supportagentbench.customer.hesitation import Hesitation, slip_of
from supportagentbench.customer.next_turn import NextTurn
from supportagentbench.records.case import Brief, CustomerFact
from supportagentbench.records.transcript import SpeechActs

WAVERING = Brief((), "Thanks.", "Oh.", hesitates="asks_back")


def test_it_holds_back_once_and_remembers_what_for() -> None:
    hesitation, plan = Hesitation(WAVERING), NextTurn("Shall I?", SpeechActs())
    assert hesitation.holds_back(plan, ("swap",)) and hesitation.holds_back(plan, ("cancel",))
    assert hesitation.weighs == ("swap", "cancel") and [move.kind for move in plan.moves] == ["ask_back"]
    assert not hesitation.holds_back(NextTurn("It is free.", SpeechActs()), ("swap",))


def test_told_that_it_is_free_it_has_nothing_to_ask() -> None:
    hesitation = Hesitation(WAVERING)
    hesitation.hear("I'd send it free of charge. Shall I?")
    assert not hesitation.holds_back(NextTurn("", SpeechActs()), ("swap",))


def test_only_a_single_long_number_is_mistyped() -> None:
    slip = slip_of(CustomerFact("It's #1234."))
    assert slip is not None and slip == ("It's #123.", "#1234")
    assert slip_of(CustomerFact("#1234 and #1235")) is None and slip_of(CustomerFact("Line 2.")) is None
