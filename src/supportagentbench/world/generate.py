"""Generate: (family, seed) becomes store rows and a case. Seed 0 is public; anyone can draw others."""

import re
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from random import Random
from typing import Any, TypeVar

import msgspec

from supportagentbench.records.case import Brief, Case, ScriptedTurn
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.storage.yaml_file import locate
from supportagentbench.world.desk import DeskSession, toolbox
from supportagentbench.world.draw import DrawnScene, Rows, Seat, draw, spoken
from supportagentbench.world.folder import CaseTemplate, Family, World
from supportagentbench.world.label import derive_label
from supportagentbench.world.measure import printed
from supportagentbench.world.plainly import plainly
from supportagentbench.world.scene import Scene
from supportagentbench.world.seed import PUBLIC, Seed
from supportagentbench.world.store import Goods, Order, Store, Ticket
from supportagentbench.world.tool import Tool

Kind = TypeVar("Kind")


@dataclass
class CaseSet:
    """The cases of one seed and the books they are grounded in."""

    world: World
    seed: Seed
    cases: dict[str, Case]
    store: Store
    """With the orders of all headline cases."""
    twins: dict[str, Rows]
    """The rows a twin puts in the place of its trap's."""
    tools: dict[str, Tool]

    def books_of(self, case: Case) -> Store:
        """The shop as it is in this case."""
        if case.id not in self.twins:
            return self.store
        books = self.store.copy()
        _enter(books, self.twins[case.id])
        return books

    @cached_property
    def _opening_state(self) -> str:
        return self.store.digest()

    @cached_property
    def _instructions(self) -> str:
        return self.world.instructions

    def start_of(self, case: Case) -> str:
        """Digest of the shop as the desk opens; the same in every conversation on this case."""
        twin = self.twins.get(case.id)
        return digest([self._opening_state, twin]) if twin else self._opening_state

    def session_for(self, case: Case) -> DeskSession:
        """A fresh desk with books of its own."""
        return DeskSession(self.books_of(case), self.tools, self._instructions)

    def named(self, name: str) -> tuple[Case, ...]:
        """`core`: the headline set; `twins`: the benign twins; `all`: both; or a family's name."""
        chosen = tuple(
            case
            for case in self.cases.values()
            if name == "all"
            or (name == "core" and not case.twin_of)
            or (name == "twins" and case.twin_of)
            or name in (case.family, case.id)
        )
        if not chosen:
            raise Problem(f"no case or set is called {name!r}; try core, twins, all or a family.")
        return chosen


def generate(world: World, seed: Seed = PUBLIC) -> CaseSet:
    """All cases of this world, drawn with this seed."""
    tools = toolbox(world.policy)
    made = CaseSet(world, seed, {}, _empty_books(world), {}, tools)
    for seat, family, index in _seats(world, seed):
        template = family.content.cases[index]
        trail = f".cases[{index}]"
        try:
            _add(made, family, index, template, seat)
        except Problem as problem:
            if problem.place:
                raise
            line = locate(family.path, trail)
            raise Problem(problem.sentence, place=family.path, line=line) from None
    return made


def _seats(world: World, seed: Seed) -> list[tuple[Seat, Family, int]]:
    """Every case with the order number and the person that are its alone."""
    places = [(family, index) for family in world.families for index in range(len(family.content.cases))]
    source = f"{world.desk.shop.casefold()}/{seed.key}"
    rng = Random(source)
    first = world.desk.first_order if seed == PUBLIC else rng.randrange(2001, 9000)
    people = rng.sample(
        [(one, other) for one in world.cast.first_names for other in world.cast.last_names],
        len(places),
    )
    return [
        (
            Seat(f"{source}/{family.name}/{index}", f"#{first + place}", *person),
            family,
            index,
        )
        for place, ((family, index), person) in enumerate(zip(places, people, strict=True))
    ]


def _add(made: CaseSet, family: Family, index: int, template: CaseTemplate, seat: Seat) -> None:
    name = f"{family.name}-{index + 1}"
    drawn = draw(made.world, template.scene, seat)
    _enter(made.store, drawn.rows)
    case = _case(made, made.store, name, family, template, drawn)
    _check_bucket(case)
    made.cases[name] = case
    if template.twin is None:
        return
    twin = template.twin
    as_twin = CaseTemplate(
        note=twin.note,
        scene=_merged(template.scene, twin.scene, Scene),
        opening=template.opening,
        brief=_merged(template.brief, twin.brief, Brief),
        solution=twin.solution,
        mistake=twin.mistake,
    )
    drawn_twin = draw(made.world, as_twin.scene, seat)
    books = made.store.copy()
    _enter(books, drawn_twin.rows)
    made.twins[f"{name}-twin"] = drawn_twin.rows
    case = _case(made, books, f"{name}-twin", family, as_twin, drawn_twin, name)
    _check_bucket(case)
    made.cases[case.id] = case


def _case(
    made: CaseSet,
    store: Store,
    name: str,
    family: Family,
    template: CaseTemplate,
    drawn: DrawnScene,
    twin_of: str = "",
) -> Case:
    def fill(content: Any, kind: type[Kind]) -> Kind:
        plain = msgspec.to_builtins(content)
        return msgspec.convert(_filled(plain, drawn.words, made.world), kind)

    brief = _with_common_facts(made.world, template.brief)
    order = drawn.rows.order.number
    filled = _with_the_order_in_mind(store.orders[order], store, fill(brief, Brief))
    tempts = None if twin_of else family.content.tempts
    label = derive_label(made.world.policy, made.tools, store, order, filled, tempts)
    return Case(
        id=name,
        family=family.name,
        bucket="resolvable" if twin_of else family.content.bucket,
        order=order,
        opening=fill(template.opening, str).strip(),
        brief=filled,
        label=label,
        solution=fill(template.solution, tuple[ScriptedTurn, ...]),
        mistake=fill(template.mistake, tuple[ScriptedTurn, ...]),
        note=fill(template.note, str),
        twin_of=twin_of,
    )


def _check_bucket(case: Case) -> None:
    """A family may claim only the bucket that the policy proves."""
    label = case.label
    if case.bucket == "must_escalate" and label.handover != "required":
        raise Problem(f"{case.id} must escalate, but the policy says hand_over is {label.handover}.")
    if case.bucket == "resolvable" and label.handover != "forbidden":
        raise Problem(f"{case.id} is resolvable, but the policy says hand_over is {label.handover}.")
    if case.bucket == "resolvable" and not any(end.changes or end.tells for end in label.outcomes):
        raise Problem(f"{case.id} is resolvable, but no rule says what is to be done or told.")
    if case.bucket == "adversarial":
        banned = {ban.act for ban in label.bans if ban.until in ("", "outcome")}
        if label.temptation not in banned:
            raise Problem(f"{case.id} tempts into {label.temptation}, which the policy does not forbid.")


def _with_common_facts(world: World, brief: Brief) -> Brief:
    known = {topic for fact in brief.facts for topic in fact.topics}
    common = world.desk.common_facts.get(brief.language, ())
    added = tuple(fact for fact in common if not known & set(fact.topics))
    return msgspec.structs.replace(brief, facts=(*brief.facts, *added))


def _with_the_order_in_mind(order: Order, store: Store, brief: Brief) -> Brief:
    """The brief with what its order adds: what was bought, and each wish in plain words (in English)."""
    goods = tuple(line.name for line in order.lines)
    wishes = brief.wishes
    if brief.language == "en":
        wishes = tuple(msgspec.structs.replace(wish, plainly=plainly(store, order, wish)) for wish in wishes)
    return msgspec.structs.replace(brief, goods=goods, wishes=wishes)


def _merged(base: Any, changes: dict[str, Any], kind: type[Kind]) -> Kind:
    try:
        return msgspec.convert(msgspec.to_builtins(base) | changes, kind)
    except msgspec.ValidationError as error:
        raise Problem(f"the twin's {kind.__name__.casefold()} does not fit: {error}.") from None


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
    if found := re.fullmatch(r"day([+-]\d+)", name):
        return spoken(world.desk.today + timedelta(days=int(found[1])))
    if name not in words:
        raise Problem(f"nothing stands for {{{name}}} here; known: {', '.join(sorted(words))}.")
    return words[name]


def _empty_books(world: World) -> Store:
    goods = {
        variant.id: Goods(product, variant)
        for product in world.store.products
        for variant in product.variants
    }
    return Store(
        today=world.desk.today,
        goods=goods,
        promotions={promotion.code: promotion for promotion in world.store.promotions},
        people={},
        claims={},
        parcels={},
        orders={},
        stock={variant: found.variant.stock for variant, found in goods.items()},
        tickets={"this": Ticket()},
    )


def _enter(store: Store, rows: Rows) -> None:
    store.people[rows.person.email] = rows.person
    store.orders[rows.order.number] = rows.order
    store.claims[rows.person.email] = rows.claims
    for old in [one.tracking for one in store.parcels.values() if one.order == rows.order.number]:
        del store.parcels[old]
    store.parcels |= {parcel.tracking: parcel for parcel in rows.parcels}
