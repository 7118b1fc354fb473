"""Regression: an incident as a case of its world, and the twin in which one fact of the record is different.

Scripts are left empty: they are written from what a perfect colleague does in the drawn case.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from supportagentbench.records.case import Brief, Bucket, CustomerFile, ScriptedCall, ScriptedTurn
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import as_plain
from supportagentbench.records.vocabulary import HAND_OVER
from supportagentbench.shadow.desk_map import TicketFacts
from supportagentbench.shadow.incident import WrongReply
from supportagentbench.shadow.ledger import TicketLedger
from supportagentbench.shadow.placeholders import with_placeholders
from supportagentbench.shadow.ticket_cases import TicketCase, TicketCases, grounding_of
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.edit import PROOF
from supportagentbench.world.family import CaseTemplate, FamilyFile, Twin
from supportagentbench.world.kit import GroundedScene
from supportagentbench.world.situation import CUSTOMER

PHOTO = CustomerFile("photo", "photo.jpg", "what the customer describes")
"""In place of a real photo, which was never read."""


class FlippedFact(NamedTuple):
    """One fact with another value."""

    fact: str
    value: str

    def __str__(self) -> str:
        return f"{self.fact}={self.value}"


class Regression:
    """Makes a case type of one incident."""

    def __init__(self, cases: TicketCases, one: TicketCase, wrong: WrongReply) -> None:
        self.world = cases.world
        self.wrong = wrong
        self.case, self.known = cases.cases[one.ticket.id], one.known
        self._cases, self._one = cases, one
        self.today: date = one.fixture.today or cases.world.desk.today
        self._grounded = self._scene(self.known)

    @property
    def name(self) -> str:
        """Of its file."""
        return f"incident_{self._one.ticket.id.rpartition('-')[2]}"

    @property
    def bucket(self) -> Bucket:
        """By what the policy requires."""
        if self.case.label.handover == "required":
            return "must_escalate"
        always = {ban.act for ban in self.case.label.bans if not ban.until}
        return "adversarial" if self.wrong.act in always else "resolvable"

    def family(self, edition: int) -> FamilyFile[Any]:
        """The case type, with one case and without scripts."""
        act = self.wrong.act
        title = next((verb.title for verb in self.world.vocabulary.verbs if verb.act == act), "")
        why = self.wrong.judged.why
        return FamilyFile(
            bucket=self.bucket,
            title=f"Incident: {self._one.request.replace('_', ' ')}{f', {title}' if title else ''}",
            about=f"What happened in a real conversation ({why}).",
            tempts=act if self.bucket == "adversarial" else None,
            at_stake=self._at_stake(),
            edition=edition,
            cases=(self._template(why),),
        )

    def _template(self, why: str) -> CaseTemplate[Any]:
        opening = self._said(self.wrong.turns[0].text)
        return CaseTemplate(
            note=f"As it happened: {why}.",
            scene=self._grounded.scene,
            opening=opening,
            brief=self._brief(opening),
            solution=(),
            mistake=(),
        )

    def mistake(self, lookups: tuple[ScriptedCall, ...]) -> tuple[ScriptedTurn, ...]:
        """What was really said and done in the wrong reply, after these look-ups."""
        reply = self.wrong.reply
        calls = [call for call in reply.calls if call.tool == self.wrong.act]
        made = (ScriptedCall(call.tool, self._arguments(call.arguments)) for call in calls)
        return (ScriptedTurn(self._said(reply.text), (*lookups, *made)),)

    def flips(self) -> Iterator[FlippedFact]:
        """The facts of the record that the deciding rules name, each with its other values, nearest first."""
        readers, told = self.world.kit.readers, self.case.brief.opening_discloses
        rules = {rule.id: rule for rule in self.world.policy.rules}
        named = (fact for rule in self.wrong.judged.rules for fact in rules[rule].when)
        for fact in dict.fromkeys(named) if self.bucket != "resolvable" else ():
            known, values = self.known.facts.get(fact), readers[fact].values
            is_said = readers[fact].source == CUSTOMER or (fact in told and fact != PROOF)
            if known and not is_said:
                others = [value for value in values if value != known]
                others.sort(key=lambda value: abs(values.index(value) - values.index(known)))
                yield from (FlippedFact(fact, value) for value in others)

    def twin(self, flip: FlippedFact) -> Twin:
        """The same words with this fact in the record, or in a photo; a Problem if nothing is different."""
        note = f"The same words, but {flip.fact} is {flip.value}."
        if flip.fact == PROOF:
            return Twin(note, (), (), brief={"evidence": [as_plain(PHOTO)]})
        old, new = as_plain(self._grounded.scene), as_plain(self._scene(self._with(flip)).scene)
        changed = {name: new.get(name) for name in {**old, **new} if old.get(name) != new.get(name)}
        if not changed:
            raise Problem(f"{flip} changes nothing in the record.")
        return Twin(note, (), (), scene=changed)

    def why_no_twin(self) -> str:
        """What to say if none of them holds."""
        if self.bucket == "resolvable":
            return "a twin belongs to a trap or to a case for a human, and this is neither"
        facts = ", ".join(dict.fromkeys(flip.fact for flip in self.flips()))
        if not facts:
            return "no fact of the record decides it: the customer's own words do"
        return f"the opposite stays wrong with every other value of {facts}"

    def _with(self, flip: FlippedFact) -> TicketFacts:
        """The known facts with one that is different; days would contradict it."""
        known = self.known
        details = {name: inner for name, inner in known.details.items() if not _is_day(inner)}
        return replace(known, facts={**known.facts, flip.fact: flip.value}, details=details)

    def _scene(self, known: TicketFacts) -> GroundedScene:
        kit = self.world.kit
        if kit.scene_of is None or kit.ground is None or not known.subject:
            raise Problem("no case can be made of this ticket: its world or its map has no record for it.")
        try:
            found = grounding_of(self.world, self._one.ticket, known, self.today)
            return kit.scene_of(found, known.arguments)
        except Problem as problem:
            raise Problem(f"no case can be made of this ticket: {problem.sentence}.") from None
        except Exception as error:  # The world's code may raise anything on what a map says.
            raise Problem(f"no case can be made of this ticket ({type(error).__name__}: {error}).") from error

    def _brief(self, opening: str) -> Brief:
        """The customer's ledger over the whole talk, in placeholders."""
        ledger = TicketLedger(self.world, self._cases.reader)
        turns, known = self.wrong.turns, replace(self.known, subject="")
        was_granted = self.wrong.act not in ("", HAND_OVER)
        later = turns[1 : self.wrong.at] if was_granted else turns[1:]
        brief = ledger.brief(self._one.request, known, turns[:1], later, None, was_granted=False)
        (wish,) = brief.wishes
        has_photo = self.known.facts.get(PROOF) == "shown"
        heard = self._cases.reader.customer.disclosed(turns[0].text) | self.known.facts
        all_told = self.case.brief.opening_discloses.items()
        told = {name: value for name, value in all_told if name != PROOF and heard.get(name) == value}
        return replace(
            brief,
            wishes=(replace(wish, says=opening, arguments=self._grounded.arguments),),
            facts=tuple(replace(one, says=self._said(one.says)) for one in brief.facts),
            pressure=tuple(replace(one, says=self._said(one.says)) for one in brief.pressure),
            evidence=(replace(PHOTO, when=self._photo_comes()),) if has_photo else (),
            opening_discloses=told,
        )

    def _photo_comes(self) -> Any:
        return "volunteer" if self.wrong.turns[0].attachments else "if_asked"

    def _said(self, text: str) -> str:
        return with_placeholders(text, self._grounded.words, self.today)

    def _arguments(self, found: Any) -> dict[str, str | int]:
        """A call's arguments in placeholders, as far as scripts can have them."""
        made: dict[str, str | int] = {}
        for name, value in found.items() if isinstance(found, dict) else ():
            if isinstance(value, int):
                made[name] = value
            elif isinstance(value, str):
                drawn = self._grounded.arguments.get(name)
                made[name] = drawn if isinstance(drawn, str) else self._said(value)
        return made

    def _at_stake(self) -> str:
        """What is at stake in the world's own cases for a human that the same rules decide."""
        if self.bucket != "must_escalate":
            return ""
        rules = {*self.case.label.rules}
        stakes: Mapping[str, str] = self.world.vocabulary.stakes
        drawn = generate(self.world).cases.values()
        alike = (one for one in drawn if one.bucket == "must_escalate" and rules <= {*one.label.rules})
        return next((stakes[one.family] for one in alike if one.family in stakes), "")


def _is_day(value: Any) -> bool:
    try:
        msgspec.convert(value, date, strict=False)
    except msgspec.ValidationError:
        return False
    return True
