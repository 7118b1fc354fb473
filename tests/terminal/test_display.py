"""Which display a job gets, and what each of them writes where."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console

from commands import sab
from jobs import START, busy_job, state_of
from supportagentbench.records.problem import Problem
from supportagentbench.terminal.display import Lines, choose_display, marks_for, progress_bar
from supportagentbench.terminal.live_table import ASCII, UNICODE

VIEW = state_of(busy_job()).view(START + 403)


def console(*, terminal: bool = True) -> Console:
    return Console(file=io.StringIO(), force_terminal=terminal)


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "CI", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_people_get_a_table_and_logs_get_lines() -> None:
    assert choose_display("", console()) == "full"
    assert choose_display("", console(terminal=False)) == "plain"


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("CI", "true"), ("TERM", "dumb")])
def test_where_nothing_should_move_there_are_lines(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    assert choose_display("", console()) == "plain"
    assert choose_display("full", console()) == "full", "whoever asks for it gets it"


def test_an_unknown_display_is_named() -> None:
    with pytest.raises(Problem, match=r"no display called 'fancy'\. Choose one of full, plain, json, none"):
        choose_display("fancy", console())


def test_a_terminal_that_cannot_print_our_signs_gets_others() -> None:
    utf, latin = (io.TextIOWrapper(io.BytesIO(), encoding) for encoding in ("utf-8", "latin-1"))
    assert marks_for(Console(file=utf)) is UNICODE
    assert marks_for(Console(file=latin)) is ASCII


def test_a_log_gets_a_line_every_half_minute_or_every_twentieth() -> None:
    written: list[str] = []
    lines = Lines(written.append)
    for second in range(100):
        lines.see(replace(VIEW, done=100, total=1000, elapsed=float(second)))
    assert len(written) == 4
    for done in range(100, 301):
        lines.see(replace(VIEW, done=done, total=1000, elapsed=99.0))
    assert len(written) == 4 + 4
    lines.see(replace(VIEW, done=300, total=1000, elapsed=99.0), is_last=True)
    assert len(written) == 8, "the last word is not said twice"


def test_a_piped_run_writes_no_escape_code_and_ends_with_the_board(tmp_path: Path) -> None:
    done = sab("run", "oracle", "complies", "--set", "damaged_no_proof", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert "\x1b" not in done.stderr
    assert "done=4/4" in done.stderr
    board, reading = (
        done.stderr.index("northline, set damaged_no_proof"),
        done.stderr.index("Read first"),
    )
    assert board < reading < done.stderr.index("sab site build runs")
    assert "sab show runs damaged_no_proof-1 --model complies --run 1" in done.stderr


def test_for_programs_every_line_is_an_event_and_words_go_elsewhere(tmp_path: Path) -> None:
    done = sab("run", "oracle", "--set", "damaged_no_proof", "--display", "json", cwd=tmp_path)
    told = [json.loads(line)["event"] for line in done.stdout.splitlines()]
    assert told[0] == "planned" and told[-1] == "ended" and told.count("finished") == 2
    assert done.stdout == (tmp_path / "runs/events.jsonl").read_text()
    assert "1 run, 2 conversations" in done.stderr


@pytest.mark.skipif(not shutil.which("tmux"), reason="needs tmux")
def test_on_a_terminal_the_table_moves_and_ctrl_c_leaves_a_run_that_goes_on(tmp_path: Path) -> None:
    (tmp_path / "slowly.py").write_text(SLOW_AGENT)
    socket, session = tmp_path / "tmux", "sab"
    tmux = ["tmux", "-S", str(socket), "-f", "/dev/null"]
    command = (
        f"{sys.executable} -c 'from supportagentbench.cli.main import main; main()' run slowly:Slow -j 2"
    )
    environment = {
        name: value for name, value in os.environ.items() if name not in ("CI", "NO_COLOR", "TMUX")
    }
    environment |= {"PYTHONPATH": str(tmp_path), "TERM": "xterm-256color", "LANG": "C.UTF-8"}

    def screen() -> str:
        return subprocess.run(
            [*tmux, "capture-pane", "-p"], capture_output=True, text=True, check=True
        ).stdout

    def wait_for(words: str) -> str:
        deadline = time.monotonic() + 60
        while words not in screen() and time.monotonic() < deadline:
            time.sleep(0.1)
        return screen()

    subprocess.run(
        [*tmux, "-u", "new-session", "-d", "-s", session, "-x", "80", "-y", "24", "-c", str(tmp_path)],
        env=environment,
        check=True,
    )
    try:
        subprocess.run([*tmux, "send-keys", f"clear; {command}; echo code $?", "Enter"], check=True)
        shown = wait_for("slowly:Slow  ")
        assert "conversations  ETA" in shown and "Ctrl-C finishes" in shown
        subprocess.run([*tmux, "send-keys", "C-c"], check=True)
        ended = wait_for("code 130")
        assert "Run the same command to resume" in ended
        assert "sab run slowly:Slow -j 2" in ended
        assert "progress" not in ended, "the table is gone"
    finally:
        subprocess.run([*tmux, "kill-server"], check=False)
    kept = len((tmp_path / "runs/slowly_Slow-1/transcripts.jsonl").read_text().splitlines())
    assert 0 < kept < 324


SLOW_AGENT = """
import asyncio
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.world.folder import read_world

WORLD = read_world("northline")

class Slow(Oracle):
    def __init__(self, seed):
        super().__init__(WORLD, seed)

    async def reply(self, turns, desk):
        await asyncio.sleep(0.3)
        return await super().reply(turns, desk)
"""


def watched(title: str, *, terminal: bool = True) -> str:
    out = io.StringIO()
    with progress_bar(Console(width=80, file=out, force_terminal=terminal)) as bar:
        tell = bar.start(title, 4)
        tell(3)
    return out.getvalue()


def test_a_run_is_named_and_counted() -> None:
    text = re.sub(r"\x1b\[[\d;?]*\w", "", watched("oracle, run 1"))
    assert "oracle, run 1" in text and "3/4" in text


def test_nobody_watching_sees_nothing() -> None:
    assert watched("oracle, run 1", terminal=False).strip() == ""


def test_a_title_is_printed_as_it_is() -> None:
    text = watched("[red]x[/] {task} \x1b[31m\nb, run 1")
    assert "[red]x[/] {task} \\u001b[31m\\nb, run 1" in text
    assert "\x1b[31m" not in text
