"""Policy: rules as data. The same rules print the text the agent is given and decide what is right.

Every number in them is a measure, see `measure.py`.

A rule applies when each of its conditions holds and none of the rules in `unless` applies. It may
require, allow or forbid acts. `otherwise_forbid` closes the world: the rule forbids every act that no
applicable rule allows or requires. Two rules that could apply together and contradict each other are
refused when the policy is read, so no situation has two answers.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import msgspec

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, digest
from supportagentbench.storage.yaml_file import locate, read_document
from supportagentbench.world.kit import Kit
from supportagentbench.world.measure import placeholders_in, printed
from supportagentbench.world.situation import Situation

Measures = TypeVar("Measures")


EFFECTS = ("require", "allow", "forbid", "otherwise_forbid", "until_settled")
"""The fields of a rule that name acts."""


VERDICTS: tuple[tuple[str, Literal["required", "allowed", "forbidden"]], ...] = (
    ("forbid", "forbidden"),
    ("require", "required"),
    ("allow", "allowed"),
    ("otherwise_forbid", "forbidden"),
)
"""What each effect makes of an act; the first of them that a rule has counts."""

Conditions = dict[str, str | tuple[str, ...]]
"""Fact names with the value, or values, that must hold; all of them."""

Possible = Mapping[str, tuple[str, ...]]
"""Of every fact the values that it can have."""


class RuleStatement(Record):
    """A statement that a rule requires, and its opposite.

    Wordings are listed by language, one per line, in the notation of `language/notation.py`; under `*` those
    of
    any language. A line with a name in braces has one wording for each thing that the record has there.
    """

    about: str
    says: dict[str, str]
    denies: dict[str, str] = {}
    only_so: bool = False
    """Nothing else could tell it: a number, a name or a link that never came was not given."""
    asked: str = ""
    """Due only where the customer asks for it: one of a wish's `asks`."""
    private: bool = False
    """In `withhold`: another person's data, with the record's values, which it is unsafe to disclose."""
    when: Conditions = {}
    """Due only where these facts hold as well."""

    def wordings(self, language: str) -> Iterator[str]:
        """All its wordings in one language, both ways."""
        for table in (self.says, self.denies):
            yield from (table[name] for name in ("*", language) if name in table)


class Rule(Record):
    """One numbered rule: its text for people, its conditions and effects for the engine."""

    id: str
    text: str
    """What the agent reads."""
    when: Conditions = {}
    unless: tuple[str, ...] = ()
    """Rules that, when they apply, take precedence over this one."""
    require: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    otherwise_forbid: tuple[str, ...] = ()
    until_settled: tuple[str, ...] = ()
    """Acts that wait until everything the customer asked for is settled."""
    ask: tuple[str, ...] = ()
    """What the customer has to be asked for."""
    tell: tuple[RuleStatement, ...] = ()
    """Required statements."""
    withhold: tuple[RuleStatement, ...] = ()
    """Statements that must not be made if the rule applies."""
    unfinished: tuple[RuleStatement, ...] = ()
    """Statements required under any rule if a required act does not go through."""
    lookups: tuple[str, ...] = ()
    """Look-ups without which it cannot be followed, beyond those that its conditions need."""
    say: str = ""
    """How a good colleague puts it to the customer."""
    say_in: dict[str, str] = {}
    """The same in other languages."""
    checked_by: tuple[str, ...] = ()
    """The scorer's findings that show whether it was kept, where the record can tell."""

    def values(self, fact: str) -> tuple[str, ...]:
        """The values of a fact under which this rule can apply."""
        return _values(self.when, fact)

    def holds(self, words: dict[str, str]) -> bool:
        return do_hold(self.when, words)


def do_hold(conditions: Conditions, words: dict[str, str]) -> bool:
    """Whether all conditions hold where the facts are these."""
    return all(words[fact] in _values(conditions, fact) for fact in conditions)


def _values(conditions: Conditions, fact: str) -> tuple[str, ...]:
    wanted = conditions[fact]
    return (wanted,) if isinstance(wanted, str) else wanted


class PolicySection(Record):
    """A heading and the rules under it."""

    title: str
    rules: tuple[Rule, ...]


class PolicyFile(Record, Generic[Measures]):
    """`policy.yaml`, with the world's own record of its measures."""

    preamble: str
    measures: Measures
    sections: tuple[PolicySection, ...]


class Ruling(NamedTuple):
    """What the policy says about one act, and which rules decide."""

    verdict: Literal["required", "allowed", "forbidden", "undecided"]
    """`undecided`: it depends on unknown facts."""
    rules: tuple[str, ...]


class Rulings(NamedTuple):
    """Everything the policy says about one situation."""

    acts: dict[str, Ruling]
    applying: tuple[Rule, ...]
    """Every rule with conditions that hold, in the policy's order."""
    may_apply: tuple[Rule, ...] = ()
    """Every rule that applies or not depending on unknown facts."""

    def required(self) -> tuple[str, ...]:
        return tuple(act for act, ruling in self.acts.items() if ruling.verdict == "required")

    def forbidden(self) -> tuple[str, ...]:
        return tuple(act for act, ruling in self.acts.items() if ruling.verdict == "forbidden")

    def undecided(self) -> tuple[str, ...]:
        return tuple(act for act, ruling in self.acts.items() if ruling.verdict == "undecided")

    def asks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(topic for rule in self.applying for topic in rule.ask))


@dataclass
class Policy:
    """The rules of one shop."""

    kit: Kit
    """What conditions and effects may name."""
    preamble: str
    measures: Any
    sections: tuple[PolicySection, ...]

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(rule for section in self.sections for rule in section.rules)

    @cached_property
    def _by_id(self) -> dict[str, Rule]:
        return {rule.id: rule for rule in self.rules}

    @cached_property
    def _ruled(self) -> dict[tuple[tuple[str, str], ...], Rulings]:
        """Rulings by facts: the same few situations come up again and again."""
        return {}

    @cached_property
    def text(self) -> str:
        """The policy as the agent reads it."""
        return "\n\n".join([self.preamble.strip(), *map(section_text, self.sections)])

    @cached_property
    def digest(self) -> str:
        return digest([self.preamble, self.measures, self.sections])

    def rule_on(self, situation: Situation) -> Rulings:
        """What is required, allowed and forbidden here, with rule ids."""
        return self.rule(self.facts_of(situation))

    def facts_of(self, situation: Situation, unknown: Set[str] = frozenset()) -> dict[str, str]:
        """Every fact, as it is here, except for unknown ones."""
        return {name: fact.read(situation) for name, fact in self.kit.readers.items() if name not in unknown}

    def rule(self, words: dict[str, str]) -> Rulings:
        """What is required, allowed and forbidden where the facts are these."""
        facts = tuple(words.items())
        if facts not in self._ruled:
            self._ruled[facts] = self._rule(words)
        return self._ruled[facts]

    def _rule(self, words: dict[str, str]) -> Rulings:
        holding = [rule for rule in self.rules if rule.holds(words)]
        applying = [rule for rule in holding if not self._overruled(rule, words)]
        acts = {act: _ruling_on(act, applying) for act in self.kit.acts}
        return Rulings(acts, tuple(rule for rule in applying if rule.when))

    def rulings_given(self, known: Mapping[str, str]) -> Rulings:
        """What is sure where only these facts are known: what holds for all values of the others.

        Nothing that is sure becomes unsure when more is known.
        """
        could_be = {name: fact.values for name, fact in self.kit.readers.items()}
        could_be |= {name: (value,) for name, value in known.items()}
        applies = {rule.id: self._applies(rule, could_be) for rule in self.rules}
        return Rulings(
            {act: self._sure_ruling(act, could_be) for act in self.kit.acts},
            tuple(rule for rule in self.rules if rule.when and applies[rule.id]),
            tuple(rule for rule in self.rules if applies[rule.id] is None),
        )

    def _sure_ruling(self, act: str, could_be: Possible) -> Ruling:
        """The ruling on an act that holds for all these values of the facts, if one does."""
        naming = [rule for rule in self.rules if any(act in getattr(rule, field) for field, _ in VERDICTS)]
        applies = {rule.id: self._applies(rule, could_be) for rule in naming}
        open_rules: list[Rule] = []
        for field, verdict in VERDICTS:
            rules = [rule for rule in naming if act in getattr(rule, field)]
            sure = tuple(rule.id for rule in rules if applies[rule.id])
            if sure and not open_rules:
                return Ruling(verdict, sure)  # That others may say the same changes nothing.
            open_rules += [rule for rule in rules if applies[rule.id] is None]
        if not open_rules:
            return Ruling("allowed", ())
        return self._by_cases(act, could_be, self._open_fact(open_rules[0], could_be))

    def _by_cases(self, act: str, could_be: Possible, fact: str) -> Ruling:
        """The ruling on an act that holds for each value of a fact by itself."""
        found: dict[str, None] = {}
        verdicts = set[str]()
        for value in could_be[fact]:
            ruling = self._sure_ruling(act, {**could_be, fact: (value,)})
            found |= dict.fromkeys(ruling.rules)
            verdicts.add(ruling.verdict)
            if len(verdicts) > 1 or ruling.verdict == "undecided":
                return Ruling("undecided", ())
        rules = tuple(rule.id for rule in self.rules if rule.id in found)
        return Ruling(ruling.verdict, rules)

    def _open_fact(self, rule: Rule, could_be: Possible) -> str:
        """A fact that decides whether a rule applies and that has several values left."""
        for fact in rule.when:
            if len({value in rule.values(fact) for value in could_be[fact]}) > 1:
                return fact
        others = (self._by_id[other] for other in rule.unless)
        open_one = next(other for other in others if self._applies(other, could_be) is None)
        return self._open_fact(open_one, could_be)

    def _applies(self, rule: Rule, could_be: Possible) -> bool | None:
        """Whether a rule applies for all these values of the facts; None: for some."""
        holds = _could_hold(rule.when, could_be)
        if holds is False:
            return False
        overruled = [self._applies(self._by_id[other], could_be) for other in rule.unless]
        if any(overruled):
            return False
        return None if None in overruled else holds

    def requests_granted_by(self, act: str) -> frozenset[str]:
        """The kinds of request for which some rule requires this act."""
        rules = [rule for rule in self.rules if act in rule.require and "request" in rule.when]
        return frozenset(request for rule in rules for request in rule.values("request"))

    def _overruled(self, rule: Rule, words: dict[str, str]) -> bool:
        return any(
            self._by_id[other].holds(words) and not self._overruled(self._by_id[other], words)
            for other in rule.unless
        )


def _could_hold(conditions: Conditions, could_be: Possible) -> bool | None:
    """Whether all conditions hold for all these values of the facts; None: for some."""
    found: bool | None = True
    for fact in conditions:
        wanted = _values(conditions, fact)
        held = [value in wanted for value in could_be[fact]]
        if not any(held):
            return False
        found = found if all(held) else None
    return found


def _ruling_on(act: str, applying: list[Rule]) -> Ruling:
    for field, verdict in VERDICTS:
        rules = tuple(rule.id for rule in applying if act in getattr(rule, field))
        if rules:
            return Ruling(verdict, rules)
    return Ruling("allowed", ())


def section_text(section: PolicySection) -> str:
    """One section as the agent reads it."""
    lines = [f"## {section.title}", *(f"{rule.id}. {rule.text.strip()}" for rule in section.rules)]
    return "\n".join(lines)


def read_policy_file(path: Path, kit: Kit) -> Policy:
    """The policy in this file, or a Problem naming the rule that cannot be used."""
    content = read_policy_document(path, kit)
    for fault in _faults(content, kit):
        raise Problem(fault.sentence, place=path, line=locate(path, fault.trail))
    return policy_from(content, kit)


def read_policy_document(path: Path, kit: Kit) -> PolicyFile[Any]:
    """The file as it is, its measures not yet printed into its texts."""
    kind: Any = PolicyFile
    content: PolicyFile[Any] = read_document(path, kind[kit.measures])
    return content


def policy_from(content: PolicyFile[Any], kit: Kit) -> Policy:
    """The policy with its measures printed into its texts."""
    sections = tuple(
        PolicySection(section.title, tuple(_printed(rule, content.measures) for rule in section.rules))
        for section in content.sections
    )
    return Policy(kit, content.preamble, content.measures, sections)


def _printed(rule: Rule, measures: Any) -> Rule:
    return msgspec.structs.replace(
        rule,
        text=printed(rule.text, measures),
        tell=tuple(_statement_printed(one, measures) for one in rule.tell),
        withhold=tuple(_statement_printed(one, measures) for one in rule.withhold),
        say=printed(rule.say, measures),
        say_in={language: printed(text, measures) for language, text in rule.say_in.items()},
    )


def _statement_printed(statement: RuleStatement, measures: Any) -> RuleStatement:
    tables = {
        name: {language: printed(text, measures) for language, text in getattr(statement, name).items()}
        for name in ("says", "denies")
    }
    return msgspec.structs.replace(statement, about=printed(statement.about, measures), **tables)


class _Fault(NamedTuple):
    trail: str
    sentence: str


def _faults(content: PolicyFile[Any], kit: Kit) -> Iterator[_Fault]:
    seen: dict[str, tuple[str, Rule]] = {}
    for s, section in enumerate(content.sections):
        for r, rule in enumerate(section.rules):
            trail = f".sections[{s}].rules[{r}]"
            if rule.id in seen:
                yield _Fault(trail, f"rule {rule.id} is there twice; give one of them another id.")
            seen[rule.id] = (trail, rule)
            yield from _condition_faults(trail, rule.id, rule.when, kit)
            for number, statement in enumerate(rule.tell):
                yield from _condition_faults(f"{trail}.tell[{number}]", rule.id, statement.when, kit)
            yield from _effect_faults(trail, rule, kit)
            yield from _print_faults(trail, rule, content.measures, kit)
    for trail, rule in seen.values():
        for other in rule.unless:
            if other not in seen:
                yield _Fault(trail, f"rule {rule.id} yields to {other}, which does not exist.")
    yield from _contradictions(list(seen.values()))


def _condition_faults(trail: str, rule: str, when: Conditions, kit: Kit) -> Iterator[_Fault]:
    for fact in when:
        if fact not in kit.readers:
            known = ", ".join(kit.readers)
            yield _Fault(f"{trail}.when.{fact}", f"rule {rule}: no fact {fact!r}; known: {known}.")
            continue
        for value in _values(when, fact):
            if value not in kit.readers[fact].values:
                known = ", ".join(kit.readers[fact].values)
                yield _Fault(
                    f"{trail}.when.{fact}",
                    f"rule {rule}: {fact} is never {value!r}; it is one of {known}.",
                )


def _effect_faults(trail: str, rule: Rule, kit: Kit) -> Iterator[_Fault]:
    lookups = tuple(work.__name__ for work in kit.lookups)
    topics = tuple(topic.name for topic in kit.topics)
    for field, what, known in (
        *((effect, "act", kit.acts) for effect in EFFECTS),
        ("ask", "topic", topics),
        ("lookups", "look-up", lookups),
    ):
        for name in getattr(rule, field):
            if name not in known:
                yield _Fault(
                    f"{trail}.{field}",
                    f"rule {rule.id}: no {what} {name!r}; known: {', '.join(known)}.",
                )


def _print_faults(trail: str, rule: Rule, measures: Any, kit: Kit) -> Iterator[_Fault]:
    numbers = tuple(msgspec.structs.asdict(measures))
    stated = (*rule.tell, *rule.withhold, *rule.unfinished)
    told = " ".join(text for one in stated for table in (one.says, one.denies) for text in table.values())
    spoken = " ".join([rule.say, *rule.say_in.values()])
    for field, text, also in (("text", rule.text, ()), ("tell", told, kit.tells), ("say", spoken, kit.words)):
        known = (*numbers, *also)
        for name in sorted(placeholders_in(text) - {*known}):
            what = "measure" if field == "text" else "measure or word"
            yield _Fault(
                f"{trail}.{field}", f"rule {rule.id}: no {what} {name!r}; known: {', '.join(known)}."
            )
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
    shared = set(one.when) & set(other.when)
    return all(set(one.values(fact)) & set(other.values(fact)) for fact in shared)
