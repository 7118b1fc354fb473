"""About: what a publisher says about a site, in a file such as `site.toml`. It changes no number.

    title = "Support agents, tested"
    address = "https://bench.example.org/"

    [agents."openai:gpt-5.4"]
    name = "GPT-5.4"
    vendor = "OpenAI"

Agents keep their identity: links and files use the names that runs recorded.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from supportagentbench.board.claims import COMPARES
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.site.board_words import as_read, board_mark, mixes_alphabets
from supportagentbench.site.png import read_png
from supportagentbench.storage.file import LARGEST_WRITTEN, read_bounded
from supportagentbench.storage.place import inside
from supportagentbench.storage.record_file import read_toml
from supportagentbench.storage.yaml_file import schema_of

FOLDER = "data/about"
"""The file and its pictures are kept here, so that the pages can be rebuilt from their own folder."""

FILE = "site.toml"

_SHOWN = r"[^\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
"""A visible character that does not change the direction of text."""

_PLAIN = re.compile(r"[a-z]+(?:-[a-z]+)*")
"""A name that reads as words, and not as an identifier such as `gpt-5.4` or `my_shop.py`."""

Line = Annotated[str, Meta(pattern=rf"\A{_SHOWN}*\Z", max_length=80)]
Sentences = Annotated[str, Meta(pattern=rf"\A{_SHOWN}*\Z", max_length=300)]
Address = Annotated[str, Meta(pattern=r"\A(?:https?://[A-Za-z0-9._~:/%@\[\]?&=+,-]+)?\Z", max_length=500)]
Picture = Annotated[
    str, Meta(pattern=r"\A(?:[A-Za-z0-9_][A-Za-z0-9._-]*/)*[A-Za-z0-9_-]+\.png\Z", max_length=200)
]
"""A PNG in the folder of the file or below it."""


class Publisher(Record):
    """Who publishes the site."""

    name: Line
    link: Address = ""


class AboutAgent(Record):
    """Facts about an agent in addition to its results."""

    name: Line = ""
    """The name to display; empty: its name in the runs."""
    vendor: Line = ""
    is_open: bool | None = msgspec.field(default=None, name="open")
    """Whether its weights can be downloaded; None: not stated."""
    logo: Picture | None = None


class About(Record):
    """All of `site.toml`."""

    title: Line = "SupportAgentBench"
    description: Sentences = ""
    address: Address = ""
    """Where the site will be: the canonical address of every page."""
    publisher: Publisher | None = None
    favicon: Picture | None = None
    agents: dict[str, AboutAgent] = {}

    def shown_name(self, agent: str) -> str:
        """The name of an agent on pages: a plain word is capitalised, an identifier stays as it is."""
        given = self.agents[agent].name if agent in self.agents else ""
        return given or (agent[:1].upper() + agent[1:] if _PLAIN.fullmatch(agent) else agent)

    @property
    def pictures(self) -> list[str]:
        """Every picture that it names, without repeats."""
        found = [self.favicon, *(agent.logo for agent in self.agents.values())]
        return sorted({picture for picture in found if picture})


def read_about(path: Path) -> About:
    """The file's content, with its texts checked; pictures are read by `files_of`."""
    about = read_toml(path, About, f"it may have {', '.join(About.__struct_fields__)}")
    for field in ("title", "description"):
        if found := COMPARES.search(getattr(about, field)):
            raise Problem(
                f"the {field} compares ({found[0]}), and pages compare only what was tested; say what the "
                "site is.",
                place=path,
            )
    for field, words in _named_in(about):
        if mark := board_mark(words):
            raise Problem(f"the {field} has {mark!r}, which only the board says; leave it out.", place=path)
        if mixes_alphabets(words):
            raise Problem(f"the {field} {words!r} mixes alphabets; write it in one.", place=path)
    return about


def _named_in(about: About) -> Iterator[tuple[str, str]]:
    """Every name and title, with what it is."""
    yield "title", about.title
    if about.publisher:
        yield "publisher's name", about.publisher.name
    for agent in about.agents.values():
        yield "name of an agent", agent.name
        yield "vendor of an agent", agent.vendor


def files_of(path: Path, about: About) -> Iterator[tuple[str, bytes]]:
    """What the site keeps: the file and its pictures, by their paths in the site."""
    yield f"{FOLDER}/{FILE}", read_bounded(path, LARGEST_WRITTEN, follow=True)
    for picture in about.pictures:
        yield f"{FOLDER}/{picture}", read_png(inside(path.parent, picture))


def check_agents(about: About, agents: Iterable[str]) -> None:
    """Refuse entries for unknown agents, and names that two agents would share."""
    known = list(agents)
    for agent in about.agents:
        if agent not in known:
            near = get_close_matches(agent, known, 1)
            words = f"Did you mean {near[0]!r}?" if near else f"There are {', '.join(known[:20])}."
            raise Problem(f"[agents] describes {agent!r}, which is not in these runs. {words}")
    for name, count in Counter(map(about.shown_name, known)).items():
        if count > 1:
            raise Problem(f"[agents] would show two agents as {name!r}; give one another name.")
    _refuse_borrowed(about, known)


def _refuse_borrowed(about: About, known: list[str]) -> None:
    """Refuse a given name that readers would take for another agent, in whatever letters it is written."""
    for agent, given in about.agents.items():
        for other in known:
            names = {as_read(other), as_read(about.shown_name(other))}
            if given.name and other != agent and as_read(given.name) in names:
                raise Problem(
                    f"[agents] shows {agent!r} as {given.name!r}, which is {other!r}; give it another name."
                )


def about_schema() -> str:
    """JSON Schema of the file, for editors."""
    schema = msgspec.json.encode(schema_of(About, FILE), order="deterministic")
    return msgspec.json.format(schema).decode() + "\n"
