"""Score findings: how many tickets have what, by check and by person; and what could not be seen."""

from collections import defaultdict
from typing import NamedTuple

from supportagentbench.records.desk_score import Answerer, DeskSide, Standing, TicketShare
from supportagentbench.site.data.opened_set import OpenedSet, Phrase, Sentence, sentence
from supportagentbench.site.data.score_data import WHO, ScoreData, check_title
from supportagentbench.site.number import percent

STANDINGS: dict[Standing, str] = {"counted": "counts", "to_check": "to check"}


class FoundShare(NamedTuple):
    """How many tickets have it, of those in which it could be seen."""

    k: int
    n: int
    likely: str
    low: float
    high: float
    """The likely range, as shares."""
    opened: OpenedSet


class CheckRow(NamedTuple):
    """One check; findings that count and those to check are never added up."""

    title: str
    counted: FoundShare | None
    to_check: FoundShare | None

    @property
    def has_any(self) -> bool:
        """Whether it found anything."""
        return any(one and one.k for one in (self.counted, self.to_check))


class SideFindings(NamedTuple):
    """What was found in the tickets that people answered, or bots."""

    title: str
    tickets: int
    counted: FoundShare
    to_check: FoundShare
    checks: tuple[CheckRow, ...]
    """The worst first."""


class PersonRow(NamedTuple):
    """One person or bot."""

    name: str
    counted: FoundShare
    to_check: FoundShare


def side_findings(data: ScoreData) -> list[SideFindings]:
    """People and bots, the worst first."""
    return [
        SideFindings(
            WHO[side.who],
            side.tickets,
            _of_side(data, side, "counted"),
            _of_side(data, side, "to_check"),
            tuple(
                CheckRow(
                    check_title(one.check),
                    _share(data, side.who, "counted", one.check, one.counted),
                    _share(data, side.who, "to_check", one.check, one.to_check),
                )
                for one in side.checks
                if one.counted or one.to_check
            ),
        )
        for side in data.wholes
    ]


def person_rows(data: ScoreData) -> list[PersonRow]:
    """Each of them that has a name, the worst first."""
    return [
        PersonRow(side.person, _of_side(data, side, "counted"), _of_side(data, side, "to_check"))
        for side in data.persons
    ]


def _of_side(data: ScoreData, side: DeskSide, standing: Standing) -> FoundShare:
    found = side.counted if standing == "counted" else side.to_check
    words = f"found in tickets of {side.person or WHO[side.who]}, {STANDINGS[standing]}"
    some = data.some(side.who, standing, person=side.person)
    return _found(found, data.opened(words, some, found.k))


def _share(
    data: ScoreData, who: Answerer, standing: Standing, check: str, found: TicketShare | None
) -> FoundShare | None:
    if found is None:
        return None
    words = f"{check_title(check).lower()}, {STANDINGS[standing]}, by {WHO[who]}"
    return _found(found, data.opened(words, data.some(who, standing, check), found.k))


def _found(share: TicketShare, opened: OpenedSet) -> FoundShare:
    low, high = share.interval.low, share.interval.high
    likely = f"likely {percent(low, share.n)} to {percent(high, share.n)}"
    return FoundShare(share.k, share.n, likely, low, high, opened)


class ScoreHeadline(NamedTuple):
    """What was found, in one sentence for each side."""

    title: Sentence
    more: tuple[Sentence, ...]


def score_headline(sides: list[SideFindings]) -> ScoreHeadline:
    """The side with the worst figure is the title; what is found most often follows."""
    if not sides:
        return ScoreHeadline(sentence("Nothing was scored"), ())
    first, *others = (_of(one) for one in sides)
    often = (words for words in map(_most_often, sides) if words)
    return ScoreHeadline(first, (*others, *often))


def _of(side: SideFindings) -> Sentence:
    has, have = ("has" if one.k == 1 else "have" for one in (side.counted, side.to_check))
    return (
        _number(side.counted),
        Phrase(f" of {side.tickets:,} tickets that {side.title} answered {has} a finding that counts, "),
        _number(side.to_check),
        Phrase(f" {have} one to check"),
    )


def _number(share: FoundShare) -> Phrase:
    """A number that opens what the page has of it."""
    return Phrase(f"{share.k:,}", share.opened)


def _most_often(side: SideFindings) -> Sentence:
    """What is found most often; nothing, if nothing is."""
    rows = [(share, row.title) for row in side.checks for share in (row.counted, row.to_check) if share]
    share, title = max(rows, key=lambda row: row[0].k, default=(None, ""))
    if share is None or not share.k:
        return ()
    begin = f"Most often with {side.title}: {title.lower()}, in "
    return (Phrase(begin), _number(share), Phrase(f" of {share.n:,}."))


def unseen(data: ScoreData) -> dict[str, list[str]]:
    """By reason, the checks that saw nothing in any ticket."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for check, why in data.score.not_looked.items():
        found[why].append(check_title(check))
    for side in data.wholes:
        for one in side.checks:
            if one.counted is None and one.to_check is None:
                why = next(iter(one.not_observable), "no one answered")
                found[f"{why} ({WHO[side.who]})"].append(check_title(one.check))
    return {why[:1].upper() + why[1:]: checks for why, checks in found.items()}
