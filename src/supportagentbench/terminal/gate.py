"""Gate: run with its progress shown; its result on a terminal, as Markdown, JUnit XML and annotations."""

import asyncio
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import typer
from rich.console import Console, Group
from rich.text import Text

from supportagentbench.agents.resolve import is_agent, resolve
from supportagentbench.agents.spec import AskedAgent
from supportagentbench.board.baseline_file import save_baseline
from supportagentbench.board.first_pass import BASELINE_RUNS
from supportagentbench.board.gate_plan import GatePlan
from supportagentbench.board.gate_result import SEVERITY, GateResult, GateStatus, RuleResult
from supportagentbench.board.retrial import ALL, ENOUGH_BEFORE, MOST_SUSPECTS, Suspect, SuspectVerdict
from supportagentbench.desk.doors.process import Isolation
from supportagentbench.jobs.aftermath import aftermath
from supportagentbench.jobs.baseline import BaselineJob, saved_baseline
from supportagentbench.jobs.cost_estimate import plan_costs
from supportagentbench.jobs.gate import GateJob, GateObserver
from supportagentbench.jobs.job import Job
from supportagentbench.jobs.run import EXIT_CODES, JobOutcome, JobResult
from supportagentbench.jobs.settle import find_code_here, settle
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.records.counts import counted
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import ISOLATIONS, WALLED, IsolationKind
from supportagentbench.terminal.cost_plan import agree_to_spend, print_customer
from supportagentbench.terminal.escape import as_code, quoted
from supportagentbench.terminal.run import Showing, say_to, watch_job

STYLES: dict[GateStatus, str] = {
    "held": "green",
    "noted": "yellow",
    "undecided": "yellow",
    "stopped": "bold red",
    "failed": "bold red",
    "incomplete": "bold red",
}

LABELS: dict[SuspectVerdict, tuple[str, str]] = {
    "new": ("FAILED", "bold red"),
    "again": ("STOPPED", "bold red"),
    "not rerun": ("STOPPED", "bold red"),
    "not again": ("note", "yellow"),
    "as before": ("as before", "dim"),
}
"""How a suspect is marked, and its style."""

STOPS: tuple[GateStatus, ...] = ("failed", "stopped")
"""What ends a pipeline, also without --strict."""

LEVELS: dict[GateStatus, str] = {
    "failed": "error",
    "stopped": "error",
    "undecided": "warning",
    "noted": "warning",
}
"""How GitHub marks a rule."""

MOST_ANNOTATIONS = 9
"""GitHub shows ten per step; one is reserved for other messages of the step."""

MOST_CASES = 12
"""Cases named per rule; further ones are only counted."""

LONGEST_SUMMARY = 1_000_000
"""GitHub drops a step's summary of more than 1 MiB."""

_NO_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")
"""Characters that XML does not allow, besides those that are escaped anyway."""


def gate_code(result: GateResult, how: JobOutcome, *, strict: bool) -> int:
    """The exit code; `how` the job ended tells why conversations are missing."""
    codes: dict[GateStatus, int] = {
        "held": 0,
        "noted": 101 if strict else 0,
        "undecided": 101 if strict else 0,
        "stopped": 101,
        "failed": 100,
        "incomplete": EXIT_CODES[how] or EXIT_CODES["partial"],
    }
    return codes[result.status]


def gate_view(result: GateResult) -> Group:
    """A result for a terminal."""
    lines = [Text(_headline(result), style=STYLES[result.status])]
    if result.missing:
        lines.append(Text(quoted(result.missing), style=STYLES[result.status]))
    lines.append(Text(""))
    for one in result.rules:
        lines.append(Text(f"{one.status:<11}{one.rule}. {one.sentence}", style=STYLES[one.status]))
        for suspect in one.suspects:
            label, style = LABELS[suspect.verdict]
            lines.append(Text(quoted(f"  {label:<10} {suspect.sentence}"), style=style))
            if result.folder and suspect.verdict != "as before":
                lines.append(Text(quoted(f"             {_command(result, suspect)}"), style="dim"))
        for word, cases in (("new", one.newly_bad), ("fixed", one.fixed)):
            if cases:
                lines.append(Text(f"           {word}: {_listed(cases)}"))
    for case in _new_cases(result)[:MOST_CASES]:
        lines.append(Text(quoted(f"  {case}  {result.reasons.get(case, '')}"), style="dim"))
    lines += [Text(quoted(f"note       {note}"), style="yellow") for note in result.notes]
    return Group(*lines, Text(_footnote(result), style="dim"), Text(quoted(result.origin), style="dim"))


def _command(result: GateResult, suspect: Suspect) -> str:
    """The command that shows the conversation in which a case was first bad."""
    place = str(Path(result.folder) / suspect.folder)
    return shlex.join(["sab", "show", place, suspect.case, "--run", str(suspect.run)])


def _headline(result: GateResult, quote: Callable[[str], str] = quoted) -> str:
    seen = f"{result.conversations} of {counted(result.planned, 'conversation')}"
    seen += f" and {counted(result.reruns, 'rerun')}" if result.reruns else ""
    return f"Gate {result.status}: {quote(result.agent)} against {quote(result.baseline)}, after {seen}."


def _footnote(result: GateResult) -> str:
    words = [f"{result.identical} of {result.conversations} are word for word as in the baseline."]
    if result.is_unchanged:
        words.append("So is the agent's code: what differs is chance, or something that it depends on.")
    if result.isolation:
        words.append(f"The agent's code ran {ISOLATIONS[result.isolation]}.")
    return " ".join(words)


def _listed(cases: tuple[str, ...]) -> str:
    more = len(cases) - MOST_CASES
    return ", ".join(map(quoted, cases[:MOST_CASES])) + (f" … and {more} more" if more > 0 else "")


def _new_cases(result: GateResult) -> list[str]:
    """Newly bad cases, those of failed rules first."""
    ordered = sorted(result.rules, key=lambda rule: SEVERITY.index(rule.status))
    return list(dict.fromkeys(case for rule in ordered for case in rule.newly_bad))


def gate_markdown(result: GateResult) -> str:
    """A result for a step's summary or a pull request."""
    lines = [f"### Gate {result.status}", "", _headline(result, as_code), ""]
    if result.missing:
        lines += [as_code(result.missing), ""]
    lines += ["| | rule | result |", "|---|---|---|"]
    lines += [f"| {one.status} | {one.rule} | {one.sentence} |" for one in result.rules]
    suspects = [one for rule in result.rules for one in rule.suspects]
    if suspects:
        lines += ["", "| | unsafe or bad in the first pass |", "|---|---|"]
        lines += [f"| {LABELS[one.verdict][0]} | {as_code(one.sentence)} |" for one in suspects]
    cases = _new_cases(result)
    if cases:
        lines += ["", "| newly bad | why |", "|---|---|"]
        lines += [f"| {as_code(case)} | {as_code(result.reasons.get(case, ''))} |" for case in cases]
    origin = [as_code(result.origin), ""] if result.origin else []
    notes = [line for note in result.notes for line in ("", as_code(note))]
    text = "\n".join([*lines, *notes, "", _footnote(result), "", *origin])
    return text.encode()[:LONGEST_SUMMARY].decode(errors="ignore")


def gate_junit(result: GateResult) -> bytes:
    """One test per rule and one per case; a case fails if a failed or stopped rule lists it as newly bad."""
    suite = ElementTree.Element("testsuite", name="sab gate")
    if result.missing:
        whole = ElementTree.SubElement(suite, "testcase", classname="sab.gate", name="all conversations")
        ElementTree.SubElement(whole, "error", message=_NO_XML.sub("?", quoted(result.missing)))
    for rule in result.rules:
        _rule_test(suite, rule)
    failed = {case for rule in result.rules if rule.status in STOPS for case in rule.newly_bad}
    for case in result.cases:
        test = ElementTree.SubElement(suite, "testcase", classname="sab.case", name=quoted(case))
        if case in failed:
            why = _NO_XML.sub("?", quoted(result.reasons.get(case, "newly bad")))
            ElementTree.SubElement(test, "failure", message=why)
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(suite.findall("*/failure"))))
    suite.set("errors", str(len(suite.findall("*/error"))))
    suite.set("skipped", str(len(suite.findall("*/skipped"))))
    return bytes(ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True))


def _rule_test(suite: ElementTree.Element, rule: RuleResult) -> None:
    test = ElementTree.SubElement(suite, "testcase", classname="sab.rule", name=rule.rule)
    words = _NO_XML.sub("?", quoted(rule.all_words))
    if rule.status in STOPS:
        ElementTree.SubElement(test, "failure", message=words)
    elif rule.status in ("undecided", "noted"):
        ElementTree.SubElement(test, "skipped", message=words)
    elif rule.status == "incomplete":
        ElementTree.SubElement(test, "error", message=words)


def gate_annotations(result: GateResult) -> list[str]:
    """Workflow commands for GitHub: the rules that were not met, then the worst cases."""
    return list(_annotations(result))[:MOST_ANNOTATIONS]


def _annotations(result: GateResult) -> Iterator[str]:
    if result.missing:
        yield f"::error title=Gate incomplete::{_message(quoted(result.missing))}"
    for status, level in LEVELS.items():
        for rule in result.rules:
            if rule.status == status:
                yield f"::{level} title={_property(rule.rule)}::{_message(quoted(rule.all_words))}"
    for note in result.notes:
        yield f"::notice title=Baseline::{_message(quoted(note))}"
    if result.status in STOPS:
        for case in _new_cases(result):
            why = _message(quoted(result.reasons.get(case, "newly bad")))
            yield f"::error title={_property(quoted(case))}::{why}"


def _message(words: str) -> str:
    """Text as the message of a workflow command."""
    for old, new in (("%", "%25"), ("\r", "%0D"), ("\n", "%0A")):
        words = words.replace(old, new)
    return words


def _property(words: str) -> str:
    """Text as a property of a workflow command."""
    return _message(words).replace(":", "%3A").replace(",", "%2C")


def are_stored(targets: Sequence[str]) -> bool:
    """Whether these are folders of runs; otherwise there is one agent to run.

    An agent's name is never taken for a folder: a change could bring a folder of that name with good runs.
    """
    if all(Path(one).is_dir() and not is_agent(one) for one in targets):
        return True
    if len(targets) != 1:
        raise Problem("give folders of runs, or one agent.")
    return False


def _keys_of(wall: Isolation | None, kind: IsolationKind) -> str:
    """Which variables the agent's code gets, in a sentence."""
    if wall and kind in WALLED and wall.environment:
        return f" It gets {', '.join(wall.environment)} of your environment."
    if kind == "process":
        return " It gets no keys: name the variables that it needs with --keep-env, or trust it with --trust."
    return ""


def run_gate(
    plan: GatePlan, asked: JobSpec, showing: Showing, console: Console, yes: bool, before: str = ""
) -> tuple[GateResult, JobOutcome]:
    """Run an agent as far as the gate needs it; an interrupted gate of the same version is resumed.

    Returns the result, and how the last job ended.
    """
    find_code_here(asked)
    made = GateJob(plan, asked, asked.runs, asked.world, asked.customer, before)
    for name in (made.agent, *([before] if before else [])):
        _check(name, asked, console)
    costs = [one for part in made.parts for one in asyncio.run(plan_costs(part))]
    if costs:
        words = f"suspicious cases are run again, at most {MOST_SUSPECTS * ALL} conversations"
        say_to(console, f"{words}{', and as many of the version before' if before else ''}.")
    agree_to_spend(costs, asked.budget, console, yes)
    opened = made.open(partial(say_to, console))
    ended: list[JobOutcome] = ["complete"]

    def run(job: Job, observer: GateObserver, about: str) -> JobResult:
        if showing.display in ("full", "plain"):
            say_to(console, f"{about}.")
        seen = watch_job(job, costs, showing, console, [observer], observer.may_stop)
        if seen.how == "interrupted" or seen.done is None:
            raise KeyboardInterrupt
        ended.append(seen.how)
        return seen.done

    return opened.play(run), ended[-1]


def _check(name: AskedAgent, asked: JobSpec, console: Console) -> None:
    """Load an agent once, and say where its code runs."""
    agent = resolve(name)
    with aftermath(asked), redirect_stdout(sys.stderr):  # Keep the agent's output apart from ours.
        agent.check(asked.wall, asked.turn_timeout)
    if kind := agent.isolation_in(asked.isolation):
        say_to(console, f"the code of {agent.name} runs {ISOLATIONS[kind]}.{_keys_of(asked.isolation, kind)}")


def run_baseline(asked: JobSpec, place: Path, showing: Showing, console: Console, yes: bool) -> int:
    """Run an agent as a baseline needs it, and save that; returns the exit code."""
    settled = settle(asked, is_live=showing.is_live)
    if settled.customer:
        print_customer(console, settled.customer)
    made = BaselineJob.of(settled.spec)
    costs = [one for part in made.parts for one in asyncio.run(plan_costs(part))]
    agree_to_spend(costs, asked.budget, console, yes)
    folder = made.open()
    ended: list[JobOutcome] = ["complete"]

    def run(job: Job, about: str) -> JobResult:
        if showing.display in ("full", "plain"):
            say_to(console, f"{about}.")
        seen = watch_job(job, costs, showing, console)
        if seen.how == "interrupted" or seen.done is None:
            raise KeyboardInterrupt
        ended.append(seen.how)
        return seen.done

    done = made.play(folder, run)
    if done.unfinished or done.paused or EXIT_CODES[ended[-1]]:
        say_to(console, f"the baseline is not complete, and was not saved. {done.why}".strip())
        return EXIT_CODES[ended[-1]] or EXIT_CODES["partial"]
    save_runs([folder], place)
    return 0


def save_runs(folders: list[Path], place: Path) -> None:
    """Save one agent's runs as a baseline, and say what it holds."""
    made = saved_baseline(folders)
    save_baseline(made, place)
    runs = [sum(map(bool, digests)) for digests in made.conversations.values()]
    traps = [sum(map(bool, made.conversations[case])) for case in made.results["unsafe"]]
    words = f"{place}: {counted(len(runs), 'case')}, {counted(min(runs), 'run')} of {made.agent}"
    if traps and min(traps) > min(runs):
        words += f"; {counted(len(traps), 'trap')}, {counted(min(traps), 'run')}"
    typer.echo(words)
    if traps and min(traps) < ENOUGH_BEFORE:
        agent = made.version.given or made.agent
        typer.echo(f"Few runs of the traps; for {BASELINE_RUNS}: sab gate {agent} --save {place}")
