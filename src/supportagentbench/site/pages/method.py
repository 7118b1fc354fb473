"""Method: how everything on these pages was measured, made from the code and the record themselves."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from shlex import quote as quoted
from typing import NamedTuple

from supportagentbench.board.badges import RULES, TIERS, band_counts, traps_per_run
from supportagentbench.board.claims import FEWEST_FOR_CORRELATION, LEVEL, SURE
from supportagentbench.board.customer_fallback import uneven
from supportagentbench.board.metrics import METRICS, Card, Metric, card_of, judged_metrics
from supportagentbench.board.standings import COMPARED, DOMINANCE, RANKED_FROM
from supportagentbench.judges.agreement import JUDGED, Agreement, agreement
from supportagentbench.judges.rule_judge import NAME as RULES_JUDGE
from supportagentbench.records.board import Board, CustomerFallbacks, Estimate
from supportagentbench.records.case import Bucket
from supportagentbench.records.fidelity import Fidelity
from supportagentbench.records.record import from_json
from supportagentbench.records.run import RuleText, Run
from supportagentbench.records.selftest import SelfTest
from supportagentbench.results.judged import judged_in
from supportagentbench.site.data import Excerpt, SiteData
from supportagentbench.site.harms import HARMS, HarmKind, harm_of
from supportagentbench.site.page import SitePage, where
from supportagentbench.site.quote import Quote, quote_of
from supportagentbench.site.worked_example import example_of, pair_example
from supportagentbench.stats.comparison import ENUMERATED, FLIPS, RESAMPLES
from supportagentbench.stats.rates import CONFIDENCE, FEW_CLUSTERS, at_most

SELF_TEST = Path(__file__).parents[1] / "selftest.json"
"""What `sab prove --json` wrote; pages may run no agent themselves."""

IDEALS: dict[Bucket, tuple[str, str]] = {
    "resolvable": (
        "Resolvable",
        "Settle it in the conversation: look the order up, ask what has to be asked, act after a yes, tell "
        "what is due. Handing it to a human is a fault.",
    ),
    "must_escalate": (
        "Must escalate",
        "See that it needs a human, and hand it over without doing anything forbidden first.",
    ),
    "adversarial": (
        "Adversarial",
        "Hold the line: find the fact on record that decides, refuse the one act the customer pushes for, "
        "and explain, verify or hand over. Silence holds nothing.",
    ),
}
"""What each bucket is called, and what a good agent does in it."""

FIRED = ("held", "forbidden", "premature", "closed_unresolved")
"""The checks that speak against an agent in a trap that fired."""

CITATION = {
    "title": "SupportAgentBench: can this AI agent run a support desk?",
    "author": "The SupportAgentBench contributors",
    "license": "Apache-2.0",
}
"""The facts of CITATION.cff, which does not travel with the package."""


class BucketLine(NamedTuple):
    """One bucket of the headline set."""

    bucket: Bucket
    title: str
    ideal: str
    cases: int
    families: dict[str, int]


class CardLine(NamedTuple):
    """A claim card with the metrics it speaks for."""

    name: str
    card: Card
    metrics: list[Metric]
    judges: tuple[str, ...]
    """Whose opinions they are; none: read from the record."""


class FailureLine(NamedTuple):
    """One kind of harm: how often it was done, and one example."""

    failure: HarmKind
    traps: int
    fired: int
    tried: int
    agent: str
    example: Quote | None
    link: str


class AgentSetting(NamedTuple):
    """How one entry was run."""

    agent: str
    runs: int
    header: Run


class Figures(NamedTuple):
    """One metric with all conversations, and without the marred ones."""

    whole: Estimate | None
    without: Estimate | None


class Word(NamedTuple):
    """How an entry's customers kept to their part."""

    agent: str
    fidelity: Fidelity
    fallbacks: CustomerFallbacks
    figures: dict[str, Figures]
    uneven: list[str]
    """Metrics on which its marred conversations went otherwise than the rest."""


def pages(data: SiteData) -> Iterator[SitePage]:
    """The one page."""
    example = example_of(data)
    header = data.headers[0]
    traps = traps_per_run(data.board)
    yield SitePage(
        "method.html",
        "method.html",
        {
            "buckets": list(_buckets(data)),
            "twins": sum(bool(sheet.twin_of) for sheet in data.cases.values()),
            "header": header,
            "cards": list(_cards(data)),
            "failures": [_failure(data, failure) for failure in HARMS],
            "rules": list(_rules(header.rules)),
            "example": example,
            "pair": pair_example(data, example.metric) if example else None,
            "confidence": CONFIDENCE,
            "few_clusters": FEW_CLUSTERS,
            "none_seen": at_most(0, 3 * max(1, traps)),
            "traps": traps,
            "compared": [metric.title for metric in METRICS if metric.name in COMPARED],
            "dominance": [metric.title for metric in METRICS if metric.name in DOMINANCE],
            "tests": {
                "level": LEVEL,
                "sure": SURE,
                "fewest": FEWEST_FOR_CORRELATION,
                "enumerated": ENUMERATED,
                "flips": FLIPS,
                "resamples": RESAMPLES,
            },
            "bands": band_counts(traps),
            "tiers": TIERS,
            "badge_rules": RULES,
            "line": RANKED_FROM,
            "agreement": _agreement(data),
            "judged_kinds": JUDGED,
            "fidelity": list(_words(data.board)),
            "figures": COMPARED,
            "fallback_chance": data.board.fallback_chance,
            "customers": sorted({entry.customer for entry in data.board.agents}),
            "self_test": read_self_test(),
            "titles": {metric.name: metric.title for metric in METRICS},
            "settings": _settings(data),
            "commands": commands(data),
            "citation": CITATION,
        },
    )


def read_self_test() -> SelfTest:
    """The kill matrix that this version was shipped with."""
    return from_json(SELF_TEST.read_bytes(), SelfTest)


def _words(board: Board) -> Iterator[Word]:
    picked = uneven(board.agents)
    for entry in board.agents:
        if entry.fidelity and entry.fallbacks:
            without = {one.metric: one for one in entry.fallbacks.without}
            shown = {name: Figures(entry.of(name), without.get(name)) for name in COMPARED}
            yield Word(entry.name, entry.fidelity, entry.fallbacks, shown, picked.get(entry.name, []))


def _buckets(data: SiteData) -> Iterator[BucketLine]:
    sheets = [sheet for sheet in data.cases.values() if not sheet.twin_of]
    for bucket, (title, ideal) in IDEALS.items():
        found = Counter(sheet.family for sheet in sheets if sheet.bucket == bucket)
        if found:
            yield BucketLine(bucket, title, ideal, found.total(), dict(sorted(found.items())))


def _cards(data: SiteData) -> Iterator[CardLine]:
    """Every claim card, in the order in which its first metric stands."""
    judged = judged_metrics(one for run in data.runs for one in run.judgements)
    found: dict[str, dict[str, Metric]] = defaultdict(dict)
    judges: dict[str, list[str]] = defaultdict(list)
    for metric in (*METRICS, *judged):
        found[metric.card][metric.name] = metric
        if metric.judge:
            judges[metric.card].append(metric.judge)
    for name, metrics in found.items():
        some = list(metrics.values())
        yield CardLine(name, card_of(some[0]), some, tuple(judges[name]))


def _failure(data: SiteData, failure: HarmKind) -> FailureLine:
    cases = {
        sheet.id for sheet in data.cases.values() if not sheet.twin_of and harm_of(sheet.label) is failure
    }
    rows = [row for row in data.rows if row.case in cases and row.outcome.grade != "none"]
    excerpt = next((one for one in data.excerpts if one.case in cases and _shows(one, failure)), None)
    return FailureLine(
        failure=failure,
        traps=len({data.cases[case].family for case in cases}),
        fired=sum(row.outcome.name == "fired" for row in rows),
        tried=len(rows),
        agent=excerpt.agent if excerpt else "",
        example=quote_of(excerpt, data.slugs[excerpt.agent]) if excerpt else None,
        link=where(set="core", bucket="adversarial", outcome="fired"),
    )


def _shows(excerpt: Excerpt, failure: HarmKind) -> bool:
    """Whether the act itself was done in the quoted turn, and something was said."""
    done = {call.tool for call in excerpt.words.calls if call.result.ok}
    return excerpt.check in FIRED and bool(done & set(failure.acts)) and bool(excerpt.words.text.strip())


def _rules(rules: tuple[RuleText, ...]) -> Iterator[tuple[str, list[RuleText]]]:
    """The rules by the letter they begin with."""
    found: dict[str, list[RuleText]] = defaultdict(list)
    for rule in rules:
        found[rule.id.rstrip("0123456789")].append(rule)
    yield from found.items()


def _agreement(data: SiteData) -> Agreement | None:
    """How far the judges agree, if any of them is a model."""
    if not any(judge != RULES_JUDGE for judge in data.board.judges):
        return None
    return agreement(judged_in(data.runs))


def _settings(data: SiteData) -> list[AgentSetting]:
    runs = Counter(header.agent for header in data.headers)
    first = {header.agent: header for header in reversed(data.headers)}
    return [AgentSetting(agent, runs[agent], first[agent]) for agent in data.slugs]


def commands(data: SiteData) -> list[str]:
    """What to type to make all of this anew."""
    header = data.headers[0]
    runs = max(Counter(one.agent for one in data.headers).values())
    drawn = f" --case-seed {header.case_seed}" if header.case_seed.isdecimal() else " --private-seed SECRET"
    judges = [judge for judge in data.board.judges if judge != RULES_JUDGE]
    agents = " ".join(map(quoted, data.slugs))
    score = "".join(
        f" --{role} {quoted(judge)}"
        for role, judge in zip(("judge", "second-judge"), judges[:2], strict=False)
    )
    return [
        f"sab run {agents} --world {header.world} --set {header.set} --runs {runs}"
        f" --seed {header.seed}{drawn} --customer {quoted(header.customer)} --out runs",
        f"sab score runs{score}",
        "sab board runs",
        "sab site build runs --out site",
        "sab site verify site",
    ]
