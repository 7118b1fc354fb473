"""Words: parts of sentences that print counts, shares and intervals."""

from collections.abc import Iterable

from supportagentbench.records.board import Estimate, Interval
from supportagentbench.records.judgement import RULE_JUDGE
from supportagentbench.site import number
from supportagentbench.stats.rates import FEW_CLUSTERS


def share(k: int, n: int) -> str:
    """A share of conversations, as a percentage."""
    return number.percent(k / n, n) if n else number.NONE


def listed(items: Iterable[str], word: str = "and") -> str:
    """Items in a list, the last joined by this word."""
    *rest, last = items
    return f"{', '.join(rest)} {word} {last}" if rest else last


def of(estimate: Estimate, noun: str = "") -> str:
    """Hits out of chances, with the pooled share."""
    noun = f" {noun}" if noun else ""
    return f"{estimate.k} of {estimate.n}{noun} ({number.percent(estimate.value, estimate.n)})"


def intervals(estimate: Estimate) -> str:
    """Both intervals as text."""

    def ends(interval: Interval) -> str:
        return number.interval_text(estimate.metric, interval, estimate.n)

    said = []
    if estimate.rerun_interval and len(estimate.runs) > 1:
        said.append(f"{ends(estimate.rerun_interval)} if the same cases are rerun")
    if estimate.new_cases_interval:
        few = estimate.clusters < FEW_CLUSTERS
        rough = f", a rough guide from {estimate.clusters} case types or rules" if few else ""
        said.append(f"{ends(estimate.new_cases_interval)} on new cases{rough}")
    return "; ".join(said) or "no interval"


def bound(estimate: Estimate) -> str:
    """What the true rate may still be if none or all were seen; otherwise the intervals."""
    reachable = estimate.at_least if estimate.k else estimate.at_most
    if reachable is None or estimate.k not in (0, estimate.n):
        return intervals(estimate)
    return f"still possible: {reach(estimate)}"


def reach(estimate: Estimate) -> str:
    """How far the true rate may be from none or all, in plain words."""
    reachable = estimate.at_least if estimate.k else estimate.at_most
    far = "as little as" if estimate.k else "up to"
    interval = estimate.new_cases_interval
    end = None if interval is None else interval.low if estimate.k else interval.high
    said = [
        f"{far} {number.percent(share, estimate.n)} {where}"
        for share, where in ((reachable, "on these tickets, run again"), (end, "on new ones"))
        if share is not None
    ]
    return ", ".join(said)


def runs_text(estimate: Estimate) -> str:
    """The figure of every run."""
    size = number.per_run(estimate)
    return ", ".join(number.amount(estimate.metric, run, size) for run in estimate.runs)


def judge_words(judge: str) -> str:
    """A judge's name."""
    return "the rule-based judge" if judge == RULE_JUDGE else judge
