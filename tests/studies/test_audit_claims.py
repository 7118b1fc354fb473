"""Every kind of claim on a small board: what the figures show, deny, or leave open."""

from typing import Any, NamedTuple, get_args

import pytest
from msgspec import convert

from studies.published import Band, Published, PublishedMetric, PublishedOrder, PublishedRow
from studies.published.audit.claims import examine_claim
from studies.published.audit.examined import Examined, Outcome
from studies.published.audit.sheet import Sheet
from studies.published.claim import AnyClaim

METRICS = (
    PublishedMetric(
        "wrong", "Wrong", "lower", 100, (Band("good", 0, 9), Band("fair", 10, 49), Band("bad", 50, 100))
    ),
    PublishedMetric("right", "Right", "higher", 24),
    PublishedMetric("tone", "Tone", "higher"),
)

ROWS = (
    PublishedRow(
        "best",
        {"wrong": "1/100", "right": "100%", "tone": "0.9"},
        tier=1,
        runs=3,
        each={"wrong": ("1/100", "1/100", "1/100")},
        fired={"wrong": (3,)},
    ),
    PublishedRow("next", {"wrong": "3/100", "right": "96%", "tone": "0.95"}, tier=2, runs=3),
    PublishedRow("same", {"wrong": "10/100", "right": "96%"}, tier=2, runs=3),
    PublishedRow(
        "last",
        {"wrong": "90/100", "right": "8%"},
        tier=3,
        runs=2,
        each={"wrong": ("86/100", "94/100")},
        fired={"wrong": (2,) * 86 + (1,) * 8},
        score="12.3",
    ),
)


class Case(NamedTuple):
    """A claim as it stands in a file, and what has to come of it."""

    kind: str
    fields: dict[str, Any]
    outcome: Outcome
    words: str


def ruled(kind: str, fields: dict[str, Any], rows: tuple[PublishedRow, ...] = ROWS) -> Examined:
    stated: AnyClaim = convert({"kind": kind, "says": "So it is.", "where": "page", **fields}, AnyClaim)
    orders = (PublishedOrder("default", (("wrong",), ("right",))),)
    tested = examine_claim(Sheet(Published("a board", 3, METRICS, orders, rows)), stated)
    assert (tested.says, tested.where) == ("So it is.", "page")
    assert tested.test and tested.reason.endswith(".")
    return tested


CASES = [
    Case("best", {"row": "last", "metrics": ("wrong",), "end": "worst"}, "survives", "from 3 of 3 models"),
    Case("best", {"row": "best", "metrics": ("wrong",)}, "undecided", "from 2 of 3 models as one run"),
    Case(
        "best",
        {"row": "next", "metrics": ("right",)},
        "contradicted",
        "1 model is better on right (best 100%)",
    ),
    Case(
        "best", {"row": "best", "metrics": ("wrong",), "end": "worst"}, "contradicted", "3 models are worse"
    ),
    Case("best", {"row": "best", "metrics": ("tone",)}, "contradicted", "(next 0.95)"),
    Case("best", {"row": "next", "metrics": ("tone",)}, "undecided", "A test tells it from 0 of 1 model"),
    Case(
        "better", {"row": "best", "than": "last", "metrics": ("wrong", "right")}, "survives", "1/100 against"
    ),
    Case("better", {"row": "best", "than": "next", "metrics": ("wrong",)}, "undecided", "p = 0.62"),
    Case("better", {"row": "same", "than": "next", "metrics": ("right",)}, "contradicted", "96%, next 96%"),
    Case("better", {"row": "next", "than": "best", "metrics": ("tone",)}, "undecided", "No count differs"),
    Case("dominates", {"row": "best", "over": "last"}, "survives", "1/100 against 90/100"),
    Case("dominates", {"row": "best", "over": "next"}, "undecided", "1/100 against 3/100"),
    Case("dominates", {"row": "next", "over": "best"}, "contradicted", "next has 3/100, best 1/100"),
    Case("equal", {"row": "best", "to": "next", "metrics": ("wrong",)}, "undecided", "−8 to +3 points"),
    Case("equal", {"row": "best", "to": "last", "metrics": ("wrong",)}, "contradicted", "points on wrong"),
    Case("above", {"row": "last", "metric": "wrong", "bound": "50%"}, "survives", "likely 83% to 94%"),
    Case("above", {"row": "last", "metric": "wrong", "bound": "85%"}, "undecided", "90/100 is 90.0%"),
    Case("above", {"row": "last", "metric": "wrong", "bound": "90%"}, "contradicted", "90.0%"),
    Case("splits", {"metric": "wrong"}, "survives", "4 of 6 pairs"),
    Case("range", {"metric": "wrong", "low": "1/100", "high": "90%"}, "survives", "from 1/100 to 90/100"),
    Case("range", {"metric": "wrong", "low": "1/100", "high": "80%"}, "contradicted", "from 1/100 to 90/100"),
    Case(
        "band_counts",
        {"metric": "wrong", "counts": {"good": 2, "bad": 1}},
        "survives",
        "2 good, 1 fair, 1 bad",
    ),
    Case("band_counts", {"metric": "wrong", "counts": {"good": 3}}, "contradicted", "2 good"),
    Case("noise", {"metric": "wrong", "gap": 7}, "survives", "0 of 2 such pairs"),
    Case("noise", {"metric": "wrong", "gap": 80}, "contradicted", "2 of 4 such pairs"),
    Case("across_bands", {"metric": "wrong", "gap": 7}, "contradicted", "1 of 5 pairs across bands"),
    Case("across_bands", {"metric": "wrong", "gap": 5}, "undecided", "0 of 5 pairs across bands"),
    Case("unrelated", {"metric": "wrong"}, "undecided", "r = 0.95 (likely −0.14 to 1.00)"),
    Case(
        "how_many",
        {"count": 2, "surely": ("best",), "perhaps": ("next",)},
        "undecided",
        "for 1 model, for 2",
    ),
    Case("how_many", {"count": 1, "surely": ("best",)}, "survives", "for 1 if every mention"),
    Case(
        "how_many", {"count": 3, "surely": ("best",), "perhaps": ("next",)}, "contradicted", "for 2 if every"
    ),
    Case(
        "parts", {"row": "next", "metric": "right", "parts": (12, 11), "printed": "96%"}, "survives", "23/24"
    ),
    Case(
        "parts",
        {"row": "next", "metric": "right", "parts": (12, 10), "printed": "96%"},
        "contradicted",
        "91.7%",
    ),
    Case(
        "adds_up",
        {"metric": "wrong", "runs": 10, "rates": ("50%",)},
        "undecided",
        "4 medians add up to 104",
    ),
    Case(
        "adds_up",
        {"metric": "wrong", "runs": 10, "rates": ("55%",)},
        "contradicted",
        "55% is not a count out of 10",
    ),
    Case("adds_up", {"metric": "wrong", "runs": 10, "rates": ("100%",) * 27}, "contradicted", "give 270"),
    Case("portion", {"metric": "right", "portion": 0.83, "cases": 6, "rate": 0.17}, "survives", "83%"),
    Case("portion", {"metric": "right", "portion": 0.5, "cases": 6, "rate": 0.17}, "contradicted", "83%"),
    Case("none_seen", {"trials": 54}, "survives", "still allows a rate of 5.4%"),
    Case("runs", {"runs": 3, "total": 12}, "contradicted", "12 runs, the pages count 12, last had 2."),
    Case("runs", {"runs": 2, "total": 8}, "survives", "need 8 runs, the pages count 8."),
    Case("no_score", {}, "contradicted", "Printed: last 12.3"),
    Case("score_gap", {"gap": 2.5, "cases": 162}, "undecided", "vary by less than 11 points"),
    Case("correlation", {"r": -0.6, "rows": 24}, "survives", "−0.81 to −0.26"),
    Case("correlation", {"r": -0.3, "rows": 24}, "undecided", "−0.63 to 0.12"),
    Case("unstable", {"row": "best", "metric": "wrong"}, "undecided", "this much in 100%; last has 8 such"),
    Case("unstable", {"row": "last", "metric": "wrong"}, "survives", "this much in 1%"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind}, {case.outcome}")
def test_a_claim_is_put_to_its_test(case: Case) -> None:
    tested = ruled(case.kind, case.fields)
    assert case.words in tested.reason
    assert tested.outcome == case.outcome


def test_every_kind_of_claim_is_tested_here() -> None:
    kinds = {kind.__struct_config__.tag for kind in get_args(AnyClaim)}
    assert {case.kind for case in CASES} == kinds


def test_a_board_without_a_score_has_none() -> None:
    assert ruled("no_score", {}, ROWS[:2]).outcome == "survives"


def test_rows_that_differ_nowhere_do_not_split() -> None:
    tested = ruled("splits", {"metric": "wrong"}, ROWS[:2])
    assert tested.outcome == "undecided"
    assert tested.reason == "0 of 1 pair differ significantly as one run, 0 with all runs pooled."


def test_bands_that_are_far_apart_do_tell() -> None:
    assert ruled("across_bands", {"metric": "wrong", "gap": 5}, (ROWS[0], ROWS[3])).outcome == "survives"


def test_price_that_goes_with_the_figure_is_related() -> None:
    rows = tuple(
        PublishedRow(f"r{number}", {"wrong": f"{number}/100", "right": "50%"}, tier=number)
        for number in range(1, 9)
    )
    assert ruled("unrelated", {"metric": "wrong"}, rows).outcome == "contradicted"


def test_a_dearer_row_does_not_dominate() -> None:
    rows = (PublishedRow("dear", ROWS[0].figures, tier=4), ROWS[3])
    tested = ruled("dominates", {"row": "dear", "over": "last"}, rows)
    assert tested.outcome == "contradicted" and "higher tier" in tested.reason
