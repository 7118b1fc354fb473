"""The house rules themselves: what `make check` refuses, and what it lets through."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parent.parent / "bench"


@pytest.fixture(scope="module")
def house() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCH))
        yield import_module("house")


@pytest.fixture(scope="module")
def prose(house: ModuleType) -> ModuleType:
    return import_module("prose")


@pytest.mark.parametrize(
    "text",
    [
        "made anew",
        "the two cannot be told apart",
        "it is no regular expression",
        "nothing stands for it here",
        "tried reship in vain",
        "a conversation that\n    is held again",
        "a tool as whoever may call it is told of it",
    ],
)
def test_an_idiom_counts(prose: ModuleType, text: str) -> None:
    assert prose.rate([prose.Text(Path("a.md"), 1, text)]).idioms


@pytest.mark.parametrize(
    "text",
    ["half was held out", "there is no key", "it is no longer used", "a rest"],
)
def test_plain_english_does_not(prose: ModuleType, text: str) -> None:
    assert not prose.rate([prose.Text(Path("a.md"), 1, text)]).idioms


def test_docstrings_sentences_and_patterns_are_told_apart(prose: ModuleType, tmp_path: Path) -> None:
    place = tmp_path / "one.py"
    place.write_text(
        '"""One: a docstring."""\n'
        'WORD = "short"\n'
        'RULE = r"one two three four five\\b"\n'
        'raise Problem(f"{WORD} is not a valid amount; give dollars")\n'
    )
    assert [text.words for text in prose.docstrings(place)] == ["One: a docstring."]
    assert [(text.line, text.words) for text in prose.sentences(place)] == [
        (4, "{} is not a valid amount; give dollars")
    ]


def test_code_and_markup_do_not_count(prose: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Run `sab nobody` now.\n```\nnobody\n```\nNobody does.\n")
    (tmp_path / "a.html").write_text("<p class='nobody'>{{ nobody }} Nobody</p>")
    assert [hit.line for hit in prose.hits(prose.page(tmp_path / "a.md"))] == [5]
    assert len(list(prose.hits(prose.page(tmp_path / "a.html")))) == 1


def test_a_docstring_begins_with_the_name_of_its_file(house: ModuleType, tmp_path: Path) -> None:
    for stem, head in {
        "sanitize": "Relay",
        "family": "Model families",
        "tool_spec": "ToolSpec",
    }.items():
        (tmp_path / f"{stem}.py").write_text(f'"""{head}: what it is."""\n')
    assert house.other_heads(tmp_path) == {tmp_path / "sanitize.py": "Relay"}


def test_two_classes_of_one_name_are_found_with_their_places(house: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("class Line: ...\nclass Other: ...\n")
    (tmp_path / "two.py").write_text("\n\nclass Line: ...\n")
    found = house.shared_names(tmp_path)
    assert found == {"Line": [f"{tmp_path / 'one.py'}:1", f"{tmp_path / 'two.py'}:3"]}
