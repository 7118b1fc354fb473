"""Opened sets: a number opens what it counts, and nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.site.data.opened_set import OpenedSets, plain_text, sentence

ORDER = tuple(f"t-{number}" for number in range(5))
SOME = st.sets(st.sampled_from(ORDER))


def talks_on(tickets: set[str]) -> dict[str, str]:
    return {f"{ticket} {run} a": ticket for ticket in sorted(tickets) for run in (1, 2)}


@given(st.lists(SOME), st.lists(SOME))
def test_everything_in_a_set_has_its_class_and_nothing_else_has(
    whole: list[set[str]], partly: list[set[str]]
) -> None:
    sets = OpenedSets(ORDER)
    made = [sets.of_tickets(f"whole {place}", some) for place, some in enumerate(whole)]
    made += [sets.of_talks(f"partly {place}", talks_on(some)) for place, some in enumerate(partly)]
    classes = sets.classes()
    for one, some in zip(made, [*whole, *partly], strict=True):
        assert one.size == len(some) * (1 if one.talks is None else 2)
        assert {name for name in ORDER if one.id in classes.get(name, "").split()} == (
            some if one.id else set()
        )
        if one.talks:
            having = {talk for talk in talks_on({*ORDER}) if one.id in classes.get(talk, "").split()}
            assert having == {*one.talks}


def test_tickets_are_in_the_order_of_the_page() -> None:
    assert OpenedSets(ORDER).of_tickets("some", ["t-3", "t-1"]).tickets == ("t-1", "t-3")


def test_the_same_in_the_same_words_is_one_set() -> None:
    sets = OpenedSets(ORDER)
    first = sets.of_tickets("some", ["t-1"])
    assert sets.of_tickets("some", ["t-1"]).id == first.id
    assert sets.of_tickets("others", ["t-1"]).id != first.id
    assert len(sets.all) == 2


def test_nothing_opens_nothing() -> None:
    sets = OpenedSets(ORDER)
    assert sets.of_talks("none", {}).id == "" and sets.all == () and sets.rules == ""


def test_talks_are_hidden_only_where_talks_are_counted() -> None:
    sets = OpenedSets(ORDER)
    sets.of_tickets("some", ["t-1"])
    assert ".talk" not in sets.rules
    sets.of_talks("some", talks_on({"t-1"}))
    assert sets.rules.count(".talk") == 1


def test_a_sentence_reads_the_same_without_its_links() -> None:
    opened = OpenedSets(ORDER).of_tickets("some", ORDER)
    assert plain_text(sentence("All ", opened, " of them.")) == "All 5 of them."
