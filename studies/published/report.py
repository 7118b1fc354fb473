"""Report: an audit in 80 columns: the summary, then the result of each test."""

from collections import Counter
from collections.abc import Iterable, Iterator
from statistics import median

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from studies.published.audit import Audit
from studies.published.audit.badge import BadgeCheck
from studies.published.audit.examined import Examined, Outcome
from studies.published.audit.summary import WITH_TOTAL
from supportagentbench.records.counts import counted

SIGNS: dict[Outcome, tuple[str, str]] = {
    "contradicted": ("✗", "red"),
    "undecided": ("?", "yellow"),
    "survives": ("✓", "green"),
}
"""The sign and colour of each outcome."""


def audit_report(audit: Audit) -> RenderableType:
    """The whole audit, the summary first."""
    return Group(
        Text(audit.source, style="bold"),
        Text(
            f"Audited from the printed figures: {counted(audit.rows, 'row')}, "
            f"medians of {counted(audit.runs, 'run')}.\n",
            style="dim",
        ),
        Text(_headline(audit)),
        *_section("Order", _orders(audit)),
        *_section("Figures", _figures(audit)),
        *_section("Differences", _differences(audit)),
        *(
            part
            for title in _banded(audit)
            for part in _section(f"Bands and places: {title}", _bands(audit, title))
        ),
        *_section("Badges", [line for badge in audit.badges for line in _badge(badge)]),
        *_section("Medians and their runs", _summaries(audit)),
        *_section("Claims", _claims(audit)),
    )


def _section(title: str, content: Iterable[RenderableType]) -> Iterator[RenderableType]:
    parts = list(content)
    if parts:
        yield Text(f"\n{title}", style="bold")
        yield from (Padding(part, (0, 0, 0, 2), expand=False) for part in parts)


def _headline(audit: Audit) -> str:
    order, counts = audit.orders[0], Counter(claim.outcome for claim in audit.claims)
    sentences = [f"{order.agree} of {order.rows} rows are where the printed rule puts them."]
    sentences += [
        f"{found.one_run} of {found.pairs} pairs of rows differ significantly on {found.metric.casefold()}."
        for found in audit.separability
        if found.metric in _banded(audit)
    ]
    sentences += [
        f"An agent that {agent.name} would be first."
        for agent in audit.trivial
        if agent.place == 1 and agent.order == order.name
    ]
    if audit.claims:
        sentences.append(
            f"Of {counted(len(audit.claims), 'claim')}, {counts['survives']} survive, "
            f"{counts['undecided']} are undecided and {counts['contradicted']} are contradicted."
        )
    return " ".join(sentences)


def _orders(audit: Audit) -> Iterator[RenderableType]:
    table = _plain_table()
    for order in audit.orders:
        ties = f" ({order.tied} rows tie)" if order.tied else ""
        rule = Text(f"{order.rule}{ties}", style="dim")
        table.add_row(Text(order.name), f"{order.agree} of {order.rows} rows", rule)
    yield table
    for order in audit.orders:
        for place in order.misplaced:
            says = f"{place.row} is printed {_nth(place.printed)} in the {order.name} order."
            yield _line("contradicted", says, f"The rule puts it {_nth(place.by_rule)}.")
        for place in order.finer:
            yield Text(
                f"The {order.name} order uses rounded figures. With the more precise figure printed "
                f"elsewhere, {place.row} would be {_nth(place.by_rule)}, not {_nth(place.printed)}."
            )
    for name in dict.fromkeys(agent.name for agent in audit.trivial):
        agents = [agent for agent in audit.trivial if agent.name == name]
        places = ", ".join(
            f"{_nth(agent.place)} of {agent.of} in the {agent.order} order" for agent in agents
        )
        yield Text(f"An agent that {name} ({', '.join(agents[0].figures)}) would be {places}.")


def _figures(audit: Audit) -> Iterator[RenderableType]:
    found = audit.possible
    yield Text(f"{found.checked - len(found.doubts)} of {found.checked} printed shares are possible.")
    for doubt in found.doubts:
        says = f"{doubt.row}, {doubt.metric.casefold()} {doubt.printed}."
        yield _line("contradicted", says, f"{doubt.reason}.")
    notes = []
    if found.several:
        notes.append(f"{found.several} fit more than one count; the nearest is used.")
    if found.mixed:
        notes.append(f"{', '.join(found.mixed)} is printed with and without decimals.")
    if notes:
        yield Text(" ".join(notes), style="dim")


def _differences(audit: Audit) -> Iterator[RenderableType]:
    table = _plain_table("pairs that differ significantly", "as one run", "all runs pooled", "smallest p")
    for found in audit.separability:
        table.add_row(
            Text(found.metric),
            f"{found.one_run} of {found.pairs}",
            f"{found.pooled} of {found.pairs}",
            f"{found.smallest:.2g}",
        )
    yield table
    yield Text(
        "Fisher's exact test, Holm over all pairs of a metric; smallest p before Holm. A median of "
        f"{counted(audit.runs, 'run')} is worth more than one run and less than all runs pooled. Unpaired, "
        "because the pages print no single cases; transcripts may show more differences.",
        style="dim",
    )


def _banded(audit: Audit) -> list[str]:
    return list(dict.fromkeys(row.metric for row in audit.standings if row.band))


def _bands(audit: Audit, metric: str) -> Iterator[RenderableType]:
    rows = [row for row in audit.standings if row.metric == metric]
    sure = sum(len(row.one_run_bands) == 1 for row in rows)
    pooled = sum(len(row.pooled_bands) == 1 for row in rows)
    width = median(row.places[1] - row.places[0] for row in rows)
    free = sum(row.bounds == (1, len(rows)) for row in rows)
    yield Text(
        f"{sure} of {len(rows)} bands are certain as one run, {pooled} with all runs pooled. {free} of "
        f"{len(rows)} rows may be in any place as one run; with all runs pooled, half of them may still "
        f"move by {width:.0f} places or more."
    )
    table = _plain_table("row", "printed", "95%", "band", "may be", "places")
    for row in rows:
        others = [band for band in row.one_run_bands if band != row.band]
        table.add_row(
            Text(row.row),
            f"{row.k}/{row.n}",
            f"{row.count.low:.1f}–{row.count.high:.1f}",
            Text(row.band),
            Text(" ".join(others), style="dim"),
            f"{row.places[0]}–{row.places[1]}",
        )
    yield table
    yield Text("95% as one run (Wilson); places with all runs pooled (95% of draws).", style="dim")


def _badge(badge: BadgeCheck) -> Iterator[RenderableType]:
    yield Text.assemble(
        (f"{badge.name}", "bold"),
        f" ({badge.means}): {badge.agree} of {badge.rows} rows agree with the rule: ",
        (f"{badge.rule}.", "dim"),
    )
    if badge.undue:
        yield _line("contradicted", "Has it against the rule:", f"{', '.join(badge.undue)}.")
    if badge.missing:
        yield _line(
            "contradicted", "Should have it by the rule and does not:", f"{', '.join(badge.missing)}."
        )
    if badge.another:
        yield Text(f"{badge.another}.", style="dim")


def _summaries(audit: Audit) -> Iterator[RenderableType]:
    wrong = [found for found in audit.summaries if found.outcome == "contradicted"]
    if audit.summaries:
        agree, all_of = len(audit.summaries) - len(wrong), len(audit.summaries)
        yield Text(f"{agree} of {all_of} figures agree with what other pages print about their runs.")
    yield from (_examined(found) for found in wrong)
    yield from (
        _examined(found) for found in audit.summaries if found.test == WITH_TOTAL and found not in wrong
    )


def _claims(audit: Audit) -> Iterator[RenderableType]:
    for outcome in SIGNS:
        found = [claim for claim in audit.claims if claim.outcome == outcome]
        if found:
            yield Text(f"{outcome}: {len(found)} of {len(audit.claims)}", style="bold")
            yield from (_examined(claim) for claim in found)


def _examined(found: Examined) -> Table:
    return _line(found.outcome, found.says, found.reason)


def _line(outcome: Outcome, says: str, reason: str) -> Table:
    """A sign, the statement, and below it the result of the test."""
    sign, colour = SIGNS[outcome]
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_row(Text(sign, style=colour), Text.assemble(f"{says}\n", (reason, "dim")))
    return table


def _plain_table(*heads: str) -> Table:
    return Table(
        *heads, box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold", show_header=bool(heads)
    )


def _nth(place: int) -> str:
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"
