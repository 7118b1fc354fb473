"""Claims: each claim of the pages is tested by its kind.

A claim that the figures disprove is contradicted; one they neither prove nor disprove is undecided; the rest
survives.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import singledispatch
from math import atanh, sqrt, tanh
from typing import NamedTuple

import numpy as np

from studies.published import PublishedRow, claim
from studies.published.audit.examined import Examined, Outcome
from studies.published.audit.sheet import ALPHA, RowPair, Sheet
from studies.published.audit.standing import DRAWS
from studies.published.figure import PrintedFigure, read_figure
from supportagentbench.records.counts import counted
from supportagentbench.stats.rates import Z, at_most, correlation, ranks, wilson


class TestOutcome(NamedTuple):
    """The result of a test."""

    test: str
    outcome: Outcome
    reason: str


def examine_claim(sheet: Sheet, stated: claim.AnyClaim) -> Examined:
    """Test one claim."""
    found = test_claim(stated, sheet)
    return Examined(stated.says, stated.where, found.test, found.outcome, found.reason)


@singledispatch
def test_claim(stated: claim.PublishedClaim, sheet: Sheet) -> TestOutcome:
    """The test of a claim; one function per kind."""
    raise NotImplementedError(type(stated).__name__)


# Comparing rows


@test_claim.register
def _(stated: claim.Best, sheet: Sheet) -> TestOutcome:
    test = f"printed {stated.end} of all, and significantly different from every other row"
    own, sign = sheet.published.row(stated.row), 1 if stated.end == "best" else -1
    rivals = [
        (name, row, sign * (_lack(sheet, row, name) - _lack(sheet, own, name)))
        for name in stated.metrics
        for row in sheet.rows
        if row is not own and name in row.figures
    ]
    ahead = [(name, row) for name, row, behind in rivals if behind < 0]
    if ahead:
        return TestOutcome(test, "contradicted", _ahead(sheet, ahead, stated.end))
    pairs = [sheet.pair(name, own.name, row.name) for name, row, _ in rivals if name in sheet.pairs]
    apart, pooled = sum(p.one_run < ALPHA for p in pairs), sum(p.pooled < ALPHA for p in pairs)
    rows = counted(len(rivals), "model")
    reason = f"A test tells it from {apart} of {rows} as one run, from {pooled} with all runs pooled"
    tied = sum(behind == 0 for _, _, behind in rivals)
    shared = f", and shared with {tied}" if tied else ""
    return TestOutcome(test, "survives" if apart == len(rivals) else "undecided", f"{reason}{shared}.")


def _ahead(sheet: Sheet, ahead: list[tuple[str, PublishedRow]], end: str) -> str:
    """On which metrics other rows are better (or worse), and the first of them."""
    parts, beyond = [], "better" if end == "best" else "worse"
    for name in dict.fromkeys(name for name, _ in ahead):
        rows = sorted(
            (row for metric, row in ahead if metric == name), key=lambda row: _lack(sheet, row, name)
        )
        first = rows[0 if end == "best" else -1]
        are = "model is" if len(rows) == 1 else "models are"
        parts.append(
            f"{len(rows)} {are} {beyond} on {_title(sheet, name)} ({first.name} {first.figures[name]})"
        )
    return "; ".join(parts) + "."


@test_claim.register
def _(stated: claim.Better, sheet: Sheet) -> TestOutcome:
    test = "printed better, and significantly different on each of these metrics"
    row, than = sheet.published.row(stated.row), sheet.published.row(stated.than)
    for name in stated.metrics:
        if _lack(sheet, row, name) >= _lack(sheet, than, name):
            return TestOutcome(test, "contradicted", _versus(sheet, name, row, than))
    apart, reason = _significant(sheet, stated.metrics, row, than)
    return TestOutcome(test, "survives" if apart == len(stated.metrics) else "undecided", reason)


@test_claim.register
def _(stated: claim.Dominates, sheet: Sheet) -> TestOutcome:
    test = "printed nowhere worse on the default order's metrics and tier, and significantly different on one"
    row, over = sheet.published.row(stated.row), sheet.published.row(stated.over)
    for name in sheet.ranked_by:
        if _lack(sheet, row, name) > _lack(sheet, over, name):
            return TestOutcome(test, "contradicted", _versus(sheet, name, row, over))
    if not sheet.dominates(row, over):
        return TestOutcome(test, "contradicted", "It is in a higher tier, or no better anywhere.")
    apart, reason = _significant(sheet, sheet.ranked_by, row, over)
    return TestOutcome(test, "survives" if apart else "undecided", reason)


def _versus(sheet: Sheet, name: str, row: PublishedRow, other: PublishedRow) -> str:
    figures = f"{row.name} has {row.figures[name]}, {other.name} {other.figures[name]}"
    return f"{figures} on {_title(sheet, name)}."


def _significant(
    sheet: Sheet, metrics: Sequence[str], row: PublishedRow, other: PublishedRow
) -> tuple[int, str]:
    """On how many of these metrics two rows differ significantly, and the figures; a score has no counts."""
    pairs = {name: sheet.pair(name, row.name, other.name) for name in metrics if name in sheet.pairs}
    shown = [
        f"{row.figures[name]} against {other.figures[name]} on {_title(sheet, name)}, p = {pair.p:.2g}"
        for name, pair in pairs.items()
        if row.figures[name] != other.figures[name]
    ]
    apart = sum(pair.one_run < ALPHA for pair in pairs.values())
    return apart, f"{'; '.join(shown) or 'No count differs'}."


@test_claim.register
def _(stated: claim.Equal, sheet: Sheet) -> TestOutcome:
    test = "95% interval of the difference (Newcombe), as one run"
    parts, apart = [], False
    for name in stated.metrics:
        counts = sheet.counts[name]
        low, high = _difference(counts[stated.row].one_run, counts[stated.to].one_run)
        span = f"{low * 100:+.0f} to {high * 100:+.0f} points".replace("-", "−")
        parts.append(f"{span} on {_title(sheet, name)}")
        apart |= sheet.pair(name, stated.row, stated.to).one_run < ALPHA
    outcome: Outcome = "contradicted" if apart else "undecided"
    return TestOutcome(test, outcome, f"The difference may be {', '.join(parts)}.")


def _difference(first: tuple[int, int], second: tuple[int, int]) -> tuple[float, float]:
    """Newcombe's interval for the difference of two independent rates."""
    (a, m), (b, n) = first, second
    (low_a, high_a), (low_b, high_b) = wilson(a / m, m), wilson(b / n, n)
    gap = a / m - b / n
    below = sqrt((a / m - low_a) ** 2 + (high_b - b / n) ** 2)
    above = sqrt((high_a - a / m) ** 2 + (b / n - low_b) ** 2)
    return gap - below, gap + above


@test_claim.register
def _(stated: claim.Above, sheet: Sheet) -> TestOutcome:
    test = "95% interval against the bound, as one run"
    count, bound = sheet.counts[stated.metric][stated.row], _figure(stated.bound)
    hits, cases = count.one_run
    low, high = wilson(count.rate, cases)
    reason = f"{hits}/{cases} is {count.rate:.1%} (likely {low:.0%} to {high:.0%})."
    if Fraction(hits, cases) <= bound.value:
        return TestOutcome(test, "contradicted", reason)
    return TestOutcome(test, "survives" if low > bound.value else "undecided", reason)


# The column of a metric


@test_claim.register
def _(stated: claim.Splits, sheet: Sheet) -> TestOutcome:
    pairs = sheet.pairs[stated.metric]
    apart, pooled = sum(p.one_run < ALPHA for p in pairs), sum(p.pooled < ALPHA for p in pairs)
    compared = counted(len(pairs), "pair")
    reason = f"{apart} of {compared} differ significantly as one run, {pooled} with all runs pooled."
    return TestOutcome("pairs that differ significantly", "survives" if apart else "undecided", reason)


@test_claim.register
def _(stated: claim.Range, sheet: Sheet) -> TestOutcome:
    printed = [figure for row in sheet.rows if (figure := sheet.figure(row, stated.metric))]
    low, high = min(printed, key=lambda figure: figure.value), max(printed, key=lambda figure: figure.value)
    same = (low.value, high.value) == (_figure(stated.low).value, _figure(stated.high).value)
    reason = f"The column runs from {low.text} to {high.text}."
    return TestOutcome("smallest and largest of the column", "survives" if same else "contradicted", reason)


@test_claim.register
def _(stated: claim.BandCounts, sheet: Sheet) -> TestOutcome:
    metric, counts = sheet.published.metric(stated.metric), sheet.counts[stated.metric].values()
    seen = Counter(metric.band_of(count.one_run[0]) for count in counts)
    same = all(seen[name] == count for name, count in stated.counts.items())
    reason = f"The column has {', '.join(f'{seen[band.name]} {band.name}' for band in metric.bands)}."
    return TestOutcome("count the column", "survives" if same else "contradicted", reason)


@test_claim.register
def _(stated: claim.Noise, sheet: Sheet) -> TestOutcome:
    pairs = sheet.pairs[stated.metric]
    near = [pair for pair in pairs if _gap(sheet, stated.metric, pair) <= stated.gap]
    apart = sum(pair.one_run < ALPHA for pair in near)
    clearest = min(pairs, key=lambda pair: pair.p)
    reason = (
        f"{apart} of {counted(len(near), 'such pair')} differ significantly; the clearest, a difference "
        f"of {_gap(sheet, stated.metric, clearest)}, has p = {clearest.p:.2g} before Holm."
    )
    return TestOutcome(
        "significant differences of such pairs", "contradicted" if apart else "survives", reason
    )


@test_claim.register
def _(stated: claim.AcrossBands, sheet: Sheet) -> TestOutcome:
    metric, counts = sheet.published.metric(stated.metric), sheet.counts[stated.metric]
    band = {row: metric.band_of(count.one_run[0]) for row, count in counts.items()}
    across = [pair for pair in sheet.pairs[stated.metric] if band[pair.first] != band[pair.second]]
    near = sum(_gap(sheet, stated.metric, pair) <= stated.gap for pair in across)
    apart = sum(pair.one_run < ALPHA for pair in across)
    reason = (
        f"{near} of {len(across)} pairs across bands differ by {stated.gap} or less, which the pages call "
        f"noise; {apart} differ significantly."
    )
    outcome: Outcome = "contradicted" if near else "survives" if apart == len(across) else "undecided"
    return TestOutcome("pairs across bands", outcome, reason)


def _gap(sheet: Sheet, metric: str, pair: RowPair) -> int:
    counts = sheet.counts[metric]
    return abs(counts[pair.first].one_run[0] - counts[pair.second].one_run[0])


@test_claim.register
def _(stated: claim.Unrelated, sheet: Sheet) -> TestOutcome:
    test = "rank correlation of tier and figure, 95% interval"
    rated = [(row.tier, float(_lack(sheet, row, stated.metric))) for row in _printing(sheet, stated.metric)]
    known = [(tier, lack) for tier, lack in rated if tier is not None]
    found = correlation(ranks([tier for tier, _ in known]), ranks([lack for _, lack in known]))
    if found is None:
        return TestOutcome(test, "undecided", "Too few tiers are printed, or there is no variation.")
    r, low, high = found
    reason = f"r = {r:.2f} (likely {low:.2f} to {high:.2f}).".replace("-", "−")
    return TestOutcome(test, "contradicted" if low * high > 0 else "undecided", reason)


# Sums and shares


@test_claim.register
def _(stated: claim.HowMany, sheet: Sheet) -> TestOutcome:
    least, most = len(stated.surely), len(stated.surely) + len(stated.perhaps)
    reason = f"Clearly reported for {counted(least, 'model')}, for {most} if every mention counts."
    if not least <= stated.count <= most:
        return TestOutcome("rows for which it is reported", "contradicted", reason)
    outcome: Outcome = "survives" if least == most else "undecided"
    return TestOutcome("rows for which it is reported", outcome, reason)


@test_claim.register
def _(stated: claim.Parts, sheet: Sheet) -> TestOutcome:
    total, cases = sum(stated.parts), sheet.published.metric(stated.metric).cases or 0
    reason = f"The parts sum to {total}/{cases}, {total / cases:.1%}."
    fits = total in _figure(stated.printed).counts(cases)
    return TestOutcome("add up the parts", "survives" if fits else "contradicted", reason)


@test_claim.register
def _(stated: claim.AddsUp, sheet: Sheet) -> TestOutcome:
    test = "hits of the column compared with hits of single cases"
    counts, rates = sheet.counts[stated.metric].values(), [_figure(text) for text in stated.rates]
    for rate in rates:
        if not rate.counts(stated.runs):
            return TestOutcome(test, "contradicted", f"{rate.text} is not a count out of {stated.runs}.")
    medians, cases = (
        sum(count.one_run[0] for count in counts),
        sheet.published.metric(stated.metric).cases or 0,
    )
    expected = medians / len(counts) * stated.runs
    named, rest = sum(rate.nearest(stated.runs) for rate in rates), max(cases - len(rates) - stated.always, 0)
    most = named + stated.always * stated.runs
    reason = (
        f"{len(counts)} medians add up to {medians}, or {expected:.0f} in {stated.runs} runs; printed rates "
        f"give {named}, with {stated.always} nearly sure cases at most {most}; {rest} cases give the rest."
    )
    possible = named <= expected <= most + rest * stated.runs
    return TestOutcome(test, "undecided" if possible else "contradicted", reason)


@test_claim.register
def _(stated: claim.Portion, sheet: Sheet) -> TestOutcome:
    metric, counts = sheet.published.metric(stated.metric), sheet.counts[stated.metric].values()
    rates = [count.pooled[0] / count.pooled[1] for count in counts]
    missed = sum(rate if metric.better == "lower" else 1 - rate for rate in rates) * (metric.cases or 0)
    of_kind = (stated.rate if metric.better == "lower" else 1 - stated.rate) * stated.cases * len(rates)
    found = of_kind / missed if missed else 0.0
    reason = f"{of_kind:.1f} of {missed:.1f} misses per run, from the column and the mean: {found:.0%}."
    near = abs(found - stated.portion) <= 0.02
    return TestOutcome(
        "rebuilt from other figures, within 2 points", "survives" if near else "contradicted", reason
    )


@test_claim.register
def _(stated: claim.NoneSeen, sheet: Sheet) -> TestOutcome:
    bound = at_most(0, stated.trials)
    reason = f"0 of {stated.trials} still allows a rate of {bound:.1%} (95% confidence)."
    return TestOutcome("one-sided exact bound", "survives", reason)


# Runs, scores and correlations


@test_claim.register
def _(stated: claim.Runs, sheet: Sheet) -> TestOutcome:
    planned = stated.runs * len(sheet.rows)
    fewer = [f"{row.name} had {row.runs}" for row in sheet.rows if row.runs and row.runs < stated.runs]
    parts = [f"{len(sheet.rows)} models need {planned} runs, the pages count {stated.total}", *fewer]
    whole = stated.total == planned and not fewer
    return TestOutcome("count the runs", "survives" if whole else "contradicted", f"{', '.join(parts)}.")


@test_claim.register
def _(stated: claim.NoScore, sheet: Sheet) -> TestOutcome:
    scored = [f"{row.name} {row.score}" for row in sheet.rows if row.score]
    if scored:
        return TestOutcome("search for a printed score", "contradicted", f"Printed: {', '.join(scored)}.")
    return TestOutcome("search for a printed score", "survives", "No score is printed.")


@test_claim.register
def _(stated: claim.ScoreGap, sheet: Sheet) -> TestOutcome:
    needed = stated.gap / (Z * sqrt(2 / stated.cases))
    reason = (
        f"All runs use the same {stated.cases} cases, so they say nothing about other cases. Unpaired, the "
        f"gap is significant only if cases vary by less than {needed:.0f} points, and no page prints it."
    )
    return TestOutcome("how little single cases would need to vary", "undecided", reason)


@test_claim.register
def _(stated: claim.Correlation, sheet: Sheet) -> TestOutcome:
    half = Z / sqrt(stated.rows - 3)
    low, high = tanh(atanh(stated.r) - half), tanh(atanh(stated.r) + half)
    span = f"{low:.2f} to {high:.2f}".replace("-", "−")
    reason = f"Over {stated.rows} models r is likely {span}; a correlation is not a cause."
    outcome: Outcome = "survives" if low * high > 0 else "undecided"
    return TestOutcome("95% interval of r excludes 0 (Fisher's z)", outcome, reason)


@test_claim.register
def _(stated: claim.Unstable, sheet: Sheet) -> TestOutcome:
    test = "variance of the runs if each case's hits fell on runs at random"
    row, cases = sheet.published.row(stated.row), sheet.published.metric(stated.metric).cases or 0
    fired, runs = row.fired[stated.metric], sheet.published.runs_of(row)
    chance = _chance_of_spread(fired, [_figure(text).nearest(cases) for text in row.each[stated.metric]])
    moving = {
        other.name: sum(times < sheet.published.runs_of(other) for times in other.fired[stated.metric])
        for other in sheet.rows
        if stated.metric in other.fired
    }
    more = [f"; {name} has {count} such" for name, count in moving.items() if count > moving[row.name]]
    reason = (
        f"{moving[row.name]} cases differ between its {runs} runs; by chance alone runs differ "
        f"this much in {chance:.0%}{''.join(more)}."
    )
    return TestOutcome(test, "survives" if chance < ALPHA else "undecided", reason)


def _chance_of_spread(fired: Sequence[int], seen: Sequence[int]) -> float:
    """How often runs differ at least this much if each case's hits fall on runs at random."""
    draw, runs = np.random.default_rng(0), len(seen)
    counts = np.zeros((DRAWS, runs))
    for times in fired:
        counts += draw.random((DRAWS, runs)).argsort(axis=1) < times
    return float(np.mean(counts.var(axis=1) >= np.var(seen) - 1e-9))


def _figure(text: str) -> PrintedFigure:
    figure = read_figure(text)
    assert figure is not None, "files are checked on reading"
    return figure


def _lack(sheet: Sheet, row: PublishedRow, metric: str) -> Fraction:
    lack = sheet.lack(row, metric)
    assert lack is not None, "files are checked on reading"
    return lack


def _printing(sheet: Sheet, metric: str) -> list[PublishedRow]:
    return [row for row in sheet.rows if metric in row.figures]


def _title(sheet: Sheet, metric: str) -> str:
    return sheet.published.metric(metric).title.casefold()
