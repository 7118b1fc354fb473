"""The docs cannot go stale: help is printed from the code, links lead somewhere, every module is named."""

import io
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
import yaml
from typer.main import get_command

import supportagentbench
from commands import fake_provider, sab
from conversations import CASES, WORLD
from supportagentbench.calibration.blind import fact_values
from supportagentbench.calibration.cast.characters import CHARACTERS
from supportagentbench.calibration.faults import FAULTS
from supportagentbench.cli.main import app
from supportagentbench.jobs.run import EXIT_CODES
from supportagentbench.models.provider import PROVIDERS
from supportagentbench.storage.config import read_config
from supportagentbench.terminal.comparison import DIFF_CODES
from supportagentbench.world.policy import Rule, RuleStatement

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]

PRINTED = [
    page for page in PAGES if page.name not in ("commands.md", "CHANGELOG.md") and page.parent.name != "cases"
]
"""Pages with code that is printed by hand."""

FRAMEWORK_PAGES = ("claude-agent-sdk.md", "pydantic-ai.md", "openai-agents.md", "langgraph.md")
"""Pages whose code needs a framework: tests/integrations runs it."""

BEFORE = {
    "live.md": ["run oracle complies --out runs --set damaged_no_proof"],
    "site.md": [f"run oracle complies --out runs/{name}" for name in ("demo", "new", "old")],
}
"""What was done before a page begins."""

PREFACES = {
    "add-a-world.md": "import msgspec\nfrom datetime import date as Day\n"
    "from supportagentbench.world.kit import Verb, WriteResult\nBooks, Number = object, str"
}
"""What code of a page may use without importing it."""

NOT_RUN = {
    "sab prove --set my_family": "the reader's own case type",
    "sab prove --set my_family --case-seed 7": "the reader's own case type",
    "sab run oracle complies --set my_family --out /tmp/look": "the reader's own case type",
    "sab show /tmp/look/oracle-1 my_family-1": "the reader's own case type",
    "sab prove --world my_shop": "21 seeds and all faults: the tests of the self-test play them",
    "sab lint --world my_shop": "the tests of the lint play it",
    "sab run openai:gpt-5.4 anthropic:claude-haiku-4-5 -n 3 --budget 60 --live": "a page is served",
    "sab live runs": "a page is served",
    "sab show runs damaged_no_proof-1 --model gpt-5.4 --run 2": "of the run above",
    "sab show runs damaged_no_proof-1 --model gpt-5.4 --vs claude": "of the run above",
    "sab run my_shop.py:MyAgent --runs 3 --out before": "the reader's own agent; tests/cli/test_gate.py",
    "sab run my_shop.py:MyAgent --runs 3 --out after": "the reader's own agent",
    "sab diff before after": "the reader's own agent",
    "sab gate my_shop.py:MyAgent --save baseline.json": "the reader's own agent",
    "sab gate my_shop.py:MyAgent": "the reader's own agent",
    "sab desk tracking-2": "somebody types; tests/cli/test_own.py",
    "sab desk tracking-2 --mcp": "somebody types; tests/terminal/test_served_desk.py",
    "sab fake": "it serves until it is stopped; tests/cli/test_fake.py",
    "sab run openai:gpt-5.4 --runs 3 -j 200 --cluster auto": "needs an extra; tests/integrations",
    "sab import --review tickets": "a page is served; tests/live/test_review_page.py",
    "sab run local:smollm2 --set damaged_no_proof-1 --concurrency 1": "needs an extra",
}
"""Commands that are only parsed, and why."""


_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
_NAMED = re.compile(r"(?:# ([\w/]+\.(?:py|toml|yaml))|<!-- ([\w/]+\.md) -->)\n")
"""The first line of a block that is a file."""


class Block(NamedTuple):
    """Some code on a page."""

    kind: str
    text: str


class Terminal(io.StringIO):
    """Somebody who types this when asked."""

    def isatty(self) -> bool:
        return True


def blocks_in(page: Path) -> list[Block]:
    found = _BLOCK.findall(page.read_text())
    return [Block(kind or _kind_of(text), text) for kind, text in found]


def yaml_in(page: str) -> list[Block]:
    return [block for block in blocks_in(ROOT / "docs" / page) if block.kind == "yaml"]


def _kind_of(text: str) -> str:
    is_shell = all(
        re.match(r"(?:\.venv/bin/)?(?:sab|make|pip|python|pytest|cp|mv|sed|export|cd) |(?:sab|pytest)$", line)
        for line in text.splitlines()
    )
    return "shell" if is_shell else "drawing"


class Line(NamedTuple):
    """A command on a page, and the exit code that a comment promises."""

    command: str
    code: int = 0


def lines_in(text: str) -> Iterator[Line]:
    """The commands of a block, without comments and without the place of `sab`."""
    for line in text.splitlines():
        promised = re.search(r"\s# .*\bexit code (\d+)", line)
        for command in re.sub(r"\s+# .*", "", line).split("&&"):
            yield Line(command.strip().removeprefix(".venv/bin/"), int(promised[1]) if promised else 0)


def save_named(text: str) -> None:
    """Save what begins with the name of its file; a name that Markdown would show is left out."""
    if named := _NAMED.match(text):
        path = Path(named[1] or named[2])
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.removeprefix(named[0]) if named[2] else text)


def run_line(line: str, code: int, monkeypatch: pytest.MonkeyPatch, opened: ExitStack) -> None:
    """Do what a line says; what cannot be done here is at least found to exist."""
    program, *words = shlex.split(line)
    if program == "python":
        opened.enter_context(in_background(words))
    elif program == "export":
        monkeypatch.setenv(*words[0].split("=", 1))
    elif program == "cd":
        monkeypatch.chdir(words[0])
    elif program == "cp":
        shutil.copytree(ROOT / words[-2], words[-1])
    elif program == "pytest":
        assert words[0] == "--sab", "tests/test_pytest_plugin.py runs it"
    elif program in ("sed", "mv"):
        subprocess.run([program, *words], check=True)
    elif program == "make":
        assert re.search(rf"^{words[0]}:", (ROOT / "Makefile").read_text(), re.M), line
    elif program == "sab" and (
        line in NOT_RUN or ("--isolate=sandbox" in words and not shutil.which("bwrap"))
    ):
        command: Any = get_command(app)
        with command.make_context("sab", words) as context:
            name, found, rest = command.resolve_command(context, words)
            assert found is not None and name
            found.make_context(name, rest, parent=context)
    elif program == "sab":
        done = sab(*(words[: words.index(">")] if ">" in words else words))
        assert done.returncode == code, (line, done.stdout, done.stderr)
        if ">" in words:
            Path(words[-1]).write_text(done.stdout)


@contextmanager
def in_background(words: list[str]) -> Iterator[None]:
    """A server that a page starts, until the page is done."""
    assert words.pop() == "&", "only servers are started with python"
    with subprocess.Popen([sys.executable, "-u", *words], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout and server.stdout.readline(), "it says when it listens"
        yield
        server.terminate()


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    """The address of a fake provider in another process."""
    with fake_provider() as url:
        yield url


def test_every_made_page_is_up_to_date() -> None:
    made: dict[Path, str] = runpy.run_path(str(ROOT / "docs" / "make.py"))["pages"]()
    stale = [path.name for path, text in made.items() if not path.exists() or path.read_text() != text]
    assert stale == [], "run `make docs`"
    cards = set((ROOT / "docs" / "cases").glob("*.md"))
    assert cards <= set(made), "a card is left of a family that is gone"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_in_the_docs_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", _BLOCK.sub("", page.read_text())):
        path, _, anchor = target.partition("#")
        if not target.startswith("http"):
            found = page.parent / path if path else page
            assert found.exists(), target
            assert not anchor or anchor in anchors_in(found), target


def anchors_in(page: Path) -> set[str]:
    """The headings of a page as they are in links, on the site and on code hosts."""
    headings = re.findall(r"^#+ (.+)$", _BLOCK.sub("", page.read_text()), re.M)
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", one).strip().lower()) for one in headings}


def test_every_page_is_in_the_navigation_once() -> None:
    settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text())
    listed = [path for part in settings["nav"] for path in _paths_in(part)]
    docs = ROOT / "docs"
    pages = {str(page.relative_to(docs)) for page in docs.rglob("*.md")}
    hidden = {page for page in pages if re.match(r"cases/|decisions/0", page)}
    assert sorted(listed) == sorted(pages - hidden)


def _paths_in(part: Any) -> Iterator[str]:
    for value in part.values():
        if isinstance(value, str):
            yield value
        else:
            yield from (path for below in value for path in _paths_in(below))


def test_the_docs_are_built_as_a_site_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made = (tmp_path / "method.html").read_text()
    assert 'href="archive.html"' in made and "../src/" not in made
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//(?!github|pypi|keepachangelog|semver)", made)


def test_every_sentence_that_is_explained_is_said_somewhere() -> None:
    page = (ROOT / "docs" / "troubleshooting.md").read_text()
    said = " ".join(path.read_text() for path in (ROOT / "src").rglob("*.py"))
    answers = (ROOT / "docs" / "wrong-inputs.md").read_text()
    tables = [part for part in page.split("\n\n") if part.startswith("| it says")]
    explained = [row for table in tables for row in re.findall(r"^\| `([^`]+)` \|", table, re.M)]
    assert len(explained) > 15
    assert [words for words in explained if words not in said + answers] == []
    assert f"lists {len(re.findall('^. .sab', answers, re.M))} wrong commands" in page


def test_counts_in_the_docs_are_those_of_the_code() -> None:
    readme, method = (ROOT / "README.md").read_text(), (ROOT / "docs" / "method.md").read_text()
    assert f"interface is {len(supportagentbench.__all__)} names" in readme
    assert "Thirteen providers" in readme and len(set(PROVIDERS) - {"local"}) == 13
    assert f"[{len(FAULTS)} agents]" in method
    assert f"({len(list(fact_values(WORLD.policy)))} in Northline)" in method
    sizes = Counter(case.bucket for case in CASES.cases.values() if not case.twin_of)
    assert [sizes[bucket] for bucket in ("resolvable", "must_escalate", "adversarial")] == [120, 24, 18]


def test_every_exit_code_is_explained() -> None:
    page = (ROOT / "docs" / "exit-codes.md").read_text()
    codes = {*EXIT_CODES.values(), *DIFF_CODES.values(), 1}
    assert {int(code) for code in re.findall(r"^\| (\d+) ", page, re.M)} == codes


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


def test_every_block_has_a_kind_that_is_tried() -> None:
    kinds = {block.kind for page in PRINTED for block in blocks_in(page)}
    assert kinds <= {"python", "shell", "json", "yaml", "toml", "markdown", "drawing"}
    for page in PRINTED:
        for block in blocks_in(page):
            if block.kind == "drawing":
                assert not re.search(r"^(?:\.venv/bin/)?(?:sab|pip|make) ", block.text, re.M), (
                    page,
                    block.text,
                )


@pytest.mark.parametrize(
    "page", [page for page in PRINTED if page.name not in FRAMEWORK_PAGES], ids=lambda page: page.name
)
def test_code_in_the_docs_runs_as_printed(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, provider: str
) -> None:
    blocks = blocks_in(page)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.delitem(sys.modules, "my_shop", raising=False)
    (tmp_path / "sab.toml").write_text('[run]\nset = "damaged_no_proof"\n')  # The docs show whole runs.
    monkeypatch.setattr(sys, "stdin", Terminal("y\n" * 20))
    for name in ("OPENAI", "ANTHROPIC", "OLLAMA"):
        monkeypatch.setenv(f"{name}_BASE_URL", f"{provider}/v1")
        monkeypatch.setenv(f"{name}_API_KEY", "none")
    monkeypatch.setenv("BROWSER", "true %s")
    for words in BEFORE.get(page.name, ()):
        done = sab(*words.split())
        assert done.returncode == 0, (words, done.stderr)
    names: dict[str, object] = {"__name__": "docs"}
    exec(PREFACES.get(page.name, ""), names)
    with ExitStack() as opened:
        for block in blocks:
            monkeypatch.chdir(tmp_path)  # A reader may have gone elsewhere in the block before.
            save_named(block.text)
            if block.kind == "python" and "run_app(" not in block.text:
                exec(compile(block.text, str(page), "exec"), names)
            elif block.kind == "shell":
                for line, code in lines_in(block.text):
                    run_line(line, code, monkeypatch, opened)


def test_every_line_that_is_not_run_is_still_printed() -> None:
    printed = {line for page in PRINTED for block in blocks_in(page) for line in lines_in(block.text)}
    assert set(NOT_RUN) <= {line.command for line in printed}


def test_the_board_in_the_docs_can_be_audited(tmp_path: Path) -> None:
    said, board = (block.text for block in blocks_in(ROOT / "docs" / "audit.md"))
    (tmp_path / "board.json").write_text(board)
    command = [sys.executable, "-m", "studies.published"]
    given, shipped = (
        subprocess.run([*command, *more], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for more in ([tmp_path / "board.json"], [])
    )
    assert "undecided" in given
    assert " ".join(said.split()) in " ".join(shipped.split())


def test_the_config_in_the_docs_is_one(tmp_path: Path) -> None:
    (block,) = (block for block in blocks_in(ROOT / "docs" / "config.md") if block.kind == "toml")
    (tmp_path / "sab.toml").write_text(block.text)
    assert read_config(tmp_path / "sab.toml").run.runs == 3


def test_the_rules_in_the_docs_have_the_shape_of_rules() -> None:
    rule, statements, measures = (yaml.safe_load(block.text) for block in yaml_in("policy.md"))
    assert [one.id for one in msgspec.convert(rule, list[Rule])] == ["D1"]
    assert len(msgspec.convert(statements["tell"], list[RuleStatement])) == 3
    assert set(measures["measures"]) <= set(WORLD.policy.measures.__struct_fields__)
