"""The board, one line an agent."""

from collections.abc import Iterator

from rich.console import Group
from rich.table import Table
from rich.text import Text

from supportagentbench.board.badges import RULES
from supportagentbench.board.claims import LEVEL
from supportagentbench.board.customer_fallback import uneven
from supportagentbench.board.metrics import METRICS
from supportagentbench.board.standings import RANKED_FROM, is_ranked
from supportagentbench.records.board import AgentResults, Badge, Board, CustomerFallbacks, Estimate
from supportagentbench.records.fidelity import Fidelity
from supportagentbench.stats.rates import FEW_CLUSTERS
from supportagentbench.terminal.escape import on_one_line

COLUMNS = {
    "over_escalation": "over-\nescalated",
    "unsafe": "unsafe\nactions",
    "escalation": "escalat.\naccuracy",
    "resolution": "resolved",
    "pairs": "pairs",
    "unconfirmed": "acted un-\nconfirmed",
}
"""The metrics that fit beside each other, with their heads."""

TITLES = {metric.name: metric.title.casefold() for metric in METRICS}

SHORTEST_NAME = 10
"""Letters of an agent's name that have to fit into a line of it; long names take several."""

MOST_CLAIMS = 6
"""Sentences that are printed before the rest is only counted."""

BADGES: dict[Badge, str] = {"value": "★", "warning": "⚠", "thinks": "…"}


def board_table(board: Board) -> Group:
    """The standings, one line an agent, a line between those ranked and the rest."""
    table = Table(box=None, padding=(0, 0, 0, 1), header_style="bold", pad_edge=False)
    table.add_column("agent", overflow="fold", min_width=SHORTEST_NAME)
    columns = _columns(board)
    for head in columns.values():
        table.add_column(head, justify="right", no_wrap=True)
    above = [entry for entry in board.agents if is_ranked(entry)]
    for position, entry in enumerate(board.agents):
        if position == len(above):
            table.add_row(Text("─" * 11, style="dim"))
        table.add_row(_agent_cell(entry), *(_cell(entry.of(name)) for name in columns))
    caption = "\n".join(map(on_one_line, _caption(board)))
    return Group(Text(on_one_line(_title(board)), style="dim"), table, Text(caption, style="dim"))


def _title(board: Board) -> str:
    runs = " or ".join(map(str, sorted({entry.runs for entry in board.agents})))
    unit = "run" if runs == "1" else "runs"
    return f"{board.world}, set {board.set}, {runs} {unit} each ({board.world_digest})"


def _columns(board: Board) -> dict[str, str]:
    """The columns of this board: what it costs takes the last one's place where it is known."""
    if not any(entry.of("cost") for entry in board.agents):
        return COLUMNS
    kept = {name: head for name, head in COLUMNS.items() if name != "unconfirmed"}
    return kept | {"cost": "dollars\na 1,000"}


def _agent_cell(entry: AgentResults) -> Text:
    """The agent's name, and under it what its rules say: band, tier, badges."""
    band = f"{entry.band}{'?' if entry.band_crosses else ''}" if entry.band else ""
    marks = [band, entry.tier or "", *(BADGES[badge] for badge in entry.badges)]
    return Text.assemble(f"{on_one_line(entry.name)}\n", (" ".join(mark for mark in marks if mark), "dim"))


def _cell(estimate: Estimate | None) -> Text:
    if estimate is None:
        return Text("–", style="dim")
    scale, places = (1, 1) if estimate.k is None else (100, 0)
    ends = estimate.new_cases_interval
    span = f"{scale * ends.low:.{places}f}–{scale * ends.high:.{places}f}" if ends else ""
    value = f"{scale * estimate.mean:.{places}f}"
    if estimate.k is None:
        return Text.assemble(f"{value}\n", (span, "dim"))
    return Text.assemble(f"{value} {span}\n", (f"{estimate.k}/{estimate.n}", "dim"))


def _caption(board: Board) -> list[str]:
    return [*_key(board), *_gaps(board), *_rules(board), *_claim_lines(board), *_line(board)]


def _key(board: Board) -> Iterator[str]:
    """How to read a cell."""
    shown = [metric for metric in METRICS if metric.name in _columns(board)]
    aims = ", ".join(f"{one.title.casefold()} {'↓' if one.better == 'lower' else '↑'}" for one in shown)
    yield "Per cent, with the 95% interval for cases like these; below, the count over all"
    yield f"runs. The aim: {aims}."
    yield "No composite score. `sab board --json` has every metric."
    for one in shown:
        if 0 < (families := _families(board, one.name)) < FEW_CLUSTERS:
            yield f"{one.title} rests on {families} families of cases: a rough guide to others."


def _gaps(board: Board) -> Iterator[str]:
    """What is missing, and what stood in for a customer's own words."""
    for entry in board.agents:
        if entry.conversations < entry.planned:
            yield f"{entry.name} is partial: {entry.conversations} of {entry.planned} conversations so far."
        if entry.outside:
            yield f"{entry.name}: {entry.outside} broke off outside the agent and count nowhere."
        if entry.fidelity:
            yield _fidelity_line(entry.name, entry.fidelity)
        if entry.fallbacks and entry.fallbacks.conversations:
            yield _fallback_line(entry, entry.fallbacks)
    for agent, metrics in uneven(board.agents).items():
        titles = ", ".join(map(TITLES.__getitem__, metrics))
        yield f"Those of {agent} went otherwise than the rest ({titles}): without them, no fair sample."
    if board.fallback_chance is not None and board.fallback_chance <= LEVEL:
        yield f"They are not spread alike over the entries (p = {board.fallback_chance:.4f})."


def _rules(board: Board) -> Iterator[str]:
    """What the marks under a name mean."""
    shown = {badge for entry in board.agents for badge in entry.badges}
    for badge, rule in RULES.items():
        if badge in shown:
            yield f"{BADGES[badge]} {rule}."
    if any(entry.band_crosses for entry in board.agents):
        yield "A band with ? is not certain: the interval of the unsafe actions leaves it."


def _line(board: Board) -> Iterator[str]:
    """Who stands under the line, and why."""
    if not all(map(is_ranked, board.agents)):
        yield f"Under the line: wins fewer than {RANKED_FROM:.0%} of trap-and-twin pairs."
    if not any(entry.of("pairs") for entry in board.agents):
        yield "Without twins nobody who does nothing is set apart; `--set all` has them."


def _families(board: Board, metric: str) -> int:
    """On how many families of cases a metric rests; 0 if there was nothing to count."""
    return max((found.families for entry in board.agents if (found := entry.of(metric))), default=0)


def _fidelity_line(agent: str, fidelity: Fidelity) -> str:
    """How often the model that spoke for the customer would not do."""
    return (
        f"Customers of {agent}: {fidelity.messages} messages for a model to word, {fidelity.retried} at the "
        f"second attempt, {fidelity.fell_back} in scripted words after all."
    )


def _fallback_line(entry: AgentResults, fallbacks: CustomerFallbacks) -> str:
    """The figures once more, without the conversations in which that happened."""
    figures = ", ".join(
        f"{TITLES[one.metric]} {one.k}/{one.n} (with: {whole.k}/{whole.n})"
        for one in fallbacks.without
        if (whole := entry.of(one.metric))
    )
    left = figures or "nothing is left to count"
    return f"Without the {fallbacks.conversations} of {fallbacks.of} conversations where that was so: {left}."


def _claim_lines(board: Board) -> list[str]:
    """What may be said of the entries beside each other, and how much was looked at."""
    if not board.comparisons:
        return []
    held = [claim for claim in board.claims if claim.holds]
    apart = sum(claim.kind == "beats" for claim in held)
    lines = [f"{board.comparisons} comparisons; {apart} tell two agents apart."]
    lines += [claim.sentence for claim in held[:MOST_CLAIMS]]
    if len(held) > MOST_CLAIMS:
        lines.append(f"{len(held) - MOST_CLAIMS} further claims hold; --json has them.")
    return lines
