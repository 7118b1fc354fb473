"""Clusters: by case type or by what decides, whichever is coarser."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.board.clusters import clusters_of

NAMES = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(["", "R1", "R2"])), min_size=1)


@pytest.mark.parametrize(
    ("families", "deciders", "clusters"),
    [
        ("abc", ["R1", "R1", "R2"], ("rule R1", "rule R1", "rule R2")),
        ("aab", ["R1", "R2", "R3"], ("a", "a", "b")),
        ("abc", ["R1", "R1", ""], ("rule R1", "rule R1", "c")),
        ("abc", ["", "", ""], ("a", "b", "c")),
        ("ab", ["R1", "R2"], ("a", "b")),
    ],
)
def test_cases_that_one_rule_decides_are_one_cluster_if_that_is_coarser(
    families: str, deciders: list[str], clusters: tuple[str, ...]
) -> None:
    assert clusters_of(families, deciders) == clusters


@given(NAMES)
def test_there_are_never_more_clusters_than_case_types(cases: list[tuple[str, str]]) -> None:
    families, deciders = zip(*cases, strict=True)
    found = clusters_of(families, deciders)
    assert len(found) == len(cases) and len({*found}) <= len({*families})
