"""ForkEdit: facts that are changed at a fork. The prefix stays the same; the policy labels the case again."""

from typing import NamedTuple

from msgspec.structs import replace

from supportagentbench.records.case import Case
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Attachment, CustomerState, Turn
from supportagentbench.world.drawn_cases import DrawnCases, edited
from supportagentbench.world.edit import PROOF, edited_template, is_disclosure, said_in


class ForkEdit(NamedTuple):
    """The change, and what the customer adds to its last message because of it."""

    cases: DrawnCases
    """The cases with these facts."""
    changes_record: bool
    """Whether the books change, too."""
    says: str = ""
    shows: tuple[Attachment, ...] = ()
    discloses: dict[str, str] = {}

    def amended(self, turn: Turn) -> Turn:
        """The customer's last message before the fork, with what it adds."""
        if not self.discloses:
            return turn
        conduct = turn.conduct or CustomerState(moves=())
        return replace(
            turn,
            text=f"{turn.text}\n{self.says}",
            attachments=(*turn.attachments, *self.shows),
            conduct=replace(conduct, discloses=conduct.discloses | self.discloses),
        )


def read_facts(given: str) -> dict[str, str]:
    """Parse `NAME=VALUE`, or several separated by semicolons."""
    found: dict[str, str] = {}
    for part in given.split(";"):
        name, sign, value = part.strip().partition("=")
        if not (name and sign and value):
            raise Problem(f"--with {given}: give NAME=VALUE, such as --with proof=shown.")
        found[name] = value
    return found


def edit_of(cases: DrawnCases, case: str, facts: dict[str, str]) -> ForkEdit:
    """The edit that these facts make in a case."""
    kit = cases.world.kit
    edited_template(cases.places[case].template(cases.world), facts, kit)  # Fails before anything is drawn.
    made = edited(cases, case, facts)
    changed = made.cases[case]
    told = {name: value for name, value in facts.items() if is_disclosure(name, kit)}
    files = changed.brief.evidence if PROOF in told else ()
    said = [f"{file.name} is attached." for file in files]
    said += [_words(changed, name, value) for name, value in told.items() if name != PROOF]
    shows = tuple(Attachment(one.name, one.kind, one.shows, one.details) for one in files)
    return ForkEdit(made, told != facts, " ".join(said), shows, told)


def _words(case: Case, name: str, value: str) -> str:
    fact = said_in(case.brief, name, value)
    return fact.says if fact else ""
