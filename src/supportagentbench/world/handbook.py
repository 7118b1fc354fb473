"""Handbook: the policy as a shop writes it, in many sections to look things up in.

It says what `policy.yaml` says, in other words, between sections about other desks that do not apply here.
Labels never come from it. `handbook/introduction.md` is in the agent's prompt; every other file is a section:
a head of YAML that no agent sees, and the text. Numbers are measures of the policy, or in the head.
"""

from pathlib import Path
from typing import Any, NamedTuple

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, digest
from supportagentbench.storage.yaml_file import document_in, read_text
from supportagentbench.world.measure import placeholders_in, printed
from supportagentbench.world.policy import Policy

FOLDER = "handbook"
INTRODUCTION = "introduction.md"
MARK = "---\n"
"""The line before and after the head of a section."""
MOST_SECTIONS = 200


class SectionHead(Record):
    """What the head of a section says; agents see its title alone."""

    title: str
    covers: tuple[str, ...] = ()
    """The rules of the policy that the section states."""
    elsewhere: bool = False
    """About another desk: nothing in it holds at this one."""
    numbers: dict[str, int] = {}
    """Numbers of other desks, which no rule of the policy has."""


class HandbookSection(NamedTuple):
    """A section, its numbers printed."""

    number: int
    path: Path
    head: SectionHead
    draft: str
    """The text with its placeholders."""
    text: str

    @property
    def name(self) -> str:
        """The section's line in the table of contents."""
        return f"{self.number}. {self.head.title}"

    @property
    def page(self) -> str:
        """The section as the agent reads it."""
        return f"# {self.name}\n\n{self.text}"


class Handbook(NamedTuple):
    """All sections in order, and the introduction."""

    introduction: str
    sections: tuple[HandbookSection, ...]

    @property
    def contents(self) -> str:
        """The table of contents."""
        return "\n".join(section.name for section in self.sections)

    @property
    def rules(self) -> str:
        """Every section that holds at this desk."""
        return "\n\n".join(section.page for section in self.sections if not section.head.elsewhere)

    @property
    def digest(self) -> str:
        return digest([self.introduction, *(section.page for section in self.sections)])


def read_handbook(world: Path, policy: Policy) -> Handbook | None:
    """The handbook in a world's folder, if it has one."""
    folder = world / FOLDER
    if not folder.is_dir():
        return None
    paths = sorted(path for path in folder.glob("*.md") if path.name != INTRODUCTION)
    if not 0 < len(paths) <= MOST_SECTIONS:
        raise Problem(f"has {len(paths)} sections; a handbook has 1 to {MOST_SECTIONS}.", place=folder)
    introduction = read_text(folder / INTRODUCTION)
    if "{contents}" not in introduction:
        raise Problem("lists no sections; write {contents} where they belong.", place=folder / INTRODUCTION)
    sections = tuple(_read_section(number, path, policy) for number, path in enumerate(paths, start=1))
    titles = [section.head.title.casefold() for section in sections]
    for section, title in zip(sections, titles, strict=True):
        if titles.count(title) > 1:
            raise Problem(f"two sections are called {section.head.title!r}.", place=section.path)
    return Handbook(introduction, sections)


def _read_section(number: int, path: Path, policy: Policy) -> HandbookSection:
    content = read_text(path)
    head, found, draft = content.removeprefix(MARK).partition(f"\n{MARK}")
    if not found or not content.startswith(MARK):
        raise Problem("has no head; begin it with ---, `title: ...` and ---.", place=path)
    told = document_in(MARK + head + "\n", path, SectionHead)
    known = {rule.id for rule in policy.rules}
    if unknown := [rule for rule in told.covers if rule not in known]:
        raise Problem(f"covers {', '.join(unknown)}, which the policy does not have.", place=path)
    return HandbookSection(number, path, told, draft, _printed(draft.strip(), told, policy.measures, path))


def _printed(draft: str, head: SectionHead, measures: Any, path: Path) -> str:
    text = printed(draft, measures)
    for name, value in head.numbers.items():
        text = text.replace(f"{{{name}}}", str(value))
    if left := sorted(placeholders_in(text)):
        raise Problem(f"unknown placeholder {{{left[0]}}}; name it in `numbers:` of the head.", place=path)
    return text
