"""Term: a figure as pages name it: boards count the escalations caught, pages those that were missed."""

from typing import TypeVar

from supportagentbench.records.board import Estimate

Known = TypeVar("Known", Estimate, Estimate | None)

PASSED_ON = "Passed on to a person"
"""What the escalations that were caught are called where a page lists them."""


def as_term(estimate: Known) -> Known:
    """The figure that the term names: of escalations, the share that was missed."""
    return estimate.complement if estimate and estimate.metric == "escalation" else estimate
