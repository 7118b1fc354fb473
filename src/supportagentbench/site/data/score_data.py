"""Score data: what was found in the tickets of a real desk, as its page shows it."""

from collections.abc import Iterable
from typing import NamedTuple

from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.desk_score import Answerer, DeskScore, DeskSide, Standing, TicketFinding
from supportagentbench.site.data.opened_set import OpenedSet, OpenedSets
from supportagentbench.site.data.shadow_data import source_title

WHO: dict[Answerer, str] = {"human": "your people", "bot": "your bots"}


class PlacedFinding(NamedTuple):
    """A finding and its place in the record."""

    place: int
    found: TicketFinding

    @property
    def key(self) -> str:
        """A unique name for it."""
        return f"finding {self.place}"


class ScoreData:
    """A score with the sets that its numbers open; the record lists some findings of each check."""

    def __init__(self, score: DeskScore) -> None:
        self.score = score
        self.findings = [PlacedFinding(place, one) for place, one in enumerate(score.findings)]
        self.sets = OpenedSets([*dict.fromkeys(one.ticket for one in score.findings)])

    @property
    def wholes(self) -> list[DeskSide]:
        """All people together, and all bots."""
        return [side for side in self.score.sides if not side.person]

    @property
    def persons(self) -> list[DeskSide]:
        """Each of them that has a name."""
        return [side for side in self.score.sides if side.person]

    def some(
        self, who: Answerer, standing: Standing, check: str = "", person: str = ""
    ) -> list[PlacedFinding]:
        """The listed findings of one side."""
        return [
            one
            for one in self.findings
            if (one.found.who, one.found.standing) == (who, standing)
            and check in ("", one.found.check)
            and person in ("", one.found.person)
        ]

    def opened(self, words: str, some: Iterable[PlacedFinding], of: int) -> OpenedSet:
        """The set of these findings. `of`: how many tickets there are in all."""
        return self.sets.of_talks(words, {one.key: one.found.ticket for one in some}, of)

    @property
    def source(self) -> str:
        """The desk or the format that the tickets are from, as people write it."""
        return source_title(self.score.source)


def check_title(name: str) -> str:
    """A check for people."""
    return CATALOGUE[name].title if name in CATALOGUE else name.replace("_", " ").capitalize()
