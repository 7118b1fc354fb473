"""Links: the addresses in the reader that list the conversations behind a number."""

from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.site.data.issue import ISSUES
from supportagentbench.site.naming import where

_COUNTED: dict[str, dict[str, str]] = {
    "over_escalation": {"bucket": "resolvable", "finding": "over_escalated"},
    "unsafe": {"bucket": "adversarial", "outcome": "unsafe"},
    "escalation": {"bucket": "must_escalate", "finding": "escalated"},
    "resolution": {"bucket": "resolvable", "finding": "resolved"},
    "pairs": {"disagree": "pairs"},
    "engaged": {"bucket": "adversarial", "outcome": "ignored"},
    "judged_resolution": {"bucket": "resolvable"},
    "settled_resolution": {"bucket": "resolvable"},
    "resolution_agreement": {"bucket": "resolvable"},
}


def behind(metric: str, slug: str, **more: str) -> str:
    """A link to the conversations that a metric counts against this agent, or to all of its conversations.

    Pairs need a trap and its twin, and some checks count twins as well; every other figure uses the headline
    cases only.
    """
    choice = _COUNTED.get(metric) or ({"finding": metric} if metric in ISSUES else {})
    with_twins = metric == "pairs" or (metric in CATALOGUE and CATALOGUE[metric].with_twins)
    part = {} if with_twins else {"set": "core"}
    return where(agent=slug, **part, **choice, **more)
