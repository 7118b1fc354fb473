"""A number that contradicts a rule is named only if it recurs, on the same topic and in the same unit."""

import pytest
from msgspec.structs import replace

from reports import reference_data
from supportagentbench.records.transcript import Turn
from supportagentbench.site.answers.diagnosis import FEWEST, contradictions, diagnosis
from supportagentbench.site.data.moment import Exchange
from supportagentbench.site.data.site_data import SiteData


def telling(words: str, quote: str, times: int = FEWEST) -> SiteData:
    """The reference agents, one of which tells this in so many conversations."""
    data = reference_data()
    evidence = data.evidence["Complies"]
    [*places] = dict.fromkeys((one.case, one.run) for one in evidence.habits)
    exchange = Exchange(0, Turn("customer", "?"), 1, Turn("agent", words))
    some = evidence.moments[0]._replace(
        check="ungrounded_duration", quote=quote, exchange=exchange, is_to_check=True
    )
    moments = [some._replace(case=case, run=run) for case, run in places[:times]]
    return data._replace(evidence={"Complies": evidence._replace(moments=moments)})


def test_a_deadline_that_the_policy_states_otherwise() -> None:
    data = telling("You can return it within 200 days of delivery.", "200 days")
    assert diagnosis(data, "Complies") == "promises 200 days to return, policy says 100"
    [found] = contradictions(data, "Complies")
    assert (found.rule, found.found, found.is_to_check) == ("E1", FEWEST, True)


@pytest.mark.parametrize(
    ("words", "quote", "times"),
    [
        ("You can return it within 200 days.", "200 days", FEWEST - 1),
        ("You can return it within 100 days.", "100 days", FEWEST),
        ("You can return it within 30 weeks.", "30 weeks", FEWEST),
        ("We will write to you within 200 days.", "200 days", FEWEST),
        ("Mind it for 200 days.", "200 days", FEWEST),
    ],
)
def test_nothing_is_invented(words: str, quote: str, times: int) -> None:
    assert diagnosis(telling(words, quote, times), "Complies") == ""


def test_several_numbers_in_the_policy_decide_nothing() -> None:
    data = telling("You can return it within 200 days of delivery.", "200 days")
    [first, *rest] = [run for run in data.runs if run.header.agent == "Complies"]
    rules = (
        *first.header.rules,
        replace(first.header.rules[0], text="Shoes can be returned within 50 days."),
    )
    first = first._replace(header=replace(first.header, rules=rules))
    assert not contradictions(data._replace(runs=[first, *rest]), "Complies")
