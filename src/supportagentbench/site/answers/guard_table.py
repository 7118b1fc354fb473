"""Guard table: how many conversations each check would have stopped, and how many it would have hindered."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.blocked_call import ToolGuard
from supportagentbench.records.vocabulary import CLOSE_TICKET
from supportagentbench.site.answers.exhibit import shortened, telling_sentence
from supportagentbench.site.answers.prose.words import listed
from supportagentbench.site.data.agent_stats import AgentStats
from supportagentbench.site.data.guards import GuardHit
from supportagentbench.site.data.site_data import IssueEvidence

SHOWN = 9

_WORDS: dict[ToolGuard, str] = {
    "yes": "No change before the customer has said yes",
    "once": "Nothing is done twice with the same values",
    "own record": "No change to a record that the customer has not named",
    "look first": "No handover before anything was looked up",
    "answer first": "No handover before it has answered once",
    "no rule": "No handover where no rule asks for one or allows one",
    "route": "Pass to a person: {rule} ({rules})",
    "policy": "{rule} ({rules})",
}
"""What each check does, as a rule of its own: nobody should read an order in it."""


class GuardRow(NamedTuple):
    """A check and what it would have done."""

    words: str
    stopped: int
    hindered: int
    is_on_tools: bool = True
    is_to_check: bool = False
    passes_on: bool = False
    """Whether it passes a ticket to a person in the agent's place."""

    @property
    def is_useful(self) -> bool:
        """Whether it stops more than it blocks by mistake."""
        return self.stopped > self.hindered


class GuardTable(NamedTuple):
    """The checks that would have stopped anything, the most effective first."""

    rows: tuple[GuardRow, ...]
    more: tuple[GuardRow, ...]
    """Those that are only counted together."""
    stopped: int
    """Conversations that at least one check in front of a tool would have stopped."""
    hindered: int
    """Conversations that such checks would have blocked by mistake."""

    @property
    def on_tools(self) -> int:
        """How many of them are in front of tools."""
        return sum(row.is_on_tools for row in (*self.rows, *self.more))


def guard_table(stats: AgentStats) -> GuardTable:
    """The checks for an agent, replayed over its record."""
    evidence = stats.data.evidence.get(stats.results.name, IssueEvidence())
    by_guard: dict[tuple[ToolGuard, tuple[str, ...]], list[GuardHit]] = defaultdict(list)
    for hit in evidence.guard_hits:
        by_guard[hit.guard, hit.rules].append(hit)
    found = [_row(stats, guard, rules, hits) for (guard, rules), hits in by_guard.items()]
    rows = [row for row in (*found, *_reply_rows(evidence)) if row.is_useful]
    rows.sort(key=lambda row: (row.is_to_check, not row.is_on_tools, -row.stopped, row.hindered, row.words))
    useful = {key for key, row in zip(by_guard, found, strict=True) if row.is_useful}
    hits = [hit for hit in evidence.guard_hits if (hit.guard, hit.rules) in useful]
    stopped = _places(hit for hit in hits if hit.is_stopped)
    return GuardTable(tuple(rows[:SHOWN]), tuple(rows[SHOWN:]), len(stopped), len(_places(hits) - stopped))


def _places(hits: Iterable[GuardHit]) -> set[tuple[str, int]]:
    return {(hit.case, hit.run) for hit in hits}


def _row(stats: AgentStats, guard: ToolGuard, rules: tuple[str, ...], hits: list[GuardHit]) -> GuardRow:
    texts = {rule.id: rule.text for rule in stats.header.rules}
    tools = sorted({hit.tool for hit in hits})
    rule, is_condition = shortened(telling_sentence(texts.get(rules[0], ""), tools[0]) if rules else "")
    if guard == "policy" and is_condition:
        rule += f": do not {listed((stats.data.act_title(tool) for tool in tools), 'or')}"
    named = f"{'rule' if len(rules) == 1 else 'rules'} {listed(rules, 'or')}" if rules else ""
    words = _WORDS[guard].format(rule=rule or "what the policy forbids", rules=named)
    if guard == "policy" and tools == [CLOSE_TICKET]:
        words = "No closing of a ticket while a request is open"
    stopped = len(_places(hit for hit in hits if hit.is_stopped))
    return GuardRow(
        words=words,
        stopped=stopped,
        hindered=len(_places(hits)) - stopped,
        passes_on=guard == "route",
    )


def _reply_rows(evidence: IssueEvidence) -> list[GuardRow]:
    found = []
    for check in CATALOGUE.values():
        places = {(one.case, one.run): one.is_to_check for one in evidence.moments if one.check == check.name}
        doubtful = 2 * sum(places.values()) > len(places)
        found.append(GuardRow(check.guard, len(places) if check.guard else 0, 0, False, doubtful))
    return found
