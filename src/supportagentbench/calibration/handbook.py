"""Handbook: whether it states every rule and number of the policy in other words, and adds no rules."""

import re
from collections.abc import Iterator

from supportagentbench.calibration.books import Complaints
from supportagentbench.calibration.words import numbers_in, words_of
from supportagentbench.records.record import to_json
from supportagentbench.world.drawn_cases import DrawnCases
from supportagentbench.world.handbook import Handbook, HandbookSection
from supportagentbench.world.handbook_search import passages_of
from supportagentbench.world.measure import placeholders_in
from supportagentbench.world.policy import Policy, read_policy_document

WORDS = range(6_000, 10_001)
SECTIONS = range(20, 36)
LONGEST_PASSAGE = 900
"""Characters of a passage in a search result that are read in full."""
SAME_WORDS = 10
"""Words in a row that handbook and policy may not share."""


def handbook_texts(cases: DrawnCases) -> Iterator[str]:
    """Everything an agent can see of the handbook, if the world has one."""
    if found := cases.world.handbook:
        yield cases.world.instructions("email", "handbook")
        yield to_json(cases.shop.tools_of("handbook")["read_policy"].spec).decode()
        yield from (section.page for section in found.sections)


def handbook(cases: DrawnCases) -> Complaints:
    """The handbook says what the policy says, with different wording, and has a realistic length."""
    found, policy = cases.world.handbook, cases.world.policy
    if not found:
        return
    words, sections = sum(len(words_of(one.text)) for one in found.sections), len(found.sections)
    if words not in WORDS:
        yield "the handbook", f"has {words:,} words; it should have {WORDS[0]:,} to {WORDS[-1]:,}"
    if sections not in SECTIONS:
        yield "the handbook", f"has {sections} sections; it should have {SECTIONS[0]} to {SECTIONS[-1]}"
    for section in found.sections:
        yield from ((f"handbook/{section.path.name}", fault) for fault in _faults(section, policy))
    yield from _coverage(found, cases)


def _faults(section: HandbookSection, policy: Policy) -> Iterator[str]:
    """What is wrong with one section, independent of its position."""
    if not re.search(r"^# canary: \S+", section.path.read_text(encoding="utf-8"), re.MULTILINE):
        yield "carries no canary line"
    if section.head.elsewhere and section.head.covers:
        yield "is about another desk, and can state no rule of this one"
    ids = {rule.id for rule in policy.rules}
    for name in sorted(ids & set(re.findall(r"\b[A-Z]+\d+\b", section.text))):
        yield f"names rule {name}, which agents of this desk do not know"
    for number in dict.fromkeys(numbers_in(section.draft, ids, policy.measures)):
        yield f"has {number!r}; print a measure, or name it in `numbers:` of the head"
    for text in passages_of(section):
        if len(text) > LONGEST_PASSAGE:
            yield f"has a passage of {len(text)} characters, which begins {text[:40]!r}; split it"
    for run in sorted(_runs(section.text) & _runs(policy.text)):
        yield f"has the policy's own words: {' '.join(run)!r}"


def _coverage(found: Handbook, cases: DrawnCases) -> Complaints:
    """Every rule is stated in some section, with every measure that it uses."""
    path, kit = cases.world.folder / "policy.yaml", cases.world.kit
    for rule in (one for part in read_policy_document(path, kit).sections for one in part.rules):
        stating = [section for section in found.sections if rule.id in section.head.covers]
        if not stating:
            yield f"rule {rule.id}", "is stated in no section of the handbook"
            continue
        printed = set().union(*(placeholders_in(section.draft) for section in stating))
        for name in sorted(placeholders_in(rule.text) - printed):
            yield f"rule {rule.id}", f"has {{{name}}}, which no section that states it prints"


def _runs(text: str) -> set[tuple[str, ...]]:
    words = words_of(text)
    return {tuple(words[at : at + SAME_WORDS]) for at in range(len(words) - SAME_WORDS + 1)}
