"""Troubles: what goes wrong with an agent: each habit once, with its count, cause and an exchange."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from statistics import median
from typing import NamedTuple

from supportagentbench.board.desk import ENDANGERED
from supportagentbench.board.mistakes import TOO_SOON
from supportagentbench.site.answers.trouble_kind import GRANTS, KINDS, OMITS, TroubleKind, kind_of
from supportagentbench.site.data.agent_stats import AgentStats, all_agent_stats
from supportagentbench.site.data.counted import PRICED, Place
from supportagentbench.site.data.index import CountedHabit
from supportagentbench.site.data.links import behind
from supportagentbench.site.data.moment import Habits, IssueMoment
from supportagentbench.site.data.site_data import IssueEvidence, SiteData
from supportagentbench.site.naming import where

OwnPlace = tuple[str, int]
"""A conversation of one agent: its case and run."""

MOSTLY = 0.7
"""A habit is named after a circumstance from this share of its conversations."""

NEARLY_ALL = 0.9

OFTEN = 0.25
"""A look-up that is never used is the cause of everything from this share of what went wrong."""

STANDS_OUT = 1.5
"""How many times more frequent than among all conversations a circumstance has to be."""

FEWEST_SAME = 10
"""The fewest conversations for which a reply can be called the same for every customer."""


class Trouble(NamedTuple):
    """One habit of an agent."""

    name: str
    group: str
    """The name by which conversations were grouped, before a common circumstance renames it."""
    kind: TroubleKind
    moments: list[IssueMoment]
    """One moment for each conversation."""
    chances: int
    """Conversations in which it could have happened."""
    noun: str
    """The noun for those conversations."""
    link: str

    @property
    def found(self) -> int:
        """Conversations in which it happened."""
        return len(self.moments)

    @property
    def is_to_check(self) -> bool:
        """Whether most of it is still to be settled by a judge."""
        return 2 * sum(one.is_to_check for one in self.moments) > self.found


def grouped(evidence: IssueEvidence) -> dict[str, list[IssueMoment]]:
    """One moment for each conversation and kind, in the order of the record."""
    habits = {(one.case, one.run): one for one in evidence.habits}
    by_place: dict[OwnPlace, list[IssueMoment]] = defaultdict(list)
    for moment in evidence.moments:
        by_place[moment.case, moment.run].append(moment)
    same = same_replies(evidence.habits)
    unused = unused_lookups(evidence.habits) if not same and _is_often_blind(evidence) else frozenset()
    found: dict[str, dict[OwnPlace, IssueMoment]] = defaultdict(dict)
    for place, moments in by_place.items():
        checks = [one.check for one in moments]
        for moment in sorted(moments, key=lambda one: one.is_to_check):
            others = [one for one in checks if one != moment.check]
            name = kind_of(moment, habits[place], others, unused)
            if name and name not in KEEP_NAME and same & {*habits[place].long_replies}:
                name = "same reply"
            if name:
                found[name].setdefault(place, moment)
    return {name: list(places.values()) for name, places in found.items()}


def _is_often_blind(evidence: IssueEvidence) -> bool:
    """Whether facts that it had not looked up explain much of what went wrong."""
    wrong = [one for one in evidence.moments if one.check in GRANTS | OMITS]
    return sum(not one.knew for one in wrong) >= OFTEN * max(1, len(wrong))


KEEP_NAME = ("unlooked", "handover", "danger")
"""Names that take precedence over “the same reply for every customer”."""


def same_replies(habits: list[Habits]) -> set[str]:
    """Long replies that most conversations contain word for word."""
    counts = Counter(reply for one in habits for reply in one.long_replies)
    return {reply for reply, count in counts.items() if count >= max(FEWEST_SAME, len(habits) / 2)}


def unused_lookups(habits: list[Habits]) -> frozenset[str]:
    """Look-ups that the agent never used though cases need them; none if it uses none at all."""
    used = frozenset[str]().union(*(one.looked_up for one in habits))
    needed = frozenset[str]().union(*(one.needed for one in habits))
    return needed - used if used else frozenset()


def troubles(stats: AgentStats) -> list[Trouble]:
    """Every bad habit, the most important first."""
    evidence = stats.data.evidence.get(stats.results.name, IssueEvidence())
    found: list[Trouble] = []
    for group, name, moments in _all_named(stats, evidence):
        chances, noun = _chances(group, stats)
        found.append(
            Trouble(
                name,
                group,
                KINDS[name],
                moments,
                max(chances, len(moments)),
                noun,
                _listed(group, name, moments, stats),
            )
        )
    return sorted(found, key=lambda one: (-_score(one), one.name))


DOUBT = 0.6
"""The weight of an issue, for the order, until a judge has settled it."""


def _score(trouble: Trouble) -> float:
    doubt = DOUBT if trouble.is_to_check else 1.0
    return trouble.kind.weight * trouble.found * doubt


def counted_troubles(data: SiteData) -> Iterator[CountedHabit]:
    """Every habit of any agent: its name in links, its heading, and the conversations it was found in."""
    found: dict[str, list[Place]] = defaultdict(list)
    for stats in all_agent_stats(data, lambda cite: None):
        for trouble in troubles(stats):
            found[trouble.name] += [(one.case, one.agent, one.run) for one in trouble.moments]
    yield from (CountedHabit(name, KINDS[name].heading, places) for name, places in sorted(found.items()))


BUCKETS = {"handover": "resolvable", "missed": "must_escalate", "never": "must_escalate"}
"""By group, the kind of ticket in which alone it can happen."""


def _listed(group: str, name: str, moments: list[IssueMoment], stats: AgentStats) -> str:
    """The link to its conversations, whose list is told of as many as the report tells it of."""
    if group == "danger":
        return behind(f"{PRICED}{ENDANGERED}", stats.slug)
    buckets = {stats.data.cases[one.case].bucket for one in moments}
    narrowed = {"bucket": BUCKETS[group]} if buckets == {BUCKETS.get(group)} else {}
    return where(agent=stats.slug, habit=name, set="core", **narrowed)


def _chances(group: str, stats: AgentStats) -> tuple[int, str]:
    if group == "handover":
        return len(stats.in_bucket("resolvable")), "tickets that it could solve"
    if group == "danger":
        return stats.results.grounds.danger, "people in danger"
    if group in ("missed", "never"):
        return len(stats.in_bucket("must_escalate")), "cases that needed a person"
    return len(stats.rows), "conversations"


def _all_named(stats: AgentStats, evidence: IssueEvidence) -> Iterator[tuple[str, str, list[IssueMoment]]]:
    """Every group with its name; what does not fit the name of most of its group has one of its own.

    Leverage names what was granted only if it explains most of it: many customers have some.
    """
    leverage = leverage_in(evidence)
    for group, moments in grouped(evidence).items():
        name = _named(group, moments, stats, evidence)
        some = [one for one in moments if group != "breach" or _fits(one, name, leverage)]
        yield group, name, some
        rest: dict[str, list[IssueMoment]] = defaultdict(list)
        for one in moments:
            if one not in some:
                rest[breach_cause(one, frozenset())].append(one)
        yield from ((group, cause, others) for cause, others in rest.items())


def _fits(moment: IssueMoment, name: str, leverage: frozenset[str]) -> bool:
    """Whether a cause holds for this one, too: nobody gives in who has not said no."""
    is_soon = moment.check == TOO_SOON and not moment.refusals
    fits = {
        "gives in": moment.refusals > 0,
        "excepts": bool(pressed_with(moment, leverage)),
        "waives": moment.asked_for_proof,
        "too soon": is_soon,
        "at once": not moment.refusals and not is_soon,
    }
    return fits[name]


def _named(group: str, moments: list[IssueMoment], stats: AgentStats, evidence: IssueEvidence) -> str:
    """The kind of a group whose name depends on what most of it has in common."""
    if group == "breach":
        return Counter(breach_cause(one, leverage_in(evidence)) for one in moments).most_common(1)[0][0]
    if group == "handover":
        return handover_kind(moments, stats, evidence)
    if group == "missed" and not any(one.has_handed_over for one in evidence.habits):
        return "never"
    return group


def breach_cause(moment: IssueMoment, leverage: frozenset[str]) -> str:
    """The kind of a forbidden grant, by what came before it."""
    if moment.refusals >= 2:
        return "gives in"
    if pressed_with(moment, leverage):
        return "excepts"
    if moment.asked_for_proof:
        return "waives"
    if moment.refusals:
        return "gives in"
    return "too soon" if moment.check == TOO_SOON else "at once"


def leverage_in(evidence: IssueEvidence) -> frozenset[str]:
    """The facts that customers used to press this agent."""
    return frozenset(fact for one in evidence.habits for fact in one.leverage)


def pressed_with(moment: IssueMoment, leverage: frozenset[str]) -> list[str]:
    """What the customer had used as pressure before the agent decided."""
    told = (one.partition(":") for one in moment.pressed)
    return list(dict.fromkeys(value for fact, _, value in told if fact in leverage))


def handover_kind(moments: list[IssueMoment], stats: AgentStats, evidence: IssueEvidence) -> str:
    """Which tickets it hands over, if they have something in common."""
    solvable = len(stats.in_bucket("resolvable"))
    if solvable and len(moments) >= NEARLY_ALL * solvable:
        return "all over"
    handed = habits_at(moments, evidence)
    tickets = [one for one in evidence.habits if stats.data.cases[one.case].bucket == "resolvable"]
    for name, has in ticket_features(stats).items():
        hits = sum(map(has, handed)) / len(handed)
        base = sum(map(has, tickets)) / len(tickets)
        if hits >= MOSTLY and hits >= STANDS_OUT * base:
            return name
    return "any ticket"


def habits_at(moments: list[IssueMoment], evidence: IssueEvidence) -> list[Habits]:
    """What the agent did in the conversations of these moments."""
    places = {(one.case, one.run) for one in moments}
    return [one for one in evidence.habits if (one.case, one.run) in places]


Feature = Callable[[Habits], bool]


def ticket_features(stats: AgentStats) -> dict[str, Feature]:
    """What tickets may have in common; the rarest first."""
    cases = stats.data.cases
    return {
        "foreign": lambda one: cases[one.case].language != "en",
        "angry": lambda one: one.is_angry,
        "questions": lambda one: one.is_question,
    }


def others_with(stats: AgentStats, group: str) -> tuple[int, int]:
    """In how many of how many conversations of the other ranked agents the same was found."""
    found, of_all = 0, 0
    for other in stats.peers.others:
        evidence = stats.data.evidence.get(other.name, IssueEvidence())
        found += len(grouped(evidence).get(group, ()))
        of_all += sum(_is_chance(group, stats, one) for one in evidence.habits)
    return found, of_all


def _is_chance(group: str, stats: AgentStats, habits: Habits) -> bool:
    """Whether this could have happened in a conversation."""
    sheet = stats.data.cases[habits.case]
    if group == "danger":
        harm = stats.data.vocabulary.at_stake(sheet.family)
        return sheet.bucket == "must_escalate" and harm is not None and harm.is_danger
    bucket = BUCKETS.get(group)
    return bucket is None or sheet.bucket == bucket


def typical_message(moments: list[IssueMoment]) -> int:
    """The median customer message after which it decided in these conversations."""
    return round(median(one.message for one in moments))
