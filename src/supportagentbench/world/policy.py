"""Policy: rules as data. The same rules print the text the agent is given and decide what is right.

Every number in them is a measure, see `measure.py`.

A rule applies when each of its conditions holds and none of the rules in `unless` applies. It may
require, allow or forbid acts. `otherwise_forbid` closes the world: what no applying rule allows or
requires is forbidden by that rule. Two rules that could apply together and contradict each other are
refused when the policy is read, so no situation has two answers.
"""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import msgspec

from supportagentbench.records.case import Act, Topic
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, digest
from supportagentbench.storage.yaml_file import locate, read_document
from supportagentbench.world.fact import FACTS, Measures, Situation
from supportagentbench.world.measure import placeholders_in, printed

ACTS: tuple[Act, ...] = get_args(Act)


class Rule(Record):
    """One numbered rule: its text for people, its conditions and effects for the engine."""

    id: str
    text: str
    """What the agent reads."""
    when: dict[str, str | tuple[str, ...]] = {}
    """Fact names with the value, or values, that must hold; all of them."""
    unless: tuple[str, ...] = ()
    """Rules that, when they apply, take precedence over this one."""
    require: tuple[Act, ...] = ()
    allow: tuple[Act, ...] = ()
    forbid: tuple[Act, ...] = ()
    otherwise_forbid: tuple[Act, ...] = ()
    until_settled: tuple[Act, ...] = ()
    """Acts that wait until everything the customer asked for is settled."""
    ask: tuple[Topic, ...] = ()
    """What the customer has to be asked for."""
    tell: tuple[tuple[str, ...], ...] = ()
    """What the customer must be told: of each group, one string. `{tracking}` stands for the record's."""
    lookups: tuple[str, ...] = ()
    """Look-ups without which it cannot be followed, beyond those its conditions rest on."""
    say: str = ""
    """How a good colleague puts it to the customer."""
    say_in: dict[str, str] = {}
    """The same in other languages."""
    checked_by: tuple[str, ...] = ()
    """The scorer's findings that show whether it was kept, where the record can tell."""

    def values(self, fact: str) -> tuple[str, ...]:
        """The values of a fact under which this rule can apply."""
        wanted = self.when.get(fact, FACTS[fact].values)
        return (wanted,) if isinstance(wanted, str) else wanted

    def holds(self, words: dict[str, str]) -> bool:
        return all(words[fact] in self.values(fact) for fact in self.when)


class PolicySection(Record):
    """A heading and the rules under it."""

    title: str
    rules: tuple[Rule, ...]


class PolicyFile(Record):
    """`policy.yaml`."""

    preamble: str
    measures: Measures
    sections: tuple[PolicySection, ...]


class Ruling(NamedTuple):
    """What the policy says of one act, and by which rules."""

    verdict: Literal["required", "allowed", "forbidden"]
    rules: tuple[str, ...]


class Rulings(NamedTuple):
    """All the policy says of one situation."""

    acts: dict[Act, Ruling]
    applying: tuple[Rule, ...]
    """Every rule with conditions that hold, in the policy's order."""

    def required(self) -> tuple[Act, ...]:
        return tuple(act for act, ruling in self.acts.items() if ruling.verdict == "required")

    def forbidden(self) -> tuple[Act, ...]:
        return tuple(act for act, ruling in self.acts.items() if ruling.verdict == "forbidden")

    def asks(self) -> tuple[Topic, ...]:
        return tuple(dict.fromkeys(topic for rule in self.applying for topic in rule.ask))


class Policy:
    """The rules of one shop."""

    def __init__(self, preamble: str, measures: Measures, sections: tuple[PolicySection, ...]) -> None:
        self.preamble = preamble
        self.measures = measures
        self.sections = sections
        self.rules = tuple(rule for section in sections for rule in section.rules)
        self._by_id = {rule.id: rule for rule in self.rules}

    @cached_property
    def text(self) -> str:
        """The policy as the agent reads it."""
        return "\n\n".join([self.preamble.strip(), *map(section_text, self.sections)])

    @cached_property
    def digest(self) -> str:
        return digest([self.preamble, self.measures, self.sections])

    def rule_on(self, situation: Situation) -> Rulings:
        """What is required, allowed and forbidden here, with rule ids."""
        words = {name: fact.read(situation) for name, fact in FACTS.items()}
        holding = [rule for rule in self.rules if rule.holds(words)]
        applying = [rule for rule in holding if not self._overruled(rule, words)]
        acts = {act: _ruling_on(act, applying) for act in ACTS}
        return Rulings(acts, tuple(rule for rule in applying if rule.when))

    def _overruled(self, rule: Rule, words: dict[str, str]) -> bool:
        return any(
            self._by_id[other].holds(words) and not self._overruled(self._by_id[other], words)
            for other in rule.unless
        )


def _ruling_on(act: Act, applying: list[Rule]) -> Ruling:
    def by(field: str) -> tuple[str, ...]:
        return tuple(rule.id for rule in applying if act in getattr(rule, field))

    if by("forbid"):
        return Ruling("forbidden", by("forbid"))
    if by("require"):
        return Ruling("required", by("require"))
    if by("allow"):
        return Ruling("allowed", by("allow"))
    if by("otherwise_forbid"):
        return Ruling("forbidden", by("otherwise_forbid"))
    return Ruling("allowed", ())


def section_text(section: PolicySection) -> str:
    """One section as the agent reads it."""
    lines = [f"## {section.title}", *(f"{rule.id}. {rule.text.strip()}" for rule in section.rules)]
    return "\n".join(lines)


def read_policy_file(path: Path) -> Policy:
    """The policy in this file, or a Problem naming the rule that cannot stand."""
    content = read_document(path, PolicyFile)
    for fault in _faults(content):
        raise Problem(fault.sentence, place=path, line=locate(path, fault.trail))
    return policy_from(content)


def policy_from(content: PolicyFile) -> Policy:
    """The policy with its measures printed into its texts."""
    sections = tuple(
        PolicySection(section.title, tuple(_printed(rule, content.measures) for rule in section.rules))
        for section in content.sections
    )
    return Policy(content.preamble, content.measures, sections)


def _printed(rule: Rule, measures: Measures) -> Rule:
    return msgspec.structs.replace(
        rule,
        text=printed(rule.text, measures),
        tell=tuple(tuple(printed(one, measures) for one in group) for group in rule.tell),
        say=printed(rule.say, measures),
        say_in={language: printed(text, measures) for language, text in rule.say_in.items()},
    )


class _Fault(NamedTuple):
    trail: str
    sentence: str


def _faults(content: PolicyFile) -> Iterator[_Fault]:
    seen: dict[str, tuple[str, Rule]] = {}
    for s, section in enumerate(content.sections):
        for r, rule in enumerate(section.rules):
            trail = f".sections[{s}].rules[{r}]"
            if rule.id in seen:
                yield _Fault(trail, f"rule {rule.id} stands twice; give one of them another id.")
            seen[rule.id] = (trail, rule)
            yield from _vocabulary_faults(trail, rule)
            yield from _print_faults(trail, rule, content.measures)
    for trail, rule in seen.values():
        for other in rule.unless:
            if other not in seen:
                yield _Fault(trail, f"rule {rule.id} yields to {other}, which does not exist.")
    yield from _contradictions(list(seen.values()))


def _vocabulary_faults(trail: str, rule: Rule) -> Iterator[_Fault]:
    for fact in rule.when:
        if fact not in FACTS:
            known = ", ".join(FACTS)
            yield _Fault(f"{trail}.when.{fact}", f"rule {rule.id}: no fact {fact!r}; known: {known}.")
            continue
        for value in rule.values(fact):
            if value not in FACTS[fact].values:
                known = ", ".join(FACTS[fact].values)
                yield _Fault(
                    f"{trail}.when.{fact}",
                    f"rule {rule.id}: {fact} is never {value!r}; it is one of {known}.",
                )


def _print_faults(trail: str, rule: Rule, measures: Measures) -> Iterator[_Fault]:
    for name in sorted(placeholders_in(rule.text) - {*measures.__struct_fields__}):
        known = ", ".join(measures.__struct_fields__)
        yield _Fault(f"{trail}.text", f"rule {rule.id}: no measure {name!r}; known: {known}.")
    try:
        _printed(rule, measures)
    except Problem as problem:
        yield _Fault(trail, f"rule {rule.id}: {problem.sentence}")


def _contradictions(rules: list[tuple[str, Rule]]) -> Iterator[_Fault]:
    for trail, rule in rules:
        for _, other in rules:
            clash = set(rule.forbid) & {*other.require, *other.allow}
            if clash and _can_meet(rule, other):
                act = min(clash)
                yield _Fault(
                    trail,
                    f"rule {rule.id} forbids {act} where rule {other.id} grants it; "
                    f"add a condition, or `unless: [{rule.id}]` to {other.id}.",
                )


def _can_meet(one: Rule, other: Rule) -> bool:
    """Whether some situation could let both rules apply."""
    if one.id in other.unless or other.id in one.unless:
        return False
    shared = set(one.when) & set(other.when) & set(FACTS)
    return all(set(one.values(fact)) & set(other.values(fact)) for fact in shared)
