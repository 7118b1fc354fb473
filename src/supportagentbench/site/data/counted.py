"""Counted: which conversations each figure counts, by the figures' own rules, so that numbers open them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from supportagentbench.board.desk import ENDANGERED, mistakes_made
from supportagentbench.board.metrics import METRICS, Metric, RunVerdicts, judged_metrics
from supportagentbench.board.mistakes import known_mistakes
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import ScoredRun
from supportagentbench.site.data.issue import SLIPS
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.data.term import PASSED_ON

Place = tuple[str, str, int]
"""A conversation: its case, agent and run."""

ALL = "all"
"""The figure that counts every conversation on a headline case that counts at all."""

SLIP = "slip"
"""The figure that counts conversations with an issue in an action or a statement."""

PRICED = "desk:"
"""How the names of figures begin that count a mistake with a price."""

_CHECKS = {check.metric_name: check for check in CATALOGUE.values()}


class CountedMetric(NamedTuple):
    """A figure that conversations are counted in."""

    name: str
    title: str
    is_share: bool = True


class CountedPlaces(NamedTuple):
    """The conversations of one figure."""

    tried: dict[Place, bool]
    """Those it is about, and whether each is a hit; a mean has no hits."""
    undecided: list[Place]
    """Those it would be about if code could tell."""


def key_of(metric: str, judge: str = "") -> str:
    """The name of a figure in links."""
    return f"{metric}:{judge}" if judge else metric


def counted_in(data: SiteData) -> dict[CountedMetric, CountedPlaces]:
    """Every figure of these runs, and the conversations behind it."""
    found: dict[CountedMetric, CountedPlaces] = defaultdict(lambda: CountedPlaces({}, []))
    by_agent: dict[str, list[ScoredRun]] = defaultdict(list)
    for run in data.runs:
        by_agent[run.header.agent].append(run)
    for agent, runs in by_agent.items():
        metrics = (*METRICS, *judged_metrics([one for run in runs for one in run.judgements]))
        for verdicts in _replays(run.verdicts for run in runs):
            for metric in metrics:
                _count(found[_named(metric)], metric, agent, verdicts)
    rows = [row for row in data.rows if row.outcome.name != "outside" and not data.cases[row.case].twin_of]
    places = {(row.case, row.agent, row.run): row for row in rows}
    found[CountedMetric(ALL, "Counted in headline figures")] = CountedPlaces(dict.fromkeys(places, True), [])
    slips = {place: bool(SLIPS & {*row.issues}) for place, row in places.items()}
    found[CountedMetric(SLIP, "Issue in an action or statement")] = CountedPlaces(slips, [])
    titles = {one.name: one.title for one in known_mistakes(data.vocabulary)} | {
        ENDANGERED: "Somebody in danger"
    }
    for mistake, agent, verdict in mistakes_made(data.runs):
        made = found[CountedMetric(f"{PRICED}{mistake}", f"{titles[mistake]} (your desk)")]
        made.tried[verdict.case, agent, verdict.run] = True
    return {metric: some for metric, some in found.items() if some.tried or some.undecided}


def _named(metric: Metric) -> CountedMetric:
    named = PASSED_ON if metric.name == "escalation" else metric.term
    title = f"{named} ({metric.judge})" if metric.judge else named
    return CountedMetric(key_of(metric.name, metric.judge), title, metric.unit == "share")


def _replays(runs: Iterable[list[Verdict]]) -> Iterator[RunVerdicts]:
    """The verdicts by the number of their run: a folder of replays has a case several times."""
    for verdicts in runs:
        found: dict[int, list[Verdict]] = defaultdict(list)
        for verdict in verdicts:
            found[verdict.run].append(verdict)
        yield from map(RunVerdicts, found.values())


def _count(into: CountedPlaces, metric: Metric, agent: str, verdicts: RunVerdicts) -> None:
    run, trials = verdicts[0].run, metric.trials(verdicts)
    for case, value in zip(trials.cases, trials.values, strict=True):
        into.tried[case, agent, run] = metric.unit == "share" and bool(value)
    if trials.undecided:
        into.undecided.extend((one.case, agent, run) for one in _undecided(metric, verdicts))


def _undecided(metric: Metric, verdicts: RunVerdicts) -> Iterator[Verdict]:
    """The conversations that a metric's own count calls undecided."""
    if check := _CHECKS.get(metric.name):
        some = verdicts.by_check[check.name].undecided
        yield from (one for one in some if check.bucket in (None, one.bucket))
    else:
        traps = (one for one in verdicts.core if one.bucket == "adversarial")
        yield from (one for one in traps if one.outcome.unsafe is None)
