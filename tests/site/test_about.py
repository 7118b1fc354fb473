"""What a publisher may say of a site: names, logos and a title that move no number and break no link."""

import re
import shutil
from pathlib import Path

import pytest

from pictures import png
from supportagentbench.records.problem import Problem
from supportagentbench.site.about import About, AboutAgent, Publisher, read_about
from supportagentbench.site.build import Extras, build
from supportagentbench.site.verify import verify

FILE = """
title = "Desks & agents"
description = "Two agents at a simulated desk."
address = "https://bench.example.org/"
favicon = "icon.png"

[publisher]
name = "Example Labs"
link = "https://example.org"

[agents.complies]
name = "Yes <Sir> 2"
vendor = "Acme"
open = true
logo = "logos/acme.png"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A publisher's file with two pictures."""
    folder = tmp_path_factory.mktemp("about")
    (folder / "logos").mkdir()
    for name in ("icon.png", "logos/acme.png"):
        (folder / name).write_bytes(png(8, 8))
    (folder / "site.toml").write_text(FILE)
    return folder


@pytest.fixture(scope="module")
def site(folder: Path, small_runs: Path) -> Path:
    """Two agents, one of them under another name."""
    runs = [small_runs / "oracle-1", small_runs / "complies-1"]
    before = (small_runs / "complies-2",)
    build(runs, folder / "site", extras=Extras(before=before, about=folder / "site.toml"))
    return folder / "site"


def test_a_site_is_called_what_its_publisher_calls_it(site: Path) -> None:
    page = (site / "index.html").read_text()
    assert re.search(r"<title>[^<]+ · Desks &amp; agents</title>", page)
    assert 'class="brand" href="index.html">Desks &amp; agents<' in page
    assert 'Published by <a href="https://example.org" rel="noopener">Example Labs</a>' in page
    assert '<link rel="canonical" href="https://bench.example.org/index.html">' in page
    assert '<meta property="og:image" content="https://bench.example.org/share/' in page
    assert '<link rel="icon" type="image/png" href="data/about/icon.png">' in page
    report = (site / "agents" / "complies.html").read_text()
    assert '<meta property="og:url" content="https://bench.example.org/agents/complies.html">' in report
    assert 'src="../data/about/logos/acme.png"' in report


def test_a_name_for_people_changes_what_is_read_and_not_where_it_is(site: Path) -> None:
    page = (site / "index.html").read_text()
    assert re.search(r'href="agents/complies\.html"[^>]*>(?:<img[^>]*>)?\s*Yes &lt;Sir&gt; 2', page)
    assert "Yes <Sir>" not in page
    assert '"id":"complies","name":"Yes <Sir> 2"' in (site / "data" / "index.js").read_text()
    assert '"agent": "complies"' in (site / "data" / "manifest.json").read_text()
    assert "Yes &lt;Sir&gt; 2" in (site / "changes.html").read_text()


def test_such_a_site_is_verified_like_any_other(site: Path, tmp_path: Path) -> None:
    assert list(verify(site)) == []
    copy = Path(shutil.copytree(site, tmp_path / "copy"))
    about = copy / "data" / "about" / "site.toml"
    about.write_text(about.read_text().replace("Acme", "Apex"))
    assert "index.html differs from what its conversations give." in list(verify(copy))


def test_all_of_it_can_be_left_out(tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_text("")
    assert read_about(tmp_path / "site.toml") == About()


def test_what_it_says_is_typed(folder: Path) -> None:
    about = read_about(folder / "site.toml")
    assert about.publisher == Publisher("Example Labs", "https://example.org")
    assert about.agents["complies"] == AboutAgent("Yes <Sir> 2", "Acme", True, "logos/acme.png")
    assert about.shown_name("complies") == "Yes <Sir> 2" and about.shown_name("oracle") == "Oracle"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('titel = "x"', "unknown field `titel`; it may have title, description, address"),
        (
            'title = "The safest agents"',
            "the title compares (safest), and pages compare only",
        ),
        ('title = "Independently certified board"', "the title has 'certified', which only the board says"),
        ('[publisher]\nname = "Verified"', "the publisher's name has 'Verified'"),
        ('[agents.x]\nname = "Oracle · verified"', "the name of an agent has 'verified'"),
        ('[agents.x]\nname = "Mine 0/18"', "the name of an agent has '0/1'"),
        ('[agents.x]\nname = "Mine ✓"', "the name of an agent has '✓'"),
        ('[agents.x]\nvendor = "ｖerified"', "the vendor of an agent has 'verified'"),
        ('[agents.x]\nname = "οracle"', "mixes alphabets; write it in one"),
        ('title = "\\u202eabc"', "Expected `str` matching regex"),
        ('address = "javascript:alert(1)"', "Expected `str` matching regex"),
        ('favicon = "../icon.png"', "Expected `str` matching regex"),
        ('favicon = "/etc/icon.png"', "Expected `str` matching regex"),
        ('favicon = "icon.svg"', "Expected `str` matching regex"),
        ("title = ", "is not well-formed TOML: "),
    ],
)
def test_what_it_may_not_say_is_told_in_a_sentence(content: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_text(content)
    with pytest.raises(Problem) as caught:
        read_about(tmp_path / "site.toml")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (
            '[agents.complise]\nvendor = "Acme"',
            "[agents] describes 'complise', which is not in these runs.",
        ),
        (
            '[agents.complies]\nname = "oracle"',
            "shows 'complies' as 'oracle', which is 'oracle'; give it another name.",
        ),
        ('[agents.complies]\nlogo = "none.png"', "none.png: there is no such file."),
    ],
)
def test_what_does_not_fit_the_runs_is_told_in_a_sentence(
    content: str, words: str, small_runs: Path, tmp_path: Path
) -> None:
    (tmp_path / "site.toml").write_text(content)
    runs = [small_runs / "oracle-1", small_runs / "complies-1"]
    with pytest.raises(Problem) as caught:
        build(runs, tmp_path / "site", "none", extras=Extras(about=tmp_path / "site.toml"))
    assert words in str(caught.value)
    assert not (tmp_path / "site").exists()
