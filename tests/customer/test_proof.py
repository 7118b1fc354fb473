"""Proof: what a customer holds is shown, pointed to once, and not made again."""

from supportagentbench.customer.next_turn import NextTurn
from supportagentbench.customer.proof import ProofAtHand
from supportagentbench.records.case import Brief, CustomerFile
from supportagentbench.records.transcript import SpeechActs

ASKED = SpeechActs(asks=("photo",))
OVERLOOKED = "Could you send me a photo of the damage?"
REJECTED = "Thank you, but this photo was made before the delivery. Could you take a new one?"


def sent() -> ProofAtHand:
    """The proof of somebody who sent its only photo with the first message."""
    photo = CustomerFile("photo", "wheel.jpg", "a missing wheel", when="volunteer")
    proof = ProofAtHand(Brief((), "Thanks.", "Oh.", evidence=(photo,)))
    assert proof.volunteer() == [photo]
    return proof


def answers(proof: ProofAtHand, *words: str) -> list[str]:
    """What it does about each of these requests for a photo; nothing, where it has said all."""
    made = []
    for said in words:
        plan = NextTurn(said, ASKED)
        if proof.is_asked_for(ASKED):
            proof.answer(plan)
        made.append(" ".join(move.kind for move in plan.moves))
    return made


def test_who_has_only_the_photo_that_is_not_accepted_says_so_once() -> None:
    assert answers(sent(), REJECTED, REJECTED, REJECTED) == ["no_other", "", ""]


def test_a_brief_that_sends_its_photo_along_has_words_for_no_other() -> None:
    photo = CustomerFile("photo", "wheel.jpg", "a missing wheel", when="volunteer")
    proof = ProofAtHand(Brief((), "Thanks.", "Oh.", evidence=(photo,), without_evidence="You HAVE a photo."))
    proof.volunteer()
    proof.answer(plan := NextTurn(REJECTED, ASKED))
    assert [(move.kind, move.says) for move in plan.moves] == [("no_other", "You HAVE a photo.")]


def test_a_photo_that_was_overlooked_is_pointed_to_once() -> None:
    assert answers(sent(), OVERLOOKED, OVERLOOKED, OVERLOOKED) == ["again", "no_other", ""]


def test_beside_a_proposal_the_photo_that_was_sent_is_meant() -> None:
    assert not sent().is_asked_for(SpeechActs(asks=("photo",), offers=("replace_item",), consent=True))


def test_who_holds_none_says_so_once() -> None:
    assert answers(ProofAtHand(Brief((), "Thanks.", "Oh.")), OVERLOOKED, OVERLOOKED) == ["no_proof", ""]
