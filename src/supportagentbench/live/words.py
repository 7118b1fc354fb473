"""Words: how counts, durations and states of a running job are written, in a terminal and on a page."""

from supportagentbench.live.view import Condition, Kind, SecondsRange, View

NONE = "–"

TITLES: dict[Kind, str] = {
    "unsafe": "unsafe action",
    "missed": "missed escalation",
    "retry": "retry",
    "error": "external failure",
    "paused": "paused",
    "stopping": "stopping",
    "ended": "ended",
}

CONDITIONS: dict[Condition, str] = {
    "running": "running",
    "paused": "paused",
    "waiting": "queued",
    "stopped": "stopped",
    "done": "done",
}


def span_words(span: SecondsRange | None, dash: str = NONE) -> str:
    """`14–19 min`, in the unit of the upper end."""
    if span is None:
        return dash
    unit, seconds, places = "s", 1, 0
    if span.high >= 5400:
        unit, seconds, places = "h", 3600, 1
    elif span.high >= 90:
        unit, seconds = "min", 60
    ends = span.low / seconds, span.high / seconds
    if f"{ends[0]:.{places}f}" == f"{ends[1]:.{places}f}" and unit != "s":
        places += 1
    low, high = (f"{end:.{places}f}" for end in ends)
    return f"{high} {unit}" if low == high else f"{low}{dash}{high} {unit}"


def dollars(amount: float) -> str:
    """`$1.50`; what costs something is never rounded to nothing."""
    return "<$0.01" if 0 < amount < 0.01 else f"${amount:,.2f}"


def spent_words(view: View) -> str:
    """What the job has cost so far: `$1.50`, `at least $1.50` or `unknown`."""
    if not view.has_unknown_costs:
        return dollars(view.spent)
    return f"at least {dollars(view.spent)}" if view.spent else "unknown"


def expected(projected: float | None, planned: tuple[float, float] | None, dash: str = NONE) -> str:
    """The expected cost: `~$31.92` at the current rate, otherwise the plan's `$12.00–40.00`, if any."""
    if projected is not None:
        return f"~{dollars(projected)}"
    return f"${planned[0]:,.2f}{dash}{planned[1]:,.2f}" if planned else ""


def brief(seconds: float) -> str:
    """The shortest form, such as `7m`."""
    if seconds >= 5400:
        return f"{seconds / 3600:.1f}h"
    return f"{seconds / 60:.0f}m" if seconds >= 90 else f"{seconds:.0f}s"


def clock(seconds: float) -> str:
    """`12:34`, or `1:02:03`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def short(count: int) -> str:
    """`40.2M`, `900k`, `12`."""
    if count >= 1e6:
        return f"{count / 1e6:.1f}M"
    return f"{count / 1e3:.0f}k" if count >= 1e3 else str(count)
