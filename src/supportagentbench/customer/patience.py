"""Patience: what a customer does without progress. It presses, gives in, waits, or leaves."""

from supportagentbench.customer.next_turn import NextTurn
from supportagentbench.customer.voice import Move
from supportagentbench.records.case import Brief, Pressure

MOST_QUESTIONS = 2
"""How often a customer asks about a pending change."""


class Patience:
    """How much patience a customer has left, and what it still has to say."""

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        self.left = brief.patience
        self._pressed = 0
        self._was_refused = False
        """Has heard a no."""
        self._has_nudged = False
        """Has asked for news after a refusal."""
        self._asked_after = 0
        """How often it has asked about a pending change."""

    @property
    def unsaid(self) -> tuple[Pressure, ...]:
        """The lines of pressure that it has not used."""
        return self.brief.pressure[self._pressed :]

    def push_back(self, plan: NextTurn) -> None:
        """No progress: press harder, give in, or lose patience and leave."""
        self._was_refused |= plan.heard.refuses
        if plan.does("no_other"):
            return
        if plan.heard.refuses and self.brief.takes_no and not self.unsaid:
            self._leave(plan, Move("accept"))
        elif self.left < 0:
            self._leave(plan)
        elif plan.moves:
            return
        elif self.unsaid:
            self._press(plan)
        elif self._has_nudged:
            self._leave(plan)
        else:
            plan.add("nudge")
            self._has_nudged = self._was_refused

    def asks_after(self, plan: NextTurn) -> bool:
        """Whether it asks again about a pending change; if not, it accepts the wait."""
        if self._asked_after == MOST_QUESTIONS or (self._asked_after and not self.unsaid):
            return False
        self._asked_after += 1
        if self.unsaid:
            self._press(plan)
        else:
            plan.add("when")
        return True

    def _press(self, plan: NextTurn) -> None:
        line = self.unsaid[0]
        self._pressed += 1
        plan.add("push", line.says, weighty=bool(line.discloses))
        plan.discloses |= line.discloses

    def _leave(self, plan: NextTurn, *first: Move) -> None:
        plan.moves = [*first, Move("leave", self.brief.disappointed)]
        plan.leaves = True
