"""Family: a file of cases with placeholders, checked against what the world's kit knows."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

import msgspec

from supportagentbench.records.case import Brief, Bucket, Level, ScriptedTurn, Wish
from supportagentbench.records.name import is_id
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.records.vocabulary import DISCLOSE
from supportagentbench.storage.yaml_file import locate, read_document
from supportagentbench.world.kit import Kit
from supportagentbench.world.measure import printed
from supportagentbench.world.outline import OUTLINES, CaseOutline, FamilyOutline
from supportagentbench.world.policy import Policy
from supportagentbench.world.seed import PUBLIC, Seed

Scene = TypeVar("Scene")
Kind = TypeVar("Kind")


class Twin(Record):
    """What differs in the benign twin of a case; the opening of a trap's is the trap's, word for word."""

    note: str
    solution: tuple[ScriptedTurn, ...]
    mistake: tuple[ScriptedTurn, ...]
    scene: dict[str, Any] = {}
    """The fields of the trap's scene that differ."""
    brief: dict[str, Any] = {}
    """The fields of the trap's brief that differ."""
    opening: str = ""
    """Outside of traps: the words of a look-alike, which is not a case for a human."""
    more_openings: tuple[str, ...] = ()


class CaseTemplate(Record, Generic[Scene]):
    """One case with placeholders such as `{name}` in its texts, and the world's own record of its scene."""

    note: str
    scene: Scene
    opening: str
    brief: Brief
    solution: tuple[ScriptedTurn, ...]
    mistake: tuple[ScriptedTurn, ...]
    more_openings: tuple[str, ...] = ()
    """The same message in other words, with the same placeholders. Private draws use only these."""
    twin: Twin | None = None
    level: Level = 0
    """How hard it is, if its family's is not meant. A trap's is derived."""

    def openings(self, seed: Seed) -> tuple[str, ...]:
        """The wordings from which this seed draws; the public set has the first."""
        if seed == PUBLIC:
            return (self.opening,)
        if seed.is_private and self.more_openings:
            return self.more_openings
        return (self.opening, *self.more_openings)


class FamilyFile(Record, Generic[Scene]):
    """`cases/<family>.yaml`: one intent, one must-escalate kind, or one trap."""

    bucket: Bucket
    about: str
    """What the family tests, in one sentence."""
    cases: tuple[CaseTemplate[Scene], ...]
    tempts: str | None = None
    """In a trap: the act it tempts the agent into."""
    set: str = ""
    """The set it belongs to, one of those that `desk.yaml` names; empty: to none but `core`."""
    level: Level = 0
    """How hard its cases are, from 1 to 3; 0: not said. That of traps is derived: leave it out."""
    at_stake: str = ""
    """In a case for a human: the harm that is done if no human gets it, one of the kit's `harms`; empty: it
    only costs a person's time. What is at stake in a trap follows from `tempts`."""
    edition: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    """With which edition of the cases it came. Earlier cases keep their numbers, people and words."""
    title: str = ""
    """The case type for people: `Damage without a photo`. Without one, pages show the file's name."""


class Family:
    """A family file with its name and place; what it holds is read when a case of it is asked for."""

    def __init__(self, path: Path, outline: FamilyOutline, read: Callable[[], FamilyFile[Any]]) -> None:
        self.name = path.stem
        self.path = path
        self.outline = outline
        """What other cases have to know of it."""
        self._read = read

    @cached_property
    def content(self) -> FamilyFile[Any]:
        """All of it, checked."""
        content = self._read()
        if _outline(content, self.outline.digest) != self.outline:
            raise Problem(
                f"is not as {OUTLINES} has it; delete that file, or write it again.", place=self.path
            )
        return content

    def with_content(self, content: FamilyFile[Any]) -> "Family":
        """The same family with other cases."""
        return family_of(self.path, content)


def open_family(path: Path, policy: Policy, data_digest: str, known: FamilyOutline | None) -> Family:
    """The family in this file; read at once, unless there is an outline of the file as it is."""
    read = partial(read_family, path, policy)
    if known and data_digest and known.digest == data_digest:
        return Family(path, known, read)
    content = read()
    return Family(path, _outline(content, data_digest), lambda: content)


def family_of(path: Path, content: FamilyFile[Any]) -> Family:
    """A family of this content, whether or not the file is there."""
    return Family(path, _outline(content), lambda: content)


def _outline(content: FamilyFile[Any], data_digest: str = "") -> FamilyOutline:
    cases = tuple(
        CaseOutline(case.brief.language, case.brief.manner, case.twin is not None) for case in content.cases
    )
    return FamilyOutline(
        cases,
        content.set,
        content.title,
        content.tempts or "",
        content.at_stake,
        content.edition,
        data_digest,
    )


def read_family(path: Path, policy: Policy) -> FamilyFile[Any]:
    """The family in this file, or a Problem naming the line on which it names what the shop has not."""
    kit, kind = policy.kit, family_kind(policy.kit)
    if not is_id(f"{path.stem}-1000-twin"):
        words = "is not a valid name for a case type; use letters, digits and _, fewer than 90 of them."
        raise Problem(words, place=path)
    content: FamilyFile[Any] = read_document(path, kind)
    for trail, sentence in _faults(content, kit):
        raise Problem(sentence, place=path, line=locate(path, trail))
    about = printed(content.about, policy.measures)
    return msgspec.structs.replace(content, about=about)


def family_kind(kit: Kit) -> Any:
    """The record of a family file of this world."""
    kind: Any = FamilyFile
    return kind[kit.scene]


def as_twin(template: CaseTemplate[Scene], kit: Kit) -> CaseTemplate[Scene]:
    """The benign twin as a separate case."""
    twin = template.twin
    assert twin is not None
    return CaseTemplate(
        note=twin.note,
        scene=_merged(template.scene, twin.scene, kit.scene),
        opening=twin.opening or template.opening,
        more_openings=twin.more_openings if twin.opening else template.more_openings,
        brief=_merged(template.brief, twin.brief, Brief),
        solution=twin.solution,
        mistake=twin.mistake,
        level=template.level,
    )


def _merged(base: Any, changes: dict[str, Any], kind: type[Any]) -> Any:
    try:
        return msgspec.convert(msgspec.to_builtins(base) | changes, kind)
    except msgspec.ValidationError as error:
        raise Problem(f"the twin's {kind.__name__.casefold()} does not fit: {error}.") from None


Faults = Iterator[tuple[str, str]]
"""Places in the file, and what is wrong there."""


def _faults(content: FamilyFile[Any], kit: Kit) -> Faults:
    if content.tempts is not None:
        yield from _unknown([content.tempts], (*kit.acts, DISCLOSE), "act", ".tempts")
    if content.at_stake:
        yield from _unknown([content.at_stake], kit.harm_names, "harm", ".at_stake")
        if content.bucket != "must_escalate":
            yield ".at_stake", "is for cases that need a human; leave it out."
    for index, template in enumerate(content.cases):
        trail = f".cases[{index}]"
        yield from _case_faults(template, kit, trail)
        if template.twin is not None:
            if content.bucket == "resolvable":
                yield f"{trail}.twin", "a twin belongs to a trap or to a case for a human; leave it out."
            if content.bucket == "adversarial" and template.twin.opening:
                yield f"{trail}.twin.opening", "a trap and its twin have one opening; leave this one out."
            try:
                yield from _case_faults(as_twin(template, kit), kit, f"{trail}.twin")
            except Problem as problem:
                yield f"{trail}.twin", problem.sentence


def _case_faults(template: CaseTemplate[Any], kit: Kit, trail: str) -> Faults:
    brief, at = template.brief, f"{trail}.brief"
    yield from _opening_faults(template, trail)
    for index, wish in enumerate(brief.wishes):
        yield from _wish_faults(wish, kit, f"{at}.wishes[{index}]")
    for index, fact in enumerate(brief.facts):
        yield from topic_faults(fact.topics, kit, f"{at}.facts[{index}].topics")
        yield from _disclosure_faults(fact.discloses, kit, f"{at}.facts[{index}].discloses")
    for index, pressure in enumerate(brief.pressure):
        yield from _disclosure_faults(pressure.discloses, kit, f"{at}.pressure[{index}].discloses")
    yield from _disclosure_faults(brief.opening_discloses, kit, f"{at}.opening_discloses")
    for script in ("solution", "mistake"):
        for index, turn in enumerate(getattr(template, script)):
            tools = (call.tool for call in turn.calls)
            yield from _unknown(tools, kit.tools, "tool", f"{trail}.{script}[{index}].calls")


def _opening_faults(template: CaseTemplate[Any], trail: str) -> Faults:
    seen = {template.opening.strip()}
    for index, text in enumerate(template.more_openings):
        if text.strip() in seen:
            yield f"{trail}.more_openings[{index}]", "is the same text as another opening of this case."
        seen.add(text.strip())


def _wish_faults(wish: Wish, kit: Kit, trail: str) -> Faults:
    signals = (*(f"done:{act}" for act in kit.acts), *(f"told:{news.name}" for news in kit.news))
    yield from _unknown([wish.request], tuple(kit.requests), "request", f"{trail}.request")
    yield from _unknown(wish.satisfied_by, signals, "signal", f"{trail}.satisfied_by")
    yield from _unknown(wish.agrees_to, kit.acts, "act", f"{trail}.agrees_to")


def topic_faults(topics: Iterable[str], kit: Kit, trail: str) -> Faults:
    """Topics that the shop does not have."""
    yield from _unknown(topics, tuple(topic.name for topic in kit.topics), "topic", trail)


def _disclosure_faults(disclosed: dict[str, str], kit: Kit, trail: str) -> Faults:
    yield from _unknown(disclosed, tuple(kit.readers), "fact", trail)
    for name, value in disclosed.items():
        if name in kit.readers:
            yield from _unknown([value], kit.readers[name].values, f"value of {name}", trail)


def _unknown(names: Iterable[str], known: tuple[str, ...], what: str, trail: str) -> Faults:
    yield from (
        (trail, f"there is no {what} {name!r}; known: {', '.join(known)}.")
        for name in names
        if name not in known
    )
