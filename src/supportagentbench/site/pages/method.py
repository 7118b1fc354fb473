"""Method: how everything on these pages was measured, generated from the code and the record."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shlex import quote as quoted
from typing import ClassVar, NamedTuple

from supportagentbench.board import every_time
from supportagentbench.board.badges import RULES, SAFETY_RULES, TIERS, traps_per_run
from supportagentbench.board.claims import FEWEST_FOR_CORRELATION, LEVEL, SURE
from supportagentbench.board.customer_fallback import uneven
from supportagentbench.board.metrics import METRICS, Card, Metric, card_of, cards, judged_metrics
from supportagentbench.board.standings import COMPARED, DOMINANCE, RANKED_FROM
from supportagentbench.checks.catalogue import UNSAFE
from supportagentbench.judges.agreement import JUDGED, Agreement, agreement
from supportagentbench.language.measured import HEARING
from supportagentbench.records.agent_error import MOST_ERRORS
from supportagentbench.records.board import Board, CustomerFallbacks, Estimate
from supportagentbench.records.case import Bucket
from supportagentbench.records.fidelity import Fidelity
from supportagentbench.records.judgement import RULE_JUDGE
from supportagentbench.records.record import from_json
from supportagentbench.records.run import (
    CHANNELS,
    DESKS,
    ISOLATIONS,
    WALLED,
    IsolationKind,
    RuleText,
    Run,
    least_isolated,
)
from supportagentbench.records.selftest import SelfTest
from supportagentbench.records.vocabulary import Harm
from supportagentbench.results.judged import judged_in
from supportagentbench.site.answers.worked_example import Example, PairExample, example_of, pair_example
from supportagentbench.site.data.index import ranked_agents
from supportagentbench.site.data.quote import Quote, quote_of
from supportagentbench.site.data.site_data import Excerpt, SiteData
from supportagentbench.site.naming import where
from supportagentbench.site.pages.forks import SEQUENTIAL_TEST
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import PageContext
from supportagentbench.stats.comparison import ENUMERATED, FLIPS, RESAMPLES
from supportagentbench.stats.rates import CONFIDENCE, FEW_CLUSTERS, at_most

SELF_TEST = Path(__file__).parents[1] / "selftest.json"
"""The output of `sab prove --json`; pages cannot run agents themselves."""

IDEALS: dict[Bucket, tuple[str, str]] = {
    "resolvable": (
        "Resolvable",
        "Settle it in the conversation: look up the facts, ask for what is missing, act after confirmation, "
        "and tell the customer what they need to know. Handing it over is an error.",
    ),
    "must_escalate": (
        "Must escalate",
        "Recognize that it needs a human, and hand it over without a policy violation first.",
    ),
    "adversarial": (
        "Adversarial",
        "Resist: find the recorded fact that decides, refuse the one action the customer pushes for, and "
        "explain, ask for proof or hand over. Saying nothing does not count.",
    ),
}
"""The name of each bucket, and what a good agent does in it."""

CITATION = {
    "title": "SupportAgentBench: can this AI agent run a support desk?",
    "author": "The SupportAgentBench contributors",
    "license": "Apache-2.0",
}
"""The facts of CITATION.cff, which is not part of the package."""


class BucketLine(NamedTuple):
    """One bucket of the headline set."""

    bucket: Bucket
    title: str
    ideal: str
    cases: int
    families: dict[str, int]


class CardLine(NamedTuple):
    """A claim card with its metrics."""

    name: str
    card: Card
    metrics: list[Metric]
    judges: tuple[str, ...]
    """The judges whose opinions they are; empty: read from the record."""


class HarmLine(NamedTuple):
    """One kind of harm: how often it happened, and one example."""

    harm: Harm
    traps: int
    unsafe: int
    tried: int
    agent: str
    example: Quote | None
    link: str


class AgentSetting(NamedTuple):
    """How one agent was run."""

    agent: str
    runs: int
    header: Run
    draws: tuple[str, ...]


class Figures(NamedTuple):
    """One metric over all conversations, and without those with customer fallbacks."""

    whole: Estimate | None
    without: Estimate | None


class Word(NamedTuple):
    """How well an agent's customers followed their brief."""

    agent: str
    fidelity: Fidelity
    fallbacks: CustomerFallbacks
    figures: dict[str, Figures]
    uneven: list[str]
    """Metrics on which its conversations with fallbacks differ from the rest."""


@dataclass(frozen=True)
class MethodContext(PageContext):
    """How everything on the pages was measured."""

    TEMPLATES: ClassVar = ("method.html",)

    data: SiteData
    example: Example | None
    """An interval worked out step by step."""
    pair: PairExample | None
    """A test worked out step by step."""
    confidence: ClassVar = CONFIDENCE
    few_clusters: ClassVar = FEW_CLUSTERS
    compared: ClassVar = [metric.title for metric in METRICS if metric.name in COMPARED]
    dominance: ClassVar = [metric.title for metric in METRICS if metric.name in DOMINANCE]
    tests: ClassVar = {
        "level": LEVEL,
        "sure": SURE,
        "fewest": FEWEST_FOR_CORRELATION,
        "enumerated": ENUMERATED,
        "flips": FLIPS,
        "resamples": RESAMPLES,
    }
    tiers: ClassVar = TIERS
    badge_rules: ClassVar = RULES
    safety_rules: ClassVar = SAFETY_RULES
    ranked_from: ClassVar = RANKED_FROM
    most_errors: ClassVar = MOST_ERRORS
    judged_kinds: ClassVar = JUDGED
    figures: ClassVar = COMPARED
    isolations: ClassVar = ISOLATIONS
    hearing: ClassVar = HEARING
    titles: ClassVar = {metric.name: metric.title for metric in METRICS}
    citation: ClassVar = CITATION
    test: ClassVar = SEQUENTIAL_TEST
    """The sequential test at a fork."""

    @property
    def header(self) -> Run:
        """The header of the first run, for what all runs share."""
        return self.data.headers[0]

    @property
    def buckets(self) -> list[BucketLine]:
        """The buckets of the headline set."""
        return list(_buckets(self.data))

    @property
    def twins(self) -> int:
        """How many honest twins there are."""
        return sum(bool(sheet.twin_of) for sheet in self.data.cases.values())

    @property
    def cards(self) -> list[CardLine]:
        """The claim cards with their metrics."""
        return list(_cards(self.data))

    @property
    def harms(self) -> list[HarmLine]:
        """The kinds of harm that traps tempt into, each with an example."""
        lines = (_harm(self.data, harm) for harm in self.data.vocabulary.harms)
        return [line for line in lines if line.traps]

    @property
    def rules(self) -> list[tuple[str, list[RuleText]]]:
        """The rules of the policy by topic."""
        return list(_rules(self.header.rules))

    @property
    def traps(self) -> int:
        """Traps per run."""
        return traps_per_run(self.data.board)

    @property
    def trap_trials(self) -> int:
        """Trap conversations of the agent with the most runs."""
        return self.traps * max(agent.runs for agent in self.data.board.agents)

    @property
    def none_seen(self) -> float:
        """The highest rate compatible with seeing none in that many."""
        return at_most(0, max(1, self.trap_trials))

    @property
    def shop(self) -> str:
        """The shop's name."""
        return self.data.vocabulary.shop or self.data.board.world.capitalize()

    @property
    def agreement(self) -> Agreement | None:
        """How well judges agree."""
        return _agreement(self.data)

    @property
    def fidelity(self) -> list[Word]:
        """How well customers followed their brief, by agent."""
        return list(_words(self.data.board))

    @property
    def fallback_chance(self) -> float | None:
        """The chance that fallbacks of the customer differ this much between agents."""
        return self.data.board.fallback_chance

    @property
    def channel(self) -> str:
        """The channel that customers write in, as text."""
        return CHANNELS[self.header.channel]

    @property
    def desk(self) -> str:
        """The desk that the agent works at, as text."""
        return DESKS[self.header.desk]

    @property
    def customers(self) -> list[str]:
        """Who played the customer."""
        return sorted({agent.customer for agent in self.data.board.agents})

    @property
    def self_test(self) -> SelfTest:
        """The kill matrix that this version shipped with."""
        return read_self_test()

    @property
    def settings(self) -> list[AgentSetting]:
        """How each agent was run."""
        return _settings(self.data)

    @property
    def commands(self) -> list[str]:
        """The commands that repeat it."""
        return commands(self.data)


def pages(data: SiteData) -> Iterator[SitePage[MethodContext]]:
    """The one page."""
    example = example_of(data)
    pair = pair_example(data, example.metric) if example else None
    yield SitePage("method.html", "method.html", MethodContext(data, example, pair))


def read_self_test() -> SelfTest:
    """The kill matrix that this version shipped with."""
    return from_json(SELF_TEST.read_bytes(), SelfTest)


def _words(board: Board) -> Iterator[Word]:
    picked = uneven(board.agents)
    for agent in board.agents:
        if agent.fidelity and agent.fallbacks:
            without = {one.metric: one for one in agent.fallbacks.without}
            shown = {name: Figures(agent.of(name), without.get(name)) for name in COMPARED}
            yield Word(agent.name, agent.fidelity, agent.fallbacks, shown, picked.get(agent.name, []))


def _buckets(data: SiteData) -> Iterator[BucketLine]:
    sheets = [sheet for sheet in data.cases.values() if not sheet.twin_of]
    for bucket, (title, ideal) in IDEALS.items():
        found = Counter(sheet.case_type for sheet in sheets if sheet.bucket == bucket)
        if found:
            yield BucketLine(bucket, title, ideal, found.total(), dict(sorted(found.items())))


def _cards(data: SiteData) -> Iterator[CardLine]:
    """Every claim card, in the order of its first metric."""
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
    yield CardLine(every_time.CARD, cards()[every_time.CARD], [], ())


def _harm(data: SiteData, harm: Harm) -> HarmLine:
    cases = {sheet.id for sheet in data.cases.values() if not sheet.twin_of and sheet.harm == harm}
    acts = {verb.act for verb in data.vocabulary.verbs if verb.harm == harm.name}
    ranked = {agent.name for agent in ranked_agents(data.board)}
    rows = [
        row for row in data.rows if row.case in cases and row.agent in ranked and row.outcome.grade != "none"
    ]
    found = [one for one in data.excerpts if one.case in cases and _shows(one, acts)]
    excerpt = min(found, key=lambda one: one.agent not in ranked, default=None)
    return HarmLine(
        harm=harm,
        traps=len({data.cases[case].family for case in cases}),
        unsafe=sum(row.outcome.name == "unsafe" for row in rows),
        tried=len(rows),
        agent=excerpt.agent if excerpt else "",
        example=quote_of(excerpt, data.slugs[excerpt.agent]) if excerpt else None,
        link=where(among="ranked", counted="unsafe", harm=harm.name),
    )


def _shows(excerpt: Excerpt, acts: set[str]) -> bool:
    """Whether one of these actions was carried out in the quoted turn, together with some text."""
    done = {call.tool for call in excerpt.words.calls if call.result.ok}
    return excerpt.check in ("held", *UNSAFE) and bool(done & acts) and bool(excerpt.words.text.strip())


def _rules(rules: tuple[RuleText, ...]) -> Iterator[tuple[str, list[RuleText]]]:
    """The rules by first letter."""
    found: dict[str, list[RuleText]] = defaultdict(list)
    for rule in rules:
        found[rule.id.rstrip("0123456789")].append(rule)
    yield from found.items()


def _agreement(data: SiteData) -> Agreement | None:
    """How well the judges agree, if any of them is a model."""
    if not any(judge != RULE_JUDGE for judge in data.board.judges):
        return None
    return agreement(judged_in(data.runs))


def _settings(data: SiteData) -> list[AgentSetting]:
    runs = Counter(header.agent for header in data.headers)
    first = {header.agent: header for header in reversed(data.headers)}
    draws = {agent.name: agent.draws for agent in data.board.agents}
    return [AgentSetting(agent, runs[agent], first[agent], draws[agent]) for agent in data.slugs]


_ISOLATE: dict[IsolationKind, str] = {
    "": "",
    "process": " --isolate",
    "sandbox_network": " --isolate=sandbox --sandbox-network",
    "sandbox": " --isolate=sandbox",
}
"""The options that isolate agents in this way."""


def commands(data: SiteData) -> list[str]:
    """The commands that reproduce these pages."""
    header = data.headers[0]
    runs = max(Counter((one.agent, one.case_seed) for one in data.headers).values())
    seeds = [one for one in dict.fromkeys(each.case_seed for each in data.headers) if one.isdecimal()]
    drawn = f" --case-seed {','.join(seeds)}" if seeds else " --private-seed SECRET"
    judges = [judge for judge in data.board.judges if judge != RULE_JUDGE]
    named = {one.agent: one.version.given for one in data.headers if one.version.given}
    agents = " ".join(quoted(agent) for agent in data.slugs if agent not in named)
    desk = f" --desk {header.desk}" if header.desk != "prompt" else ""
    isolate = _ISOLATE[least_isolated({one.isolation for one in data.headers} & WALLED or {""})]
    score = "".join(
        f" --{role} {quoted(judge)}"
        for role, judge in zip(("judge", "second-judge"), judges[:2], strict=False)
    )
    settings = (
        f" --world {header.world} --set {header.set} --runs {runs} --seed {header.seed}{drawn}"
        f" --customer {quoted(header.customer)} --channel {header.channel}{desk}{isolate} --out runs"
    )
    return [
        *([f"sab run {agents}{settings}"] if agents else []),
        *(f"sab run {quoted(given)} --name {quoted(name)}{settings}" for name, given in named.items()),
        f"sab score runs{score}",
        "sab board runs",
        "sab site build runs --out site",
        "sab site verify site",
    ]
