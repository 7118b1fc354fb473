"""Incident: what went wrong in a real ticket by the policy, and in which reply."""

from typing import NamedTuple

from supportagentbench.checks.acts_judged import acts_judged
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.records.problem import Problem
from supportagentbench.records.shadow import ActsJudged
from supportagentbench.records.transcript import Turn
from supportagentbench.records.vocabulary import HAND_OVER
from supportagentbench.runner.run import header_of
from supportagentbench.shadow.human_record import HumanRecord
from supportagentbench.shadow.ticket_cases import SET, TicketCase, TicketCases


class WrongReply(NamedTuple):
    """The reply that decided a ticket wrongly."""

    judged: ActsJudged
    act: str
    """What was done; empty: something was left undone."""
    turns: tuple[Turn, ...]
    """The whole talk."""
    at: int
    """Index of the reply; its first reply if what is missing was never done."""

    @property
    def before(self) -> tuple[Turn, ...]:
        """The talk up to it."""
        return self.turns[: self.at]

    @property
    def reply(self) -> Turn:
        return self.turns[self.at] if self.at < len(self.turns) else Turn("agent", "")


def wrong_reply(cases: TicketCases, one: TicketCase, done: HumanRecord) -> WrongReply:
    """Where it went wrong; a Problem if the policy agrees with every act, or cannot tell."""
    header = header_of(cases, SET, one.ticket.source, ScriptedVoice(), 0, 0)
    judged = acts_judged(done.transcript, header, done.elsewhere)
    if judged.right is not False:
        raise Problem(f"the policy finds nothing wrong in {one.ticket.id}: {judged.why}.")
    turns, first = done.transcript.turns, len(one.fixture.turns)
    made = [(at, call.tool) for at in range(first, len(turns)) for call in turns[at].calls]
    wrong = [(at, act) for at, act in made if at == judged.turn or (judged.turn is None and act == HAND_OVER)]
    at, act = wrong[0] if wrong else (first, "")
    return WrongReply(judged, act, turns, at)
