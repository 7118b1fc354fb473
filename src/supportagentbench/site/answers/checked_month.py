"""Checked month: what an agent would cost at the desk if checks in front of its tools had held."""

from msgspec.structs import replace

from supportagentbench.board.desk import desk_of
from supportagentbench.board.recommendation_words import about
from supportagentbench.checks.catalogue import UNSAFE
from supportagentbench.checks.guards import is_averted
from supportagentbench.records.finding import Finding
from supportagentbench.records.verdict import Verdict
from supportagentbench.site.answers.cfo import month_at
from supportagentbench.site.data.site_data import SiteData

UNKNOWN = "What it would cost with them, only a new run can tell."


def checked_words(data: SiteData, agent: str) -> str:
    """The sum in a sentence, with what is assumed; empty: checks would not bring it within the limits."""
    one = data.recommendation.of(agent)
    if one.decision != "not yet" or "guarded" not in {reason.kind for reason in one.reasons}:
        return ""
    now, then = month_at(data, agent), month_at(_checked(data, agent), agent)
    if not now or not now.loss or not then or not then.loss:
        return UNKNOWN
    return (
        f"With these checks it would cost about {about(then.loss.value)} a month at this desk instead of "
        f"{about(now.loss.value)}, if they had held, every honest ticket that they stop stayed unsolved and "
        "all else had gone the same: a replay of recorded calls, not tested."
    )


def _checked(data: SiteData, agent: str) -> SiteData:
    """The same conversations, as if every unsafe call that checks refuse had been refused."""
    runs = [
        run._replace(verdicts=[_refused(one) for one in run.verdicts]) if run.header.agent == agent else run
        for run in data.runs
    ]
    return data._replace(runs=runs, desk=desk_of(data.board, runs))


def _refused(verdict: Verdict) -> Verdict:
    """A refused call harms nobody, and solves nothing either."""
    if not is_averted(verdict):
        return verdict
    return replace(verdict, findings=tuple(_undone(one) for one in verdict.findings))


def _undone(finding: Finding) -> Finding:
    if finding.check not in (*UNSAFE, "resolved"):
        return finding
    return Finding(finding.check, False, finding.reason)
