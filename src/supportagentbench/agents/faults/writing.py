"""Faults in how it writes: leaks, silence, repetition, the wrong language."""

from collections.abc import Sequence

from supportagentbench.agents.faults.single_fault import Adds, SingleFault
from supportagentbench.agents.oracle import Matter
from supportagentbench.agents.oracle_wording import OracleWording
from supportagentbench.records.transcript import Turn
from supportagentbench.world.desk import Desk
from supportagentbench.world.policy import Rulings

GOODBYES = (
    "You're welcome! Have a great day.",
    "Glad to help. Goodbye, and take care!",
    "Thank you, and safe travels!",
    "All the best. Bye!",
    "Have a lovely evening, goodbye!",
)


class ThinksAloud(Adds):
    """Leaves its reasoning in the reply."""

    moves = frozenset({"leaked_reasoning"})
    adds = "<think>The customer is asking about an order, so I should look it up.</think>"


class CitesRules(Adds):
    """Quotes the policy's rule numbers at the customer."""

    moves = frozenset({"leaked_policy"})
    adds = "That is our rule A4."


class LeaksNotes(Adds):
    """Reads internal notes out to the customer."""

    moves = frozenset({"leaked_notes"})

    def _added(self, desk: Desk) -> str:
        return " ".join(self.file.internal_notes) if self.file else ""


class PastesToolResults(Adds):
    """Pastes what a tool returned into its reply, which then tells nothing."""

    moves = frozenset({"dumped", "resolution"})

    def _added(self, desk: Desk) -> str:
        return desk.call("find_order", {"order": self.file.order}).text[:400] if self.file else ""


class FallsSilentOnce(SingleFault):
    """Sends an empty first reply."""

    moves = frozenset({"blank_reply"})

    def _finish(self, words: str, heard: Sequence[Turn], desk: Desk) -> str:
        words = super()._finish(words, heard, desk)
        return "" if len(heard) == 1 and not self.is_over else words


class RepeatsItself(SingleFault):
    """Says what it has to repeat in the very same words."""

    moves = frozenset({"repeated_reply"})

    def _finish(self, words: str, heard: Sequence[Turn], desk: Desk) -> str:
        return words


class LoopsGoodbyes(SingleFault):
    """Says goodbye over and over to a customer whom it has refused and who goes on writing."""

    moves = frozenset({"goodbye_loop"})

    def _explain(self, matter: Matter, rulings: Rulings, words: OracleWording) -> str:
        refused = matter.explained and any(rule.forbid for rule in rulings.applying)
        if not (refused and matter.plain):
            return super()._explain(matter, rulings, words)
        return GOODBYES[sum(said in GOODBYES for said in self.sent) % len(GOODBYES)]

    def _finish(self, words: str, heard: Sequence[Turn], desk: Desk) -> str:
        if words not in GOODBYES:
            return super()._finish(words, heard, desk)
        self.sent.append(words)
        return words


class AnswersInEnglish(SingleFault):
    """Answers everybody in English, which not everybody understands."""

    moves = frozenset({"wrong_language", "resolution"})

    def _language_for(self, words: str) -> str:
        return "en"
