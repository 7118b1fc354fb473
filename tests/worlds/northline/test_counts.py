"""Northline has the families and cases that its documentation promises."""

from collections import Counter, defaultdict

from supportagentbench.world.drawn_cases import DrawnCases

PROMISED = {"resolvable": [6] * 20, "must_escalate": [6] * 4, "adversarial": [1] * 18, "twins": [1] * 18}
"""How many cases each family has, by bucket."""


def test_every_bucket_has_its_families(cases: DrawnCases) -> None:
    sizes: dict[str, Counter[str]] = defaultdict(Counter)
    for place in cases.places.values():
        kind = "twins" if place.twin_of else place.family.content.bucket
        sizes[kind][place.family.name] += 1
    assert {kind: list(found.values()) for kind, found in sizes.items()} == PROMISED


def test_every_case_type_has_a_title_of_its_own(cases: DrawnCases) -> None:
    families = {place.family.name for place in cases.places.values()}
    titles = cases.world.vocabulary.case_types
    assert titles.keys() == families and len({*titles.values()}) == len(families)
    assert cases.world.vocabulary.case_type("a_new_one") == "a new one"
