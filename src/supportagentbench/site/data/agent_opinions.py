"""Agent opinions: what the judges say about one agent's conversations, rule by rule."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import NamedTuple

from supportagentbench.records.board import Estimate
from supportagentbench.records.judgement import RESOLUTION, SENTIMENT, Judgement, counting_judgements
from supportagentbench.records.run import RuleText
from supportagentbench.results.load import ScoredRun
from supportagentbench.site.data.site_data import ConversationRow

Judgements = Mapping[str, Mapping[str, Judgement]]
"""By judge and transcript."""


class JudgeOnRule(NamedTuple):
    """One judge's opinions on one rule, over all conversations to which it applies."""

    followed: int
    broken: int
    undecided: int

    @property
    def decided(self) -> int:
        return self.followed + self.broken


class RuleOpinions(NamedTuple):
    """A rule of the policy, with every judge's opinions on it."""

    id: str
    text: str
    by_judge: dict[str, JudgeOnRule]
    reason: str = ""
    """Why one judge found it broken, the first time it did."""

    def broken(self, judge: str) -> int:
        """How often a judge found the rule broken."""
        return self.by_judge[judge].broken if judge in self.by_judge else 0


def judgements_of(
    runs: Iterable[ScoredRun], agent: str, counted: set[str], judges: Sequence[str]
) -> dict[str, dict[str, Judgement]]:
    """By judge and transcript, the judgements on these transcripts of one agent that count."""
    own = [one for run in runs if run.header.agent == agent for one in run.judgements]
    found = counting_judgements(one for one in own if one.transcript in counted)
    return {judge: found[judge] for judge in judges if judge in found}


def breaks_a_rule(judgement: Judgement) -> bool:
    """Whether this judge found any rule broken in the conversation."""
    return any(
        one.met is False and one.criterion not in (RESOLUTION, SENTIMENT) for one in judgement.opinions
    )


def rule_opinions(judgements: Judgements, rules: Sequence[RuleText], judge: str) -> list[RuleOpinions]:
    """Every rule that applied to a conversation, those this judge found broken most often first."""
    tally: dict[str, dict[str, Counter[bool | None]]] = defaultdict(lambda: defaultdict(Counter))
    reasons: dict[str, str] = {}
    for name, found in judgements.items():
        for judgement in found.values():
            for opinion in judgement.opinions:
                if opinion.criterion not in (RESOLUTION, SENTIMENT):
                    tally[opinion.criterion][name][opinion.met] += 1
                if name == judge and opinion.met is False:
                    reasons.setdefault(opinion.criterion, opinion.reason)
    texts = {rule.id: rule.text for rule in rules}
    place = {name: at for at, name in enumerate(texts)}
    opinions = [
        RuleOpinions(
            rule,
            texts.get(rule, ""),
            {name: JudgeOnRule(said[True], said[False], said[None]) for name, said in judges.items()},
            reasons.get(rule, ""),
        )
        for rule, judges in tally.items()
    ]
    return sorted(opinions, key=lambda one: (-one.broken(judge), place.get(one.id, len(place)), one.id))


def mean_adherence(judgements: Mapping[str, Judgement], rows: Iterable[ConversationRow]) -> Estimate | None:
    """One judge's mean opinion on a few conversations, with each run's mean and no interval."""
    by_run: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        judgement = judgements.get(row.digest)
        if judgement is not None and judgement.adherence is not None:
            by_run[row.run].append(judgement.adherence)
    values = [value for found in by_run.values() for value in found]
    if not values:
        return None
    runs = tuple(fmean(found) for found in by_run.values())
    mean = fmean(values)
    return Estimate(metric="adherence", value=mean, median=median(runs), n=len(values), runs=runs)
