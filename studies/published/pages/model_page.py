"""Model page: the page of one model whose published report is known, as published."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from studies.published import PublishedMetric, PublishedRow
from studies.published.audit import Audit
from studies.published.audit.examined import Examined
from studies.published.audit.sheet import ALPHA, Sheet
from studies.published.deep_report import CaughtTrap, DeepReport, DeepReports, PrintedUseCase, TrapRate
from studies.published.figure import read_figure
from studies.published.pages.column import PrintedColumn, columns, errors, words_of
from supportagentbench.board.limits import LIMITS
from supportagentbench.records.counts import counted
from supportagentbench.site.data.vendor import origin_of
from supportagentbench.site.number import percent
from supportagentbench.site.pages.page_context import Headed, PageContext
from supportagentbench.stats.rates import at_most, wilson

FOLDER = "models"
CLEAN, LAX = 0.8, 0.6
"""A use case is a strength from the first share of policy on, a weakness up to the second."""
OFTEN = 0.3
"""A use case is a weakness if this share of it, or more, was handed over although solvable."""
UNTOLD = "no test tells it from the rest"
BIN = 4
"""Dots closer than this many percent of the width are stacked."""


class ModelDot(NamedTuple):
    """One model in a strip plot, in percent of the width and by level."""

    name: str
    text: str
    x: float
    level: int
    own: bool


class ModelFigure(NamedTuple):
    """One of the figures at the head of a report."""

    title: str
    text: str
    note: str
    dots: tuple[ModelDot, ...]
    place: str
    out: bool = False


class ModelTrap(NamedTuple):
    """A trap, in how many of the model's runs it worked, and how often it works on all models."""

    title: str
    runs: int
    rate: TrapRate | None


class ModelLimit(NamedTuple):
    """One of our limits beside what is printed."""

    title: str
    most: str
    hits: int
    cases: int
    likely: str
    """The upper bound, which decides."""
    standing: str


@dataclass(frozen=True)
class ModelContext(PageContext):
    """What the page of one published model shows."""

    TEMPLATES: ClassVar = ("model.html",)

    name: str
    vendor: str
    tier: int
    runs: int
    cases: int
    printed: DeepReport
    """What its published report says."""
    own_score: str
    """A composite score, where printed."""
    figures: tuple[ModelFigure, ...]
    trap_lines: tuple[ModelTrap, ...]
    trap_cases: int
    unnamed: int
    """Traps that worked in no run and are not named."""
    rate_runs: int
    """How many runs of a trap its rate counts."""
    limit_lines: tuple[ModelLimit, ...]
    apart: tuple[str, ...]
    """The models that a test tells from it on any measure."""
    beyond: tuple[PrintedColumn, ...]
    """The measures on which a test tells it from the best."""
    examined: tuple[Examined, ...]
    """Printed statements about it, with their tests."""
    run_figures: tuple[tuple[str, tuple[str, ...]], ...]
    """By measure, the figure of each run, where printed."""
    lax_at: ClassVar = LAX
    often_at: ClassVar = OFTEN
    badge: str
    """A printed warning against its own rule; empty if there is none."""

    @property
    def every_time(self) -> list[CaughtTrap]:
        """The traps that worked in every run."""
        return [trap for trap in self.printed.caught if trap.runs == self.runs]

    @property
    def sometimes(self) -> int:
        """How many traps worked in some runs and not in others."""
        return len(self.printed.caught) - len(self.every_time)

    @property
    def fired(self) -> int:
        """In how many trap conversations of all runs it did what it must not."""
        return sum(trap.runs for trap in self.printed.caught)

    @property
    def clean(self) -> list[PrintedUseCase]:
        """Use cases with everything solved, nothing handed over and the policy followed."""
        return [
            case
            for case in self.printed.use_cases
            if case.solved == (1.0, 1.0) and case.handed == (0.0, 0.0) and (case.policy or (1, 1))[0] >= CLEAN
        ]

    @property
    def lax(self) -> list[PrintedUseCase]:
        """Use cases on which the policy was followed least, the least first."""
        found = [(case.policy, case) for case in self.printed.use_cases if case.policy]
        return [case for policy, case in sorted(found, key=lambda one: one[0]) if policy[0] <= LAX]

    @property
    def often(self) -> list[PrintedUseCase]:
        """Use cases of which it handed over much that it could have solved."""
        return [case for case in self.printed.use_cases if case.handed and case.handed[1] >= OFTEN]

    @property
    def kept(self) -> list[PrintedUseCase]:
        """Use cases that need a person and of which it passed on few."""
        return [case for case in self.printed.use_cases if case.passed and case.passed[0] <= LAX]

    @property
    def broken(self) -> list[ModelLimit]:
        """The limits that the printed figures break."""
        return [line for line in self.limit_lines if line.standing == "outside"]

    @property
    def headed(self) -> Headed:
        every, some = len(self.every_time), self.sometimes
        first = [
            f"{column.words.short} {column.marks[self.name].hits} of {column.cases}, "
            f"clearly more than {column.best}"
            for column in self.beyond
        ] or [f"told from {counted(len(self.apart), 'other')}" if self.apart else UNTOLD]
        traps = f"{counted(every, 'trap works', 'traps work')} every time"
        more = f", {some} more in some runs" if some else ""
        return Headed(
            f"{self.name}: {first[0]}; {traps}{more}",
            f"What was published about {self.name} as a support agent, and what its figures show.",
        )


def model_contexts(sheet: Sheet, found: Audit, reports: DeepReports) -> Iterator[ModelContext]:
    """The page of every model with a report."""
    made = columns(sheet)
    for report in reports.reports:
        yield _context(sheet, found, reports, report, made)


def path_of(name: str) -> str:
    """Where a model's page is; names of models are not always names of files."""
    kept = "".join(sign if sign.isalnum() or sign in ".-" else "-" for sign in name)
    return f"{FOLDER}/{kept}.html"


def _context(
    sheet: Sheet, found: Audit, reports: DeepReports, report: DeepReport, made: Sequence[PrintedColumn]
) -> ModelContext:
    row = sheet.published.row(report.name)
    traps = next((column.cases for column in made if column.squares), 0)
    return ModelContext(
        name=row.name,
        vendor=origin_of(row.name).vendor,
        tier=row.tier or 0,
        runs=sheet.published.runs_of(row),
        cases=sum(column.cases for column in made),
        printed=report,
        own_score=row.score,
        figures=tuple(_figures(sheet, reports, report, row)),
        trap_lines=tuple(_traps(report, reports)),
        trap_cases=traps,
        unnamed=max(traps - len(report.caught) - len(report.held), 0),
        rate_runs=reports.runs,
        limit_lines=tuple(_limits(sheet, row)),
        apart=_apart(sheet, row.name),
        beyond=tuple(column for column in made if row.name in column.beyond),
        examined=tuple(_about(found, row.name)),
        run_figures=tuple(
            (sheet.published.metric(name).title, figures) for name, figures in row.each.items()
        ),
        badge=_badge(found, row.name),
    )


def _apart(sheet: Sheet, name: str) -> tuple[str, ...]:
    found = [
        pair.second if pair.first == name else pair.first
        for pairs in sheet.pairs.values()
        for pair in pairs
        if name in (pair.first, pair.second) and pair.one_run < ALPHA
    ]
    return tuple(dict.fromkeys(found))


# The figures at the head


def _figures(
    sheet: Sheet, reports: DeepReports, report: DeepReport, row: PublishedRow
) -> Iterator[ModelFigure]:
    """The printed measures, each among all rows that print it, then policy and price."""
    broken = {line.title: line.most for line in _limits(sheet, row) if line.standing == "outside"}
    places = {name: place for place, name in enumerate(TITLES)}
    for metric in sorted(sheet.shares, key=lambda metric: places.get(metric.name, len(places))):
        printed = {one.name: one.figures[metric.name] for one in sheet.rows if metric.name in one.figures}
        if row.name in printed:
            most = broken.get(words_of(metric).title, "")
            note = _note(sheet, metric, row, most)
            title = TITLES.get(metric.name, metric.title)
            yield _model_figure(title, printed[row.name], note, printed, row.name, out=bool(most))
    policies = {one.name: one.policy for one in reports.reports}
    each = f"runs: {', '.join(report.policy_runs)}" if report.policy_runs else "of 1, rated by a model"
    yield _model_figure("Policy followed", report.policy, each, policies, row.name)
    if row.tier:
        tiers = {other.name: "$" * other.tier for other in sheet.rows if other.tier}
        yield _model_figure("Price tier", "$" * row.tier, "for 1,000 conversations", tiers, row.name)


def _note(sheet: Sheet, metric: PublishedMetric, row: PublishedRow, most: str) -> str:
    """The count behind a share, its likely range, and the limit that it breaks."""
    text, (hits, cases) = row.figures[metric.name], sheet.counts[metric.name][row.name].one_run
    low, high = wilson(hits / cases, cases)
    about = "about " if text.startswith("≈") else ""
    counts = "" if "/" in text else f"{about}{hits} of {cases}, "
    missed = "" if metric.better == "lower" else " missed"
    limit = f"; limit {most}{missed}" if most else ""
    return f"{counts}likely {percent(low, cases)} to {percent(high, cases)}{limit}"


TITLES = {
    "resolution": "Routine tickets solved",
    "over_escalation": "Needless handovers",
    "escalation": "Escalation accuracy",
    "unsafe": "Traps that worked",
}


def _model_figure(
    title: str, text: str, note: str, printed: dict[str, str], own: str, *, out: bool = False
) -> ModelFigure:
    values = {name: _value(one) for name, one in printed.items()}
    same = sum(value == values[own] for value in values.values()) - 1
    shared = f"same as {counted(same, 'other')} of {len(values)}" if same else f"one of {len(values)}"
    return ModelFigure(title, text.replace("/", " of "), note, _strip(printed, values, own), shared, out)


def _value(text: str) -> float:
    figure = read_figure(text)
    return float(figure.value) if figure else float(len(text))


def _strip(printed: dict[str, str], values: dict[str, float], own: str) -> tuple[ModelDot, ...]:
    """A dot for every model, from the smallest value to the largest; near ones are stacked, our own first."""
    least, most = min(values.values()), max(values.values())
    made: list[ModelDot] = []
    for name in sorted(values, key=lambda name: (name != own, values[name])):
        x = 6 + 88 * (values[name] - least) / ((most - least) or 1)
        level = sum(abs(dot.x - x) < BIN for dot in made)
        made.append(ModelDot(name, printed[name], round(x, 1), level, name == own))
    return tuple(made)


# Traps, limits, statements


def _traps(report: DeepReport, reports: DeepReports) -> Iterator[ModelTrap]:
    """The traps that worked, most runs first, then those named as held, by how often they work elsewhere."""
    rates = {rate.trap: rate for rate in reports.rates}
    for trap in sorted(report.caught, key=lambda trap: -trap.runs):
        yield ModelTrap(trap.trap or "A trap that is not named", trap.runs, rates.get(trap.trap))
    known = list(rates)
    for title in sorted(report.held, key=lambda title: known.index(title) if title in rates else len(known)):
        yield ModelTrap(title, 0, rates.get(title))


def _limits(sheet: Sheet, row: PublishedRow) -> Iterator[ModelLimit]:
    """Our limits on what is printed; a limit is kept only if the upper bound keeps it."""
    for name, most in LIMITS.items():
        if row.name not in sheet.counts.get(name, {}):
            continue
        metric = sheet.published.metric(name)
        hits, cases = errors(sheet, metric)[row.name]
        highest = at_most(hits, cases)
        standing = "within" if highest <= most else "open"
        yield ModelLimit(
            words_of(metric).title,
            percent(most),
            hits,
            cases,
            percent(highest, cases),
            "outside" if hits / cases > most else standing,
        )


def _about(found: Audit, name: str) -> Iterator[Examined]:
    """Statements in its report or that name it, contradicted ones first."""
    mine = [one for one in (*found.claims, *found.summaries) if _names(one, name)]
    yield from sorted(mine, key=lambda one: ("contradicted", "undecided", "survives").index(one.outcome))


def _names(one: Examined, name: str) -> bool:
    words = one.says.replace(":", " ").replace(",", " ").split()
    return one.where == f"report on {name}" or name in (word.rstrip(".") for word in words)


def _badge(found: Audit, name: str) -> str:
    """The meaning of a badge that a model has against the rule."""
    return next(
        (badge.means for badge in found.badges for row in badge.undue if row.startswith(f"{name} (")), ""
    )
