"""Mapped desk: a real desk as the header of a run has one, so that the same checks can read its tickets.

Its acts keep their own names. A map says which of them look something up and which change something, and
lends them the words of a world's acts. What no map says is not made up: such an act is known to no check.
"""

from collections.abc import Iterator
from datetime import date
from functools import cached_property
from typing import NamedTuple

from msgspec.structs import replace

from supportagentbench.records.record import digest
from supportagentbench.records.run import Run
from supportagentbench.records.version import __version__
from supportagentbench.records.vocabulary import HAND_OVER, TICKET_ACTS, Verb, Vocabulary
from supportagentbench.shadow.desk_map import BEYOND, LOOK_UP, DeskMap
from supportagentbench.world.folder import World

NO_DAY = date(2000, 1, 1)
"""Today, where a ticket does not say when it was. No finding that depends on it is kept."""


class MapInWorld(NamedTuple):
    """A map, and the world that its words come from."""

    desk_map: DeskMap
    world: World


class MappedDesk:
    """What checks have to know of a real desk."""

    def __init__(self, mapped: MapInWorld | None = None, policy: str = "") -> None:
        self.mapped = mapped
        self.policy = policy

    @cached_property
    def header(self) -> Run:
        """The header that the tickets would have as conversations of a run."""
        world = self.mapped.world if self.mapped else None
        return Run(
            agent="desk",
            run=1,
            world=world.name if world else "",
            world_digest=world.digest if world else "",
            policy_digest=digest(self.policy),
            policy=self.policy,
            today=NO_DAY,
            set="tickets",
            cases=(),
            case_seed="tickets",
            seed=0,
            customer="person",
            turn_limit=0,
            package=__version__,
            vocabulary=self.vocabulary,
        )

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Its own acts, with the words of the world's."""
        lookups = tuple(name for name, group in self._groups.items() if group == LOOK_UP)
        return Vocabulary("", tuple(self._verbs()), lookups=lookups)

    @cached_property
    def spoken(self) -> frozenset[str]:
        """The acts that change something and whose words are known, so that claims of them can be read."""
        return frozenset(verb.act for verb in self.vocabulary.verbs if verb.heard)

    @cached_property
    def agreed_to(self) -> frozenset[str]:
        """Those for which it can be read whether a customer asked for them or agreed."""
        return frozenset(
            verb.act for verb in self.vocabulary.verbs if verb.asked and verb.act not in TICKET_ACTS
        )

    @property
    def hands_over(self) -> bool:
        """Whether one of its acts is to hand a ticket over."""
        return HAND_OVER in self._groups.values()

    def knows(self, act: str) -> bool:
        """Whether the map says what this act is."""
        return act in self._groups

    def looks_up(self, act: str) -> bool:
        """Whether the map says that it changes nothing."""
        return self._groups.get(act) == LOOK_UP

    def is_wordless(self, act: str) -> bool:
        """Whether it changes something and no words for it are known, so that any claim may be about it."""
        return self._groups.get(act) == BEYOND

    def tool(self, act: str) -> str:
        """What an act is called in a transcript: its own name, unless every desk has such an act."""
        group = self._groups.get(act, "")
        return group if group in TICKET_ACTS else act

    @cached_property
    def _groups(self) -> dict[str, str]:
        """By act, the world's act with whose words it is spoken of; `beyond`, if there are none."""
        if self.mapped is None:
            return {}
        found = ((name, self.mapped.desk_map.meaning(name)) for name in self.mapped.desk_map.acts)
        return {name: (act.called or act.act) if act.act == BEYOND else act.act for name, act in found if act}

    def _verbs(self) -> Iterator[Verb]:
        """One verb for each of its acts that change something; those with the same words are alike."""
        if self.mapped is None:
            return
        words = self.mapped.world.vocabulary
        known = {verb.act: verb for verb in (*words.verbs, *words.beyond)}
        for name, group in self._groups.items():
            if group in (LOOK_UP, *TICKET_ACTS):
                continue
            verb = known.get(group, Verb(name, name, "", ""))
            alike = {group, *verb.kin}
            yield Verb(
                act=name,
                title=verb.title,
                doing=verb.doing,
                done=verb.done,
                heard=verb.heard,
                asked=verb.asked,
                kin=tuple(one for one, other in self._groups.items() if other in alike and one != name),
            )
        yield from (replace(known[act], kin=()) for act in TICKET_ACTS if act in self._groups.values())
