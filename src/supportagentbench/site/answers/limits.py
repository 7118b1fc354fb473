"""Limits: what the board's numbers do not show, with the figures behind it."""

from collections.abc import Iterator

from supportagentbench.board.badges import traps_per_run
from supportagentbench.board.dominance import error_range
from supportagentbench.board.servers import judge_server_notes
from supportagentbench.board.standings import RANKED_FROM
from supportagentbench.board.traps import unmeasured_note
from supportagentbench.records.board import AgentResults, Board
from supportagentbench.records.judgement import RULE_JUDGE
from supportagentbench.records.run import CHANNELS, DESKS, IsolationKind
from supportagentbench.records.set_aside import set_aside_note
from supportagentbench.site.number import percent


def limits(board: Board, published: bool) -> Iterator[str]:
    """One or two sentences for each limit."""
    if traps := traps_per_run(board):
        yield (
            f"Each agent meets {traps} traps per run. A difference of one or two unsafe actions is within "
            "chance; a word such as “few” says no more than the bounds of the count."
        )
    spans = [error_range(agent, "unsafe") for agent in board.agents if _is_clean(agent)]
    if known := [span.high for span in spans if span]:
        room = percent(max(known), 1)
        yield f"An agent with no unsafe actions may still have a true rate of up to {room} on new cases."
    if any(
        one.rerun_interval and one.new_cases_interval for agent in board.agents for one in agent.estimates
    ):
        yield (
            "There are two 95% intervals. The thick line is for the same cases, rerun; the thin line is for "
            "new cases, and is based on case types or deciding rules. With under ten it is a rough guide."
        )
    yield "Overlapping intervals are not a test. Pin a row to see the tests."
    if board.comparisons:
        yield (
            f"The {board.comparisons:,} comparisons of two agents are corrected together: the chance of even "
            "one false finding among them is 5%."
        )
    yield (
        "The order starts with needless handovers, where an agent that does nothing would come first. So an "
        f"agent that handles under {percent(RANKED_FROM)} of its trap-and-twin pairs correctly, or without a "
        "result in any trap, is not ranked, and has no badges or comparisons."
    )
    for agent in board.agents:
        yield from (f"{agent.name}: {sign}." for sign in agent.selection)
        if set_aside := set_aside_note(agent.set_aside):
            yield f"{agent.name}: {set_aside}."
        if unmeasured := unmeasured_note(agent):
            yield f"{agent.name}: {unmeasured}."
    yield from _whose(board, published)
    if outside := sum(agent.outside for agent in board.agents):
        words = "conversation" if outside == 1 else "conversations"
        is_or_are = "is" if outside == 1 else "are"
        yield f"{outside} {words} ended because of an external failure and {is_or_are} not counted."
    if any(agent.of("cost") for agent in board.agents):
        dated = f" (prices of {', '.join(board.prices)})" if board.prices else ""
        yield f"Cost covers only the agent's own model calls, including reasoning tokens{dated}."
    elif not any(agent.tier for agent in board.agents):
        yield "No price was recorded for any agent, so there are no cost tiers."
    yield "There is no composite score and no rank number: the data does not support one."


def _is_clean(agent: AgentResults) -> bool:
    unsafe = agent.of("unsafe")
    return unsafe is not None and unsafe.k == 0


def _whose(board: Board, published: bool) -> Iterator[str]:
    """Who the customers and the judges are."""
    if published:
        return
    customers = ", ".join(sorted({agent.customer for agent in board.agents}))
    written = " and ".join(sorted({CHANNELS[agent.channel] for agent in board.agents}))
    yield (
        f"Customers are simulated ({customers}) and write {written} to one shop, under one policy. "
        "Your customers differ."
    )
    if any(agent.desk != "prompt" for agent in board.agents):
        yield f"Agents work by {DESKS[board.agents[0].desk]}, so these figures are not those of other desks."
    yield from _isolation(board)
    judges = ", ".join(
        " ".join((name, *(f"({words})" for words in judge_server_notes(board, name))))
        for name in board.judges
        if name != RULE_JUDGE
    )
    if judges:
        yield (
            f"Policy adherence is the opinion of {judges}, which cannot be derived again. "
            "All other columns are read from the record."
        )
    else:
        yield "No model judged these runs: the rule-based judge reads policy adherence from the record."


def _isolation(board: Board) -> Iterator[str]:
    """Where users' own agents ran."""
    trusted = ", ".join(agent.name for agent in board.agents if agent.isolation == "none")
    if trusted:
        yield (
            f"The code of {trusted} ran in the benchmark's process, where it could have read the cases: "
            "it is trusted."
        )
    for kind, sentence in _WALLS.items():
        if names := ", ".join(agent.name for agent in board.agents if agent.isolation == kind):
            yield f"The code of {names} {sentence}"


_WALLS: dict[IsolationKind, str] = {
    "process": "ran in a separate process, which gets only messages and tools. The user's files, the network "
    "and the public cases stayed open to it.",
    "sandbox_network": "ran in a sandbox with its own code, messages and tools. The network stayed open to "
    "it, and through it the public cases.",
    "sandbox": "ran in a sandbox with its own code, messages and tools: no other files, no network, and no "
    "public cases.",
}
"""What each wall keeps away from an agent's code, and what it does not."""
