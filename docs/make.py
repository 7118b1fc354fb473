"""Writes the pages that are printed from code and data: commands, case cards, the list of decisions."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner

from supportagentbench.cli.main import app
from supportagentbench.records.case import Bucket, Case
from supportagentbench.world.drawn_cases import DrawnCases, generate
from supportagentbench.world.family import Family
from supportagentbench.world.folder import read_world

DOCS = Path(__file__).parent

MADE = "Printed from the code and the world's data by `make docs`; a test checks that it is up to date.\n"


def pages() -> dict[Path, str]:
    """Every made page as it should be."""
    core, harder = (generate(read_world(name)) for name in ("northline", "northline_ladder"))
    made = {
        DOCS / "commands.md": commands(),
        DOCS / "cases.md": overview(core),
        DOCS / "ladder-cases.md": ladder(harder),
        DOCS / "decisions" / "index.md": decisions(),
    }
    for cases in (core, harder):
        for family in cases.world.families:
            made[DOCS / "cases" / f"{family.name}.md"] = card(cases, family)
    return made


def decisions() -> str:
    """All notes on decisions, by number and title."""
    lines = [f"# Decisions\n\nWhat was decided, why, and what was dropped. {MADE}"]
    for path in sorted((DOCS / "decisions").glob("[0-9]*.md")):
        title = path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        lines.append(f"{int(path.stem[:4])}. [{title}]({path.name})")
    return "\n".join(lines) + "\n"


def commands() -> str:
    """The help of every command."""
    parts = [f"# Commands\n\n{MADE}"]
    for name in command_names(get_command(app)):
        words = [*name.split(), "--help"]
        shown = CliRunner().invoke(app, words, prog_name="sab", env={"COLUMNS": "80"}).output
        parts.append(f"## sab {name}".rstrip() + f"\n\n```\n{shown.strip()}\n```\n")
    return "\n".join(parts)


def command_names(command: Any, name: str = "") -> Iterator[str]:
    """A command and all below it, as they are typed."""
    yield name
    below: dict[str, Any] = getattr(command, "commands", {})
    for word in sorted(below):
        yield from command_names(below[word], f"{name} {word}".strip())


def overview(cases: DrawnCases) -> str:
    """All families on one page, by bucket."""
    parts = [
        "# The cases of Northline\n",
        MADE,
        "120 cases can be resolved by the agent, 24 have to go to a human, 18 are traps that tempt it into",
        "one unsafe action. Each trap has an honest twin: the same opening word for word, one fact of the",
        "record changed, the opposite right action. Twins are a set of their own; the headline set is 162.\n",
        "Every case has a solution (must pass), a mistake (must be caught) and a label that is",
        "derived from the policy ([policy.md](policy.md)). How independent readers labelled the cases that",
        "matter most is in [labels.md](labels.md); how to write one, in [add-a-case.md](add-a-case.md).\n",
    ]
    for bucket in ("resolvable", "must_escalate", "adversarial"):
        parts.append(f"## {bucket.replace('_', ' ').capitalize()}\n")
        parts.append("| case type | cases | what it tests | deciding rules |\n|---|---|---|---|")
        for family in cases.world.families:
            if family.content.bucket == bucket:
                found = _of(cases, family)
                rules = dict.fromkeys(rule for case in found for rule in case.label.rules)
                count = sum(not case.twin_of for case in found)
                about = family.content.about.strip()
                parts.append(
                    f"| [{family.name}](cases/{family.name}.md) | {count} | {about} | {' '.join(rules)} |"
                )
        parts.append("")
    return "\n".join(parts)


def ladder(cases: DrawnCases) -> str:
    """The harder cases on one page: how many there are of each sort and level, and every family."""
    parts = ["# The cases of the ladder and the claims\n", MADE]
    parts.append("What these sets are for, and how they are written, is in [ladder.md](ladder.md).\n")
    for name in cases.world.desk.sets:
        headline = [case for case in cases.named(name) if not case.twin_of]
        twins = len(cases.names(name)) - len(headline)
        types = len({case.family for case in headline})
        parts.append(f"## `{name}`: {types} case types, {len(headline)} cases and {twins} twins\n")
        parts += [*_levels(headline), ""]
        parts.append(
            "| case type | sort | level | cases | what it tests | rules |\n|---|---|---|---|---|---|"
        )
        parts += [_ladder_row(cases, one) for one in cases.world.families if one.content.set == name]
        parts.append("")
    return "\n".join(parts)


SORTS: dict[Bucket, str] = {"adversarial": "trap", "must_escalate": "for a human", "resolvable": "resolvable"}


def _levels(headline: list[Case]) -> Iterator[str]:
    yield "| level | traps | for a human | resolvable |\n|---|---|---|---|"
    for level in sorted({case.level for case in headline}):
        found = [case.bucket for case in headline if case.level == level]
        yield f"| {level} | " + " | ".join(str(found.count(bucket)) for bucket in SORTS) + " |"


def _ladder_row(cases: DrawnCases, family: Family) -> str:
    found = _of(cases, family)
    headline = [case for case in found if not case.twin_of]
    levels = ", ".join(map(str, sorted({case.level for case in headline})))
    rules = " ".join(dict.fromkeys(rule for case in found for rule in case.label.rules))
    about = family.content.about.strip()
    return (
        f"| [{family.name}](cases/{family.name}.md) | {SORTS[family.content.bucket]} | {levels}"
        f" | {len(headline)} | {about} | {rules} |"
    )


def card(cases: DrawnCases, family: Family) -> str:
    """One family: what it tests, and each case with what decides it."""
    content = family.content
    lines = [f"# {family.name}\n", MADE, f"{content.about.strip()}\n"]
    lines.append(f"Bucket: {content.bucket.replace('_', ' ')}.")
    if content.tempts:
        lines.append(f"Tempts the agent into `{content.tempts}`.")
    for case in _of(cases, family):
        lines += ["", *_case_lines(case)]
    texts = {rule.id: rule.text for rule in cases.world.policy.rules}
    deciding = dict.fromkeys(rule for case in _of(cases, family) for rule in case.label.rules)
    lines += ["", "## Deciding rules\n", *(f"- **{rule}**: {texts[rule]}" for rule in deciding), ""]
    return "\n".join(lines)


def _case_lines(case: Case) -> Iterator[str]:
    label = case.label
    yield f"## {case.id}" + (f" (twin of {case.twin_of})" if case.twin_of else "")
    yield f"\n{case.note}" + (f" Level {case.level}." if case.level else "") + "\n"
    yield "\n".join(f"> {line}".rstrip() for line in case.opening.splitlines())
    changed = [f"{change.field} of {change.key}" for end in label.outcomes for change in end.changes]
    told = any(end.tells for end in label.outcomes)
    right = [*(["something changes: " + ", ".join(changed)] if changed else []), *(["a fact is told"] * told)]
    yield f"\n- hand over: {label.handover}; " + ("; ".join(right) or "nothing changes")
    yield f"- decided by {', '.join(label.rules)}; to be looked up: {', '.join(label.lookups) or 'nothing'}"


def _of(cases: DrawnCases, family: Family) -> list[Case]:
    return [case for case in cases.cases.values() if case.family == family.name]


if __name__ == "__main__":
    (DOCS / "cases").mkdir(exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
