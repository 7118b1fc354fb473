"""What the channel does to the headline figures: the reference agents once by e-mail, once by chat.

Prints every figure in both channels, and the share of all variance between conversations (agents, cases and
channels together) that the channel explains: by itself, and together with how it differs between agents.
"""

from statistics import mean

from supportagentbench.agents.baselines import REFERENCE
from supportagentbench.board.metrics import METRICS, Metric, RunVerdicts
from supportagentbench.board.standings import COMPARED
from supportagentbench.checks import score
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.records.record import digest
from supportagentbench.records.run import CHANNELS, Channel
from supportagentbench.records.verdict import Verdict
from supportagentbench.runner.run import header_of
from supportagentbench.selftest import play
from supportagentbench.storage.transcripts import Filed
from supportagentbench.world.folder import read_world
from supportagentbench.world.generate import CaseSet, generate

Values = dict[tuple[str, Channel], dict[str, float]]
"""By agent and channel: the value of each case."""


def verdicts_of(cases: CaseSet, agent: str, channel: Channel) -> list[Verdict]:
    """One agent over all cases in one channel."""
    header, found = header_of(cases, "all", agent, ScriptedVoice(), 1, 0, channel=channel), []
    for case in cases.named("all"):
        transcript = play(cases, case, REFERENCE[agent](cases.world, 0), channel)
        found.append(score(Filed(transcript, digest(transcript), 0.0, 0.0), header))
    return found


def explained(values: Values) -> tuple[float, float]:
    """The share of the variance that is the channel's alone, and with its interaction with the agent."""
    cells = {key: list(found.values()) for key, found in values.items()}
    everything = [value for cell in cells.values() for value in cell]
    total = sum((value - mean(everything)) ** 2 for value in everything)
    by_channel, by_agent = (
        [_joined(cells, side, name) for name in {key[side] for key in cells}] for side in (1, 0)
    )
    each = list(cells.values())
    if not total:
        return 0.0, 0.0
    return _between(by_channel) / total, (_between(each) - _between(by_agent)) / total


def _joined(cells: dict[tuple[str, Channel], list[float]], side: int, name: str) -> list[float]:
    return [value for key, cell in cells.items() if key[side] == name for value in cell]


def _between(groups: list[list[float]]) -> float:
    """The sum of squares between groups."""
    grand = mean(value for group in groups for value in group)
    return sum(len(group) * (mean(group) - grand) ** 2 for group in groups if group)


def show(metric: Metric, verdicts: dict[tuple[str, Channel], list[Verdict]]) -> None:
    """One figure: every agent in both channels, and what the channel explains."""
    values: Values = {}
    for key, found in verdicts.items():
        trials = metric.trials(RunVerdicts(found))
        values[key] = dict(zip(trials.cases, trials.values, strict=True))
    print(f"\n{metric.title}")
    for agent in REFERENCE:
        mail, chat = values[agent, "email"], values[agent, "chat"]
        shift = mean(chat.values()) - mean(mail.values())
        moved = sum(mail[case] != chat[case] for case in mail.keys() & chat.keys())
        print(
            f"  {agent:18}{sum(mail.values()):6.0f} of {len(mail)} by e-mail"
            f"{sum(chat.values()):6.0f} of {len(chat)} by chat   shift {shift:+.1%}   {moved} cases moved"
        )
    alone, with_agents = explained(values)
    print(f"  the channel explains {alone:.2%} of the variance, {with_agents:.2%} with its part by agent")


def main() -> None:
    cases = generate(read_world("northline"))
    verdicts = {
        (agent, channel): verdicts_of(cases, agent, channel) for agent in REFERENCE for channel in CHANNELS
    }
    for metric in METRICS:
        if metric.name in COMPARED:
            show(metric, verdicts)


if __name__ == "__main__":
    main()
