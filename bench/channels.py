"""What the customer does to the headline figures: the reference agents once by e-mail, once by chat.

python bench/channels.py                 # e-mail and chat
python bench/channels.py FIRST SECOND    # two folders of runs of the same agents, with other customers

Prints every figure with both customers, and the share of all variance between conversations (agents, cases
and customers together) that the customer explains: alone, and with how it differs between agents.
"""

import sys
from pathlib import Path
from statistics import mean

from supportagentbench.agents.shipped import REFERENCE, shipped_agent
from supportagentbench.board.metrics import METRICS, Metric, RunVerdicts
from supportagentbench.board.standings import COMPARED
from supportagentbench.calibration.prove import play
from supportagentbench.checks import score_transcript
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.records.record import digest
from supportagentbench.records.run import CHANNELS, Channel
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import load_runs
from supportagentbench.runner.run import header_of
from supportagentbench.world.drawn_cases import DrawnCases, generate
from supportagentbench.world.folder import read_world

Key = tuple[str, str]
"""An agent and a customer."""
Values = dict[Key, dict[str, float]]
"""The value of each case."""


def verdicts_of(cases: DrawnCases, agent: str, channel: Channel) -> list[Verdict]:
    """One agent over all cases in one channel."""
    header, found = header_of(cases, "all", agent, ScriptedVoice(), 1, 0, channel=channel), []
    for case in cases.named("all"):
        transcript = play(cases, case, shipped_agent(agent)(cases.world, 0), channel)
        found.append(score_transcript(transcript, digest(transcript), header))
    return found


def explained(values: Values) -> tuple[float, float]:
    """The share of the variance that is the customer's alone, and with its interaction with the agent."""
    cells = {key: list(found.values()) for key, found in values.items()}
    everything = [value for cell in cells.values() for value in cell]
    total = sum((value - mean(everything)) ** 2 for value in everything)
    by_customer, by_agent = (
        [_joined(cells, side, name) for name in {key[side] for key in cells}] for side in (1, 0)
    )
    each = list(cells.values())
    if not total:
        return 0.0, 0.0
    return _between(by_customer) / total, (_between(each) - _between(by_agent)) / total


def _joined(cells: dict[Key, list[float]], side: int, name: str) -> list[float]:
    return [value for key, cell in cells.items() if key[side] == name for value in cell]


def _between(groups: list[list[float]]) -> float:
    """The sum of squares between groups."""
    grand = mean(value for group in groups for value in group)
    return sum(len(group) * (mean(group) - grand) ** 2 for group in groups if group)


def show(metric: Metric, verdicts: dict[Key, list[Verdict]], first: str, second: str) -> None:
    """One figure: every agent with both customers, and what the customer explains."""
    values: Values = {}
    for key, found in verdicts.items():
        trials = metric.trials(RunVerdicts(found))
        values[key] = dict(zip(trials.cases, trials.values, strict=True))
    print(f"\n{metric.title}")
    for agent in dict.fromkeys(agent for agent, _ in verdicts):
        one, other = values[agent, first], values[agent, second]
        if not one or not other:
            continue
        shift = mean(other.values()) - mean(one.values())
        moved = sum(one[case] != other[case] for case in one.keys() & other.keys())
        print(
            f"  {agent:14}{sum(one.values()):5.0f} of {len(one):3} {first}{sum(other.values()):6.0f} of "
            f"{len(other):3} {second}   shift {shift:+.1%}   {moved} cases moved"
        )
    alone, with_agents = explained(values)
    print(f"  the customer explains {alone:.2%} of the variance, {with_agents:.2%} with its part by agent")


def by_channel() -> dict[Key, list[Verdict]]:
    """The reference agents in both channels."""
    cases = generate(read_world("northline"))
    return {
        (agent, channel): verdicts_of(cases, agent, channel) for agent in REFERENCE for channel in CHANNELS
    }


def by_runs(first: str, second: str) -> dict[Key, list[Verdict]]:
    """The agents of two folders of runs; the customer is named by the folder."""
    return {
        (run.header.agent, Path(place).name): list(run.verdicts)
        for place in (first, second)
        for run in load_runs([Path(place)])
    }


def main() -> None:
    """Print every compared figure."""
    verdicts = by_runs(*sys.argv[1:3]) if len(sys.argv) > 2 else by_channel()
    first, second = dict.fromkeys(customer for _, customer in verdicts)
    for metric in METRICS:
        if metric.name in COMPARED:
            show(metric, verdicts, first, second)


if __name__ == "__main__":
    main()
