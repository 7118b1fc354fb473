"""Judges in 80 columns: their agreement, their biases, and their calibration on people's labels."""

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from supportagentbench.judges.agreement import JUDGED, Agreement, Drift, JudgeGap, JudgePair, Rate, Steadiness
from supportagentbench.judges.people import ALL_AGENTS, Calibrated, Calibration, Share, Skill
from supportagentbench.records.counts import counted
from supportagentbench.stats.alt_test import ALLOWANCE, LEAST_ANNOTATORS, AltTest
from supportagentbench.stats.correction import LEAST_LABELS, Corrected

WORST_RULES = 5
"""Rules shown per pair of judges: those on which they disagree most."""

READING = f"""\
As judged: the judge's own figure. Rogan–Gladen: corrected by how well the judge agrees with people, if \
it is equally good for every agent. PPI (prediction-powered inference): people's labels of this agent's \
conversations, extended by the judge; valid whatever errors it makes. Percent, 95% intervals: PPI for these \
conversations, the others for new cases of the same kind. Both need {LEAST_LABELS} labels, PPI in each \
stratum of each agent."""


def agreement_report(found: Agreement) -> RenderableType:
    """Every judge, every pair of judges, and all together."""
    return Group(
        *_section("Judges", _steadiness(found.judges)),
        *(part for pair in found.pairs for part in _section(f"{pair.first} and {pair.second}", _pair(pair))),
        *_section("Together", _together(found)),
    )


def calibration_report(found: Calibration) -> RenderableType:
    """People's labels, the accuracy of each judge, and every judged figure raw and corrected."""
    return Group(
        Text(_headline(found)),
        *_section("Annotators", _among(found)),
        *(part for judge in found.judges for part in _section(judge.judge, _calibrated(judge))),
        *_section("How to read it", [_small(READING)]),
    )


def _section(title: str, content: Iterable[RenderableType]) -> Iterator[RenderableType]:
    parts = list(content)
    if parts:
        yield Text(f"\n{title}", style="bold")
        yield from (Padding(part, (0, 0, 0, 2), expand=False) for part in parts)


def _steadiness(judges: Iterable[Steadiness]) -> Iterator[RenderableType]:
    table = _table("judge", "convs", "opinions", "void", "undecided", "flips")
    for one in judges:
        rate = one.flips.rate
        flips = "–" if rate is None else f"{rate:.0%} of {one.flips.pairs}"
        shares = (f"{count / max(one.opinions, 1):.1%}" for count in (one.void, one.untold))
        table.add_row(Text(one.judge), f"{one.conversations}", f"{one.opinions}", *shares, flips)
    yield table
    yield _small(
        "Void: without evidence. Undecided: the judge gave no answer. Flips: a second answer differs."
    )
    for one in judges:
        for version, count in one.set_aside.items():
            yield Text(
                f"{one.judge}: {counted(count, 'judgement')} of version {version} not used; "
                f"version {one.version} has more."
            )


def _pair(pair: JudgePair) -> Iterator[RenderableType]:
    if not pair.kinds:
        yield Text("They have no decision in common.")
        return
    metrics = [kind for kind in pair.kinds if kind.kind in JUDGED]
    rules = [kind for kind in pair.kinds if kind not in metrics and kind.agreed < 1]
    rules.sort(key=lambda kind: kind.counts.first_only + kind.counts.second_only, reverse=True)
    table = _table("", "items", "yes yes", "yes no", "no yes", "no no", "same", "kappa", "AC1")
    for kind in (*metrics, *rules[:WORST_RULES]):
        kappa = "–" if kind.kappa is None else f"{kind.kappa:.2f}"
        table.add_row(
            Text(kind.kind),
            *map(str, (kind.counts.items, *kind.counts)),
            f"{kind.agreed:.0%}",
            kappa,
            f"{kind.ac1:.2f}",
        )
    yield table
    if len(rules) > WORST_RULES:
        yield _small(f"The most frequent of {len(rules)} rules on which they disagree.")
    noes = _table("not met", "first's, found by second", "second's, found by first")
    for kind in metrics:
        noes.add_row(kind.kind, _of(kind.found_by_second), _of(kind.found_by_first))
    yield noes
    yield from _drifts(pair)


def _drifts(pair: JudgePair) -> Iterator[RenderableType]:
    vendors = [drift for drift in pair.drifts if drift.level == "vendor"]
    if len({drift.entrant for drift in vendors}) > 1:
        table = _table("model family", "", "first", "second", "gap", "compared with others")
        for drift in vendors:
            table.add_row(
                Text(drift.entrant or "unknown"),
                drift.metric,
                f"{drift.first:.1%}",
                f"{drift.second:.1%}",
                f"{drift.gap.difference * 100:+.1f}",
                _points(drift.beyond),
            )
        yield table
    favours = [drift for drift in pair.drifts if drift.is_favour]
    for drift in favours:
        yield _favour(drift, pair)
    if not favours:
        yield Text("Neither judge favours an agent or a model family (Holm, 95%).")


def _favour(drift: Drift, pair: JudgePair) -> Text:
    assert drift.beyond is not None, "a favour is a gap beyond the others"
    judge = pair.first if drift.beyond.difference > 0 else pair.second
    entrant = f"the {drift.level} {drift.entrant}" if drift.entrant else "agents of unknown family"
    return Text(f"{judge} favours {entrant}: {drift.metric} {_points(drift.beyond)}.", style="yellow")


def _together(found: Agreement) -> Iterator[RenderableType]:
    if not found.together:
        yield Text("There is only one judge. Agreement needs two.")
        return
    table = _table("", "judges", "items", "alpha", "votes")
    for one in found.together:
        alpha, votes = ("–" if value is None else f"{value:.2f}" for value in (one.alpha, one.votes))
        table.add_row(one.metric, f"{one.judges}", f"{one.items}", alpha, votes)
    yield table
    yield _small(
        "Votes: how many independent votes they are worth at least; right together counts as agreement. "
        "People's labels show more (`sab labels`)."
    )


def _headline(found: Calibration) -> str:
    if not found.labels:
        return "No labels yet: every judged figure is uncalibrated."
    votes = "" if found.votes is None else f" By their errors the judges are worth {found.votes:.1f} votes."
    return (
        f"{counted(found.labels, 'label')} by {', '.join(found.annotators)}, sampled by the verdicts of "
        f"{found.drawn_by}. Unclear items: {found.unclear}. Ties: {found.tied}.{votes}"
    )


def _among(found: Calibration) -> Iterator[RenderableType]:
    if len(found.annotators) == 1:
        yield Text(
            "There is only one annotator, so agreement between people is unknown. Two or more show it."
        )
    table = _table("", "", "items", "same", "kappa", "AC1")
    for pair in found.among:
        for kind in pair.kinds:
            if kind.kind in JUDGED:
                kappa = "–" if kind.kappa is None else f"{kind.kappa:.2f}"
                names = Text(f"{pair.first} and {pair.second}")
                figures = f"{kind.counts.items}", f"{kind.agreed:.0%}", kappa, f"{kind.ac1:.2f}"
                table.add_row(names, kind.kind, *figures)
    if found.among:
        yield table


def _calibrated(judge: Calibrated) -> Iterator[RenderableType]:
    shown = [skill for skill in judge.skills if skill.kind in JUDGED or skill.counts.items >= LEAST_LABELS]
    if shown:
        yield _skills(shown)
    yield Text(_alt_test(judge.alt_test))
    for metric in JUDGED:
        figures = [figure for figure in judge.figures if figure.metric == metric]
        if figures:
            table = _table(metric, "as judged", "Rogan–Gladen", "PPI")
            for figure in figures:
                name = Text("all agents" if figure.agent == ALL_AGENTS else figure.agent)
                corrected = (figure.raw, figure.rogan_gladen, figure.powered)
                table.add_row(name, *map(_corrected, corrected))
            yield Text()
            yield table


def _skills(skills: Iterable[Skill]) -> Table:
    table = _table("", "labels", "finds met", "finds not met")
    for skill in skills:
        found = _share(skill.sensitivity), _share(skill.specificity)
        table.add_row(Text(skill.kind), f"{skill.counts.items}", *found)
    return table


def _alt_test(found: AltTest | None) -> str:
    if found is None:
        return f"Alt-test: needs {LEAST_ANNOTATORS} annotators with {LEAST_LABELS} items each."
    verdict = "passes" if found.passes else "does not pass"
    return (
        f"Alt-test ({counted(found.items, 'item')}, allowance {ALLOWANCE}): {verdict}; may replace "
        f"{found.wins} of {found.annotators} annotators; agrees with the others "
        f"at least as much in {found.advantage:.0%}."
    )


def _corrected(found: Corrected | str) -> Text:
    if isinstance(found, str):
        return Text(found, style="dim")
    return Text(f"{found.rate * 100:.1f} {found.low * 100:.0f}–{found.high * 100:.0f}")


def _share(found: Share | None) -> str:
    return (
        "too few labels"
        if found is None
        else f"{found.rate:.0%} ({found.low * 100:.0f}–{found.high * 100:.0f})"
    )


def _of(found: Rate | None) -> str:
    if found is None:
        return "none"
    return f"{found.k}/{found.n} ({found.low * 100:.0f}–{found.high * 100:.0f}%)"


def _points(gap: JudgeGap | None) -> str:
    if gap is None:
        return "–"
    return f"{gap.difference * 100:+.1f} ({gap.low * 100:+.1f} to {gap.high * 100:+.1f})"


def _small(words: str) -> Text:
    return Text(words, style="dim")


def _table(first: str, *heads: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column(Text(first))
    for head in heads:
        table.add_column(Text(head), justify="right")
    return table
