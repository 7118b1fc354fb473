"""Summary: whether a row's printed figure agrees with what other pages print about its runs."""

from collections.abc import Iterator
from fractions import Fraction
from statistics import median

from studies.published import PublishedMetric, PublishedRow
from studies.published.audit.examined import Examined, Outcome
from studies.published.audit.sheet import Sheet
from studies.published.figure import PrintedFigure, read_figure

WHERE = "board and reports"
WITH_TOTAL = "a median with this total"


def compare_with_runs(sheet: Sheet) -> Iterator[Examined]:
    """Each figure compared with its repetition, the median of its runs, and all runs together."""
    for row in sheet.rows:
        for metric in sheet.shares:
            figure = sheet.figure(row, metric.name)
            if figure is None:
                continue
            says = f"{row.name}: {metric.title.casefold()} {figure.text}"
            if repeated := read_figure(row.again.get(metric.name, "")):
                yield _repeated(f"{says}, elsewhere {repeated.text}.", figure, repeated)
            if each := row.each.get(metric.name):
                yield _median(f"{says} over runs of {', '.join(each)}.", figure, each)
            if pooled := read_figure(row.pooled.get(metric.name, "")):
                yield _pooled(sheet, row, metric, figure, pooled)


def _repeated(says: str, figure: PrintedFigure, repeated: PrintedFigure) -> Examined:
    gap = abs(figure.value - repeated.value)
    agree = gap <= figure.half_step + repeated.half_step
    reason = "Rounding explains the difference" if agree else f"They differ by {float(gap * 100):.1f} points"
    outcome: Outcome = "survives" if agree else "contradicted"
    return Examined(says, WHERE, "same figure up to rounding", outcome, f"{reason}.")


def _median(says: str, figure: PrintedFigure, each: tuple[str, ...]) -> Examined:
    runs = [found for text in each if (found := read_figure(text)) is not None]
    middle = median(run.value for run in runs)
    steps = figure.half_step + max(run.half_step for run in runs)
    agree = abs(figure.value - middle) <= steps
    outcome: Outcome = "survives" if agree else "contradicted"
    return Examined(
        says, WHERE, "median of the runs", outcome, f"Their median is {float(middle * 100):.1f}%."
    )


def _pooled(
    sheet: Sheet, row: PublishedRow, metric: PublishedMetric, figure: PrintedFigure, pooled: PrintedFigure
) -> Examined:
    """Whether any runs with this total have this median."""
    cases, runs = metric.cases or 0, sheet.published.runs_of(row)
    total, middles = pooled.nearest(cases * runs), 2 - runs % 2
    says = f"{row.name}: {metric.title.casefold()} {figure.text}, over all runs {pooled.text}."
    share = f"{total}/{cases * runs} is {total / runs:.2f} per run"
    always = sum(times == runs for times in row.fired.get(metric.name, ()))
    fitting = [
        Fraction(count, middles)
        for count in figure.counts(cases * middles)
        if _may_be(Fraction(count, middles), total, runs, cases, always)
    ]
    if not fitting:
        reason = f"{share}; no {runs} runs with that total have this median."
        return Examined(says, WHERE, WITH_TOTAL, "contradicted", reason)
    left_out = total / runs - float(fitting[0])
    hides = f"; the median hides {left_out:.2f} of it" if left_out > 0 else ""
    known = _known(fitting, total, runs, always)
    seen = f"; the runs were {', '.join(map(str, known))}" if known else ""
    return Examined(says, WHERE, WITH_TOTAL, "survives", f"{share}{seen}{hides}.")


def _may_be(middle: Fraction, total: int, runs: int, cases: int, always: int) -> bool:
    """Whether runs of at least `always` and at most `cases` can have this median and this total."""
    beside, middles = (runs - 1) // 2, 2 - runs % 2
    least = beside * always + (middles + beside) * middle
    most = (beside + middles) * middle + beside * cases
    return least <= total <= most


def _known(fitting: list[Fraction], total: int, runs: int, always: int) -> tuple[int, ...]:
    """The three runs, if median, total and what happened in every run allow only one solution."""
    if runs != 3 or len(fitting) != 1:
        return ()
    middle = int(fitting[0])
    found = [(low, middle, total - middle - low) for low in range(always, middle + 1)]
    found = [split for split in found if split[2] >= middle]
    return found[0] if len(found) == 1 else ()
