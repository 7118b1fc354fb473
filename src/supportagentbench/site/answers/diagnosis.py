"""Diagnosis: a number that an agent tells customers though a rule of the policy states another."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from supportagentbench.checks.times import UNIT_DAYS, DayRange, spans_in
from supportagentbench.records.run import Run
from supportagentbench.site.data.moment import IssueMoment
from supportagentbench.site.data.site_data import IssueEvidence, SiteData

CHECK = "ungrounded_duration"
"""The check on durations that no one gave the agent."""

FEWEST = 3
"""In so many conversations a number has to recur before it is called a habit."""

ABOUT = {"return": "to return", "refund": "for a refund", "arrival": "until delivery", "contact": "to reply"}
"""By topic of a duration, what it is for."""


class Contradiction(NamedTuple):
    """A duration that an agent tells customers, and the one that the policy states."""

    said: str
    """With its unit: `200 days`."""
    topic: str
    stated: str
    """Without it: `100`."""
    rule: str
    found: int
    """Conversations in which it was said."""
    of: int
    is_to_check: bool
    """Whether no judge has settled it yet."""

    @property
    def words(self) -> str:
        """To follow the agent's name."""
        return f"promises {self.said} {ABOUT[self.topic]}, policy says {self.stated}"

    @property
    def in_a_row(self) -> str:
        """The same on a line of the board, with whether it is settled."""
        doubt = " (unconfirmed)" if self.is_to_check else ""
        return f"says {self.said} {ABOUT[self.topic]}, not {self.stated}{doubt}"


def diagnosis(data: SiteData, agent: str) -> str:
    """What an agent gets wrong about the policy, to follow its name; empty: the record shows nothing."""
    return next((one.words for one in contradictions(data, agent)), "")


def contradictions(data: SiteData, agent: str) -> list[Contradiction]:
    """Every duration that recurs and that a rule on the same topic states otherwise, most frequent first."""
    header = next(run.header for run in data.runs if run.header.agent == agent)
    evidence = data.evidence.get(agent, IssueEvidence())
    by_span: dict[DayRange, list[IssueMoment]] = defaultdict(list)
    for moment in evidence.moments:
        if moment.check == CHECK and len(told := spans_in(moment.quote, header.today)) == 1:
            by_span[_bare(next(iter(told)))].append(moment)
    known = list(_stated(header))
    found = [one for span, told in by_span.items() for one in _against(span, told, known, header)]
    return sorted(
        (one._replace(of=len(evidence.habits)) for one in found), key=lambda one: (-one.found, one.said)
    )


def _against(
    span: DayRange, told: list[IssueMoment], known: list[tuple[str, DayRange]], header: Run
) -> Iterator[Contradiction]:
    """The one other duration that rules give for what most of these replies are about, if there is one."""
    texts = [moment.exchange.said.text for moment in told if moment.exchange]
    for topic in ABOUT:
        on_topic = sum(_is_about(topic, span, text, header.today) for text in texts)
        stated = {_bare(one) for _, one in known if topic in one.topics and _is_alike(one, span)}
        if len({(one.case, one.run) for one in told}) < FEWEST or on_topic < max(FEWEST, len(texts) / 2):
            continue
        if len(stated) == 1 and span not in stated:
            other = next(iter(stated))
            yield Contradiction(
                said=told[0].quote,
                topic=topic,
                stated=_number(other),
                rule=next(rule for rule, one in known if topic in one.topics and _bare(one) == other),
                found=len({(one.case, one.run) for one in told}),
                of=0,
                is_to_check=any(one.is_to_check for one in told),
            )
            return


def _stated(header: Run) -> Iterator[tuple[str, DayRange]]:
    """Every duration in a rule, with its topics."""
    for rule in header.rules:
        yield from ((rule.id, span) for span in sorted(spans_in(rule.text, header.today), key=str))


def _is_about(topic: str, span: DayRange, text: str, today: date) -> bool:
    return any(topic in one.topics and _bare(one) == span for one in spans_in(text, today))


def _is_alike(one: DayRange, other: DayRange) -> bool:
    return (one.unit, one.business) == (other.unit, other.business)


def _bare(span: DayRange) -> DayRange:
    return span._replace(topics=frozenset())


def _number(span: DayRange) -> str:
    ends: Iterable[float] = dict.fromkeys((span.low, span.high))
    return " to ".join(f"{end / UNIT_DAYS[span.unit]:g}" for end in ends)


REFUSALS = 0.5
"""From this share of its unsolved tickets, refusals are what an agent does wrong there."""


def turned_away(data: SiteData, agent: str) -> str:
    """How often it says no to a customer who is in the right, to follow its name; empty: not often."""
    solved = next(one.of("resolution") for one in data.board.agents if one.name == agent)
    moments = data.evidence.get(agent, IssueEvidence()).moments
    refused = {
        (one.case, one.run)
        for one in moments
        if one.check == "resolved" and one.manner == "undone" and one.refusals and not one.is_to_check
    }
    if not solved or solved.k is None or len(refused) < max(FEWEST, REFUSALS * (solved.n - solved.k)):
        return ""
    one_in = round(solved.n / len(refused))
    if one_in < 2:
        return "turns away most customers who were in the right"
    return f"turns away 1 routine customer in {one_in} who was in the right"


def _contradicted(data: SiteData, agent: str) -> str:
    found = next(iter(contradictions(data, agent)), None)
    return found.in_a_row if found else ""


def diagnoses(data: SiteData) -> dict[str, str]:
    """By agent, what it gets wrong about the policy, if the record shows it."""
    found = {agent: _contradicted(data, agent) or turned_away(data, agent) for agent in data.slugs}
    return {agent: words for agent, words in found.items() if words}
