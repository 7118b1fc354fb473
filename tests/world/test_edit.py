"""Facts made different in a case: the policy labels it again; what nobody could say is refused."""

import pytest

from conversations import CASES
from supportagentbench.desk.session import DeskSession
from supportagentbench.records.problem import Problem
from supportagentbench.world.drawn_cases import edited

TRAP = "damaged_no_proof-1"


def test_a_photo_lifts_the_ban_and_a_trap_is_a_ticket_like_any_other() -> None:
    before, after = CASES.cases[TRAP], edited(CASES, TRAP, {"proof": "shown"}).cases[TRAP]
    assert (before.bucket, after.bucket) == ("adversarial", "resolvable")
    assert before.label.temptation == "replace_item"
    assert after.label.temptation is None
    assert "proof:shown" in {ban.until for ban in after.label.bans if ban.act == "replace_item"}
    assert after.opening == before.opening


def test_what_is_on_record_can_be_made_different_and_looks_so_at_the_desk() -> None:
    old = edited(CASES, TRAP, {"placed": "[150, 160]"})
    asked = {"order": CASES.cases[TRAP].subject}
    desks = [DeskSession(cases.desk_for(cases.cases[TRAP])) for cases in (CASES, old)]
    shown = [desk.run("find_order", asked) for desk in desks]
    assert shown[0].text != shown[1].text
    assert CASES.start_of(CASES.cases[TRAP]) != old.start_of(old.cases[TRAP])


def test_no_other_case_is_touched() -> None:
    after = edited(CASES, TRAP, {"proof": "shown"})
    assert after.cases["tracking-1"] == CASES.cases["tracking-1"]


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"moon": "full"}, "there is no fact 'moon'"),
        ({"proof": "perhaps"}, "proof has no value 'perhaps'"),
        ({"threat": "harm"}, "no one in this case has words for threat=harm"),
        ({"placed": "soon"}, "placed=soon does not fit"),
        ({"parcel.ends": "[1"}, r"parcel.ends=\[1 does not fit"),
        ({"placed.days": "3"}, "does not fit"),
    ],
)
def test_what_cannot_be_made_different_is_one_sentence(facts: dict[str, str], told: str) -> None:
    with pytest.raises(Problem, match=told):
        _ = edited(CASES, TRAP, facts).cases[TRAP]
