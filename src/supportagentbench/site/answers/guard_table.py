"""Guard table: how many conversations each guard would have stopped, and how many it would have hindered."""

from collections import defaultdict
from typing import NamedTuple

from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.blocked_call import ToolGuard
from supportagentbench.records.vocabulary import CLOSE_TICKET
from supportagentbench.site.answers.prose.words import listed
from supportagentbench.site.answers.quoted_exchange import telling_sentence
from supportagentbench.site.data.agent_stats import AgentStats
from supportagentbench.site.data.guards import GuardHit
from supportagentbench.site.data.site_data import IssueEvidence

SHOWN = 6

_WORDS: dict[ToolGuard, tuple[str, str]] = {
    "yes": ("Require the customer's yes before", ""),
    "once": ("Refuse", "that was made before with the same values"),
    "own record": ("Refuse", "on a record that the customer has not named"),
    "look first": ("Refuse", "before anything was looked up"),
    "answer first": ("Refuse", "before the agent has answered once"),
    "no rule": ("Refuse", "where no rule asks for it or allows it"),
    "route": ("Call", "by code"),
    "policy": ("Block", ""),
}


class GuardRow(NamedTuple):
    """A guard and what it would have done."""

    words: str
    tools: tuple[str, ...]
    """The tools that it guards."""
    after: str
    """The text after their names."""
    rule: str
    rule_text: str
    stopped: int
    hindered: int
    is_to_check: bool = False


def guard_table(stats: AgentStats) -> list[GuardRow]:
    """The guards that would have stopped anything, the most effective first."""
    return _rows(stats)[:SHOWN]


def unlisted_guards(stats: AgentStats) -> int:
    """Tool guards that would have stopped something and are not in the table."""
    return sum(bool(row.tools) for row in _rows(stats)[SHOWN:])


def _rows(stats: AgentStats) -> list[GuardRow]:
    evidence = stats.data.evidence.get(stats.results.name, IssueEvidence())
    by_guard: dict[tuple[ToolGuard, tuple[str, ...]], list[GuardHit]] = defaultdict(list)
    for hit in evidence.guard_hits:
        by_guard[hit.guard, hit.rules].append(hit)
    rows = [_row(stats, guard, rules, hits) for (guard, rules), hits in by_guard.items()]
    rows += _reply_rows(evidence)
    found = [row for row in rows if row.stopped]
    return sorted(found, key=lambda row: (row.is_to_check, -row.stopped, row.hindered, row.words))


def _row(stats: AgentStats, guard: ToolGuard, rules: tuple[str, ...], hits: list[GuardHit]) -> GuardRow:
    texts = {rule.id: rule.text for rule in stats.header.rules}
    words, after = _WORDS[guard]
    if guard == "policy":
        after = "while a request is open" if _closes(hits) else f"where {_named(rules)} forbids it"
    if guard == "route":
        after = f"wherever {_named(rules)} applies"
    stopped = sum(hit.is_stopped for hit in hits)
    return GuardRow(
        words=words,
        tools=tuple(sorted({hit.tool for hit in hits})),
        after=after,
        rule=rules[0] if rules else "",
        rule_text=telling_sentence(texts.get(rules[0], ""), hits[0].tool)
        if rules and not _closes(hits)
        else "",
        stopped=stopped,
        hindered=len(hits) - stopped,
    )


def stopped_together(stats: AgentStats) -> int:
    """Conversations that at least one tool guard would have stopped."""
    evidence = stats.data.evidence.get(stats.results.name, IssueEvidence())
    return len({(hit.case, hit.run) for hit in evidence.guard_hits if hit.is_stopped})


def _closes(hits: list[GuardHit]) -> bool:
    """Whether the rule is the one about open requests."""
    return {hit.tool for hit in hits} == {CLOSE_TICKET}


def _named(rules: tuple[str, ...]) -> str:
    return f"rule {rules[0]}" if len(rules) == 1 else f"rules {listed(rules)}"


def _reply_rows(evidence: IssueEvidence) -> list[GuardRow]:
    found = []
    for check in CATALOGUE.values():
        places = {(one.case, one.run): one.is_to_check for one in evidence.moments if one.check == check.name}
        doubtful = 2 * sum(places.values()) > len(places)
        found.append(GuardRow(check.guard, (), "", "", "", len(places) if check.guard else 0, 0, doubtful))
    return found
