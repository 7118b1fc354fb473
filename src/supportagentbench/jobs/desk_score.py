"""Desk score job: every ticket of an import, through every check that needs no label."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.board import Interval
from supportagentbench.records.counts import counted
from supportagentbench.records.desk_score import (
    Answerer,
    CheckScore,
    DeskScore,
    DeskSide,
    Standing,
    TicketFinding,
    TicketShare,
)
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.ticket import SupportTicket
from supportagentbench.records.version import __version__
from supportagentbench.shadow.check_sight import (
    LONGEST_NAME,
    CheckSight,
    ExportSight,
    TicketSight,
    not_looked,
)
from supportagentbench.shadow.desk_map import read_desk_map
from supportagentbench.shadow.mapped_desk import MapInWorld, MappedDesk
from supportagentbench.shadow.ticket_findings import findings_in
from supportagentbench.shadow.ticket_talk import DeskPerson, talks_of
from supportagentbench.stats.rates import run_again
from supportagentbench.storage.yaml_file import read_text
from supportagentbench.tickets.import_folder import ImportRecord, read_header, read_import
from supportagentbench.world.folder import read_world

MOST_LISTED = 25
"""Findings of one check and side that are listed."""
MOST_NAMED = 5
"""Acts that are named in a note."""
EVERYBODY = ""
"""In place of a name: all bots, or all people."""


class DeskScoreSpec(NamedTuple):
    """What is scored, and by which words."""

    folder: Path
    desk_map: Path | None = None
    policy: Path | None = None
    world: str = ""


def score_desk(spec: DeskScoreSpec) -> DeskScore:
    """Score an import; a Problem if nothing in it can be scored."""
    header = read_header(spec.folder)
    desk = _desk(spec)
    counts = DeskCounts(desk, ExportSight(read_import(spec.folder)))
    for ticket in read_import(spec.folder):
        counts.add(ticket)
    if not counts.scored:
        why = "; ".join(f"{count} × {reason}" for reason, count in counts.left_out.most_common(3))
        raise Problem(f"there is no ticket to score ({why or 'the import is empty'}).", place=spec.folder)
    return counts.score(header)


def _desk(spec: DeskScoreSpec) -> MappedDesk:
    mapped = None
    if spec.desk_map:
        world = read_world(spec.world)
        mapped = MapInWorld(read_desk_map(spec.desk_map, world.kit), world)
    return MappedDesk(mapped, read_text(spec.policy) if spec.policy else "")


class SideCounts:
    """What was found in the tickets of one side."""

    def __init__(self) -> None:
        self.tickets = self.messages = 0
        self.found: Counter[Standing] = Counter()
        """Tickets with at least one finding of this standing."""
        self.hits: Counter[tuple[str, Standing]] = Counter()
        self.seen: Counter[tuple[str, Standing]] = Counter()
        self.whys: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        """By check and kind of sight, the reasons."""

    def add(self, messages: int, looked: dict[str, tuple[CheckSight, bool]]) -> None:
        """Add a ticket: what each check could see, and whether it found anything."""
        self.tickets += 1
        self.messages += messages
        self.found.update({_standing(seen) for seen, hit in looked.values() if hit})
        for check, (seen, hit) in looked.items():
            if seen.why:
                self.whys[check, seen.kind][seen.why] += 1
            if seen.kind != "unseen":
                self.seen[check, seen.kind] += 1
                self.hits[check, seen.kind] += hit

    def checks(self) -> Iterator[CheckScore]:
        """Every check, the worst first."""
        names = dict.fromkeys(check for check, _ in (*self.seen, *self.whys))
        made = (self._check(name) for name in names)
        yield from sorted(made, key=lambda one: (*_badness(one.counted), *_badness(one.to_check)))

    def _check(self, name: str) -> CheckScore:
        return CheckScore(
            name,
            self._share(name, "counted"),
            self._share(name, "to_check"),
            dict(self.whys[name, "to_check"].most_common()),
            dict(self.whys[name, "unseen"].most_common()),
        )

    def _share(self, name: str, standing: Standing) -> TicketShare | None:
        n = self.seen[name, standing]
        return share(self.hits[name, standing], n) if n else None

    def side(self, who: DeskPerson) -> DeskSide:
        """This side in the record; only all of them together have figures by check."""
        return DeskSide(
            who.who,
            who.name,
            self.tickets,
            self.messages,
            share(self.found["counted"], self.tickets),
            share(self.found["to_check"], self.tickets),
            () if who.name else tuple(self.checks()),
        )


class DeskCounts:
    """What was found in the tickets so far."""

    def __init__(self, desk: MappedDesk, export: ExportSight) -> None:
        self._desk, self._export = desk, export
        self._not_looked = not_looked(desk)
        self._checks = [check for check in CATALOGUE if check not in self._not_looked]
        self._sides: defaultdict[DeskPerson, SideCounts] = defaultdict(SideCounts)
        self._listed: defaultdict[tuple[str, Answerer, Standing], list[TicketFinding]] = defaultdict(list)
        self._unmapped: dict[str, None] = {}
        """Acts that a map does not have."""
        self.left_out: Counter[str] = Counter()
        self.scored = self.unapproved = 0

    def add(self, ticket: SupportTicket) -> None:
        """Score one more ticket, or leave it out with the reason."""
        try:
            talks = list(talks_of(ticket, self._desk))
        except Problem as problem:
            self.left_out[problem.sentence] += 1
            return
        if not talks:
            self.left_out["nobody answered its customer"] += 1
            return
        self.scored += 1
        self.unapproved += not ticket.approved
        if self._desk.mapped:
            self._unmapped |= dict.fromkeys(self._desk.mapped.desk_map.unmapped(ticket))
        by_who: defaultdict[Answerer, list[dict[str, tuple[CheckSight, bool]]]] = defaultdict(list)
        messages: Counter[Answerer] = Counter()
        for talk in talks:
            sight = TicketSight(talk, self._export, self._desk)
            looked = findings_in(talk, sight, self._desk, self._checks)
            plain = {check: (seen, found is not None) for check, (seen, found) in looked.items()}
            if talk.side.name:
                self._sides[talk.side].add(talk.messages, plain)
            by_who[talk.side.who].append(plain)
            messages[talk.side.who] += talk.messages
            self._list(found for _, found in looked.values() if found)
        for who, all_looked in by_who.items():
            together = {check: max((one[check] for one in all_looked), key=_rank) for check in self._checks}
            self._sides[DeskPerson(who, EVERYBODY)].add(messages[who], together)

    def _list(self, found: Iterable[TicketFinding]) -> None:
        """Keep a bounded number of each kind: those of approved tickets first, then by chance."""
        for one in found:
            kept = self._listed[one.check, one.who, one.standing]
            kept.append(one)
            if len(kept) > 2 * MOST_LISTED:
                kept[:] = sorted(kept, key=_by_chance)[:MOST_LISTED]

    def score(self, header: ImportRecord) -> DeskScore:
        """The record."""
        mapped = self._desk.mapped
        return DeskScore(
            source=header.source,
            rights=header.rights,
            tickets=header.tickets,
            unapproved=self.unapproved,
            scored=self.scored,
            left_out=dict(self.left_out.most_common()),
            world=mapped.world.name if mapped else "",
            desk_map=digest(mapped.desk_map) if mapped else "",
            policy=digest(self._desk.policy) if self._desk.policy else "",
            sides=tuple(self._ordered_sides()),
            findings=tuple(self._ordered_findings()),
            not_looked=self._not_looked,
            package=__version__,
            notes=tuple(self._notes()),
        )

    def _notes(self) -> Iterator[str]:
        """What is missing in the map."""
        if self._desk.mapped and self._unmapped:
            names = ", ".join(name[:LONGEST_NAME] for name in [*self._unmapped][:MOST_NAMED])
            count = counted(len(self._unmapped), "act")
            yield f"The map does not have {count} of the export, such as {names}."

    def _ordered_sides(self) -> Iterator[DeskSide]:
        made = [counts.side(who) for who, counts in self._sides.items()]
        worst = sorted(made, key=lambda one: (*_badness(one.counted), *_badness(one.to_check)))
        for whole in (one for one in worst if one.person == EVERYBODY):
            yield whole
            yield from (one for one in worst if one.person and one.who == whole.who)

    def _ordered_findings(self) -> Iterator[TicketFinding]:
        """Those that count before the others; one of each check before the second of any."""
        placed = [
            (standing != "counted", place, -CATALOGUE[check].weight, check, one)
            for (check, _, standing), kept in self._listed.items()
            for place, one in enumerate(sorted(kept, key=_by_chance)[:MOST_LISTED])
        ]
        yield from (one for *_, one in sorted(placed, key=lambda row: (*row[:4], row[4].who)))


def share(hits: int, trials: int) -> TicketShare:
    """How many of these tickets, with the interval for other tickets like them."""
    low, high = run_again([1] * hits + [0] * (trials - hits), [1] * trials)
    return TicketShare(hits, trials, Interval(low, high))


def _standing(seen: CheckSight) -> Standing:
    return "counted" if seen.kind == "counted" else "to_check"


def _badness(found: TicketShare | None) -> tuple[float, int]:
    """The worst first; what could not be seen last."""
    return (-found.k / found.n, -found.n) if found else (1.0, 0)


def _rank(looked: tuple[CheckSight, bool]) -> tuple[bool, bool, bool]:
    """Of several who answered one ticket, the one that decides: who did it, then where it can be seen."""
    seen, hit = looked
    return hit, seen.kind != "unseen", seen.kind == "counted"


def _by_chance(one: TicketFinding) -> tuple[bool, str]:
    return not one.approved, digest([one.ticket, one.check])
