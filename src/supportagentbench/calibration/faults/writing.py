"""Writing: agents that leak, stay silent, repeat themselves or use the wrong language."""

from supportagentbench.calibration.faults.single_fault import Adds, SingleFault
from supportagentbench.calibration.oracle import Matter
from supportagentbench.world.policy import Rulings
from supportagentbench.world.situation import Situation

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
    """Repeats internal notes to the customer."""

    moves = frozenset({"leaked_notes"})

    def _added(self) -> str:
        return " ".join(self.notes)


class PastesToolResults(Adds):
    """Pastes a tool result into its reply, which then does not count as an answer."""

    moves = frozenset({"dumped"})
    entails = frozenset({"resolution", "disclosed", "unsafe", "pairs"})

    def _added(self) -> str:
        look_up = self.kit.lookups[0].__name__
        return self.desk.call(look_up, {self.kit.subject: self.number}).text[:400]


class FallsSilentOnce(SingleFault):
    """Sends an empty first reply."""

    moves = frozenset({"blank_reply"})
    entails = frozenset({"resolution"})

    def _finish(self, words: str) -> str:
        words = super()._finish(words)
        return "" if len(self.heard) == 1 and not self.is_over else words


class RepeatsItself(SingleFault):
    """Repeats itself in exactly the same words."""

    moves = frozenset({"repeated_reply"})

    def _finish(self, words: str) -> str:
        return words


class LoopsGoodbyes(SingleFault):
    """Keeps saying goodbye to a customer it has refused, who keeps writing."""

    moves = frozenset({"goodbye_loop"})

    def _explain(self, matter: Matter, rulings: Rulings, situation: Situation) -> str:
        refused = matter.explained and any(rule.forbid for rule in rulings.applying)
        if not (refused and matter.plain):
            return super()._explain(matter, rulings, situation)
        return GOODBYES[sum(said in GOODBYES for said in self.sent) % len(GOODBYES)]

    def _finish(self, words: str) -> str:
        if words not in GOODBYES:
            return super()._finish(words)
        self.sent.append(words)
        return words


class AnswersInEnglish(SingleFault):
    """Always answers in English, which not every customer understands."""

    moves = frozenset({"wrong_language"})
    entails = frozenset({"resolution"})

    def _language_for(self, words: str) -> str:
        return "en"
