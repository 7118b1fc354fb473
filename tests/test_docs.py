"""The docs cannot go stale: help is printed from the code, links lead somewhere, every module is named."""

import re
import runpy
from pathlib import Path

import pytest

from supportagentbench.agents.cast.characters import CHARACTERS

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def test_every_made_page_is_up_to_date() -> None:
    made: dict[Path, str] = runpy.run_path(str(ROOT / "docs" / "make.py"))["pages"]()
    stale = [path.name for path, text in made.items() if not path.exists() or path.read_text() != text]
    assert stale == [], "run `make docs`"
    cards = set((ROOT / "docs" / "cases").glob("*.md"))
    assert cards <= set(made), "a card is left of a family that is gone"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_in_the_docs_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


def test_the_readme_names_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text()
    assert "make demo" in readme and "make test" in readme
    assert "make test" in (ROOT / ".ci" / "run").read_text()


def test_the_cast_is_documented_with_its_rates_and_prices() -> None:
    page = (ROOT / "docs" / "cast.md").read_text()
    for character in CHARACTERS:
        price = character.price
        tokens = f"{price.prompt:,} | {price.thinking:,}"
        assert f"| {character.name} | {tokens} | {price.read:g} | {price.written:g} |" in page
        for lapse in character.lapses:
            about = " ".join((lapse.fault.__doc__ or "").split())
            assert f"| {character.name} | {lapse.share:.0%} | {about} |" in page


@pytest.mark.parametrize("page", ["api.md", "add-an-agent.md"])
def test_python_in_the_docs_runs_as_printed(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "docs"}
    for block in re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / page).read_text(), re.M | re.S):
        exec(compile(block, page, "exec"), names)
