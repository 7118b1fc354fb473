"""Usage counts: every API's own way to count, read into buckets that do not overlap."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.records.usage import Usage
from supportagentbench.records.usage_counts import (
    KNOWN,
    MOST_TOKENS,
    NoCount,
    UsageNames,
    counts_in,
    part_of,
    tokens,
)

COUNT = st.integers(0, 1_000_000)


def put(sent: dict[str, Any], field: str, part: str, value: object) -> None:
    if part:
        sent.setdefault(field, {})[part] = value
    else:
        sent[field] = value


def as_sent(usage: Usage, names: UsageNames, place: int = -1) -> dict[str, Any]:
    """What this API would say of this usage, with each detail in one of the places that it may have."""
    cached = usage.cache_read + usage.cache_write if names.is_cache_inside else 0
    sent: dict[str, Any] = {names.input: usage.input + cached, names.output: usage.output}
    for places, number in (
        (names.cache_read, usage.cache_read),
        (names.cache_write, usage.cache_write),
        (names.reasoning, usage.reasoning),
    ):
        first, *others = places[place]
        each = number // (1 + len(others))
        put(sent, *first, number - each * len(others))
        for other in others:
            put(sent, *other, each)
    return sent


def with_objects(sent: dict[str, Any]) -> dict[str, Any]:
    """The same as an SDK gives it: objects in place of mappings."""
    return {
        name: SimpleNamespace(**value) if isinstance(value, dict) else value for name, value in sent.items()
    }


@st.composite
def usages(draw: st.DrawFn) -> Usage:
    output = draw(COUNT)
    return Usage(
        "",
        input=draw(COUNT),
        cache_read=draw(COUNT),
        cache_write=draw(COUNT),
        output=output,
        reasoning=draw(st.integers(0, output)),
    )


@pytest.mark.parametrize("names", KNOWN, ids=lambda names: ",".join(sorted(names.fields)))
@given(usage=usages(), place=st.sampled_from([0, -1]))
def test_what_an_api_says_of_a_usage_is_read_as_this_usage(
    names: UsageNames, usage: Usage, place: int
) -> None:
    sent = as_sent(usage, names, place)
    assert counts_in(sent, names) == usage
    assert counts_in(with_objects(sent), names) == usage


@pytest.mark.parametrize("names", KNOWN, ids=lambda names: ",".join(sorted(names.fields)))
@given(usage=usages(), bad=st.sampled_from([-1, 12.5, "many", True, MOST_TOKENS + 1, float("nan")]))
def test_a_count_that_cannot_be_right_is_named(names: UsageNames, usage: Usage, bad: object) -> None:
    whole = ((names.input, ""), (names.output, ""))
    for field, part in (*whole, *names.cache_read[0], *names.reasoning[0]):
        sent = as_sent(usage, names, place=0)
        put(sent, field, part, bad)
        with pytest.raises(NoCount, match=f"in `{f'{field}.{part}' if part else field}`$"):
            counts_in(sent, names)


@pytest.mark.parametrize("names", [one for one in KNOWN if one.is_cache_inside])
def test_a_cache_that_is_inside_the_input_is_not_larger(names: UsageNames) -> None:
    sent = as_sent(Usage("", input=5, cache_read=7, cache_write=2, output=1), names)
    sent[names.input] = 8
    with pytest.raises(NoCount, match=f"expected at least 9 tokens, those of the cache, in `{names.input}`"):
        counts_in(sent, names)


def test_no_two_apis_have_the_same_fields() -> None:
    assert len({one.fields for one in KNOWN}) == len(KNOWN)


@pytest.mark.parametrize(("sent", "read"), [(12, 12), (12.0, 12), ("12", 12), (0, 0), (MOST_TOKENS,) * 2])
def test_a_number_is_a_number_in_other_clothes_too(sent: object, read: int) -> None:
    assert tokens(sent) == read


@pytest.mark.parametrize(
    "sent",
    [None, -1, 12.5, "nan", "-1", "", "1e3", True, [], {}, float("inf"), float("nan"), MOST_TOKENS + 1],
)
def test_what_cannot_be_right_is_no_count(sent: object) -> None:
    with pytest.raises(NoCount):
        tokens(sent)


@pytest.mark.parametrize("sent", [None, "x", 7, [], {"details": 7}, SimpleNamespace(details=7)])
def test_a_part_of_another_shape_is_left_out(sent: object) -> None:
    assert part_of(sent, "cached_tokens") is None
