"""Openings: the wordings of a case that this seed did not draw are as usable as the one it drew."""

from collections.abc import Iterator

from supportagentbench.calibration.books import Complaints
from supportagentbench.records.problem import Problem
from supportagentbench.world.drawn_cases import DrawnCases


def other_openings(cases: DrawnCases, name: str) -> list[str]:
    """The openings of a case that are not in its set and can be filled in."""
    return [text for text in _tried(cases, name) if isinstance(text, str)]


def openings(cases: DrawnCases) -> Complaints:
    """Every wording of an opening can be filled in, and mentions only what its record contains."""
    kit, shop = cases.world.kit, cases.world.shop
    for name, case in cases.cases.items():
        for text in _tried(cases, name):
            if isinstance(text, Problem):
                yield name, f"one of its openings does not fit: {text.sentence}"
                continue
            for words in kit.audit(shop, cases.books_of(name), case, text):
                yield name, f"{words}, in the opening {text[:40]!r}"


def _tried(cases: DrawnCases, name: str) -> Iterator[str | Problem]:
    template = cases.places[name].template(cases.world)
    for text in (template.opening, *template.more_openings):
        try:
            worded = cases.worded(name, text)
        except Problem as problem:
            yield problem
        else:
            if template.more_openings and worded != cases.cases[name].opening:
                yield worded
