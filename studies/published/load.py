"""Load: read a published board; every problem names the file and the field."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from studies.published import (
    SHIPPED,
    Published,
    PublishedMetric,
    PublishedOrder,
    PublishedRow,
    Reaches,
)
from studies.published.claim import (
    AcrossBands,
    AnyClaim,
    BandCounts,
    Best,
    Better,
    Unstable,
)
from studies.published.figure import WRITTEN, read_figure
from supportagentbench.records.counts import counted
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json
from supportagentbench.storage.file import LARGEST_RECORD, read_bounded


class FieldFault(NamedTuple):
    """A problem and its field."""

    field: str
    sentence: str


def read_published(path: Path = SHIPPED) -> Published:
    """The board in this file, or a Problem that names the field."""
    try:
        published = from_json(read_bounded(path, LARGEST_RECORD, follow=True), Published)
    except msgspec.ValidationError as error:
        sentence, _, trail = str(error).partition(" - at `$")
        raise Problem(f"{_spot(trail)}{sentence}. See docs/audit.md for the format.", place=path) from None
    except msgspec.DecodeError as error:
        raise Problem(f"is not valid JSON: {error}.", place=path) from None
    for fault in _faults(published):
        raise Problem(f"`{fault.field}`: {fault.sentence}.", place=path)
    return published


def _spot(trail: str) -> str:
    field = re.sub(r"\[\.\.\.\]", "", trail.rstrip("`")).lstrip(".")
    return f"`{field}`: " if field else ""


def _faults(published: Published) -> Iterator[FieldFault]:
    """Problems of a file in which every field is present, one at a time."""
    yield from _repeated("metrics", [metric.name for metric in published.metrics])
    yield from _repeated("metrics", [metric.title for metric in published.metrics])
    yield from _repeated("orders", [order.name for order in published.orders])
    yield from _repeated("rows", [row.name for row in (*published.rows, *published.trivial)])
    yield from _repeated("badges", [badge.name for badge in published.badges])
    for index, metric in enumerate(published.metrics):
        yield from _band_faults(f"metrics[{index}].bands", metric)
    names = {metric.name for metric in published.metrics}
    for index, order in enumerate(published.orders):
        yield from _order_faults(f"orders[{index}]", order, published)
    needed = {name for order in published.orders for key in order.by for name in key}
    for field, rows in (("rows", published.rows), ("trivial", published.trivial)):
        for index, row in enumerate(rows):
            yield from _row_faults(f"{field}[{index}]", row, published)
            for missing in sorted(needed - set(row.figures)):
                yield FieldFault(
                    f"{field}[{index}].figures", f"{row.name} has no {missing}, which an order sorts by"
                )
    for index, badge in enumerate(published.badges):
        rule = badge.follows
        if isinstance(rule, Reaches):
            yield from _unknown(f"badges[{index}].follows.metric", [rule.metric], names, "metric")
            bands = {band.name for band in published.metric(rule.metric).bands}
            yield from _unknown(f"badges[{index}].follows.band", [rule.band], bands, "band")
    for index, claim in enumerate(published.claims):
        yield from _claim_faults(f"claims[{index}]", claim, published)


def _repeated(field: str, names: list[str]) -> Iterator[FieldFault]:
    for name in names:
        if names.count(name) > 1:
            yield FieldFault(field, f"{name!r} is listed twice")


def _unknown(field: str, names: list[str], known: set[str], what: str) -> Iterator[FieldFault]:
    for name in names:
        if name not in known:
            yield FieldFault(field, f"unknown {what} {name!r}; known: {', '.join(sorted(known)) or 'none'}")


def _band_faults(field: str, metric: PublishedMetric) -> Iterator[FieldFault]:
    edge = 0
    for band in metric.bands:
        if band.low != edge or band.high < band.low:
            yield FieldFault(field, f"{band.name!r} must start at {edge} and not end below it")
        edge = band.high + 1
    if metric.bands and edge - 1 != metric.cases:
        yield FieldFault(field, f"the last band must end at the number of cases, {metric.cases}")


def _order_faults(field: str, order: PublishedOrder, published: Published) -> Iterator[FieldFault]:
    names = {metric.name for metric in published.metrics}
    for key in order.by:
        yield from _unknown(f"{field}.by", list(key), names, "metric")
    if order.rows and sorted(order.rows) != sorted(row.name for row in published.rows):
        yield FieldFault(f"{field}.rows", "does not name every row once")


def _row_faults(field: str, row: PublishedRow, published: Published) -> Iterator[FieldFault]:
    names, runs = {metric.name for metric in published.metrics}, published.runs_of(row)
    groups = {
        "figures": (row.figures, 1),
        "again": (row.again, 1),
        "pooled": (row.pooled, runs),
    }
    for group, (figures, times) in groups.items():
        for name, text in figures.items():
            yield from _unknown(f"{field}.{group}", [name], names, "metric")
            yield from _figure_faults(f"{field}.{group}.{name}", text, published.metric(name), times)
    for name, texts in row.each.items():
        yield from _unknown(f"{field}.each", [name], names, "metric")
        if len(texts) != runs:
            yield FieldFault(
                f"{field}.each.{name}", f"{row.name} had {counted(runs, 'run')}, not {len(texts)}"
            )
        for text in texts:
            yield from _figure_faults(f"{field}.each.{name}", text, published.metric(name), 1)
    for name, fires in row.fired.items():
        yield from _unknown(f"{field}.fired", [name], names, "metric")
        if max(fires, default=0) > runs or len(fires) > (published.metric(name).cases or 0):
            yield FieldFault(
                f"{field}.fired.{name}",
                f"more than {row.name}'s {counted(runs, 'run')} or the metric's cases allow",
            )
    for name in {*row.again, *row.each, *row.pooled} - set(row.figures):
        yield FieldFault(
            f"{field}.figures", f"{row.name} has no {name}, which its other figures are compared with"
        )
    yield from _unknown(
        f"{field}.badges", list(row.badges), {badge.name for badge in published.badges}, "badge"
    )


def _figure_faults(field: str, text: str, metric: PublishedMetric, times: int) -> Iterator[FieldFault]:
    figure = read_figure(text)
    if figure is None:
        yield FieldFault(field, f"{text!r} is not a figure; {WRITTEN}")
    elif figure.share != (metric.cases is not None):
        kind = "a share of its cases" if metric.cases else "a score"
        yield FieldFault(field, f"{text!r} does not fit: {metric.name} is {kind}")
    elif figure.trials and metric.cases and figure.trials != metric.cases * times:
        yield FieldFault(field, f"{text!r} is not out of {metric.cases * times}, the cases of {metric.name}")


def _claim_faults(field: str, claim: AnyClaim, published: Published) -> Iterator[FieldFault]:
    """Claims may only refer to things in the file."""
    rows, names = _named_in(claim, "row", "than", "over", "to"), _named_in(claim, "metric", "metrics")
    known = {row.name for row in published.rows}
    yield from _unknown(field, [*rows, *_named_in(claim, "surely", "perhaps")], known, "row")
    yield from _unknown(field, names, {metric.name for metric in published.metrics}, "metric")
    for text in _named_in(claim, "bound", "low", "high", "printed", "rates"):
        figure = read_figure(text)
        if figure is None or not figure.share:
            yield FieldFault(field, f"{text!r} is not a share; {WRITTEN}")
    for name in names:
        if sum(name in row.figures for row in published.rows) < 2:
            yield FieldFault(field, f"fewer than two rows print {name}")
        if published.metric(name).cases is None and not isinstance(claim, Best | Better):
            yield FieldFault(field, f"{name} is a score, and this claim needs a share of cases")
        for row in rows:
            if name not in published.row(row).figures:
                yield FieldFault(field, f"{row} has no {name}")
    if isinstance(claim, BandCounts | AcrossBands):
        bands = {band.name for band in published.metric(claim.metric).bands}
        yield from _unknown(field, list(getattr(claim, "counts", ())), bands, "band")
        if not bands:
            yield FieldFault(field, f"{claim.metric} has no bands")
    if isinstance(claim, Unstable):
        row_found = published.row(claim.row)
        if claim.metric not in row_found.each or claim.metric not in row_found.fired:
            yield FieldFault(field, f"{claim.row} needs `each` and `fired` for {claim.metric}")


def _named_in(claim: AnyClaim, *fields: str) -> list[str]:
    """Every name or figure in these fields of a claim, if it has them."""
    found: list[str] = []
    for field in fields:
        content: str | Iterable[str] = getattr(claim, field, ())
        found += [content] if isinstance(content, str) else content
    return found
