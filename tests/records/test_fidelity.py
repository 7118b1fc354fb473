"""How well customers kept to their part, counted from the record alone."""

from conversations import CASES
from supportagentbench.records.fidelity import Fidelity, fidelity_of
from supportagentbench.records.transcript import Cause, CustomerState, Ending, Transcript, Turn


def transcript(*answers: CustomerState, cause: Cause | None = None) -> Transcript:
    case = CASES.cases["tracking-1"]
    turns = [Turn("customer", "Hello.", conduct=CustomerState(("open",)))]
    turns += [Turn("customer", "Well?", conduct=conduct) for conduct in answers]
    if cause:
        turns.append(Turn("customer", ""))
    ending = Ending("broke", cause) if cause else Ending("customer_left")
    return Transcript(
        case.id, case.family, case.bucket, 1, 0, "", label=case.label, turns=tuple(turns), ending=ending
    )


def test_scripted_customers_have_nothing_to_answer_for() -> None:
    assert fidelity_of([transcript(CustomerState(("nudge",)), CustomerState(("leave",)))]) == Fidelity(
        messages=2
    )


def test_every_message_is_counted_for_what_became_of_it() -> None:
    said = ("nudge",)
    held = [
        transcript(
            CustomerState(said, worded_by="model"),
            CustomerState(said, worded_by="model", faults=("garbled", "unread")),
            CustomerState(said, worded_by="model", faults=("garbled", "role_flip")),
        ),
        transcript(
            CustomerState(said, worded_by="fallback", faults=("role_flip", "empty")), cause="customer_error"
        ),
        transcript(cause="provider_error"),
    ]
    assert fidelity_of(held) == Fidelity(
        messages=4,
        by_model=3,
        retried=1,
        fell_back=1,
        unread=1,
        broke_off=1,
        faults={"empty": 1, "garbled": 2, "role_flip": 2, "unread": 1},
    )
