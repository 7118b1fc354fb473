"""Findings: what the conversations of a board show, each with a count that opens them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from supportagentbench.site.answers.headline import in_words
from supportagentbench.site.data.comparisons import PairResults
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow
from supportagentbench.site.naming import where

SHOWN = 3
"""The most case types that are named when a count is split."""

TESTED = "tested"
"""The group of agents whose conversations are counted: all but the dummies."""

COUNTED = {"over_escalated": "over_escalation", "escalated": "escalation.no"}
"""The figure that counts an issue, by its name in links."""

Cases = Mapping[str, CaseSheet]


class FindingCard(NamedTuple):
    """A card: a count, what was counted, and a link to the conversations."""

    number: str
    title: str
    about: str
    link: str = ""
    """Empty if it does not count conversations."""


def findings(rows: Sequence[ConversationRow], cases: Cases, pairs: PairResults) -> list[FindingCard]:
    """All findings about these conversations, on headline cases only unless twins are named."""
    counted = [row for row in rows if row.outcome.name != "outside"]
    core = [row for row in counted if not cases[row.case].twin_of]
    traps = [row for row in core if cases[row.case].bucket == "adversarial"]
    found = (
        *_first_turn(traps),
        *_by_trap(traps, cases),
        *_never_looked(traps),
        *_pairs(counted, pairs),
        *_by_case_type(core, cases, "resolvable", "over_escalated", "solvable tickets were handed over"),
        *_by_case_type(core, cases, "must_escalate", "escalated", "cases that needed a human were missed"),
        *_phantom(core),
        *_flips(core),
    )
    return list(found)


def _first_turn(traps: Sequence[ConversationRow]) -> Iterator[FindingCard]:
    unsafe = [row for row in traps if row.outcome.name == "unsafe"]
    if unsafe:
        first = sum(row.unsafe_turn == 1 for row in unsafe)
        late = sum((row.unsafe_turn or 0) > 2 for row in unsafe)
        yield FindingCard(
            _of(first, len(unsafe)),
            "unsafe actions in traps came right after the customer's first message",
            f"The others came after the customer kept pushing, {late} after the third message or later.",
            where(among=TESTED, counted="unsafe", after=1),
        )


def _by_trap(traps: Sequence[ConversationRow], cases: Cases) -> Iterator[FindingCard]:
    chances = Counter(cases[row.case].family for row in traps)
    unsafe = Counter(cases[row.case].family for row in traps if row.outcome.name == "unsafe")
    if not unsafe:
        return
    first, *others = _most_frequent(unsafe)[:SHOWN]
    none = sum(not unsafe[family] for family in chances)
    after = f"Next: {_listed(others, cases, unsafe, chances)}. " if others else ""
    rest = (
        f"{in_words(none).capitalize()} of {len(chances)} traps led to no unsafe action."
        if none
        else "Every trap led to some unsafe action."
    )
    yield FindingCard(
        _of(unsafe[first], chances[first]),
        f"conversations of the trap “{_case_types(cases)[first]}” had an unsafe action",
        f"{after}{rest}",
        where(among=TESTED, counted="unsafe", trap=first),
    )


def _never_looked(traps: Sequence[ConversationRow]) -> Iterator[FindingCard]:
    safe = [row for row in traps if row.outcome.name.startswith("resisted_") or row.outcome.name == "ignored"]
    idle = sum(row.outcome.name == "ignored" for row in safe)
    if safe:
        yield FindingCard(
            _of(idle, len(safe)),
            "traps without an unsafe action were never looked into",
            "The agent did not look up the deciding facts, or did not answer. It took no unsafe action, but "
            "such a trap does not count as resisted; it is drawn as an outline.",
            where(among=TESTED, set="core", bucket="adversarial", outcome="ignored"),
        )


def _pairs(rows: Sequence[ConversationRow], pairs: PairResults) -> Iterator[FindingCard]:
    """Traps and honest twins, of the same agent in the same run."""
    traps = {(row.case, row.agent, row.run): row for row in rows}
    refused = sum(
        not correct and key in traps and "held" not in traps[key].issues for key, correct in pairs.items()
    )
    if pairs:
        yield FindingCard(
            _of(sum(pairs.values()), len(pairs)),
            "trap-and-twin pairs were handled correctly: the trap resisted, its honest twin resolved",
            f"In {refused} the trap was resisted but the honest customer was turned away or left waiting.",
            where(among=TESTED, counted="pairs"),
        )


def _by_case_type(
    rows: Sequence[ConversationRow], cases: Cases, bucket: str, check: str, words: str
) -> Iterator[FindingCard]:
    inside = [row for row in rows if cases[row.case].bucket == bucket]
    chances = Counter(cases[row.case].family for row in inside)
    hits = Counter(cases[row.case].family for row in inside if check in row.issues)
    if not chances:
        return
    first = _most_frequent(hits)[:SHOWN]
    split = f"By case type: {_listed(first, cases, hits, chances)}. " if first else ""
    none = sum(not hits[family] for family in chances)
    rest = (
        f"{in_words(none).capitalize()} of {len(chances)} case types had none."
        if none
        else "Every case type had some."
    )
    yield FindingCard(
        _of(hits.total(), len(inside)),
        words,
        f"{split}{rest}",
        where(among=TESTED, counted=COUNTED[check]),
    )


def _phantom(rows: Sequence[ConversationRow]) -> Iterator[FindingCard]:
    found = [row for row in rows if "phantom_action" in row.issues]
    if rows:
        agents = len({row.agent for row in rows})
        yield FindingCard(
            _of(len(found), len(rows)),
            "conversations report a change that no call made",
            f"By {in_words(len({row.agent for row in found}))} of {agents} agents.",
            where(among=TESTED, counted="phantom_action"),
        )


def _flips(rows: Sequence[ConversationRow]) -> Iterator[FindingCard]:
    found = flips(rows)
    if found:
        changed, repeated = (sum(part) for part in zip(*found.values(), strict=True))
        yield FindingCard(
            _of(changed, repeated),
            "cases had different outcomes in different runs of the same agent",
            f"Counted agent by agent, over {len(found)} with two runs or more.",
        )


def flips(rows: Iterable[ConversationRow]) -> dict[str, tuple[int, int]]:
    """By agent, in how many of its cases with several runs the outcome differs."""
    ends: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        if row.outcome.name != "outside":
            ends.setdefault(row.agent, {}).setdefault(row.case, []).append(row.outcome.name)
    found = {}
    for agent, cases in ends.items():
        repeated = [seen for seen in cases.values() if len(seen) > 1]
        if repeated:
            found[agent] = sum(len(set(seen)) > 1 for seen in repeated), len(repeated)
    return found


def _of(hits: int, chances: int) -> str:
    return f"{hits:,} of {chances:,}"


def _most_frequent(hits: Counter[str]) -> list[str]:
    return sorted((name for name in hits if hits[name]), key=lambda name: (-hits[name], name))


def _listed(families: Sequence[str], cases: Cases, hits: Counter[str], chances: Counter[str]) -> str:
    titles = _case_types(cases)
    return ", ".join(f"“{titles[family]}” {hits[family]} of {chances[family]}" for family in families)


def _case_types(cases: Cases) -> dict[str, str]:
    return {sheet.family: sheet.case_type for sheet in cases.values()}
