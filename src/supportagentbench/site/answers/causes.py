"""Causes: how often, when and where a habit is found, in sentences with counted numbers only."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.counts import counted
from supportagentbench.site import number
from supportagentbench.site.answers.exhibit import ENDED
from supportagentbench.site.answers.headline import in_words
from supportagentbench.site.answers.prose.words import listed
from supportagentbench.site.answers.trouble_kind import GRANTS
from supportagentbench.site.answers.troubles import (
    MOSTLY,
    Trouble,
    habits_at,
    leverage_in,
    others_with,
    pressed_with,
    ticket_features,
    typical_message,
    unused_lookups,
)
from supportagentbench.site.data.agent_stats import AgentStats
from supportagentbench.site.data.moment import IssueMoment
from supportagentbench.site.data.site_data import IssueEvidence
from supportagentbench.site.naming import spaced

NAMED = 3
"""The most actions or case types that a sentence names."""

GRANTING = ("late", "gives in", "waives", "excepts", "at once")
HANDOVERS = ("all over", "foreign", "angry", "questions", "any ticket")
BY_ACT = (
    *("too soon", "twice", "elsewhere", "other value", "other entry", "more than done", "phantom_action"),
    *(check.name for check in CATALOGUE.values() if check.heading and check.call),
)

PUBLISHED = {"missed": "escalated", "handover": "over_escalated", "breach": "held"}
"""By group, the issue whose count is a headline figure; a habit may cover only part of it."""


def count_words(trouble: Trouble, stats: AgentStats, found: Iterable[Trouble]) -> str:
    """How often a habit was found, compared with others, and where the rest of a headline figure is."""
    share = _percent(trouble.found, trouble.chances)
    others, of_all = others_with(stats, trouble.group)
    who = "other ranked agents" if stats.is_ranked else "ranked agents"
    than = f"; {who} {_percent(others, of_all)}" if of_all else ""
    doubt = " Found by code, not yet confirmed." if trouble.is_to_check else ""
    count = f"{trouble.found} of {trouble.chances} {trouble.noun} ({share}{than})."
    return f"{count}{''.join(_elsewhere(trouble, stats, found))}{doubt}"


def _percent(found: int, chances: int) -> str:
    """A share without decimals, so that two samples of different sizes can be compared."""
    share = found / max(1, chances)
    return "under 1%" if 0 < share < 0.01 else number.percent(share, 1)


def _elsewhere(trouble: Trouble, stats: AgentStats, found: Iterable[Trouble]) -> Iterator[str]:
    """What a headline figure counts beyond this habit, and the heading that covers it."""
    check, evidence = PUBLISHED.get(trouble.group), _evidence(stats)
    here = {(one.case, one.run) for one in trouble.moments}
    counts = {(one.case, one.run) for one in evidence.moments if one.check == check}
    rest = counts - here
    for other in found if counts & here else ():
        some = rest & {(one.case, one.run) for one in other.moments}
        if some and other is not trouble:
            what = f" {counted(len(some), 'more unsafe trap')}" if check == "held" else f" {len(some)} more"
            yield f"{what} {'is' if len(some) == 1 else 'are'} under “{other.kind.heading}”."
            rest -= some


def causes(trouble: Trouble, stats: AgentStats) -> list[str]:
    """When it happens and in which case types, if the record shows it."""
    return [*_when(trouble, stats, _evidence(stats)), *_where(trouble, stats)]


def _evidence(stats: AgentStats) -> IssueEvidence:
    return stats.data.evidence.get(stats.results.name, IssueEvidence())


def _when(trouble: Trouble, stats: AgentStats, evidence: IssueEvidence) -> Iterator[str]:
    name, moments = trouble.name, trouble.moments
    if name in ("unseen", "skips"):
        return _not_looking(name, moments, evidence)
    if name in GRANTING:
        return _granting(name, moments, evidence)
    if name in HANDOVERS:
        return _handing_over(trouble, stats, evidence)
    if name in ("never", "missed", "danger", "false_handover"):
        return _keeping(moments)
    if name in ("opposite", "untold"):
        return _telling(name, moments)
    if name in BY_ACT:
        return _acting(moments, stats)
    if name in ("undone", "left undone"):
        return _refusing(moments)
    if name == "unlooked":
        return _never_looking(moments, evidence)
    if name == LEAKED:
        return _quoting(moments, stats)
    return _speaking(moments, stats)


def _granting(name: str, moments: list[IssueMoment], evidence: IssueEvidence) -> Iterator[str]:
    count = len(moments)
    refused = [one for one in moments if one.refusals and one.message]
    first = sum(one.message == 1 for one in moments)
    pressed = Counter(spaced(value) for one in moments for value in pressed_with(one, leverage_in(evidence)))
    leverage = f" {_pressing(pressed)}." if pressed else ""
    if name == "late":
        early = f", {first} times at the first message" if first > 1 else ""
        yield f"It made the change first{early}, and handed over afterwards."
    elif name == "waives":
        asked = sum(one.asked_for_proof for one in moments)
        yield f"It had asked for a photo in {_all_of(asked, count)}, and acted without one."
    elif 2 * len(refused) > count:
        after = counted(typical_message(refused), "customer message")
        said_no = _all_of(len(refused), count)
        yield f"It had said no in {said_no}, and gave way after about {after}.{leverage}"
    else:
        without = (
            f"had not said no before in {count - len(refused)} of {count}" if refused else "never said no"
        )
        early = f", and gave way at the first message in {first}" if first else ""
        yield f"It {without}{early}.{leverage}"


PRESSING = {
    "status": "pulled rank",
    "chargeback": "threatened a chargeback",
    "review": "threatened a bad review",
}
"""How customers press an agent, by what they bring up."""


def _pressing(pressed: Counter[str]) -> str:
    """What customers pressed with, the most frequent first."""
    found = sorted(pressed.items(), key=lambda item: (-item[1], item[0]))[:NAMED]
    parts = [f"{in_words(count)} {PRESSING.get(what, f'brought up {what}')}" for what, count in found]
    first, rest = parts[0].split(" ", 1)
    parts[0] = f"{first} {'customer' if found[0][1] == 1 else 'customers'} {rest}"
    said = listed(parts)
    return f"{said[0].upper()}{said[1:]}"


def _not_looking(name: str, moments: list[IssueMoment], evidence: IssueEvidence) -> Iterator[str]:
    if name == "skips":
        decide = sum(not one.knew for one in moments)
        unused = listed(sorted(unused_lookups(evidence.habits)))
        yield f"It never once called {unused}, which alone decide {decide} of {len(moments)}."
    granted = sum(one.check in GRANTS for one in moments)
    missed = sum(one.check == "escalated" for one in moments)
    left = len(moments) - granted - missed
    parts = [
        counted(granted, "forbidden action") if granted else "",
        counted(missed, "missed escalation") if missed else "",
        f"{counted(left, 'request')} not settled" if left else "",
    ]
    yield f"The result: {listed(filter(None, parts))}."


def _handing_over(trouble: Trouble, stats: AgentStats, evidence: IssueEvidence) -> Iterator[str]:
    moments, count = trouble.moments, trouble.found
    if has := ticket_features(stats).get(trouble.name):
        solvable = [one for one in evidence.habits if stats.data.cases[one.case].bucket == "resolvable"]
        hits, of_all = sum(map(has, habits_at(moments, evidence))), sum(map(has, solvable))
        yield f"{_of_these(hits, count)} {FEATURES[trouble.name]}; it got {of_all} such tickets in all."
    first = sum(one.message == 1 for one in moments)
    blind = sum(not one.has_looked for one in moments)
    pushed = sum(one.pushes > 0 for one in moments)
    yield (
        f"{_of_these(first, count)} came in its first reply, {blind or 'none'} before any look-up, "
        f"{pushed or 'none'} after the customer pushed back."
    )


FEATURES = {
    "foreign": "came from customers who do not write English",
    "angry": "came from customers who were angry from the start",
    "questions": "needed an answer and no change",
}


def _of_these(hits: int, count: int) -> str:
    return f"All {count}" if hits == count and count > 1 else f"{hits or 'None'} of {count}"


def _all_of(hits: int, count: int) -> str:
    return f"all {count}" if hits == count and count > 1 else f"{hits} of {count}"


def _keeping(moments: list[IssueMoment]) -> Iterator[str]:
    if any(one.check == "false_handover" for one in moments):
        yield "It wrote that a colleague has the case, and called no handover."
        return
    refused = sum(one.refusals > 0 for one in moments)
    said_no = f", and said no in {_all_of(refused, len(moments))}" if refused else ""
    yield f"It answered the customer itself{said_no}."


def _telling(name: str, moments: list[IssueMoment]) -> Iterator[str]:
    """What the agent got wrong or left out."""
    subjects = Counter(one.about for one in moments)
    yield f"{'What it got wrong' if name == 'opposite' else 'What it left out'}: {_counts(subjects)}."


def _refusing(moments: list[IssueMoment]) -> Iterator[str]:
    count = len(moments)
    knew, refused = sum(one.knew for one in moments), sum(one.refusals > 0 for one in moments)
    facts = ("", "", "both times ")[count] if knew == count < 3 else f"{_times(knew, count)} "
    if not refused:
        yield f"It had the facts {facts}and did not refuse, but never made the change."
    elif refused == count:
        yield f"It had the facts {facts}and still refused."
    else:
        yield f"It had the facts {facts}and refused in {refused}, and never made the change."


def _times(hits: int, count: int) -> str:
    return f"all {count} times" if hits == count else f"in {hits} of {count}"


def _acting(moments: list[IssueMoment], stats: AgentStats) -> Iterator[str]:
    acts = Counter(one.act for one in moments if one.act and one.act not in ENDED)
    titles = Counter({stats.data.act_title(act): count for act, count in acts.items()})
    first = sum(one.message == 1 for one in moments)
    begun = f"{_of_these(first, len(moments))} came in answer to the first message." if first > 1 else ""
    if titles:
        yield f"The actions: {_counts(titles)}."
    if begun:
        yield begun


def _never_looking(moments: list[IssueMoment], evidence: IssueEvidence) -> Iterator[str]:
    blind = sum(not one.has_looked for one in evidence.habits)
    wrong = _all_of(len(moments), blind)
    yield f"It called no look-up at all in {blind} conversations, and {wrong} went wrong."


LEAKED = "leaked_policy"


def _quoting(moments: list[IssueMoment], stats: AgentStats) -> Iterator[str]:
    """Whether the rules that it quotes are those that decide the ticket."""
    rules = {rule.id for rule in stats.header.rules}
    named = [(one, {*re.findall(r"\w+", one.quote)} & rules) for one in moments]
    numbered = [(one, found) for one, found in named if found]
    wrong = sum(not found & {*stats.data.cases[one.case].label.rules} for one, found in numbered)
    said = [*_speaking(moments, stats)]
    if wrong:
        said.append(f"In {_all_of(wrong, len(numbered))} it names a rule that does not decide the ticket.")
    if said:
        yield " ".join(said)


def _speaking(moments: list[IssueMoment], stats: AgentStats) -> Iterator[str]:
    if not all(one.message for one in moments) or len(moments) < 2:
        return
    first = sum(one.message == 1 for one in moments)
    blind = 0 if stats.results.hides_acts else sum(not one.has_looked for one in moments)
    looked = f", {blind} of them before it had looked anything up" if blind else ""
    yield f"{_of_these(first, len(moments))} came in its first reply{looked}."


def _where(trouble: Trouble, stats: AgentStats) -> Iterator[str]:
    """The case types it is found in, the most frequent first."""
    families = Counter(stats.data.cases[one.case].family for one in trouble.moments)
    top = families.most_common(NAMED)
    shown = sum(count for _, count in top)
    named = _counts(Counter({f"“{stats.data.case_type(name)}”": count for name, count in top}))
    if len(families) == 1:
        yield f"Only in “{stats.data.case_type(top[0][0])}”."
    elif len(families) <= NAMED:
        yield f"Only in {named}."
    elif shown >= MOSTLY * trouble.found:
        yield f"Mostly in {named}."
    elif top[0][1] == 1:
        yield f"In {len(families)} case types, once in each."
    else:
        yield f"In {len(families)} case types, most often {named}."


def _counts(found: Counter[str]) -> str:
    """The most frequent of these with their counts."""
    parts = [
        f"{what} ({count})" for what, count in sorted(found.items(), key=lambda item: (-item[1], item[0]))
    ]
    return listed(parts[:NAMED])
