"""Attacks on whoever reads: words of others never control a terminal, a spreadsheet or a Markdown viewer.

Before, names in error messages, in the judges' tables, in lists of cases and in file names reached the
terminal as they were, and a cell that began with an equals sign was a formula.
"""

import csv
import io
import json
import sys
import unicodedata
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from msgspec.structs import replace
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from commands import Done, by_pytest, sab
from filed import FEW, failed, file_run, solved
from supportagentbench.board.export import as_csv
from supportagentbench.records.judgement import FindingOpinion, Judgement, Opinion
from supportagentbench.records.record import to_json
from supportagentbench.records.transcript import Attachment, Ending, ToolCall, ToolResult, Transcript
from supportagentbench.records.usage import Usage
from supportagentbench.site.pages.report import escaped
from supportagentbench.storage.archive import HEADER, JUDGEMENTS
from supportagentbench.storage.csv_cell import inert
from supportagentbench.storage.transcripts import TRANSCRIPTS, Filed
from supportagentbench.terminal.console import EscapingConsole
from supportagentbench.terminal.escape import escaping_streams, on_one_line, visible
from supportagentbench.world.drawn_cases import DrawnCases

TRICKS = {
    "colour": "\x1b[31m",
    "title": "\x1b]0;owned\x07",
    "link": "\x1b]8;;https://x.y\x1b\\",
    "clear": "\x1bc\x1b[2J",
    "C1": "\x9b2J\x90\x9d",
    "overwrite": "\r\b\x7f",
    "bidi": "\u202e\u2066\u200f\u061c",
    "unseen": "\u200b\ufeff\u2060\u00ad\u3164\U000e0041",
    "lines": "\x0b\x0c\x85\u2028\u2029",
}
TRICK = "".join(TRICKS.values())
IN_A_NAME = "".join(char for char in TRICK if unicodedata.category(char) != "Cc")
"""What an agent's name may hold: control characters are refused when its header is read."""

OBEYED = {char for trick in TRICKS.values() for char in trick if not char.isascii() or not char.isprintable()}


def harmless(done: Done) -> str:
    """All that was printed, in which nothing is obeyed and nothing is hidden."""
    printed = done.stdout + done.stderr
    assert not OBEYED & set(printed), ascii(printed)
    assert "Traceback" not in printed, printed
    return printed


def hostile(transcript: Transcript) -> Transcript:
    """The same conversation, full of tricks wherever an agent or a file can put them."""
    call = ToolCall(TRICK, {TRICK: TRICK}, ToolResult.refused(TRICK))
    turns = [
        replace(turn, text=f"{turn.text} {TRICK}", calls=(call, *turn.calls), usage=(Usage(TRICK),))
        if turn.party == "agent"
        else replace(turn, attachments=(Attachment(TRICK, "photo", TRICK),))
        for turn in transcript.turns
    ]
    return replace(transcript, turns=tuple(turns), ending=Ending("broke", "agent_error", TRICK))


def hostile_judges(filed: Filed) -> list[Judgement]:
    about = [
        (Opinion("resolution", True, 1, TRICK, reason=TRICK),),
        (Opinion("resolution", False, 1, TRICK, reason=TRICK),),
    ]
    found = FindingOpinion(f"dumped{TRICK}:1", "drop", 1, TRICK, reason=TRICK)
    return [
        Judgement(filed.digest, f"judge{number}{TRICK}", TRICK, opinions, findings=(found,))
        for number, opinions in enumerate(about)
    ]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("runs")
    for agent in (f"one{IN_A_NAME}", f"two{IN_A_NAME}[red]"):
        for run in (1, 2):
            file_run(root, agent, run, (hostile(failed(case)) for case in FEW), hostile_judges)
    return root


COMMANDS: tuple[tuple[str, ...], ...] = (
    ("board",),
    ("board", "--json"),
    ("judges",),
    ("judges", "--json"),
    ("score",),
    ("show", "RUNS", FEW[0], "--model", "one"),
    ("show", "RUNS", FEW[0], "--model", "one", "--vs", "two"),
    ("show", "RUNS", FEW[0]),
    ("show", "RUNS", TRICK, "--model", "one"),
    ("grep", "."),
    ("grep", ".", "RUNS", "--json"),
    ("grep", TRICK + "("),
    ("compare", f"one{IN_A_NAME}", f"two{IN_A_NAME}[red]"),
    ("compare", TRICK, TRICK),
    ("labels", "read", "RUNS", f"{TRICK}.csv"),
    ("repair",),
    ("cases", "--set", TRICK),
    ("cases", "--world", TRICK),
    ("run", TRICK),
    ("run", f"openai:{TRICK}"),
    ("run", f"openai:m,effort={TRICK}"),
    ("run", "silent", "--display", TRICK),
    ("site", "verify", f"/{TRICK}"),
    ("board", f"/{TRICK}"),
    (TRICK,),
    (f"--{TRICK}",),
)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: ascii(" ".join(words))[:40])
def test_no_command_prints_a_trick(runs: Path, words: tuple[str, ...]) -> None:
    takes_runs = words[0] in ("board", "judges", "score", "grep", "compare", "repair")
    given = [str(runs) if word == "RUNS" else word for word in words]
    if takes_runs and "RUNS" not in words and not any(word.startswith("/") for word in words):
        given.append(str(runs))
    printed = harmless(sab(*given))
    if "--json" in words:
        for line in printed.splitlines():
            json.loads(line)


def test_json_says_the_same_after_it_was_printed(runs: Path) -> None:
    lines = sab("grep", "--json", ".", runs).stdout.splitlines()
    assert any(json.loads(line)["agent"] == f"one{IN_A_NAME}" for line in lines)


@pytest.mark.parametrize("name", [HEADER, TRANSCRIPTS, JUDGEMENTS])
def test_no_error_about_a_file_prints_what_is_in_it(tmp_path: Path, name: str) -> None:
    folder = file_run(tmp_path / f"runs{TRICK}", "steady", 1, map(solved, FEW))
    (folder / name).write_bytes(to_json({"record": TRICK, TRICK: TRICK}) + b"\n")
    done = sab("board", folder)
    assert done.returncode == 2
    assert harmless(done).count("\n") == 1


def test_no_file_name_forges_a_line(tmp_path: Path) -> None:
    folder = tmp_path / "runs\nsab: all is well"
    folder.mkdir()
    done = sab("board", folder)
    assert done.stderr.count("\n") == 1
    assert "runs\\nsab: all is well" in done.stderr


def test_a_file_name_that_is_no_text_is_printed(tmp_path: Path) -> None:
    done = sab("board", f"{tmp_path}/r\udcff")
    assert done.returncode == 2
    assert "/r\\udcff" in done.stderr


def test_a_case_list_prints_what_a_world_says_and_obeys_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    named = DrawnCases.named
    monkeypatch.setattr(
        DrawnCases,
        "named",
        lambda self, name: tuple(replace(one, subject=f"{TRICK}[red]") for one in named(self, name)),
    )
    assert "[red]" in harmless(sab("cases", "--set", "tracking"))


def test_a_traceback_obeys_nothing_either(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError(TRICK)

    monkeypatch.setattr("supportagentbench.world.folder.read_world", fails)
    done = sab("cases")
    assert done.returncode == 1
    assert not OBEYED & set(done.stderr)
    assert done.stderr.startswith("Traceback")


@pytest.mark.parametrize("trick", TRICKS)
def test_a_console_in_colours_escapes_text_wherever_it_is(trick: str) -> None:
    out = io.StringIO()
    console = EscapingConsole(file=out, force_terminal=True, width=200, color_system="truecolor")
    words = f"a{TRICKS[trick]}z"
    table = Table(words, title=words)
    table.add_row(words, Text(words, style="bold red"))
    with Live(Panel(Text(words), title=Text(words)), console=console, auto_refresh=False):
        console.print(words, Text(words), table, style="bold")
    plain = io.StringIO()
    other = EscapingConsole(file=plain, force_terminal=True, width=200, color_system="truecolor")
    table = Table("az", title="az")
    table.add_row("az", Text("az", style="bold red"))
    with Live(Panel(Text("az"), title=Text("az")), console=other, auto_refresh=False):
        other.print("az", Text("az"), table, style="bold")
    ours = set(plain.getvalue())
    assert not (OBEYED & set(out.getvalue())) - ours
    if "\x1b" in words:
        assert "\\u001b" in out.getvalue() and words not in out.getvalue()


def test_markup_of_others_has_no_effect() -> None:
    out = io.StringIO()
    EscapingConsole(file=out, force_terminal=True, width=80).print("[bold red]x[/] :smile:", highlight=False)
    assert out.getvalue() == "[bold red]x[/] :smile:\n"


def test_what_is_printed_by_anybody_is_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    with escaping_streams():
        print(TRICK)
        print(TRICK, file=sys.stderr)
        sys.stdout.writelines([TRICK, "\n"])
        assert not hasattr(sys.stdout, "buffer")
    found = capsys.readouterr()
    assert not OBEYED & set(found.out + found.err)


KEPT = ("naïve — 名前 👩‍🚀 👨‍👩‍👧 ❤️ é", "می‌خواهم", "क्‍ष", "tab\tand\nline", "‘quotes’ … € 𝒳")


@pytest.mark.parametrize("words", KEPT)
def test_what_people_write_stays_as_it_is(words: str) -> None:
    assert visible(words) == words


def test_a_joiner_between_letters_is_shown() -> None:
    assert on_one_line("pay\u200dpal \u200ca") == "pay\\u200dpal \\u200ca"


# Spreadsheets

FORMULAS = (
    *("=1+1", '=HYPERLINK("http://x.y")', "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1"),
    *("-2+3+cmd|' /C calc'!A0", "＝1+1", "-", "+", "--1"),
)


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_cell_that_begins_a_formula_is_text(formula: str) -> None:
    [head, row] = csv.reader(io.StringIO(as_csv([{formula: formula}]).decode(), newline=""))
    assert head == row == [f"'{formula}"]


@pytest.mark.parametrize("cell", ["-1", "+1.5", "-1e-05", "1", "", "a=b", "steady", "0.1 0.2", "x@y.z"])
def test_numbers_and_other_words_stay_as_they_are(cell: str) -> None:
    assert inert(cell) == cell


def test_numbers_in_a_table_stay_numbers() -> None:
    assert as_csv([{"a": -1, "b": -0.5, "c": None, "d": True}]).decode() == "a,b,c,d\n-1,-0.5,,true\n"


# Markdown

MARKDOWN = {
    "<img src=x onerror=alert(1)>": "\\<img src=x onerror=alert(1)\\>",
    "[click](javascript:alert(1))": "\\[click\\](javascript:alert(1))",
    "![x](https://x.y/z.png)": "!\\[x\\](https\\://x.y/z.png)",
    "see https://x.y and www.x.y": "see https\\://x.y and www\\.x.y",
    "a | b": "a \\| b",
    "&lt;b&gt;": "\\&lt;b\\&gt;",
    "two\n# lines": "two # lines",
    "`code` *bold* _it_ ~~no~~ \\": "\\`code\\` \\*bold\\* \\_it\\_ \\~\\~no\\~\\~ \\\\",
}


@pytest.mark.parametrize("words", MARKDOWN)
def test_markdown_shows_words_and_obeys_none(words: str) -> None:
    assert escaped(words) == MARKDOWN[words]


def test_a_report_in_markdown_has_no_html_of_others(tmp_path: Path) -> None:
    html = "<img src=x onerror=alert(1)>[a](javascript:b)"
    file_run(tmp_path / "runs", f"agent {html}", 1, map(failed, FEW))
    done = sab("site", "build", tmp_path / "runs", "-o", tmp_path / "site")
    assert not done.returncode, done.stderr
    for path in (tmp_path / "site" / "agents").glob("*.md"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert line.startswith(">     ") or "<img" not in line.replace("\\<img", ""), line
            assert line.startswith(">     ") or "[a](" not in line.replace("\\[a\\](", ""), line


class GivesOrders(BaseHTTPRequestHandler):
    """A provider that refuses a key with words for a terminal and for a build log."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        orders = f"no {TRICK}\n::error::injected\n  ##[error]injected\n::stop-commands::x"
        body = json.dumps({"error": {"message": orders, "type": orders, "code": orders}}).encode()
        self.send_response(401)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture
def agent_of_others() -> Iterator[str]:
    """A model whose provider gives orders."""
    server = HTTPServer(("127.0.0.1", 0), GivesOrders)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"openai:gpt-4o,base_url=http://127.0.0.1:{server.server_port}/v1,timeout=20"
    server.shutdown()
    server.server_close()


def assert_no_orders(printed: str) -> None:
    assert "injected" in printed, printed
    assert not [line for line in printed.splitlines() if line.strip().startswith(("::", "##["))]
    assert visible(printed) == printed


def test_a_provider_gives_no_orders_to_a_build_log(tmp_path: Path, agent_of_others: str) -> None:
    words = ("--set", "tracking", "--customer", "scripted", "--yes", "--display", "none")
    done = sab("run", agent_of_others, *words, cwd=tmp_path, OPENAI_API_KEY="k" * 20, GITHUB_ACTIONS="true")
    assert_no_orders(done.stdout + done.stderr)


def test_nor_by_way_of_pytest(tmp_path: Path, agent_of_others: str) -> None:
    (tmp_path / "sab.toml").write_text("[run]\nbudget = 5.0\n")
    words = (
        "--sab",
        agent_of_others,
        "--sab-set",
        "tracking-1",
        "--sab-customer",
        "scripted",
        "--junit-xml=x.xml",
    )
    done = by_pytest("-q", *words, cwd=tmp_path, OPENAI_API_KEY="k" * 20)
    assert_no_orders(done.stdout + done.stderr)
    assert_no_orders((tmp_path / "x.xml").read_text())
