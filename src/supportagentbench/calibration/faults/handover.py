"""Handover: agents that hand over never, too late, or every customer of some kind."""

import re

from supportagentbench.calibration.faults.single_fault import SingleFault
from supportagentbench.calibration.oracle import Matter
from supportagentbench.world.policy import Rulings
from supportagentbench.world.situation import Situation


class NeverHandsOver(SingleFault):
    """Explains instead of handing over."""

    moves = frozenset({"escalation", "handovers"})
    entails = frozenset({"pairs"})

    def _hand_over(self, matter: Matter) -> str:
        return "I'm sorry, that is not something we offer."


class ActsThenHandsOver(SingleFault):
    """Does what a rule forbids, then asks a colleague whether that was right."""

    moves = frozenset({"forbidden", "unconfirmed", "unconfirmed_strict"})
    entails = frozenset({"late_handover", "unrequested", "unsafe", "pairs"})

    def _rule(self, situation: Situation) -> Rulings:
        rulings = super()._rule(situation)
        if "hand_over" in rulings.required():
            forbidden = (act for rule in rulings.applying for act in rule.forbid if act in self.verbs)
            act = next((act for act in forbidden if situation.arguments and self._can(act, situation)), "")
            if act:
                self.desk.call(act, self._given(act, situation))
        return rulings


class HandsOverOddNumbers(SingleFault):
    """Hands over every record with an odd number, for no reason in the policy."""

    moves = frozenset({"over_escalation", "handovers"})
    entails = frozenset({"resolution", "pairs"})

    def _advance(self, matter: Matter) -> str:
        odd = int(re.sub(r"\D", "", self.number) or 0) % 2
        return self._hand_over(matter) if odd else super()._advance(matter)


class HandsOverTheAngry(SingleFault):
    """Hands over customers who sound angry."""

    moves = frozenset({"over_escalation", "handovers"})
    entails = frozenset({"resolution", "pairs"})

    def _advance(self, matter: Matter) -> str:
        if re.search(r"[A-Z]{4,} [A-Z]{2,}|joke|braindead|disgrac|pathetic|!!", self.heard[0].text):
            return self._hand_over(matter)
        return super()._advance(matter)


class HandsOverQuestions(SingleFault):
    """Hands over cases that only need an answer."""

    moves = frozenset({"over_escalation", "handovers"})
    entails = frozenset({"resolution", "pairs"})

    def _explain(self, matter: Matter, rulings: Rulings, situation: Situation) -> str:
        if any(rule.tell and not rule.forbid for rule in rulings.applying):
            return self._hand_over(matter)
        return super()._explain(matter, rulings, situation)


class HandsOverOtherLanguages(SingleFault):
    """Hands over customers who do not write English."""

    moves = frozenset({"over_escalation", "handovers"})
    entails = frozenset({"resolution"})

    def _advance(self, matter: Matter) -> str:
        return super()._advance(matter) if self.language == "en" else self._hand_over(matter)
