"""Worked example: one real trap conversation as a short chat, and step by step how code decided it."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from supportagentbench.board.recommendation import counted_errors
from supportagentbench.checks.catalogue import CATALOGUE, UNSAFE
from supportagentbench.records.run import RuleText
from supportagentbench.records.transcript import Turn
from supportagentbench.records.verdict import Verdict
from supportagentbench.records.vocabulary import DISCLOSE
from supportagentbench.site.answers.expected import expected_of, rules_of
from supportagentbench.site.data.index import ranked_agents
from supportagentbench.site.data.links import behind
from supportagentbench.site.data.quote import Cite, Said, cut
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow, SiteData

MOST_BUBBLES = 6
"""More messages than these are cut out of the middle."""

LONGEST = 300
"""The most characters of a message."""

SENTENCES = 3
"""The most sentences on the correct handling; the case's page has all."""

PUSHED = 3
"""From this message of the customer on, an example shows that it insisted."""


class ExampleBubble(NamedTuple):
    """A message, what the agent did, or how many messages are left out."""

    kind: Literal["customer", "agent", "gap", "did"]
    text: str
    is_harm: bool = False


class ExampleStep(NamedTuple):
    """One step from the record to the verdict."""

    title: str
    text: str
    rule: str = ""
    """The rule whose words the text is; empty: it is our own."""
    link: str = ""


class TrapExample(NamedTuple):
    """A trap conversation, and how it was decided."""

    agent: str
    case: str
    title: str
    """The case as people call it."""
    is_unsafe: bool
    bubbles: tuple[ExampleBubble, ...]
    steps: tuple[ExampleStep, ...]
    link: str
    """The whole conversation."""


def trap_example(data: SiteData, said: Said) -> TrapExample | None:
    """The shortest trap that worked after some pushing, or else one that did not; None without a trap."""
    row = _chosen(data)
    if row is None:
        return None
    sheet, slug = data.cases[row.case], data.slugs[row.agent]
    upto = 2 * (row.unsafe_turn or row.messages)
    turns = {at: said(Cite(slug, row.case, row.run, at)) for at in range(upto)}
    known = {at: turn for at, turn in turns.items() if turn}
    is_unsafe = row.outcome.name == "unsafe"
    return TrapExample(
        row.agent,
        row.case,
        sheet.title,
        is_unsafe,
        tuple(_bubbles(known, upto, is_unsafe, _act(data, sheet))),
        tuple(_steps(data, row, sheet)),
        Cite(slug, row.case, row.run, 0).link,
    )


def _chosen(data: SiteData) -> ConversationRow | None:
    agents = {agent.name for agent in ranked_agents(data.board)} or {*data.slugs}
    rows = [
        row
        for row in data.rows
        if row.agent in agents and row.is_kept and row.outcome.grade != "none" and _is_trap(data, row)
    ]

    def place(row: ConversationRow) -> tuple[bool, bool, int]:
        pushed = row.unsafe_turn or 0
        return row.outcome.name != "unsafe", pushed < PUSHED, pushed or row.messages

    return min(rows, key=place, default=None)


def _is_trap(data: SiteData, row: ConversationRow) -> bool:
    sheet = data.cases[row.case]
    return sheet.bucket == "adversarial" and not sheet.twin_of


def _act(data: SiteData, sheet: CaseSheet) -> str:
    """What the trap tempts the agent to do."""
    tempted = sheet.label.temptation or ""
    if tempted == DISCLOSE:
        return "disclose another customer's data"
    verb = data.vocabulary.by_act.get(tempted)
    return verb.title if verb else ""


def _bubbles(turns: dict[int, Turn], upto: int, is_unsafe: bool, act: str) -> Iterator[ExampleBubble]:
    shown = [*turns]
    if len(shown) > MOST_BUBBLES:
        shown = [*shown[:2], *shown[2 - MOST_BUBBLES :]]
    before = -1
    for at in shown:
        if left := at - before - 1:
            yield ExampleBubble("gap", f"{left} {'message' if left == 1 else 'messages'} left out")
        before = at
        turn, is_last = turns[at], at == upto - 1
        words, (starts, ends) = cut(turn.text.strip(), longest=LONGEST)
        text = f"{'… ' if starts else ''}{words}{' …' if ends else ''}"
        yield ExampleBubble("customer" if turn.party == "customer" else "agent", text, is_unsafe and is_last)
    if is_unsafe and act:
        yield ExampleBubble("did", f"It did what the trap is about: {act}")


def _steps(data: SiteData, row: ConversationRow, sheet: CaseSheet) -> Iterator[ExampleStep]:
    """From the case to the count."""
    if act := _act(data, sheet):
        yield ExampleStep("What the trap is about", f"The customer wants the agent to {act}.")
    decide, _ = rules_of(sheet.label, {rule.id: rule for rule in data.headers[0].rules})
    if decide:
        yield _rule(decide[0])
    yield ExampleStep("What is right", " ".join(_right(data, sheet)))
    verdict = _verdict(data, row)
    found = next((one for check in UNSAFE if (one := verdict.of(check)) and one.counts_as), None)
    if found and row.unsafe_turn:
        text = f"{CATALOGUE[found.check].title}: {found.reason}."
        yield ExampleStep(f"What code found after the customer’s message {row.unsafe_turn}", text)
    else:
        yield ExampleStep("What code found", f"No unsafe action: {row.outcome.words}.")
    agent = next(one for one in data.board.agents if one.name == row.agent)
    count, of = counted_errors(agent, "unsafe")
    yield ExampleStep(
        "What it counts as",
        f"An unsafe action in {count} of {of} trap conversations",
        link=behind("unsafe", data.slugs[row.agent]),
    )


def _right(data: SiteData, sheet: CaseSheet) -> list[str]:
    """The first sentences on the correct handling, without what the other steps say."""
    told = expected_of(sheet.label, sheet.record, data.vocabulary)
    return [one for one in told if not one.startswith(("Look up", "It is a trap"))][:SENTENCES]


def _rule(rule: RuleText) -> ExampleStep:
    return ExampleStep("What the desk's rules say", cut(rule.text, longest=LONGEST)[0], rule=rule.id)


def _verdict(data: SiteData, row: ConversationRow) -> Verdict:
    return next(
        verdict
        for run in data.runs
        if run.header.agent == row.agent
        for verdict in run.verdicts
        if (verdict.case, verdict.run) == (row.case, row.run)
    )
