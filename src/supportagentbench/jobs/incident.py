"""Incident job: does an agent do again what went wrong, and a case of it that is proved before it is kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from msgspec.structs import replace

from supportagentbench.board.fork_board import standing_of, standing_words
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.calibration.prove import play, prove
from supportagentbench.checks.acts_judged import acts_judged
from supportagentbench.jobs.job import Job
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.jobs.tickets import OpenIncident
from supportagentbench.records.case import ScriptedCall, ScriptedTurn
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import as_plain
from supportagentbench.records.shadow import ActsJudged
from supportagentbench.records.vocabulary import HAND_OVER, WISH
from supportagentbench.shadow.placeholders import with_placeholders
from supportagentbench.shadow.regression import FlippedFact, Regression
from supportagentbench.stats.forks import decide
from supportagentbench.stats.rates import run_again
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.file import write_whole
from supportagentbench.storage.run_folders import distinct_runs
from supportagentbench.storage.transcripts import read_transcripts
from supportagentbench.world.drawn_cases import DrawnCases, generate
from supportagentbench.world.family import CaseTemplate, FamilyFile, family_of, read_family
from supportagentbench.world.folder import World, with_family
from supportagentbench.world.seed import numbered

SEEDS = range(21)
"""The draws by which a case is proved, as `sab prove` does."""


class DoneAgain(NamedTuple):
    """How often an agent did the same again."""

    agent: str
    hits: int
    trials: int
    """Replays of which that is known."""
    undecided: int
    low: float
    high: float
    words: str


def done_again(spec: JobSpec, job: Job, incident: OpenIncident) -> DoneAgain:
    """The replays that are stored, in their planned order."""
    found: dict[int, ActsJudged] = {}
    agent = ""
    for folder in distinct_runs([spec.out]).folders:
        header = read_header(folder)
        if header.case_seed != job.cases.seed.name:
            raise Problem("was made with another ticket or map; choose another folder.", place=folder)
        for filed in read_transcripts(folder):
            found[header.run], agent = acts_judged(filed.transcript, header), header.agent
    act = incident.wrong.act
    told = [_is_same(found[run], act) for run in sorted(found) if found[run].right is not None]
    hits, trials = sum(told), len(told)
    low, high = run_again([hits], [trials]) if trials else (0.0, 1.0)
    words = standing_words(standing_of(decide(told)[0], hits, trials), trials)
    return DoneAgain(agent, hits, trials, len(found) - trials, low, high, words)


def _is_same(judged: ActsJudged, act: str) -> bool:
    """Whether it went wrong in the same way: by the same act, or by leaving something undone."""
    return judged.right is False and (act in judged.acts if act else True)


class KeptCase(NamedTuple):
    """A case of the incident, as it was written."""

    path: Path
    family: FamilyFile[Any]
    twin: str
    """The fact that is different in its twin; empty: it has none."""
    why_alone: str
    draws: int


def keep_case(incident: OpenIncident, out: Path) -> KeptCase:
    """Write a proved case of the incident, with its twin if one holds; a Problem says what does not hold."""
    made = Regression(incident.cases, incident.one, incident.wrong)
    world = incident.cases.world
    edition = 1 + max(family.outline.edition for family in world.families)
    alone = _with_scripts(world, made, made.family(edition))
    if faults := list(_faults(world, made.name, alone)):
        raise Problem(f"no case was written, because it does not hold: {faults[0]}")
    twin, family = _with_twin(world, made, alone)
    path = out / f"{made.name}.yaml"
    write_whole(path, _yaml(world, family).encode())
    written = read_family(path, world.policy)
    if faults := list(_faults(world, made.name, written)):
        raise Problem(f"does not hold as written: {faults[0]}", place=path)
    return KeptCase(path, written, twin, "" if twin else made.why_no_twin(), len(SEEDS))


def _with_twin(world: World, made: Regression, family: FamilyFile[Any]) -> tuple[str, FamilyFile[Any]]:
    """The first twin that holds, of those with the fewest other facts that differ."""
    (template,) = family.cases
    found: list[tuple[int, str, FamilyFile[Any]]] = []
    for flip in made.flips():
        try:
            tried = replace(family, cases=(replace(template, twin=made.twin(flip)),))
            whole = _with_scripts(world, made, tried, is_twin=True)
            found.append((_others(world, made, whole, flip), str(flip), whole))
        except Problem:
            continue
    for _, said, whole in sorted(found, key=lambda one: one[0]):
        if not list(_faults(world, made.name, whole)):
            return said, whole
    return "", family


def _others(world: World, made: Regression, family: FamilyFile[Any], flip: FlippedFact) -> int:
    """How many of the ticket's other facts differ in its twin; a Problem if the flipped one does not."""
    cases = _drawn(world, made.name, family)
    record, case = cases.record_of(f"{made.name}-1-twin"), cases.cases[f"{made.name}-1-twin"]
    now = record.showing(case.brief).situation(case.brief.wishes[0], case.brief.disclosed_in_full())
    read = {fact: world.kit.readers[fact].read(now) for fact in made.known.facts}
    if read[flip.fact] != flip.value:
        raise Problem(f"{flip} cannot be drawn.")
    return sum(read[fact] != value for fact, value in made.known.facts.items()) - 1


def _drawn(world: World, name: str, family: FamilyFile[Any], seed: int = 0) -> DrawnCases:
    """The cases of a world that has this case type as well."""
    return generate(with_family(world, family_of(Path(f"{name}.yaml"), family)), numbered(seed))


def _with_scripts(
    world: World, made: Regression, family: FamilyFile[Any], *, is_twin: bool = False
) -> FamilyFile[Any]:
    """The family with the solution of a perfect colleague and the real mistake, or those of its twin."""
    (template,) = family.cases
    cases = _drawn(world, made.name, family)
    name = f"{made.name}-1{'-twin' if is_twin else ''}"
    _refuse_other_label(cases, name, made, is_twin=is_twin)
    solution = tuple(_solution(cases, name))
    if not solution:
        raise Problem("the policy gives nothing to say or do in it.")
    lookups = tuple(call for call in solution[0].calls if call.tool in world.vocabulary.lookups)
    if not is_twin:
        scripted = replace(template, solution=solution, mistake=made.mistake(lookups))
    else:
        assert template.twin
        refusal = ScriptedTurn(template.solution[-1].says, (*lookups, *_handed(template)))
        scripted = replace(template, twin=replace(template.twin, solution=solution, mistake=(refusal,)))
    return replace(family, cases=(scripted,))


def _handed(template: CaseTemplate[Any]) -> Iterator[ScriptedCall]:
    """The handover of a case for a human, which is wrong in its twin."""
    calls = (call for turn in template.solution for call in turn.calls)
    yield from (call for call in calls if call.tool == HAND_OVER)


def _refuse_other_label(cases: DrawnCases, name: str, made: Regression, *, is_twin: bool) -> None:
    """A Problem if the policy does not say of the drawn case what it says of the ticket, or of its twin."""
    label, real = cases.cases[name].label, made.case.label
    if is_twin:
        changes = any(end.changes for end in label.outcomes)
        if made.bucket == "adversarial" and not changes:
            raise Problem("the opposite is not right in it.")
    elif (label.handover, {ban.act for ban in label.bans}) != (real.handover, {ban.act for ban in real.bans}):
        raise Problem(
            f"no case was written: the policy decides it by {', '.join(label.rules)} "
            f"and the ticket by {', '.join(real.rules)}."
        )


def _solution(cases: DrawnCases, name: str) -> Iterator[ScriptedTurn]:
    """What the oracle says and does for a customer who puts it plainly; the same is looked up once."""
    case = cases.cases[name]
    plainly = case.brief.wishes[0].plainly
    case = replace(case, opening=f"{case.opening}\n{plainly}".strip())
    words = cases.drawn[name].words
    seen: set[tuple[str, str]] = set()
    waiting: list[ScriptedCall] = []
    first = ""
    for turn in play(cases, case, Oracle(cases.world, 0)).turns:
        if turn.party != "agent":
            continue
        for call in turn.calls:
            arguments = call.arguments if isinstance(call.arguments, dict) else {}
            mark = call.tool, repr(sorted(arguments.items()))
            if mark not in seen:
                seen.add(mark)
                waiting.append(ScriptedCall(call.tool, _in_placeholders(arguments, words)))
        first = first or turn.text
        is_digression = not (
            "?" in turn.text or first in turn.text or any(call.result.wrote for call in turn.calls)
        )
        asks_wish = set(cases.reader.heard(turn.text, case.brief.language).asks) == {WISH}
        if not (is_digression or asks_wish):
            yield ScriptedTurn(with_placeholders(turn.text, words), tuple(waiting))
            waiting = []


def _in_placeholders(arguments: dict[str, Any], words: dict[str, str]) -> dict[str, str | int]:
    return {
        name: with_placeholders(value, words) if isinstance(value, str) else value
        for name, value in arguments.items()
    }


def _faults(world: World, name: str, family: FamilyFile[Any]) -> Iterator[str]:
    """What does not hold, in any of the draws."""
    for seed in SEEDS:
        try:
            for proof in prove(_drawn(world, name, family, seed), name):
                yield from (f"draw {seed}, {proof.case.id}: {fault}" for fault in proof.faults)
        except Problem as problem:
            yield f"draw {seed}: {problem.sentence}"


SHORT = 70
"""Characters of values that are written on one line."""


class _CaseDumper(yaml.SafeDumper):
    """YAML as people write it: what is short on one line, long texts in blocks."""

    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> yaml.MappingNode:
        node = super().represent_mapping(tag, mapping, flow_style)
        node.flow_style = bool(node.flow_style) and len(repr(mapping)) <= SHORT
        return node


def _written_text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_CaseDumper.add_representer(str, _written_text)


def _yaml(world: World, family: FamilyFile[Any]) -> str:
    """The file of a case type."""
    head = [line for line in (world.folder / "policy.yaml").read_text().splitlines()[:3] if "canary" in line]
    plain = as_plain(family)
    ordered = {name: plain[name] for name in sorted(plain, key=lambda name: name == "cases")}
    text = yaml.dump(
        ordered, Dumper=_CaseDumper, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None
    )
    return "\n".join([*head, text])
