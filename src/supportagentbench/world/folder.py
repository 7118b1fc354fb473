"""Folder: a world's folder with code, a desk, a policy, a catalogue, a cast and case families, read into
memory.

A second shop is a second folder. Everything is checked on reading; a fault names its file and line.
"""

import os
import re
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from supportagentbench.records.case import CustomerFact
from supportagentbench.records.did_you_mean import did_you_mean
from supportagentbench.records.name import is_id
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, digest
from supportagentbench.records.run import CHANNELS, Channel, DeskKind
from supportagentbench.records.vocabulary import Vocabulary
from supportagentbench.storage.file import read_bounded
from supportagentbench.storage.yaml_file import locate, read_document
from supportagentbench.world.code import SHIPPED, code_files, read_kit, refuse_hidden_code
from supportagentbench.world.family import Family, family_kind, open_family, topic_faults
from supportagentbench.world.handbook import Handbook, read_handbook
from supportagentbench.world.kit import Cast, Kit, Shop
from supportagentbench.world.measure import printed
from supportagentbench.world.outline import read_outlines
from supportagentbench.world.policy import Policy, PolicyFile, read_policy_file
from supportagentbench.world.wordings import Wordings, worded

Kind = TypeVar("Kind")

WHOLE_SETS = ("core", "twins", "all")
"""The sets that every world has: headline cases, their twins, both."""

MOST_FILES = 5_000
"""Files and folders in a world's folder."""
MOST_BYTES = 16_000_000
"""Bytes of all of them that are read."""


class DeskFile(Record):
    """`desk.yaml`: the shop's name, its day, and the agent's instructions."""

    shop: str
    about: str
    today: date
    first_number: int
    """No case of the public set has a lower number."""
    instructions: str
    """`{shop}`, `{today}`, `{messages}` and `{policy}` are filled in."""
    common_facts: dict[str, tuple[CustomerFact, ...]]
    """By language: what every customer knows unless its brief says otherwise."""
    sets: tuple[str, ...] = ()
    """Names of sets that its families belong to, for `--set`."""


class _NamedSets(msgspec.Struct):
    """Of `desk.yaml`, the sets."""

    sets: tuple[str, ...] = ()


class World(NamedTuple):
    """Everything in one folder."""

    name: str
    folder: Path
    digest: str
    kit: Kit
    desk: DeskFile
    policy: Policy
    catalogue: Any
    cast: Cast
    families: tuple[Family, ...]
    vocabulary: Vocabulary
    """What can be done, asked and told at this desk, and the words for it."""
    handbook: Handbook | None = None
    """The policy as a shop would write it, if there is one. Not in the digest: no label comes from it."""

    @property
    def shop(self) -> Shop:
        """What its data files say, for its own code."""
        return Shop(self.desk.today, self.catalogue, self.cast, self.policy.measures)

    def place(self, name: str) -> Path:
        """The file of this name: its own or, if it has none, that of the world it extends."""
        return _place(self.folder, name, _extended(self.kit))

    def instructions(self, channel: Channel, desk: DeskKind = "prompt", today: date | None = None) -> str:
        """The agent's instructions. `today`: the day it is, if not the world's."""
        text = self.desk.instructions if desk == "prompt" else self.opened_handbook().introduction
        contents = self.opened_handbook().contents if desk == "handbook" else ""
        return (
            text.replace("{shop}", self.desk.shop)
            .replace("{messages}", CHANNELS[channel])
            .replace("{today}", f"{today or self.desk.today:%A, %d %B %Y}")
            .replace("{policy}", self.policy.text)
            .replace("{contents}", contents)
        )

    def opened_handbook(self) -> Handbook:
        """The handbook, or a Problem in a world without one."""
        if self.handbook is None:
            raise Problem(f"the world {self.name} has no handbook; leave out --desk handbook.")
        return self.handbook

    def text_given(self, channel: Channel, desk: DeskKind) -> str:
        """Everything that an agent at this desk works by."""
        told = self.instructions(channel, desk)
        return told if desk == "prompt" else f"{told}\n\n{self.opened_handbook().rules}"

    def policy_digest(self, desk: DeskKind) -> str:
        """The policy as it is read at this desk."""
        if desk == "prompt":
            return self.policy.digest
        return digest([self.policy.digest, self.opened_handbook().digest])


def documents(kit: Kit) -> dict[str, Any]:
    """The kinds of YAML file that a world with this kit is made of."""
    policy: Any = PolicyFile
    return {
        "desk": DeskFile,
        "policy": policy[kit.measures],
        "store": kit.catalogue,
        "cast": kit.cast,
        "family": family_kind(kit),
        "wordings": Wordings,
    }


def find_world(where: str) -> Path:
    """The folder of this name, or of the shipped world of this name."""
    folder = SHIPPED / where if "/" not in where and (SHIPPED / where / "desk.yaml").exists() else Path(where)
    if not folder.is_dir():
        known = shipped_worlds()
        near = did_you_mean(where, known)
        raise Problem(
            f"there is no such world; give a folder, or one of: {', '.join(known)}.{near}", place=where
        )
    return folder


def world_with(names: str, default: str) -> str:
    """The shipped world that has these sets, case types and cases, if the default has not."""
    parts = [part.strip() for part in names.split(",")]
    here = [part for part in parts if part in WHOLE_SETS or _has(SHIPPED / default, part)]
    found = {where for part in parts if part not in here for where in _worlds_with(part)}
    if len(found) > 1 or (found and here):
        raise Problem(f"{names!r} is in several worlds, which are never pooled; name one world's at a time.")
    return min(found, default=default)


def shipped_worlds() -> list[str]:
    """The names of all worlds that ship with this package."""
    return [path.parent.name for path in sorted(SHIPPED.glob("*/desk.yaml"))]


def is_shipped_world(name: str) -> bool:
    """Whether a file may name this world; the code of any other is run only if the user names its folder."""
    return name in shipped_worlds()


def sets_of(world: str) -> str:
    """All cases of a world, as `--set` names them: its own sets, or else `all`."""
    return ",".join(read_document(find_world(world) / "desk.yaml", _NamedSets).sets) or "all"


def _worlds_with(part: str) -> list[str]:
    return [name for name in shipped_worlds() if _has(SHIPPED / name, part)]


def _has(folder: Path, part: str) -> bool:
    """Whether a world has a set, a case type or a case of this name, by its files alone."""
    family = re.sub(r"-\d+(-twin)?$", "", part)
    if is_id(family) and (folder / "cases" / f"{family}.yaml").exists():
        return True
    desk = folder / "desk.yaml"
    return desk.exists() and part in read_document(desk, _NamedSets).sets


def read_world(where: str) -> World:
    """The world in this folder, or the shipped one of this name."""
    folder = find_world(where)
    paths = sorted((folder / "cases").glob("*.yaml"))
    if not paths:
        raise Problem("has no case families; add one as cases/<family>.yaml.", place=folder)
    files = _file_digests(folder)
    kit = read_kit(folder)
    base = _extended(kit)
    policy = read_policy_file(folder / "policy.yaml", kit)
    desk = _read_desk(folder / "desk.yaml", policy, _below(folder, "desk.yaml", base))
    outlines = read_outlines(folder)
    families = tuple(
        open_family(path, policy, files.get(path, ""), outlines.get(path.stem)) for path in paths
    )
    _refuse_unnamed_sets(families, desk)

    def document(name: str, kind: type[Kind]) -> Kind:
        return read_document(_place(folder, name, base), kind, _below(folder, name, base))

    titles = {family.name: family.outline.title for family in families if family.outline.title}
    wordings = _place(folder, "wordings.yaml", base), _below(folder, "wordings.yaml", base)
    vocabulary = worded(kit.vocabulary(desk.shop), *wordings)
    return World(
        name=folder.name,
        folder=folder,
        digest=_folder_digest(folder, files, base),
        kit=kit,
        desk=desk,
        policy=policy,
        catalogue=document("store.yaml", kit.catalogue),
        cast=document("cast.yaml", kit.cast),
        families=families,
        vocabulary=msgspec.structs.replace(
            vocabulary, case_types=titles, stakes=_stakes(families, vocabulary)
        ),
        handbook=read_handbook(folder, policy),
    )


def with_family(world: World, family: Family) -> World:
    """The world with one more case type."""
    families = (*world.families, family)
    vocabulary = msgspec.structs.replace(
        world.vocabulary,
        case_types=world.vocabulary.case_types | {family.name: family.outline.title or family.name},
        stakes=_stakes(families, world.vocabulary),
    )
    return world._replace(families=families, vocabulary=vocabulary)


def _stakes(families: Iterable[Family], vocabulary: Vocabulary) -> dict[str, str]:
    """By case type, the harm at stake: that of a trap's temptation, or what the file says."""
    found = {}
    for family in families:
        harm = vocabulary.harm_by(family.outline.tempts)
        if name := harm.name if harm else family.outline.at_stake:
            found[family.name] = name
    return found


def _extended(kit: Kit) -> Path | None:
    return find_world(kit.extends) if kit.extends else None


def _place(folder: Path, name: str, base: Path | None) -> Path:
    return base / name if base and not (folder / name).exists() else folder / name


def _below(folder: Path, name: str, base: Path | None) -> Path | None:
    """The base world's file of this name, if the folder has its own too."""
    return base / name if base and (folder / name).exists() and (base / name).exists() else None


def _refuse_unnamed_sets(families: tuple[Family, ...], desk: DeskFile) -> None:
    for family in families:
        if family.outline.set not in ("", *desk.sets):
            known = ", ".join(desk.sets) or "none"
            raise Problem(
                f"desk.yaml names no set {family.outline.set!r}; it has {known}.",
                place=family.path,
                line=locate(family.path, ".set"),
            )


def _read_desk(path: Path, policy: Policy, below: Path | None) -> DeskFile:
    desk = read_document(path, DeskFile, below)
    for language, facts in desk.common_facts.items():
        for index, fact in enumerate(facts):
            for trail, sentence in topic_faults(
                fact.topics, policy.kit, f".common_facts.{language}[{index}]"
            ):
                raise Problem(sentence, place=path, line=locate(path, trail))
    return msgspec.structs.replace(desk, about=printed(desk.about, policy.measures))


def _folder_digest(folder: Path, files: dict[Path, str], base: Path | None) -> str:
    """A name for the contents of these files and of the folder of the extended world."""
    found = digest([(str(path.relative_to(folder)), data) for path, data in files.items()])
    return digest([found, _folder_digest(base, _file_digests(base), None)]) if base else found


def _file_digests(folder: Path) -> dict[Path, str]:
    """The digest of every file that a world is made of."""
    every = list(_files_in(folder))
    refuse_hidden_code(folder, every)
    documents = [path for path in every if path.suffix == ".yaml"]
    files = sorted([*documents, *folder.glob("*.npz"), *code_files(folder)])
    found, left = dict[Path, str](), MOST_BYTES
    for path in files:
        data = read_bounded(path, MOST_BYTES, follow=True)  # Its code runs, so its links are trusted.
        left -= len(data)
        if left < 0:
            raise Problem(f"has more than {MOST_BYTES:,} bytes in files; make it smaller.", place=folder)
        found[path] = digest(data)
    return found


def _files_in(folder: Path) -> Iterator[Path]:
    """Every file of a world's folder, with a limit: it may be a home directory by mistake."""
    count = 0
    for place, folders, names in os.walk(folder):
        count += len(folders) + len(names)
        if count > MOST_FILES:
            raise Problem(
                f"holds more than {MOST_FILES:,} files and folders; keep only the world's own in it.",
                place=folder,
            )
        yield from (Path(place, name) for name in names)
