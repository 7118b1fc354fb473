"""The command `sab tickets replay`: the answer first, and figures of right and wrong nowhere."""

import shlex
import stat
from pathlib import Path

import pytest

from commands import Done, sab
from openings import CANCEL, CRACKED, imported, said
from supportagentbench.records.record import from_json
from supportagentbench.records.replay import Replay

VERDICTS = ("unsafe", "correct", "resolved", "wrong", "over-escalat", "sab board")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an import of three tickets, one of which cannot be replayed."""
    folder = tmp_path_factory.mktemp("replay")
    hidden = said("I am Mira Holt", name="t-3", approved=False, doubts=[(5, 14)])
    imported(folder / "tickets", said(*CANCEL), said(*CRACKED, name="t-2"), hidden)
    return folder


@pytest.fixture(scope="module")
def done(place: Path) -> Done:
    return sab("tickets", "replay", "tickets", "by-the-book", "hands-over", "-o", "out", cwd=place)


def test_the_plan_says_what_is_left_out_and_that_the_books_are_empty(done: Done) -> None:
    assert done.returncode == 0, done.stderr
    assert "left out, 1 ×: words of its opening are hidden until a person has approved it." in done.stderr
    assert "Unlabelled: it is not known what is right" in done.stderr
    assert "The books hold none of these orders" in done.stderr
    assert "Mira" not in done.stderr


def test_the_answer_comes_first_then_what_to_read(done: Done) -> None:
    report = done.stderr.partition("Of 2 tickets")[2]
    assert report.startswith(", the two did the same in 0; in 2 one handed over and another did not.")
    assert "by-the-book: asked back in 2; " in report and "hands-over: handed over in 2; " in report
    assert "Read first:\n  t-1  “Please cancel order" in report
    assert "by-the-book asked back; hands-over handed it over" in report


def test_nothing_is_said_of_right_and_wrong(done: Done) -> None:
    assert [word for word in VERDICTS if word in done.stderr] == []


def test_its_commands_show_the_talks(done: Done, place: Path) -> None:
    command = next(line.strip() for line in done.stderr.splitlines() if line.strip().startswith("sab show"))
    shown = sab(*shlex.split(command)[1:], cwd=place)
    assert shown.returncode == 0, shown.stderr
    assert "unlabelled: it is not known what is right here" in shown.stdout
    assert CANCEL[0][:20] in shown.stdout and "hands-over, run 1" in shown.stdout
    assert [word for word in (*VERDICTS, "outcome:", "resolvable") if word in shown.stdout] == []


@pytest.mark.parametrize(
    "words",
    [
        "board out/runs",
        "compare by-the-book hands-over out/runs",
        "items out/runs",
        "export out/runs -o table.csv",
        "judges out/runs",
        "score out/runs",
        "score out/runs --judge openai:gpt-5",
        "diff out/runs/by-the-book-1 out/runs/hands-over-1",
        "fork out/runs",
        "site build out/runs -o site",
        "open out/runs",
    ],
)
def test_whatever_counts_refuses_it(done: Done, place: Path, words: str) -> None:
    refused = sab(*words.split(), cwd=place)
    assert refused.returncode == 2
    assert "is unlabelled: it holds openings of real tickets" in refused.stderr
    assert not (place / "site").exists() and not (place / "table.csv").exists()


def test_the_record_is_this_user_s_alone(done: Done, place: Path) -> None:
    file = place / "out" / "replay.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    found = from_json(file.read_bytes(), Replay)
    assert len(found.replayed) == 2 and found.left_out == {
        "words of its opening are hidden until a person has approved it": 1
    }


def test_the_same_command_goes_on_where_it_was(done: Done, place: Path) -> None:
    before = (place / "out" / "replay.json").read_bytes()
    stored = place / "out" / "runs" / "by-the-book-1" / "transcripts.jsonl"
    lines = stored.read_text().splitlines(keepends=True)
    stored.write_text(lines[0])
    again = sab("tickets", "replay", "tickets", "by-the-book", "hands-over", "-o", "out", cwd=place)
    assert again.returncode == 0, again.stderr
    assert len(stored.read_text().splitlines()) == 2
    assert (place / "out" / "replay.json").read_bytes() == before


def test_one_agent_alone_and_three_of_them(place: Path) -> None:
    alone = sab("tickets", "replay", "tickets", "by-the-book", "-o", "alone", cwd=place)
    assert alone.returncode == 0 and "did the same" not in alone.stderr
    assert "by-the-book: asked back in 2; " in alone.stderr and "Read first" not in alone.stderr
    words = ["tickets", "replay", "tickets", "refuses", "by-the-book", "hands-over", "-o", "three"]
    three = sab(*words, "--sample", "1", cwd=place)
    assert "Of 1 ticket, the 3 agents did the same in 0; in 1 one handed over" in three.stderr
    assert "refuses said no; by-the-book asked back; hands-over handed it over" in three.stderr


def test_opinions_of_a_terminal_are_not_run(tmp_path: Path) -> None:
    imported(tmp_path / "tickets", said("\x1b[2J<script>alert(1)</script> [bold]refund me[/bold]\x07 now"))
    done = sab("tickets", "replay", "tickets", "by-the-book", "hands-over", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0 and "\x1b" not in done.stderr and "\x07" not in done.stderr
    assert "<script>alert(1)</script> [bold]refund me[/bold]" in done.stderr
