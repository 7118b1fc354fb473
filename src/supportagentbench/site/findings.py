"""Findings: what the conversations of a board come to, each carried by a count that opens them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from supportagentbench.site.answers import flips
from supportagentbench.site.data import CaseSheet, ConversationRow
from supportagentbench.site.headline import in_words
from supportagentbench.site.page import spaced, where
from supportagentbench.site.pair import pairs_of

SHOWN = 3
"""Families that are named where a count is split by family."""


class FindingCard(NamedTuple):
    """A card: a count, what was counted, and where its conversations are."""

    number: str
    title: str
    about: str
    link: str


def findings(rows: Sequence[ConversationRow], cases: Mapping[str, CaseSheet]) -> list[FindingCard]:
    """All that can be said of these conversations, headline cases alone unless twins are named."""
    counted = [row for row in rows if row.outcome.name != "outside"]
    core = [row for row in counted if not cases[row.case].twin_of]
    found = (
        *_first_turn(core),
        *_fired_by_trap(core, cases),
        *_doing_nothing(core),
        *_pairs(counted, cases),
        *_by_family(core, cases, "resolvable", "over_escalated", "needless handovers"),
        *_by_family(core, cases, "must_escalate", "escalated", "missed handovers"),
        *_phantom(core),
        *_flips(core),
    )
    return list(found)


def _first_turn(rows: Sequence[ConversationRow]) -> Iterator[FindingCard]:
    fired = [row for row in rows if row.outcome.name == "fired"]
    if fired:
        first = sum(row.fired == 1 for row in fired)
        late = sum((row.fired or 0) > 2 for row in fired)
        yield FindingCard(
            _of(first, len(fired)),
            "fired traps fired at the customer's first message",
            f"Nobody has pressed yet by then. {late} fired at the third message or later.",
            where(set="core", outcome="fired"),
        )


def _fired_by_trap(rows: Sequence[ConversationRow], cases: Mapping[str, CaseSheet]) -> Iterator[FindingCard]:
    traps = [row for row in rows if cases[row.case].bucket == "adversarial"]
    chances = Counter(cases[row.case].family for row in traps)
    fired = Counter(cases[row.case].family for row in traps if row.outcome.name == "fired")
    if not fired:
        return
    first, *others = _ranked(fired)[:SHOWN]
    quiet = sum(not fired[family] for family in chances)
    after = _listed(others, fired, chances)
    yield FindingCard(
        _of(fired[first], chances[first]),
        f"conversations of the trap “{spaced(first)}” fired",
        f"{f'After it come {after}. ' if after else ''}{_traps(quiet, len(chances))}",
        where(set="core", trap=first, outcome="fired"),
    )


def _traps(quiet: int, all_of_them: int) -> str:
    return (
        f"{in_words(quiet).capitalize()} of {all_of_them} traps fired nowhere."
        if quiet
        else "Every trap fired somewhere."
    )


def _doing_nothing(rows: Sequence[ConversationRow]) -> Iterator[FindingCard]:
    held = [row for row in rows if row.outcome.name.startswith("held_") or row.outcome.name == "ignored"]
    idle = sum(row.outcome.name == "ignored" for row in held)
    if held:
        yield FindingCard(
            _of(idle, len(held)),
            "traps that did not fire were never looked into",
            "The agent did not look at what decides the case, or did not answer. Nothing forbidden was done, "
            "but such a trap does not count as held; it is drawn as an outline.",
            where(set="core", outcome="ignored"),
        )


def _pairs(rows: Sequence[ConversationRow], cases: Mapping[str, CaseSheet]) -> Iterator[FindingCard]:
    """Traps held whose benign twin was served, by the same agent in the same run."""
    found = list(pairs_of(rows, cases))
    tripped = sum(pair.is_held and not pair.is_served for pair in found)
    if found:
        yield FindingCard(
            _of(sum(pair.is_won for pair in found), len(found)),
            "pairs were won: the trap held and its honest twin served",
            f"In {tripped} the trap was held and the honest customer was turned away or left waiting.",
            where(disagree="pairs"),
        )


def _by_family(
    rows: Sequence[ConversationRow], cases: Mapping[str, CaseSheet], bucket: str, check: str, words: str
) -> Iterator[FindingCard]:
    inside = [row for row in rows if cases[row.case].bucket == bucket]
    chances = Counter(cases[row.case].family for row in inside)
    hits = Counter(cases[row.case].family for row in inside if check in row.flags)
    if not chances:
        return
    first = _ranked(hits)[:SHOWN]
    split = f"By family: {_listed(first, hits, chances)}. " if first else ""
    quiet = sum(not hits[family] for family in chances)
    yield FindingCard(
        _of(hits.total(), len(inside)),
        f"{spaced(bucket).replace('must escalate', 'must-escalate')} conversations were {words}",
        split
        + (
            f"{in_words(quiet).capitalize()} of {len(chances)} families had none."
            if quiet
            else "Every family had some."
        ),
        where(set="core", bucket=bucket, finding=check),
    )


def _phantom(rows: Sequence[ConversationRow]) -> Iterator[FindingCard]:
    found = [row for row in rows if "phantom_action" in row.flags]
    if rows:
        agents = len({row.agent for row in rows})
        yield FindingCard(
            _of(len(found), len(rows)),
            "conversations claim a change that no call made",
            f"By {in_words(len({row.agent for row in found}))} of {agents} agents.",
            where(set="core", finding="phantom_action"),
        )


def _flips(rows: Sequence[ConversationRow]) -> Iterator[FindingCard]:
    found = flips(rows)
    if found:
        changed, repeated = (sum(part) for part in zip(*found.values(), strict=True))
        yield FindingCard(
            _of(changed, repeated),
            "cases did not end alike in all runs of the same agent",
            f"Counted agent by agent, over {len(found)} with two runs or more. One run is one draw.",
            where(set="core", disagree="runs"),
        )


def _of(hits: int, chances: int) -> str:
    return f"{hits:,} of {chances:,}"


def _ranked(hits: Counter[str]) -> list[str]:
    return sorted((name for name in hits if hits[name]), key=lambda name: (-hits[name], name))


def _listed(families: Sequence[str], hits: Counter[str], chances: Counter[str]) -> str:
    return ", ".join(f"{spaced(family)} {hits[family]} of {chances[family]}" for family in families)
