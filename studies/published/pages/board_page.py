"""Board page: the printed rows by our rules, ties shown as ties."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from studies.published import PublishedRow
from studies.published.audit.sheet import ALPHA, Sheet
from studies.published.pages.column import PrintedColumn, PrintedMark, columns
from studies.published.pages.take import take
from supportagentbench.records.claim import Claim
from supportagentbench.records.counts import counted
from supportagentbench.site.data.vendor import origin_of
from supportagentbench.site.pages.page_context import Headed, PageContext
from supportagentbench.stats.rates import fisher


class PublishedLine(NamedTuple):
    """One model."""

    name: str
    href: str
    """Its report; empty if there is none."""
    vendor: str
    tier: int
    marks: tuple[PrintedMark | None, ...]
    take: str


class PublishedGroup(NamedTuple):
    """Models under one heading."""

    heading: str
    lines: tuple[PublishedLine, ...]


class WidestTie(NamedTuple):
    """The two counts of squares that are furthest apart, and what would tell them apart."""

    least: int
    most: int
    cases: int
    p: float
    alone: int
    """How many cases one comparison would take at these rates."""
    among_all: int
    """… and one of all pairs, corrected."""


class ToldApart(NamedTuple):
    """How many pairs of rows a test tells apart."""

    title: str
    apart: int
    pooled: int
    """… if each of several runs counted as fresh evidence."""
    pairs: int


@dataclass(frozen=True)
class PublishedContext(PageContext):
    """What the page of a printed board shows."""

    TEMPLATES: ClassVar = ("published.html",)

    columns: tuple[PrintedColumn, ...]
    groups: tuple[PublishedGroup, ...]
    models: int
    cases: int
    """Of one run."""
    pair_counts: tuple[ToldApart, ...]
    widest: WidestTie | None
    """None without a column of squares in which all rows tie."""
    cheapest: tuple[int, int]
    """The lowest price tier, and how many models are in it; zeros if no tier is printed."""
    statements: int
    """How many printed statements the audit tested."""
    runs: int
    _tested: tuple[Claim, ...]
    """The tests behind the title."""

    @property
    def headed(self) -> Headed:
        return Headed(
            headline(self.columns, self.models),
            f"{counted(self.models, 'published model')} on {counted(self.cases, 'support ticket')}: which "
            "differences are real, and which are ties.",
        )

    @property
    def claims(self) -> tuple[Claim, ...]:
        return self._tested


def published_context(sheet: Sheet, hrefs: Mapping[str, str], statements: int) -> PublishedContext:
    """The page of these rows; `hrefs` has the reports."""
    made, order = columns(sheet), sheet.published.orders[0]
    ordered = sorted(sheet.rows, key=lambda row: sheet.key(row, order))
    lines = [_line(sheet, row, made, hrefs) for row in ordered]
    tiers = [row.tier for row in sheet.rows if row.tier]
    return PublishedContext(
        columns=made,
        groups=_groups(made[0], lines) if made else (PublishedGroup("", tuple(lines)),),
        models=len(lines),
        cases=sum(column.cases for column in made),
        pair_counts=tuple(_pairs(sheet, column) for column in made),
        widest=_widest(sheet, made),
        cheapest=(min(tiers), tiers.count(min(tiers))) if tiers else (0, 0),
        statements=statements,
        runs=sheet.published.runs,
        _tested=tuple(claim for column in made for claim in _claims(sheet, column)),
    )


def _line(
    sheet: Sheet, row: PublishedRow, made: Sequence[PrintedColumn], hrefs: Mapping[str, str]
) -> PublishedLine:
    return PublishedLine(
        row.name,
        hrefs.get(row.name, ""),
        origin_of(row.name).vendor,
        row.tier or 0,
        tuple(column.marks.get(row.name) for column in made),
        take(sheet, row, made),
    )


def _groups(first: PrintedColumn, lines: Sequence[PublishedLine]) -> tuple[PublishedGroup, ...]:
    """Ties with the best on the first measure, then the others."""
    beyond = set(first.beyond)
    title = first.words.title.casefold()
    parts = (
        (f"Tie with the best on {title}", [line for line in lines if line.name not in beyond]),
        (
            _capital(first.words.do).replace("the best", first.best),
            [line for line in lines if line.name in beyond],
        ),
    )
    return tuple(PublishedGroup(heading, tuple(some)) for heading, some in parts if some)


def _capital(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}"


# What is found


def headline(made: Sequence[PrintedColumn], models: int) -> str:
    """The finding: whether squares tie, then who is beyond the best where."""
    traps = next((column for column in made if column.traps), None)
    said = []
    if traps:
        fell = sum(mark.hits > 0 for mark in traps.marks.values())
        who = f"All {models} models" if fell == models else f"{fell} of {models} models"
        ties = not traps.beyond
        said.append(f"{who} fell for traps, and there they tie." if ties else f"{who} fell for traps.")
    beyond = next((column for column in made if column.beyond), None)
    if beyond is None:
        said.append("No test tells any of them from the best.")
    else:
        said.append(f"{_who_is(beyond)}.")
    return " ".join(said)


def _who_is(column: PrintedColumn) -> str:
    if len(column.beyond) == 1:
        return f"Only {column.beyond[0]} {column.words.does}"
    return f"{len(column.beyond)} {column.words.do}"


def _claims(sheet: Sheet, column: PrintedColumn) -> list[Claim]:
    """The sentences that say that models are beyond the best, with the tests behind them."""
    if not column.beyond:
        return []
    value = max(sheet.pair(column.metric, column.best, name).one_run for name in column.beyond)
    return [
        Claim(
            kind="beats",
            sentence=_who_is(column),
            holds=value < ALPHA,
            test="Fisher's exact test on one run each, not paired; Holm over all pairs of the metric",
            value=value,
            needs=f"< {ALPHA:.2g}",
            metric=column.metric,
            subject=column.best,
        )
    ]


def _pairs(sheet: Sheet, column: PrintedColumn) -> ToldApart:
    pairs = sheet.pairs[column.metric]
    apart, pooled = sum(pair.one_run < ALPHA for pair in pairs), sum(pair.pooled < ALPHA for pair in pairs)
    return ToldApart(column.words.title, apart, pooled, len(pairs))


def _widest(sheet: Sheet, made: Sequence[PrintedColumn]) -> WidestTie | None:
    squares = next((column for column in made if column.squares), None)
    if squares is None or squares.beyond:
        return None
    hits = [mark.hits for mark in squares.marks.values()]
    least, most, cases = min(hits), max(hits), squares.cases
    pairs = len(sheet.pairs[squares.metric])
    return WidestTie(
        least,
        most,
        cases,
        fisher((least, cases), (most, cases)),
        cases_to_tell(least / cases, most / cases, ALPHA),
        cases_to_tell(least / cases, most / cases, ALPHA / max(pairs, 1)),
    )


MOST_CASES = 2000


def cases_to_tell(low: float, high: float, level: float) -> int:
    """The fewest cases from which on a test tells these rates apart, in steps of five; 0: more than 2,000."""
    found = 0
    for cases in range(MOST_CASES, 0, -5):
        if fisher((round(low * cases), cases), (round(high * cases), cases)) >= level:
            break
        found = cases
    return found
