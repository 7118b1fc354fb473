"""Word lists: the content of `lists.yaml` and `common_words.txt`, by which people are found and replaced."""

from functools import cache
from pathlib import Path

from supportagentbench.records.record import Record
from supportagentbench.storage.yaml_file import read_document, read_text
from supportagentbench.tickets.folding import folded

HERE = Path(__file__).parent


class ScriptNames(Record):
    """Names of one script."""

    given: str
    family: str


class WordLists(Record):
    """The lists, as the file has them."""

    desk: str
    """Words in fields for names that are not names."""
    also_names: str
    """Common words that, with a capital in the middle of a sentence, may be a name."""
    particles: str
    mailers: str
    no_names: str
    name_cues: str
    weak_cues: str
    asked: str
    number_cues: str
    birth_cues: str
    secret_cues: str
    streets: str
    capital_streets: str
    street_leads: str
    street_ends: str
    scripts: dict[str, ScriptNames]
    streets_named: str
    cities: str


LISTS = read_document(HERE / "lists.yaml", WordLists)


def words(text: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(text.split())


def any_of(cues: str) -> str:
    """A regular expression for any of these."""
    return "(?:" + "|".join(cues.split("\n")).rstrip("|") + ")"


DESK = words(LISTS.desk)


@cache
def common_words() -> frozenset[str]:
    """Words of some languages that are not names."""
    return frozenset(map(folded, read_text(HERE / "common_words.txt").replace("'", " ").split()))
