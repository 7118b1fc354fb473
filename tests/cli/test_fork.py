"""`sab fork`: decisions made again, recorded like any run, resumed after a kill, within the budget."""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import fake_provider, sab, start_sab
from conversations import job_on
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.jobs.run import run_job
from supportagentbench.models.answer_cache import ANSWERS
from supportagentbench.storage.archive import find_runs, read_header
from supportagentbench.storage.transcripts import BROKEN, TRANSCRIPTS, read_transcripts

TRAP = "damaged_no_proof-1"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that gives in, and one of the oracle's."""
    out = tmp_path_factory.mktemp("runs")
    drive(run_job(job_on(f"{TRAP},tracking-1", ["trusting", "oracle"], out=out)))
    return out


def found(out: Path) -> list[dict[str, object]]:
    shown = sab("forks", out, "--json")
    assert shown.returncode == 0, shown.stderr
    results: list[dict[str, object]] = json.loads(shown.stdout)["results"]
    return results


def test_agents_decide_again_and_the_record_says_where_and_by_which_rule(runs: Path, tmp_path: Path) -> None:
    done = sab("fork", runs, "--agents", "trusting", "oracle", "-n", "4", "-o", tmp_path, "--display", "none")
    assert done.returncode == 0, done.stderr
    assert "restored byte for byte" in done.stderr
    header = read_header(tmp_path / "oracle-4")
    (fork,) = header.forks
    assert header.cases == (fork.id,)
    assert (fork.case, fork.agent, fork.rule) == (TRAP, "trusting", "before_first_write")
    (filed,) = read_transcripts(tmp_path / "oracle-4")
    (source,) = (one for one in read_transcripts(runs / "trusting-1") if one.digest == fork.transcript)
    texts = [turn.text for turn in filed.transcript.turns]
    assert texts[: fork.place] == [turn.text for turn in source.transcript.turns[: fork.place]]
    assert not any(turn.usage for turn in filed.transcript.turns[: fork.place]), "paid for by somebody else"
    by_agent = {one["agent"]: one for one in found(tmp_path)}
    assert by_agent["oracle"].get("hits", 0) == 0
    assert int(str(by_agent["trusting"]["hits"])) >= 2


def test_the_same_command_adds_replays_and_repeats_none(runs: Path, tmp_path: Path) -> None:
    words = ("fork", runs, "--agents", "trusting", "-o", tmp_path, "--display", "none", "--rule", "blind")
    assert sab(*words, "-n", "2").returncode == 0
    before = {one.digest for folder in find_runs([tmp_path]) for one in read_transcripts(folder)}
    assert sab(*words, "-n", "3").returncode == 0
    after = {one.digest for folder in find_runs([tmp_path]) for one in read_transcripts(folder)}
    assert before < after
    assert len(find_runs([tmp_path])) == 3
    other = sab(*words[:-1], "before-first-write", "-n", "2")
    assert other.returncode == 2
    assert "another" in other.stderr, "replays of other forks are not mixed with these"


def test_a_fork_is_replayed_until_it_is_decided_and_not_longer(runs: Path, tmp_path: Path) -> None:
    words = ("fork", runs, "-k", TRAP, "-o", tmp_path, "--display", "none", "--until-decided", "-j", "1")
    done = sab(*words, "--agents", "oracle")
    assert done.returncode == 0, done.stderr
    (one,) = found(tmp_path)
    assert (one["decision"], one["decided_after"], one["trials"]) == ("holds", 21, 21)
    again = sab(*words, "--agents", "oracle")
    assert again.returncode == 0
    assert found(tmp_path) == [one]


def test_facts_can_be_made_different_at_the_fork(runs: Path, tmp_path: Path) -> None:
    words = (
        "fork",
        runs / "trusting-1",
        "--agents",
        "oracle",
        "-n",
        "2",
        "-o",
        tmp_path,
        "--display",
        "plain",
    )
    done = sab(*words, "--at", f"{TRAP}:1", "--with", "proof=shown")
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stderr.split())
    assert "as it was: 0 of 2 (forbidden), proof=shown: 2 of 2 (allowed)" in said
    late = sab(*words, "--at", f"{TRAP}:3", "--with", "proof=shown", "--fresh")
    assert late.returncode == 2
    assert "fork at an earlier reply" in late.stderr


def test_replays_are_no_run_of_cases_and_a_run_is_no_forks(runs: Path, tmp_path: Path) -> None:
    sab("fork", runs, "--agents", "oracle", "-n", "1", "-o", tmp_path, "--display", "none")
    board = sab("board", tmp_path)
    assert board.returncode == 2
    assert "sab forks" in board.stderr
    assert "sab board" in sab("forks", runs).stderr
    assert (
        "already contains forks" in sab("fork", tmp_path, "--agents", "oracle", "-o", tmp_path / "x").stderr
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--agents", "orcale"), "oracle"),
        (("--agents", "oracle", "--at", f"{TRAP}:1.1"), "cannot continue in the middle of a reply"),
        (("--at", "nothing-1:1"), "give CASE:TURN"),
        (("--at", f"{TRAP}:1", "--with", "proof"), "give NAME=VALUE"),
        (("--at", f"{TRAP}:1", "--with", "moon=full"), "there is no fact 'moon'"),
        (("--rule", "first-divergence", "-k", "tracking"), "left to fork"),
    ],
)
def test_what_cannot_be_forked_is_one_sentence(
    runs: Path, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    done = sab("fork", runs, *words, "-o", tmp_path)
    assert done.returncode == 2
    assert told in done.stderr
    assert not list(tmp_path.iterdir()), "nothing is begun"


@pytest.fixture
def provider() -> Iterator[str]:
    """A model's server in a process of its own."""
    with fake_provider("--faults", "latency=0.05") as url:
        yield url


def test_after_a_kill_nothing_is_lost_and_the_budget_is_kept(
    runs: Path, tmp_path: Path, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789-secret")
    model = f"openai:gpt-4o,base_url={provider}/v1,max_tokens=200"
    words = ("fork", str(runs), "-k", TRAP, "-a", model, "-n", "8", "-j", "2", "--yes", "-o", "forks")
    process = start_sab(*words, "--budget", "0.1", cwd=tmp_path)
    deadline = time.monotonic() + 60
    while not filed(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.communicate(timeout=60)
    kept = filed(tmp_path)
    assert 0 < len(kept) < 8
    limited = sab(*words, "--budget", "0.1", cwd=tmp_path)
    assert limited.returncode == 3, limited.stderr
    assert 0 < paid(tmp_path) <= 0.1, "what was spent before the kill counts, too"
    done = sab(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert kept <= filed(tmp_path)
    assert len(filed(tmp_path)) == 8


def filed(folder: Path) -> set[tuple[int, str]]:
    """Replays on file; a line that is being written does not count."""
    places = [path.parent for path in folder.glob("forks/*/run.json")]
    return {(one.transcript.run, one.digest) for place in places for one in read_transcripts(place)}


def paid(folder: Path) -> float:
    """Dollars, of replays that broke off as well."""
    places = [path for name in (TRANSCRIPTS, BROKEN, ANSWERS) for path in folder.glob(f"forks/*/{name}")]
    return sum(float(cost) for path in places for cost in re.findall(r'"cost":([\d.e-]+)', path.read_text()))
