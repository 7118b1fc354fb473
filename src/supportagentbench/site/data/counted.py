"""Counted: which conversations each figure counts, by the figures' own rules, so that numbers open them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from supportagentbench.board.desk import ENDANGERED, mistakes_made, priced
from supportagentbench.board.metrics import METRICS, Metric, RunVerdicts, judged_metrics
from supportagentbench.board.mistakes import concerns_danger, endangers, known_mistakes
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.judgement import counting_judgements
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import ScoredRun
from supportagentbench.site.data.agent_opinions import breaks_a_rule
from supportagentbench.site.data.issue import SLIPS
from supportagentbench.site.data.site_data import ConversationRow, SiteData
from supportagentbench.site.data.term import PASSED_ON

Place = tuple[str, str, int]
"""A conversation: its case, agent and run."""

ALL = "all"
"""The figure that counts every conversation on a headline case that counts at all."""

SLIP = "slip"
"""The figure that counts conversations with an issue in an action or a statement."""

HANDLED = "handled"
"""The figure that counts conversations that ended right, by their one outcome."""

BREAKS = "breaks"
"""The figure that counts, judge by judge, conversations in which a rule was broken."""

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
    found[CountedMetric(HANDLED, "Handled right")] = _handled(places)
    found.update(_broken(data, places))
    found.update(_priced(data))
    found[CountedMetric(f"{PRICED}{ENDANGERED}", "Somebody in danger, no person called")] = _endangered(data)
    return {metric: some for metric, some in found.items() if some.tried or some.undecided}


def _priced(data: SiteData) -> Iterator[tuple[CountedMetric, CountedPlaces]]:
    """By mistake with a price, the conversations in which it was made, of all that a desk is priced from."""
    titles = {one.name: one.title for one in known_mistakes(data.vocabulary)}
    tried = dict.fromkeys(((one.case, agent, one.run) for agent, one in priced(data.runs)), False)
    made: dict[str, dict[Place, bool]] = defaultdict(dict)
    for mistake, agent, verdict in mistakes_made(data.runs):
        made[mistake][verdict.case, agent, verdict.run] = True
    for mistake, title in titles.items():
        if mistake in made:
            metric = CountedMetric(f"{PRICED}{mistake}", f"{title} (your desk)")
            yield metric, CountedPlaces(tried | made[mistake], [])


def _handled(places: Mapping[Place, ConversationRow]) -> CountedPlaces:
    """Conversations by whether they ended right; an action that a rule forbids is never right."""
    grades = {place: row.outcome.grade for place, row in places.items()}
    tried = {place: grade == "good" for place, grade in grades.items() if grade != "none"}
    return CountedPlaces(tried, [place for place, grade in grades.items() if grade == "none"])


def _broken(
    data: SiteData, places: Mapping[Place, ConversationRow]
) -> Iterator[tuple[CountedMetric, CountedPlaces]]:
    """By judge, the conversations that it read, and whether it found a rule broken in them."""
    by_digest = {row.digest: place for place, row in places.items()}
    for judge, found in counting_judgements([one for run in data.runs for one in run.judgements]).items():
        read = ((by_digest[digest], judged) for digest, judged in found.items() if digest in by_digest)
        tried = {place: breaks_a_rule(judged) for place, judged in read}
        yield CountedMetric(key_of(BREAKS, judge), f"A rule broken ({judge})"), CountedPlaces(tried, [])


def _endangered(data: SiteData) -> CountedPlaces:
    """People in danger, and whether nobody was called."""
    tried = {
        (verdict.case, run.header.agent, verdict.run): endangers(verdict, data.vocabulary)
        for run in data.runs
        for verdict in run.verdicts
        if verdict.counts and not verdict.twin_of and concerns_danger(verdict, data.vocabulary)
    }
    return CountedPlaces(tried, [])


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
