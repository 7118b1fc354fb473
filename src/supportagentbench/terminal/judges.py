"""Judges for people who read in 80 columns: how they agree, whom they favour, what people's labels say."""

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from supportagentbench.judges.agreement import JUDGED, Agreement, Drift, JudgeGap, JudgePair, Rate, Steadiness
from supportagentbench.judges.people import ALL_AGENTS, Calibrated, Calibration, Share, Skill
from supportagentbench.stats.alt_test import ALLOWANCE, LEAST_ANNOTATORS, AltTest
from supportagentbench.stats.correction import LEAST_LABELS, Corrected

WORST_RULES = 5
"""Rules that are shown of a pair: those on which it differs most often."""

READING = f"""\
As judged: the judge's own figure. Rogan–Gladen: corrected by how well the judge finds what people find, \
taking it to be as good with every agent. PPI (prediction-powered): what people said of this agent's own \
conversations, helped by the judge, whatever its errors. Per cent with 95% intervals, of PPI for these very \
conversations, of the others for cases like these. Both need {LEAST_LABELS} labels: PPI in each stratum \
of each agent."""


def agreement_report(found: Agreement) -> RenderableType:
    """Every judge, every pair of them, and all together."""
    return Group(
        *_section("Judges", _steadiness(found.judges)),
        *(part for pair in found.pairs for part in _section(f"{pair.first} and {pair.second}", _pair(pair))),
        *_section("Together", _together(found)),
    )


def calibration_report(found: Calibration) -> RenderableType:
    """What people said, how good each judge is by that, and every judged figure raw and corrected."""
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
    table = _table("judge", "talks", "opinions", "void", "untold", "flips")
    for one in judges:
        rate = one.flips.rate
        flips = "–" if rate is None else f"{rate:.0%} of {one.flips.pairs}"
        shares = (f"{count / max(one.opinions, 1):.1%}" for count in (one.void, one.untold))
        table.add_row(Text(one.judge), f"{one.conversations}", f"{one.opinions}", *shares, flips)
    yield table
    yield _small(
        "Void: without evidence. Untold: it could not tell. Flips: asked again, it says something else."
    )
    for one in judges:
        for version, count in one.set_aside.items():
            yield Text(
                f"{one.judge}: {count} judgements of version {version} are set aside; "
                f"these are of {one.version}, which has more."
            )


def _pair(pair: JudgePair) -> Iterator[RenderableType]:
    if not pair.kinds:
        yield Text("They decided nothing in common.")
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
        yield _small(f"Of {len(rules)} rules on which they differ, those on which they do most often.")
    noes = _table("not met", "of the first's, the second has", "of the second's, the first has")
    for kind in metrics:
        noes.add_row(kind.kind, _of(kind.found_by_second), _of(kind.found_by_first))
    yield noes
    yield from _drifts(pair)


def _drifts(pair: JudgePair) -> Iterator[RenderableType]:
    vendors = [drift for drift in pair.drifts if drift.level == "vendor"]
    if len({drift.entrant for drift in vendors}) > 1:
        table = _table("family of models", "", "first", "second", "gap", "beyond the others")
        for drift in vendors:
            table.add_row(
                Text(drift.entrant or "none known"),
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
        yield Text("No entrant fares unlike the others with one of them (Holm, 95%).")


def _favour(drift: Drift, pair: JudgePair) -> Text:
    assert drift.beyond is not None, "only what goes beyond the others is a favour"
    judge = pair.first if drift.beyond.difference > 0 else pair.second
    entrant = f"the {drift.level} {drift.entrant}" if drift.entrant else "those of no known family"
    return Text(f"{judge} is kinder to {entrant}: {drift.metric} {_points(drift.beyond)}.", style="yellow")


def _together(found: Agreement) -> Iterator[RenderableType]:
    if not found.together:
        yield Text("There is one judge; agreement takes two.")
        return
    table = _table("", "judges", "items", "alpha", "votes")
    for one in found.together:
        alpha, votes = ("–" if value is None else f"{value:.2f}" for value in (one.alpha, one.votes))
        table.add_row(one.metric, f"{one.judges}", f"{one.items}", alpha, votes)
    yield table
    yield _small(
        "Votes: as many independent ones as they are worth, at least; being right together counts as alike. "
        "People's labels tell more (`sab labels`)."
    )


def _headline(found: Calibration) -> str:
    if not found.labels:
        return "No labels yet: every judged figure is uncalibrated."
    votes = "" if found.votes is None else f" By their errors the judges are worth {found.votes:.1f} votes."
    return (
        f"{found.labels} labels by {', '.join(found.annotators)}, drawn by the verdicts of {found.drawn_by}. "
        f"{found.unclear} items were unclear and {found.tied} tied.{votes}"
    )


def _among(found: Calibration) -> Iterator[RenderableType]:
    if len(found.annotators) == 1:
        yield Text("One annotator: nobody knows how far people agree. Two or more are better.")
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
    table = _table("", "labels", "finds what is met", "finds what is not")
    for skill in skills:
        found = _share(skill.sensitivity), _share(skill.specificity)
        table.add_row(Text(skill.kind), f"{skill.counts.items}", *found)
    return table


def _alt_test(found: AltTest | None) -> str:
    if found is None:
        return f"Alt-test: needs {_number(LEAST_ANNOTATORS)} annotators who read {LEAST_LABELS} items each."
    verdict = "passes" if found.passes else "does not pass"
    return (
        f"Alt-test ({found.items} items, allowance {ALLOWANCE}): {verdict}; may replace {found.wins} of "
        f"{found.annotators} annotators, as near to the others as they in {found.advantage:.0%}."
    )


def _number(count: int) -> str:
    return {2: "two", 3: "three"}.get(count, str(count))


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
