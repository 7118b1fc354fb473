"""Run diff: the cases that flipped between two versions, with the turn where they part; then statistics."""

from collections.abc import Iterator

from rich.console import Group
from rich.text import Text

from supportagentbench.board.agent_comparison import MetricDifference
from supportagentbench.board.run_diff import DiffStatus, Flip, FlipKind, RunDiff
from supportagentbench.language.counts import counted
from supportagentbench.terminal.quotation import as_code, quoted

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
LIKE_THESE = "For cases like these, see the intervals (95%, after minus before, paired by case):"


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
    lines += [Text(""), Text(f"{THESE} {_repeats(found)}"), Text(LIKE_THESE)]
    lines += [Text(f"  {row}") for row in map(_statistic, found.differences)]
    return Group(*lines)


def _headline(found: RunDiff) -> str:
    counts = ", ".join(f"{len(found.of(kind))} {kind}" for kind in STYLES)
    return f"{found.status.capitalize()}: {counts}. {found.why}"


def _repeats(found: RunDiff) -> str:
    same = f"{found.identical} of {counted(found.conversations, 'conversation')}"
    return f"{same} are word for word the same."


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
    lines += [f"{THESE} {_repeats(found)}", "", LIKE_THESE, ""]
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
