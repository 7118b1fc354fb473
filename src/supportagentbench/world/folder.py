"""World: a folder with a desk, a policy, a catalogue, a cast and case families, read into memory.

A second shop is a second folder. Everything is checked on reading; a fault names its file and line.
"""

from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from supportagentbench.records.case import Act, Brief, Bucket, CustomerFact, ScriptedTurn
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, digest
from supportagentbench.records.vocabulary import Vocabulary
from supportagentbench.storage.yaml_file import read_document
from supportagentbench.world.measure import printed
from supportagentbench.world.policy import Policy, PolicyFile, read_policy_file
from supportagentbench.world.scene import Scene
from supportagentbench.world.store import Product, Promotion
from supportagentbench.world.ticket import FALSE_CLOSURE
from supportagentbench.world.ticket import VERBS as TICKET_VERBS
from supportagentbench.worlds.northline import verbs

SHIPPED = Path(__file__).parent.parent / "worlds"


class Carrier(Record):
    """Who carries parcels, and what its tracking numbers look like."""

    name: str
    countries: tuple[str, ...]
    tracking: str
    """`?9` stands for a digit, `?A` for a letter; all else for itself."""
    link: str
    """`{tracking}` is filled in."""


class DeskFile(Record):
    """`desk.yaml`: the shop's name, its day, and what the agent is told before the first message."""

    shop: str
    about: str
    today: date
    first_order: int
    """Number of the first case's order in the public set."""
    instructions: str
    """`{shop}`, `{today}` and `{policy}` are filled in."""
    carriers: tuple[Carrier, ...]
    common_facts: dict[str, tuple[CustomerFact, ...]]
    """By language: what every customer knows unless its brief says otherwise."""


class StoreFile(Record):
    """`store.yaml`: what the shop sells."""

    products: tuple[Product, ...]
    promotions: tuple[Promotion, ...] = ()


class City(Record):
    """A town whose region and postcode agree."""

    city: str
    region: str
    postcode: str
    country: str = ""


class CastFile(Record):
    """`cast.yaml`: the pools from which people and places are drawn."""

    first_names: tuple[str, ...]
    last_names: tuple[str, ...]
    streets: dict[str, tuple[str, ...]]
    cities: dict[str, tuple[City, ...]]
    forwarders: tuple[str, ...]
    friends: tuple[str, ...]
    overseas: tuple[City, ...]


class Twin(Record):
    """What differs in the benign twin of a trap; its opening is the trap's, word for word."""

    note: str
    solution: tuple[ScriptedTurn, ...]
    mistake: tuple[ScriptedTurn, ...]
    scene: dict[str, Any] = {}
    """The fields of the trap's scene that differ."""
    brief: dict[str, Any] = {}
    """The fields of the trap's brief that differ."""


class CaseTemplate(Record):
    """One case with placeholders such as `{order}`, `{item}` or `{new_colour}` in its texts."""

    note: str
    scene: Scene
    opening: str
    brief: Brief
    solution: tuple[ScriptedTurn, ...]
    mistake: tuple[ScriptedTurn, ...]
    twin: Twin | None = None


class FamilyFile(Record):
    """`cases/<family>.yaml`: one intent, one must-escalate kind, or one trap."""

    bucket: Bucket
    about: str
    """What the family tests, in one sentence."""
    cases: tuple[CaseTemplate, ...]
    tempts: Act | None = None
    """In a trap: the act it tempts the agent into."""


DOCUMENTS: dict[str, type[Record]] = {
    "desk": DeskFile,
    "policy": PolicyFile,
    "store": StoreFile,
    "cast": CastFile,
    "family": FamilyFile,
}
"""The kinds of YAML file a world is made of."""


class Family(NamedTuple):
    """A family file with its name and place."""

    name: str
    path: Path
    content: FamilyFile


class World(NamedTuple):
    """Everything in one folder."""

    name: str
    folder: Path
    digest: str
    desk: DeskFile
    policy: Policy
    store: StoreFile
    cast: CastFile
    families: tuple[Family, ...]

    @property
    def vocabulary(self) -> Vocabulary:
        """What can be done, asked and told at this desk, and the words for it."""
        return Vocabulary(
            shop=self.desk.shop,
            verbs=(*verbs.VERBS, *TICKET_VERBS),
            topics=verbs.TOPICS,
            news=verbs.NEWS,
            harms=(*verbs.HARMS, FALSE_CLOSURE),
            mixes=verbs.MIXES,
            bookkeeping=verbs.BOOKKEEPING,
            essential=verbs.ESSENTIAL,
        )

    @property
    def instructions(self) -> str:
        """All the agent is told before the customer writes."""
        return (
            self.desk.instructions.replace("{shop}", self.desk.shop)
            .replace("{today}", f"{self.desk.today:%A, %d %B %Y}")
            .replace("{policy}", self.policy.text)
        )


def read_world(where: str) -> World:
    """The world in this folder, or the shipped one of this name."""
    folder = SHIPPED / where if "/" not in where and (SHIPPED / where).is_dir() else Path(where)
    if not folder.is_dir():
        known = ", ".join(sorted(path.parent.name for path in SHIPPED.glob("*/desk.yaml")))
        raise Problem(f"there is no such world; give a folder, or one of: {known}.", place=where)
    paths = sorted((folder / "cases").glob("*.yaml"))
    if not paths:
        raise Problem("holds no case families; add one as cases/<family>.yaml.", place=folder)
    policy = read_policy_file(folder / "policy.yaml")
    return World(
        name=folder.name,
        folder=folder,
        digest=_folder_digest(folder),
        desk=_read_desk(folder / "desk.yaml", policy),
        policy=policy,
        store=read_document(folder / "store.yaml", StoreFile),
        cast=read_document(folder / "cast.yaml", CastFile),
        families=tuple(_read_family(path, policy) for path in paths),
    )


def _read_desk(path: Path, policy: Policy) -> DeskFile:
    desk = read_document(path, DeskFile)
    return msgspec.structs.replace(desk, about=printed(desk.about, policy.measures))


def _read_family(path: Path, policy: Policy) -> Family:
    content = read_document(path, FamilyFile)
    about = printed(content.about, policy.measures)
    return Family(path.stem, path, msgspec.structs.replace(content, about=about))


def _folder_digest(folder: Path) -> str:
    files = sorted(folder.rglob("*.yaml"))
    return digest([(str(path.relative_to(folder)), digest(path.read_bytes())) for path in files])
