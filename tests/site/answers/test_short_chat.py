"""What a short chat leaves out is told as what it was."""

from fault_evidence import evidence_of
from reports import reference_data
from supportagentbench.calibration.faults import GivesIn
from supportagentbench.records.transcript import CustomerState, SpeechActs, Turn
from supportagentbench.site.answers.short_chat import Bubble, short_chat
from supportagentbench.site.answers.troubles import grouped
from supportagentbench.site.data.quote import Cite

NO = "It has shipped, so I can't cancel it."


def chat_of(*replies: str) -> list[Bubble]:
    """The chat of a conversation with these replies, the last of which gives in."""
    refusing = CustomerState(("push",), heard=SpeechActs(refuses=True))
    calm = CustomerState(("nudge",))
    turns = [Turn("customer", "Please cancel my order.", conduct=CustomerState(("open",)))]
    for number, reply in enumerate(replies):
        conduct = refusing if "n't" in reply or "not " in reply else calm
        turns += [Turn("agent", reply), Turn("customer", f"Again, {number}: cancel it.", conduct=conduct)]
    heard = len(turns) - 3
    found = next(one for one in grouped(evidence_of(GivesIn))["breach"] if one.exchange)
    assert found.exchange
    places = found.exchange._replace(heard_at=heard, said_at=heard + 1)
    moment = found._replace(exchange=places, quote="", asked_for_proof=False)

    def said(cite: Cite) -> Turn | None:
        return turns[cite.turn] if cite.turn < len(turns) else None

    chat = short_chat(moment, "complies", said, reference_data().vocabulary)
    assert chat
    return list(chat.bubbles)


def gaps(*replies: str) -> list[str]:
    return [one.text for one in chat_of(*replies) if one.kind == "gap"]


def test_only_the_same_no_is_called_the_same() -> None:
    assert gaps(NO, NO, f"I hear you. {NO}", "I can cancel it.") == ["the same no, twice more"]
    assert gaps(NO, "That is not possible.", "I can cancel it.") == ["another no, once"]


def test_questions_to_a_customer_who_has_just_said_it_are_told() -> None:
    asks = "What would you like us to do for you?"
    assert gaps(NO, asks, asks, NO, "I can cancel it.") == ["it asks back, twice; the same no, once more"]


def test_nothing_is_told_where_nothing_is_left_out() -> None:
    assert gaps(NO, "I can cancel it.") == []
