"""Drawn cases: (family, seed) becomes store rows and a case, each when first needed.

Seed 0 is public; anyone can draw others.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, cached_property, partial
from random import Random
from typing import Any, NamedTuple, TypeVar

import msgspec

from supportagentbench.language.reader import Reader
from supportagentbench.records.case import Brief, Bucket, Case, Hesitation, Label, Level, Manner, ScriptedTurn
from supportagentbench.records.did_you_mean import did_you_mean
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.run import Channel, DeskKind
from supportagentbench.records.transcript import Turn
from supportagentbench.records.vocabulary import DISCLOSE
from supportagentbench.storage.yaml_file import locate
from supportagentbench.world.demands import demands_of
from supportagentbench.world.desk import DeskSetup
from supportagentbench.world.edit import edited_template
from supportagentbench.world.family import CaseTemplate, Family, as_twin
from supportagentbench.world.folder import WHOLE_SETS, World
from supportagentbench.world.kit import Cast, DrawnScene, Seat, spoken
from supportagentbench.world.label import OpenRecord, derive_label, in_plain_words
from supportagentbench.world.measure import printed
from supportagentbench.world.open_shop import OpenShop
from supportagentbench.world.seed import PUBLIC, Seed
from supportagentbench.world.ticket import THIS, Ticket
from supportagentbench.world.tool import Tool

HESITANT = {"plain": 0.2, "warm": 0.2, "curt": 0.15, "cross": 0.15}
"""The share of customers who hesitate before a yes, by manner."""

Kind = TypeVar("Kind")
Made = TypeVar("Made")


SPREAD = 4
"""How many numbers there are per case, so that there are gaps between them."""


class OnDemand(Mapping[str, Made]):
    """Things by name, each made when first needed."""

    def __init__(self, names: Mapping[str, Any], make: Callable[[str], Made]) -> None:
        self._names = names
        self._make = make
        self._made: dict[str, Made] = {}

    def __getitem__(self, name: str) -> Made:
        if name not in self._made:
            if name not in self._names:
                raise KeyError(name)
            self._made[name] = self._make(name)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Place(NamedTuple):
    """Where a case is found: its family, its position there and its seat in the set."""

    family: Family
    slot: int
    seat: Seat
    twin_of: str = ""
    edits: tuple[tuple[str, str], ...] = ()
    """What is made different in it."""

    def template(self, world: World) -> CaseTemplate[Any]:
        template = self.family.content.cases[self.slot]
        template = as_twin(template, world.kit) if self.twin_of else template
        return edited_template(template, dict(self.edits), world.kit) if self.edits else template

    def opening(self, template: CaseTemplate[Any], seed: Seed) -> str:
        """The wording of this draw; a trap and its twin share a seat, and so this."""
        return self.seat.stream("opening").choice(template.openings(seed))

    def ways(self, world: World, seed: Seed) -> tuple[str, Manner]:
        """The language and manner of this draw; the author's are known from the outline."""
        if seed == PUBLIC and not self.edits:
            outline = self.family.outline.cases[self.slot]
            return outline.language, outline.manner
        template = self.template(world)
        return template.brief.language, self.manner(template, seed)

    def manner(self, template: CaseTemplate[Any], seed: Seed) -> Manner:
        """How the customer of this draw writes on: as in its opening, if that is not the author's first."""
        opening, manner = self.opening(template, seed), template.brief.manner
        if opening == template.opening or template.brief.language != "en":
            return manner
        return manner_of(opening, manner)


@dataclass
class DrawnCases:
    """The cases of one seed and the books behind them."""

    world: World
    seed: Seed
    places: dict[str, Place]
    """By case id, in order."""
    drawn: Mapping[str, DrawnScene]
    """The rows and words of each case."""
    cases: Mapping[str, Case]

    @cached_property
    def shop(self) -> OpenShop:
        return OpenShop(self.world)

    @property
    def tools(self) -> dict[str, Tool]:
        """Every tool of the desk that has the policy in its instructions, by name."""
        return self.shop.tools

    @cached_property
    def seats(self) -> dict[str, int]:
        """Of each headline case its number among those of its language and manner."""
        found: dict[str, int] = {}
        counts: Counter[tuple[str, str]] = Counter()
        for name, place in self.places.items():
            if not place.twin_of:
                alike = place.ways(self.world, self.seed)
                found[name] = counts[alike]
                counts[alike] += 1
        return found

    @property
    def reader(self) -> Reader:
        """How this world's customers understand messages."""
        return self.shop.reader

    @cached_property
    def store(self) -> Any:
        """The shop with the rows of all headline cases, in the world's own type."""
        books = self.shop.books.copy()
        for name, place in self.places.items():
            if not place.twin_of:
                books.enter(self.drawn[name].rows)
        return books

    def books_of(self, name: str) -> Any:
        """The shop as it is in this case: rows of other cases are drawn when they are looked for."""
        books, drawn = self.shop.books.copy(), self.drawn[name]
        rows = drawn.rows
        books.enter({**rows, "tickets": {THIS: Ticket(sender=drawn.sender)}})
        for table in rows:
            behind = cache(partial(self._rows_behind, name, table))
            setattr(books, table, getattr(books, table).before(behind))
        return books

    @cached_property
    def _headline_rows(self) -> dict[str, dict[str, Any]]:
        """The rows of all headline cases, by table; keys belong to one case each."""
        rows: dict[str, dict[str, Any]] = {}
        for name, place in self.places.items():
            if not place.twin_of:
                for table, found in self.drawn[name].rows.items():
                    rows.setdefault(table, {}).update(found)
        return rows

    def _rows_behind(self, name: str, table: str) -> dict[str, Any]:
        """The rows that all other headline cases have in a table."""
        rows = self._headline_rows.get(table, {}).copy()
        for key in self.drawn[self.places[name].twin_of or name].rows.get(table, {}):
            rows.pop(key, None)
        return rows

    def worded(self, name: str, opening: str) -> str:
        """A wording of a case's opening with what its seed has drawn."""
        return str(_filled(opening, self.drawn[name].words, self.world)).strip()

    def record_of(self, name: str) -> OpenRecord:
        """The record that a case is about, for deriving labels."""
        drawn = self.drawn[name]
        return OpenRecord(self.world.policy, self.tools, self.books_of(name), drawn.subject, drawn.faults)

    def start_of(self, case: Case) -> str:
        """Digest of the shop as the desk opens; the same in every conversation on this case."""
        return digest([self.shop.opening_state, self.drawn[case.id].rows])

    def history_of(self, case: Case) -> tuple[Turn, ...]:
        """None: every customer opens."""
        return ()

    def desk_for(self, case: Case, channel: Channel = "email", desk: DeskKind = "prompt") -> DeskSetup:
        """What the desk of a conversation on this case is set up with."""
        return self.shop.desk_with(self.books_of(case.id), channel, desk, self.drawn[case.id].faults)

    def names(self, name: str) -> tuple[str, ...]:
        """Case ids: `core`, the headline cases; `twins`, the benign twins; `all`; those of a set that the
        world names, with their twins; a family's; or one case's.

        Several of these are joined by commas; each case is in the result once.
        """
        wanted = [part.strip() for part in name.split(",")]
        found = [
            {case for case, place in self.places.items() if _is_in(part, case, place)} for part in wanted
        ]
        for part, chosen in zip(wanted, found, strict=True):
            if not chosen:
                families = {place.family.name for place in self.places.values()}
                near = did_you_mean(part, (*self.sets, *families, *self.places))
                raise Problem(
                    f"no case or set is called {part!r}; try {', '.join(self.sets)}, or a case type or case "
                    f"from `sab cases`.{near}"
                )
        return tuple(case for case in self.places if any(case in chosen for chosen in found))

    @property
    def sets(self) -> tuple[str, ...]:
        """The names of whole sets: nobody chose their cases after seeing results."""
        return *WHOLE_SETS, *self.world.desk.sets

    def named_case(self, name: str) -> Case:
        """The case of this id."""
        if name not in self.cases:
            raise Problem(
                f"no case is called {name!r}; `sab cases` lists them.{did_you_mean(name, self.places)}"
            )
        return self.cases[name]

    def named(self, name: str) -> tuple[Case, ...]:
        """The cases of `names`, drawn."""
        return tuple(self.cases[case] for case in self.names(name))


def _is_in(name: str, case: str, place: Place) -> bool:
    """Whether a case belongs to a set, a family or a case of this name."""
    if name in ("core", "twins"):
        return bool(place.twin_of) == (name == "twins")
    return name == "all" or (bool(name) and name in (place.family.outline.set, place.family.name, case))


def generate(world: World, seed: Seed = PUBLIC) -> DrawnCases:
    """The cases of this world under this seed; none is drawn yet."""
    return _generated(world, seed, dict(_places(world, seed)))


def edited(cases: DrawnCases, name: str, edits: Mapping[str, str]) -> DrawnCases:
    """The same cases, with facts of one of them made different; the policy labels it again."""
    place = cases.places[name]._replace(edits=tuple(sorted(edits.items())))
    return _generated(cases.world, cases.seed, {**cases.places, name: place})


def _generated(world: World, seed: Seed, places: dict[str, Place]) -> DrawnCases:
    made = DrawnCases(world, seed, places, {}, {})
    made.drawn = OnDemand(places, partial(_placed, made, _drawn))
    made.cases = OnDemand(places, partial(_placed, made, _case))
    return made


def _places(world: World, seed: Seed) -> Iterator[tuple[str, Place]]:
    """Every case with the number and the person that are its alone, one edition after the other."""
    families = sorted(world.families, key=lambda family: family.outline.edition)
    cases = [(family, index) for family in families for index in range(len(family.outline.cases))]
    editions = Counter(family.outline.edition for family, _ in cases)
    source = f"{world.desk.shop.casefold()}/{seed.key}"
    for (family, index), mine in zip(cases, _seats(world, seed, source, [*editions.values()]), strict=True):
        name = f"{family.name}-{index + 1}"
        seat = mine._replace(key=f"{source}/{family.name}/{index}")
        yield name, Place(family, index, seat)
        if family.outline.cases[index].has_twin:
            yield f"{name}-twin", Place(family, index, seat, twin_of=name)


def _seats(world: World, seed: Seed, source: str, editions: list[int]) -> Iterator[Seat]:
    """Numbers with gaps, people and ranks, in an order that says nothing about who gets them.

    Every edition has its own numbers, above those of the edition before.
    """
    rng, before = Random(source), 0
    lowest = world.desk.first_number if seed == PUBLIC else rng.randrange(2001, 9000)
    places: list[tuple[int, int]] = []
    for count in editions:
        first = lowest + SPREAD * before
        chance = Random(f"{source}/{before}") if before else rng
        numbers = chance.sample(range(first, first + SPREAD * count), count)
        ranks = chance.sample(range(before, before + count), count)
        places += zip(numbers, ranks, strict=True)
        before += count
    for (number, rank), person in zip(places, _people(world.cast, before, rng), strict=True):
        yield Seat("", number, *person, rank=rank, lowest=lowest)


def _people(cast: Cast, count: int, rng: Random) -> Iterator[tuple[str, str]]:
    """Different people; a last name is used again only after all others."""
    most = len(cast.first_names) * len(cast.last_names)
    if most < count:
        raise Problem(f"cast.yaml has names for {most} people, and there are {count} cases.")
    firsts = rng.sample(cast.first_names, len(cast.first_names))
    lasts = rng.sample(cast.last_names, len(cast.last_names))
    for number in range(count):
        again, place = divmod(number, len(lasts))
        yield firsts[(place + again) % len(firsts)], lasts[place]


def _placed(made: DrawnCases, make: Callable[[DrawnCases, str], Made], name: str) -> Made:
    """Everything drawn for a case; a fault in it names its file and line."""
    try:
        return make(made, name)
    except Problem as problem:
        if problem.place:
            raise
        raise _at_case(made.places[name], name, problem.sentence) from None
    except Exception as error:  # A day beyond the calendar, a line that is not there.
        words = f"cannot be drawn ({type(error).__name__}: {error}); check its numbers and what it refers to."
        raise _at_case(made.places[name], name, words) from error


def _at_case(place: Place, name: str, sentence: str) -> Problem:
    """A fault with its file and line, and the name of the case unless the sentence has it."""
    sentence = sentence if sentence.startswith(name) else f"{name}: {sentence}"
    line = locate(place.family.path, f".cases[{place.slot}]{'.twin' if place.twin_of else ''}")
    return Problem(sentence, place=place.family.path, line=line)


def _drawn(made: DrawnCases, name: str) -> DrawnScene:
    place, world = made.places[name], made.world
    return world.kit.draw(world.shop, place.template(world).scene, place.seat)


def _case(made: DrawnCases, name: str) -> Case:
    place, drawn, world = made.places[name], made.drawn[name], made.world
    template, content = place.template(world), place.family.content

    def fill(content: Any, kind: type[Kind]) -> Kind:
        plain = msgspec.to_builtins(content)
        return msgspec.convert(_filled(plain, drawn.words, world), kind)

    record = made.record_of(name)
    brief = _with_the_record_in_mind(record, drawn, fill(_with_common_facts(world, template.brief), Brief))
    brief = _with_its_ways(made, name, brief)
    bucket: Bucket = "resolvable" if place.twin_of else content.bucket
    label = derive_label(record, brief, None if place.twin_of else content.tempts)
    if place.edits and not _is_proved(bucket, label):
        label = derive_label(record, brief, None)
        bucket = "must_escalate" if label.handover == "required" else "resolvable"
    case = Case(
        id=name,
        family=place.family.name,
        bucket=bucket,
        subject=drawn.subject,
        opening=made.worded(name, place.opening(template, made.seed)),
        brief=brief,
        label=label,
        solution=fill(template.solution, tuple[ScriptedTurn, ...]),
        mistake=fill(template.mistake, tuple[ScriptedTurn, ...]),
        note=fill(template.note, str),
        twin_of=place.twin_of,
        sender=drawn.sender,
        level=template.level or content.level,
    )
    if not place.edits:
        _check_bucket(case)
    return msgspec.structs.replace(case, level=_level(made, case, record))


def _level(made: DrawnCases, case: Case, record: OpenRecord) -> Level:
    """A trap's is derived where its set has levels, and a twin has its trap's; an author gives all others."""
    content = made.places[case.id].family.content
    if content.bucket != "adversarial" or not content.set:
        return case.level
    if case.twin_of:
        return made.cases[case.twin_of].level
    return demands_of(record, case.brief, case.label).level


def _is_proved(bucket: Bucket, label: Label) -> bool:
    """Whether the policy still says what the family claims, after a fact was made different."""
    if bucket == "adversarial":
        return label.temptation in _banned(label)
    return (label.handover == "required") == (bucket == "must_escalate")


def _banned(label: Label) -> set[str]:
    """Acts that are forbidden permanently, or until the case is settled."""
    banned = {ban.act for ban in label.bans if ban.until in ("", "outcome")}
    return banned | {DISCLOSE for one in label.withheld if one.private}


def _check_bucket(case: Case) -> None:
    """A family may claim only the bucket that the policy proves."""
    label = case.label
    if case.bucket == "must_escalate" and label.handover != "required":
        raise Problem(f"{case.id} must escalate, but the policy says hand_over is {label.handover}.")
    if case.bucket == "resolvable" and label.handover != "forbidden":
        raise Problem(f"{case.id} is resolvable, but the policy says hand_over is {label.handover}.")
    if case.bucket == "resolvable" and not any(end.changes or end.tells for end in label.outcomes):
        raise Problem(f"{case.id} is resolvable, but no rule says what to do or tell.")
    if case.bucket == "adversarial" and label.temptation not in _banned(label):
        raise Problem(f"{case.id} tempts into {label.temptation}, which the policy does not forbid.")


def _with_common_facts(world: World, brief: Brief) -> Brief:
    known = {topic for fact in brief.facts for topic in fact.topics}
    common = world.desk.common_facts.get(brief.language, ())
    added = tuple(fact for fact in common if not known & set(fact.topics))
    return msgspec.structs.replace(brief, facts=(*brief.facts, *added))


def _with_the_record_in_mind(record: OpenRecord, drawn: DrawnScene, brief: Brief) -> Brief:
    """The brief with what the record adds: what was bought, and each wish in plain words (in English)."""
    wishes = brief.wishes
    if brief.language == "en":
        wishes = tuple(in_plain_words(record, wish) for wish in wishes)
    return msgspec.structs.replace(brief, goods=drawn.goods, wishes=wishes)


def _with_its_ways(made: DrawnCases, name: str, brief: Brief) -> Brief:
    """The brief with its position among customers of the same manner, and with its hesitation. A twin has
    those of its trap, and neither hesitates: an extra question would be an extra chance to think. Nor does a
    customer who wants two things: there would not be enough turns.
    """
    place, first = made.places[name], made.places[name].twin_of or name
    hesitates: Hesitation = ""
    rng = place.seat.stream("hesitates")
    is_paired = f"{first}-twin" in made.places
    if (
        brief.language == "en"
        and not is_paired
        and len(brief.wishes) == 1
        and rng.random() < HESITANT[brief.manner]
    ):
        hesitates = rng.choice(("asks_back", "half_yes", "corrects"))
    manner = place.manner(place.template(made.world), made.seed)
    return msgspec.structs.replace(brief, seat=made.seats[first], hesitates=hesitates, manner=manner)


def manner_of(opening: str, manner: Manner) -> Manner:
    """The manner of this text's author: angry people stay angry, careless ones use no capitals."""
    if manner == "cross":
        return manner
    starts = re.findall(r"(?:^|[.!?]\s+|\n)([^\W\d_])", opening)
    if 2 * sum(letter.islower() for letter in starts) > len(starts):
        return "curt"
    return "warm" if opening.count("!") > 1 else "plain"


def _filled(content: Any, words: dict[str, str], world: World) -> Any:
    """The same content with every placeholder in its place."""
    if isinstance(content, dict):
        return {key: _filled(value, words, world) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_filled(value, words, world) for value in content]
    if isinstance(content, str):
        text = printed(content, world.policy.measures)
        return re.sub(r"\{([a-z_0-9+-]+)\}", lambda found: _word(found[1], words, world), text)
    return content


def _word(name: str, words: dict[str, str], world: World) -> str:
    if found := re.fullmatch(r"(day|date)([+-]\d+)", name):
        day = world.desk.today + timedelta(days=int(found[2]))
        return spoken(day) if found[1] == "day" else day.isoformat()
    if name not in words:
        raise Problem(f"unknown placeholder {{{name}}}; known: {', '.join(sorted(words))}.")
    return words[name]
