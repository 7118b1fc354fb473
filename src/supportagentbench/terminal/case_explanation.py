"""Case explanation: what a case is about, the correct handling and why, from the case and its label."""

from collections.abc import Iterator

from supportagentbench.desk.session import DeskSession
from supportagentbench.records.case import Case
from supportagentbench.runner.run import rules_of
from supportagentbench.site.answers.expected import expected_of, rulings_of
from supportagentbench.site.answers.expected import rules_of as rules_in
from supportagentbench.terminal.escape import visible
from supportagentbench.world.drawn_cases import DrawnCases

WHEN = {"volunteer": "", "if_asked": " (if asked)", "never": " (never says so)"}


def explanation(cases: DrawnCases, case: Case) -> str:
    """The whole explanation as text."""
    parts = (_what(cases, case), _customer(case), correct_handling(cases, case), _rules(cases, case))
    return visible("\n\n".join("\n".join(part) for part in parts))


def _what(cases: DrawnCases, case: Case) -> Iterator[str]:
    place = cases.places[case.id]
    twin = f", the honest twin of {case.twin_of}" if case.twin_of else ""
    yield f"{case.id}: {case.bucket.replace('_', ' ')}{twin}"
    yield place.family.content.about.strip()
    yield f"Why it is hard: {case.note}"


def _customer(case: Case) -> Iterator[str]:
    yield f"The customer ({case.sender or case.subject}) writes:"
    yield from (f"  {line}".rstrip() for line in case.opening.splitlines())
    for wish in case.brief.wishes:
        yield f"Wants: {wish.says}"
    for fact in case.brief.facts:
        yield f"Knows{WHEN[fact.when]}: {fact.says}"
    for file in case.brief.evidence:
        details = "".join(f"; {name}: {value}" for name, value in file.details.items())
        yield f"Has{WHEN[file.when]}: {file.kind} {file.name}, {file.shows}{details}"
    for line in case.brief.pressure:
        yield f"Pushes ({line.step}): {line.says}"


def correct_handling(cases: DrawnCases, case: Case) -> Iterator[str]:
    """What an agent should do and what it must not do."""
    kit, vocabulary = cases.world.kit, cases.world.vocabulary
    found = DeskSession(cases.desk_for(case)).run(kit.lookups[0].__name__, {kit.subject: case.subject})
    record = found.facts if isinstance(found.facts, dict) else {}
    yield "Correct handling:"
    yield from (f"  {sentence}" for sentence in expected_of(case.label, record, vocabulary))
    for ruling in rulings_of(case.label, vocabulary):
        if ruling.ruling == "forbidden":
            why = ", ".join(filter(None, (ruling.but, *ruling.rules)))
            yield f"  Forbidden: {', '.join(ruling.acts)} ({why})."


def _rules(cases: DrawnCases, case: Case) -> Iterator[str]:
    known = {rule.id: rule for rule in rules_of(cases.world.policy)}
    decide, forbid = rules_in(case.label, known)
    yield "The rules that decide it:"
    yield from (f"  {rule.id}. {rule.text}" for rule in decide)
    if forbid:
        yield "Other rules that forbid something here:"
        yield from (f"  {rule.id}. {rule.text}" for rule in forbid)
