"""Proof: the files that a customer holds, what it has shown, and what it says when there is no more."""

from supportagentbench.customer.next_turn import NextTurn
from supportagentbench.language.evidence import asks_for_another
from supportagentbench.records.case import NO_EVIDENCE, Brief, CustomerFile
from supportagentbench.records.transcript import SpeechActs
from supportagentbench.records.vocabulary import PHOTO


class ProofAtHand:
    """One customer's evidence."""

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        self.shown: list[CustomerFile] = []
        self._pointed = False
        """Has said once that the photo asked for is there already."""
        self._owned_up = False
        """Has said that it has no proof, or no more; from then on it presses instead."""

    def volunteer(self) -> list[CustomerFile]:
        """What it sends along unasked."""
        sent = [one for one in self.brief.evidence if one.when == "volunteer"]
        self.shown += sent
        return sent

    def is_asked_for(self, heard: SpeechActs) -> bool:
        """Whether a photo is asked for that it has something to say about."""
        return PHOTO in heard.asks and not self._owned_up and not self._is_known(heard)

    def answer(self, plan: NextTurn) -> None:
        """Show what there is; say once that there is no more."""
        held = [one for one in self.brief.evidence if one.kind == "photo"]
        unseen = [one for one in held if one not in self.shown]
        if unseen:
            self._show(plan, unseen)
        elif not held:
            plan.add("no_proof", self.brief.without_evidence)
            self._owned_up = True
        elif self._pointed or asks_for_another(plan.words):
            self._own_up(plan, held)
        else:
            plan.add("again", f"{held[0].name} is attached to my message.")
            self._pointed = True

    def _own_up(self, plan: NextTurn, held: list[CustomerFile]) -> None:
        """Say that there are no more photos, in the brief's words if it has them."""
        self._owned_up = True
        was_sent_along = all(one.when == "volunteer" for one in held)
        if was_sent_along and self.brief.without_evidence != NO_EVIDENCE:
            plan.add("no_other", self.brief.without_evidence)
        elif self.brief.language == "en":
            plan.add("no_other")

    def _is_known(self, heard: SpeechActs) -> bool:
        """Whether the photo mentioned with a proposal is the one that was sent."""
        return bool(self.shown) and heard.consent and all(one in self.shown for one in self.brief.evidence)

    def _show(self, plan: NextTurn, files: list[CustomerFile]) -> None:
        plan.add("show")
        plan.shows += files
        plan.discloses["proof"] = "shown"
        plan.progress = True
        self.shown += files
