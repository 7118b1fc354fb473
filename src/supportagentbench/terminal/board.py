"""Board: a few lines per agent, how to read them, and below them the scores of judges."""

from collections.abc import Iterator

from rich.console import Group
from rich.table import Table
from rich.text import Text

from supportagentbench.board.badges import RULES, SAFETY_RULES
from supportagentbench.board.claims import LEVEL
from supportagentbench.board.cost_notes import cost_notes
from supportagentbench.board.customer_fallback import uneven
from supportagentbench.board.metrics import METRICS
from supportagentbench.board.servers import judge_server_notes
from supportagentbench.board.standings import RANKED_FROM, is_ranked
from supportagentbench.board.substitutes import substitutes
from supportagentbench.board.traps import unmeasured_note
from supportagentbench.board.unobservable import HIDDEN_ACTS, unobservable_note
from supportagentbench.judges.people import calibration_note
from supportagentbench.records.agent_error import MOST_ERRORS
from supportagentbench.records.board import AgentResults, Badge, Board, CustomerFallbacks, Estimate, Interval
from supportagentbench.records.counts import counted
from supportagentbench.records.fidelity import Fidelity
from supportagentbench.records.run import CHANNELS, DESKS, ISOLATIONS
from supportagentbench.records.set_aside import set_aside_note
from supportagentbench.site.answers.more_figures import more_figure_lines
from supportagentbench.site.number import amount, count_of, median_text, safety_text, value_text
from supportagentbench.stats.rates import FEW_CLUSTERS
from supportagentbench.terminal.escape import on_one_line

COLUMNS = {
    "over_escalation": "needless\nhandovers",
    "unsafe": "unsafe\nactions",
    "escalation": "escalat.\ncaught",
    "resolution": "resolved",
    "pairs": "pairs",
    "unconfirmed": "acted un-\nconfirmed",
}
"""The metrics that fit side by side, with their headers."""

TITLES = {metric.name: metric.title.casefold() for metric in METRICS}

SHORTEST_NAME = 10
"""Minimum width of the agent column; longer names are wrapped."""

MOST_CLAIMS = 6
"""Claims printed in full; further ones are only counted."""

BADGES: dict[Badge, str] = {"warning": "⚠", "thinks": "…"}

HEADS = {
    "adherence": "policy\nadherence",
    "judged_resolution": "resolved,\njudged",
    "sentiment": "mood as\ngood",
}


def board_table(board: Board) -> Group:
    """The agents in order, with a rule between ranked and unranked ones."""
    table = Table(box=None, padding=(0, 0, 0, 1), header_style="bold", pad_edge=False)
    table.add_column("agent", overflow="fold", min_width=SHORTEST_NAME)
    columns = _columns(board)
    for head in columns.values():
        table.add_column(head, justify="right", no_wrap=True)
    ranked = sum(map(is_ranked, board.agents))
    for position, agent in enumerate(board.agents):
        if position == ranked:
            table.add_row(Text("─" * 11, style="dim"))
        table.add_row(_agent_cell(agent), *(figure_cell(agent.of(name)) for name in columns))
    caption = "\n".join(map(on_one_line, _caption(board)))
    return Group(Text(on_one_line(_title(board)), style="dim"), table, Text(caption, style="dim"))


def _title(board: Board) -> str:
    *others, last = sorted({agent.runs for agent in board.agents}) or [0]
    runs = " or ".join([*map(str, others), counted(last, "run")])
    return f"{board.world}, set {board.set}, {runs} per agent ({board.world_digest})"


def _columns(board: Board) -> dict[str, str]:
    """The columns of this board; if the cost is known, it replaces the last one."""
    if not any(agent.of("cost") for agent in board.agents):
        return COLUMNS
    kept = {name: head for name, head in COLUMNS.items() if name != "unconfirmed"}
    return kept | {"cost": "dollars\nper 1,000"}


def _agent_cell(agent: AgentResults) -> Text:
    """The agent's name, and below it if it is a dummy, a word on its safety, cost tier and badges."""
    unsafe = agent.of("unsafe")
    word = safety_text(agent.safety, unsafe.n) if agent.safety and unsafe else ""
    errors = f"errors={agent.errors}" if agent.errors else ""
    marks = [
        "dummy" if agent.is_dummy else "",
        word,
        errors,
        agent.tier or "",
        *(BADGES[badge] for badge in agent.badges),
    ]
    return Text.assemble(f"{on_one_line(agent.name)}\n", (" ".join(mark for mark in marks if mark), "dim"))


def _caption(board: Board) -> list[str]:
    return [
        *_key(board),
        *_levels(board),
        *more_figure_lines(board),
        *_draws(board),
        *_notes(board),
        *_rules(board),
        *_claim_lines(board),
        *_unranked(board),
    ]


def _key(board: Board) -> Iterator[str]:
    """How to read a cell."""
    shown = [metric for metric in METRICS if metric.name in _columns(board)]
    arrows = ", ".join(f"{one.title.casefold()} {'↓' if one.better == 'lower' else '↑'}" for one in shown)
    yield "All runs together, then the count and the 95% interval for new cases of the same kind."
    if any(agent.runs > 1 for agent in board.agents):
        yield "med: the median of the runs, as published boards print it."
    yield f"↓ lower is better, ↑ higher is better: {arrows}."
    yield "There is no composite score. `sab board --json` has every metric."
    for one in shown:
        if 0 < (clusters := _clusters(board, one.name)) < FEW_CLUSTERS:
            types = "1 case type or rule" if clusters == 1 else f"{clusters} case types or rules"
            yield f"{one.title}: based on {types}, so the interval is a rough guide."


def _levels(board: Board) -> Iterator[str]:
    """How many traps each agent held at each level, if the set has levels."""
    if any(agent.levels for agent in board.agents):
        yield "Traps held, by level of difficulty:"
    for agent in board.agents:
        if agent.levels:
            found = (f"level {one.level}: {one.held} of {one.of}" for one in agent.levels)
            yield f"  {agent.name}: {', '.join(found)}"


def _draws(board: Board) -> Iterator[str]:
    """Which draws are counted together, and how much of the variance is between them."""
    by_agent = {agent.name: ", ".join(agent.draws) for agent in board.agents}
    if all(len(agent.draws) < 2 for agent in board.agents):
        return
    if len({frozenset(agent.draws) for agent in board.agents}) > 1:
        each = "; ".join(f"{name} {draws}" for name, draws in by_agent.items())
        yield f"Draws counted together: {each}. Two agents are compared on the draws that both have."
    else:
        drawn = by_agent[board.agents[0].name]
        yield f"Draws {drawn} counted together: each has other cases of the same types."
    found = [
        f"{agent.name} {one.draw:.0%}"
        for agent in board.agents
        for one in agent.variance
        if one.metric == "unsafe" and one.draw is not None and one.run is not None
    ]
    if found:
        yield f"Share of the variance of unsafe actions between draws of one case: {', '.join(found)}."


def _notes(board: Board) -> Iterator[str]:
    """What cannot be observed, what is missing, and where a script replaced the customer's model."""
    if unobservable := unobservable_note(board):
        yield unobservable
    if any(agent.channel != "email" for agent in board.agents):
        yield f"Customers write {CHANNELS[board.agents[0].channel]}."
    if any(agent.desk != "prompt" for agent in board.agents):
        yield f"Agents work by {DESKS[board.agents[0].desk]}."
    for agent in board.agents:
        if agent.isolation:
            yield f"{agent.name}: its code ran {ISOLATIONS[agent.isolation]}."
        if agent.hides_acts:
            yield f"{agent.name}: {HIDDEN_ACTS}."
        if agent.unseen:
            yield f"{agent.name}: {agent.unseen}."
        if agent.replayed:
            yield f"{agent.name}: model answers were replayed from a recording."
        if agent.conversations < agent.planned:
            done = f"{agent.conversations} of {counted(agent.planned, 'conversation')}"
            yield f"{agent.name} is incomplete: {done} so far."
        yield from substitutes(agent)
        yield from cost_notes(agent)
        if agent.errors:
            yield _errors_line(agent)
        if agent.outside:
            ended = counted(agent.outside, "conversation")
            yield f"{agent.name}: {ended} ended for reasons outside the agent and not counted."
        yield from (f"{agent.name}: {sign}." for sign in agent.selection)
        if set_aside := set_aside_note(agent.set_aside):
            yield f"{agent.name}: {set_aside}."
        if unmeasured := unmeasured_note(agent):
            yield f"{agent.name}: {unmeasured}."
        if (resolution := agent.of("resolution")) and resolution.undecided:
            unclear = counted(resolution.undecided, "conversation")
            yield f"{agent.name}: code cannot decide whether {unclear} resolved; not in the count."
        if agent.fidelity:
            yield _fidelity_line(agent.name, agent.fidelity)
        if agent.fallbacks and agent.fallbacks.conversations:
            yield _fallback_line(agent, agent.fallbacks)
    for name, metrics in uneven(board.agents).items():
        titles = ", ".join(map(TITLES.__getitem__, metrics))
        yield f"Fallbacks of {name} are not random ({titles}), so figures without them are biased."
    if board.fallback_chance is not None and board.fallback_chance <= LEVEL:
        yield f"Fallbacks are not equally frequent for all agents (p = {board.fallback_chance:.4f})."


def _errors_line(agent: AgentResults) -> str:
    """How many conversations ended with an error in the agent's code, and what follows from it."""
    out_of = f"{agent.errors} of {counted(agent.conversations - agent.outside, 'conversation')}"
    follows = f"; above {MOST_ERRORS:.0%} it has neither word nor rank" if agent.is_faulty else ""
    return f"{agent.name}: errors in its code broke {out_of}{follows}. See errors.jsonl in its runs."


def _rules(board: Board) -> Iterator[str]:
    """What the marks below a name mean."""
    if any(agent.safety for agent in board.agents):
        rules = "; ".join(f"{word}: {rule}" for word, rule in SAFETY_RULES.items())
        yield f"Unsafe actions in a word, by one-sided 95% bounds for the same traps, run again. {rules}."
    shown = {badge for agent in board.agents for badge in agent.badges}
    for badge, rule in RULES.items():
        if badge in shown:
            yield f"{BADGES[badge]} {rule}."


def _unranked(board: Board) -> Iterator[str]:
    """Which agents are not ranked, and why."""
    if any(_is_below(agent) for agent in board.agents):
        yield f"Not ranked, below the rule: won fewer than {RANKED_FROM:.0%} of the trap-and-twin pairs."
    if not any(agent.of("pairs") for agent in board.agents):
        what = "twins" if any(agent.traps for agent in board.agents) else "traps"
        yield f"This set has no {what}, so idle agents are ranked too. `--set all` includes them."


def _is_below(agent: AgentResults) -> bool:
    """Whether it is the pairs that keep it from a rank."""
    return not is_ranked(agent) and not agent.is_faulty and (agent.has_traps or not agent.traps)


def _clusters(board: Board, metric: str) -> int:
    """The number of case types or deciding rules behind a metric; 0 if it does not apply."""
    return max((found.clusters for agent in board.agents if (found := agent.of(metric))), default=0)


def _fidelity_line(name: str, fidelity: Fidelity) -> str:
    """How often the customer's model had to be replaced."""
    return (
        f"Customers of {name}: {counted(fidelity.messages, 'message')} worded by a model, {fidelity.retried} "
        f"at the second attempt, {fidelity.fell_back} scripted after a failed check."
    )


def _fallback_line(agent: AgentResults, fallbacks: CustomerFallbacks) -> str:
    """The figures without the conversations in which a script replaced the customer's model."""
    figures = ", ".join(
        f"{TITLES[one.metric]} {one.k}/{one.n} (with: {whole.k}/{whole.n})"
        for one in fallbacks.without
        if (whole := agent.of(one.metric))
    )
    left = figures or "nothing left to count"
    out_of = f"{fallbacks.conversations} of {counted(fallbacks.of, 'conversation')}"
    refused = f"; in {fallbacks.refused} its model or a filter refused the words" if fallbacks.refused else ""
    return f"Without the {out_of} with a customer fallback{refused}: {left}."


def _claim_lines(board: Board) -> list[str]:
    """The significant differences, and how many were tested."""
    if not board.comparisons:
        return []
    significant = [claim for claim in board.claims if claim.holds]
    found = sum(claim.kind == "beats" for claim in significant)
    lines = [f"{counted(board.comparisons, 'comparison')}, {found} significant."]
    lines += [claim.sentence for claim in significant[:MOST_CLAIMS]]
    if (more := len(significant) - MOST_CLAIMS) > 0:
        lines.append(f"{counted(more, 'more claim')} in `sab board --json`.")
    return lines


def figure_cell(estimate: Estimate | None) -> Text:
    """One line each; an estimate from one run has no median."""
    if estimate is None:
        return Text("–", style="dim")
    median = median_text(estimate)
    below = (count_of(estimate), _span(estimate, estimate.new_cases_interval), median and f"med {median}")
    return Text.assemble(value_text(estimate), ("".join(f"\n{line}" for line in below if line), "dim"))


def _span(estimate: Estimate, interval: Interval | None) -> str:
    """Both ends without the unit, which is shown with the value above."""
    if interval is None:
        return ""
    ends = (amount(estimate.metric, end, estimate.n).strip("$%") for end in (interval.low, interval.high))
    return "–".join(ends)


def judge_scores_table(board: Board) -> Group:
    """One table per judge, with its name and whether it is calibrated on people's labels."""
    parts: list[Table | Text] = []
    for judge in board.judges:
        table = Table(box=None, padding=(0, 0, 0, 2), header_style="bold", pad_edge=False)
        table.add_column(Text(f"judge:\n{on_one_line(judge)}"), overflow="fold", max_width=40)
        for head in HEADS.values():
            table.add_column(head, justify="right", no_wrap=True)
        for agent in board.agents:
            table.add_row(
                Text(on_one_line(agent.name)), *(figure_cell(agent.of(metric, judge)) for metric in HEADS)
            )
        notes = [
            *_on_resolution(board, judge),
            calibration_note(None, judge, "adherence"),
            *judge_server_notes(board, judge),
        ]
        parts += [table, Text("\n".join(map(on_one_line, notes)), style="dim")]
    return Group(*parts)


def _on_resolution(board: Board, judge: str) -> Iterator[str]:
    """Resolution with this judge deciding what code cannot, and how often it agrees on the rest."""
    for agent in board.agents:
        settled, agreed = agent.of("settled_resolution", judge), agent.of("resolution_agreement", judge)
        if settled and agreed:
            yield (
                f"{agent.name}: resolved {settled.k}/{settled.n} with the undecided settled by this judge; "
                f"it agrees with the record in {agreed.k}/{agreed.n}."
            )
