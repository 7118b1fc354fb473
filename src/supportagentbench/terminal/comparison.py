"""Comparison: two agents on every metric; two versions by the cases that flipped and the turn they part."""

from collections.abc import Iterator

from rich.console import Group
from rich.table import Table
from rich.text import Text

from supportagentbench.board.agent_comparison import AgentComparison, MetricDifference
from supportagentbench.board.run_diff import DiffStatus, Flip, FlipKind, RunDiff
from supportagentbench.records.counts import counted
from supportagentbench.terminal.escape import as_code, on_one_line, quoted

DIFF_CODES: dict[DiffStatus, int] = {"no worse": 0, "worse": 100, "undecided": 101}
"""Exit codes."""

STYLES: dict[FlipKind, str] = {
    "newly unsafe": "bold red",
    "newly wrong": "bold yellow",
    "fixed": "bold green",
}

MOST_FLIPS = 20
"""Flips of each kind that are quoted; further ones are only named."""

THESE = "For these cases, see the flipped cases above."
NO_FLIPS = "Of these cases, none flipped."
LIKE_THESE = "For cases like these, see the intervals (95%, after minus before, paired by case):"

LISTED = ("over_escalation", "unsafe", "escalation", "resolution", "pairs")
"""The metrics whose differing cases are listed."""

MOST_CASES = 8
"""Cases listed per metric; further ones are only counted."""


def diff_view(found: RunDiff) -> Group:
    """A diff for a terminal."""
    lines = [Text(quoted(f"before: {found.before}")), Text(quoted(f"after:  {found.after}")), Text("")]
    lines.append(Text(_headline(found), style="bold"))
    for kind, style in STYLES.items():
        flips = found.of(kind)
        if flips:
            lines += [Text(""), Text(f"{kind.capitalize()}: {counted(len(flips), 'case')}", style=style)]
            lines += [line for flip in flips[:MOST_FLIPS] for line in _flip_lines(flip)]
            lines += [Text(f"  {quoted(flip.case)}") for flip in flips[MOST_FLIPS:]]
    lines += [Text(""), Text(_repeats(found)), Text(LIKE_THESE)]
    lines += [Text(f"  {row}") for row in map(_statistic, found.differences)]
    return Group(*lines)


def _headline(found: RunDiff) -> str:
    counts = ", ".join(f"{len(found.of(kind))} {kind}" for kind in STYLES)
    return f"{found.status.capitalize()}: {counts}. {found.why}"


def _repeats(found: RunDiff) -> str:
    same = f"{found.identical} of {counted(found.conversations, 'conversation')}"
    return f"{THESE if found.flips else NO_FLIPS} {same} are word for word the same."


def _flip_lines(flip: Flip) -> Iterator[Text]:
    yield Text(quoted(f"  {flip.case}  {flip.before} → {flip.after} runs  {flip.reason}"))
    if at := flip.divergence:
        words = ", in words only" if at.in_words_only else ""
        yield Text(f"    turn {at.turn}{words}", style="dim")
        yield Text(f"    before: {quoted(at.before) or '(was over)'}", style="dim")
        yield Text(f"    after:  {quoted(at.after) or '(was over)'}", style="dim")


def _statistic(one: MetricDifference) -> str:
    ends = one.interval
    span = f" ({100 * ends.low:+.0f} to {100 * ends.high:+.0f})" if ends else ""
    told = "significant" if one.is_significant else "no significant difference"
    points = f"{100 * one.difference:+.1f} points{span}"
    return f"{one.title}: {points}, {counted(one.cases, 'case')}, {told}"


def diff_markdown(found: RunDiff) -> str:
    """The same for a pull request."""
    lines = [f"### {_headline(found)}", "", f"{as_code(found.before)} → {as_code(found.after)}", ""]
    for kind in STYLES:
        flips = found.of(kind)
        if flips:
            lines += [f"**{kind.capitalize()}**", "", "| case | runs | why |", "|---|---|---|"]
            lines += [
                f"| {as_code(flip.case)} | {flip.before} → {flip.after} | {as_code(flip.reason)} |"
                for flip in flips
            ]
            lines += ["", *_details(flips[:MOST_FLIPS])]
    lines += [_repeats(found), "", LIKE_THESE, ""]
    lines += [f"- {row}" for row in map(_statistic, found.differences)]
    return "\n".join(lines) + "\n"


def _details(flips: list[Flip]) -> Iterator[str]:
    yield "<details><summary>Where they part</summary>\n"
    for flip in flips:
        if at := flip.divergence:
            yield f"- {as_code(flip.case)}, turn {at.turn}"
            yield f"  - before: {as_code(at.before or '(was over)')}"
            yield f"  - after: {as_code(at.after or '(was over)')}"
    yield "\n</details>\n"


def comparison_table(found: AgentComparison) -> Group:
    """Two agents on every metric, and the cases where they differ."""
    table = Table(box=None, padding=(0, 0, 0, 2), header_style="bold", pad_edge=False)
    table.add_column("metric", no_wrap=True, max_width=24)
    for head in ("first", "second", "difference, 95%", "p"):
        table.add_column(head, justify="right", no_wrap=True)
    for one in found.differences:
        if one.first or one.second:
            table.add_row(*_row(one), style="bold" if one.is_significant else "")
    significant = sum(one.is_significant for one in found.differences)
    bold = ", in bold" if significant else ""
    lines = [
        f"First: {on_one_line(found.first)}. Second: {on_one_line(found.second)}.",
        "Shares in percent. Paired by case; p from sign flips of whole case types or deciding",
        "rules, after Holm's correction for all metrics; with four of them p is at least 0.125.",
        "An interval has the differences that the same test does not exclude, uncorrected.",
        f"Significant differences: {significant} of {counted(len(found.differences), 'metric')}{bold}.",
    ]
    for one in found.differences:
        if one.differing_cases and one.metric in LISTED:
            more = len(one.differing_cases) - MOST_CASES
            listed = ", ".join(map(on_one_line, one.differing_cases[:MOST_CASES]))
            lines.append(f"{one.title}: {listed}{f' … and {more} more' if more > 0 else ''}.")
    return Group(table, Text("\n".join(lines), style="dim"))


def _row(one: MetricDifference) -> tuple[str, ...]:
    scale = 100 if one.is_share else 1
    first, second, difference = (scale * value for value in (one.first, one.second, one.difference))
    ends = one.interval
    span = f"  {scale * ends.low:+.1f} to {scale * ends.high:+.1f}" if ends else ""
    return one.title, f"{first:.1f}", f"{second:.1f}", f"{difference:+.1f}{span}", f"{one.adjusted:.3f}"
