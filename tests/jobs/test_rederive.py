"""Whatever a run records can be played again: every desk, customer, agent and ending, and forks of them."""

import json
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from msgspec.structs import replace

from commands import sab
from forged import forged, model_run, of_customer
from supportagentbench.fake_provider.faults import Faults
from supportagentbench.jobs.rederive import rederive
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.runner.conversation import INTERRUPTED
from supportagentbench.storage.archive import find_runs, read_header
from supportagentbench.storage.transcripts import read_transcripts

AGENTS = '''
class Endless:
    """Never stops calling, and writes all the same."""

    def __init__(self, seed):
        self.seed = seed

    async def reply(self, turns, desk):
        try:
            while True:
                desk.call("find_order", {"order": "#1"})
        except Exception:
            return "I went on."


class Wordy:
    """Gives a tool more than it takes."""

    def __init__(self, seed):
        self.seed = seed

    async def reply(self, turns, desk):
        desk.call("find_order", {"order": "#" + "1" * 300_000})
        return "I could not find it."


class Late:
    """Keeps its first desk, calls through it later, and breaks in the end."""

    desk = None

    def __init__(self, seed):
        self.first = None

    async def reply(self, turns, desk):
        if self.first is None:
            self.first = desk
            return "One moment, I am looking into it."
        self.first.call("find_order", {"order": "#1"})
        desk.call("find_order", "not JSON")
        if len(turns) > 4:
            raise ValueError("over")
        return "Still looking. " * 2_000
'''


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789-secret")


def differences(runs: Path, sources: Path | None = None) -> list[str]:
    folders = find_runs([runs])
    found = rederive(folders[:1], [sources] if sources else [])
    assert [run.obstacle for run in found] == [""]
    assert sum(run.conversations for run in found) == sum(1 for _ in read_transcripts(folders[0]))
    return [words for run in found for words in run.differences]


@pytest.mark.parametrize("asked", [{"channel": "chat"}, {"desk": "handbook"}, {"seed": 7, "case_seeds": "3"}])
def test_every_desk_and_draw_is_played_again(asked: dict[str, Any], tmp_path: Path) -> None:
    model_run(tmp_path, **asked)
    assert differences(tmp_path) == []


def test_a_customer_of_a_model_is_played_again_as_far_as_code_decides(tmp_path: Path) -> None:
    model_run(tmp_path / "runs", customer="openai:gpt-4o", faults=Faults(server_error=0.2, retry_after=0.01))
    assert differences(tmp_path / "runs") == []
    (run,) = find_runs([tmp_path / "runs"])

    def hears_more(turn: Turn) -> Turn:
        assert turn.conduct
        heard = replace(turn.conduct.heard, refuses=not turn.conduct.heard.refuses)
        return replace(turn, conduct=replace(turn.conduct, heard=heard))

    def claims_a_quote(turn: Turn) -> Turn:
        assert turn.conduct
        return replace(turn, conduct=replace(turn.conduct, shown={"refuses": "never said by anybody"}))

    for number, change in enumerate((hears_more, claims_a_quote)):
        forged(run, tmp_path / f"{number}" / run.name, of_customer(change))
        found = differences(tmp_path / f"{number}")
        assert found
        assert all("(customer) has another conduct" in one for one in found)


@pytest.mark.parametrize("agent", ["Endless", "Late", "Wordy"])
def test_agents_that_misbehave_are_played_again(agent: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(AGENTS)
    words = ("--set", "damaged_no_proof", "--customer", "scripted", "--out", tmp_path / "runs")
    sab("run", f"{tmp_path}/mine.py:{agent}", *words)
    assert differences(tmp_path / "runs") == []


def test_what_a_kill_leaves_is_played_again(tmp_path: Path) -> None:
    sab("run", "complies", "--set", "damaged_no_proof", "--out", tmp_path / "runs")

    def killed(one: Transcript) -> Transcript:
        """As it is on file if the job ended right after the first change."""
        place = next(at for at, turn in enumerate(one.turns) if any(call.result.wrote for call in turn.calls))
        calls = one.turns[place].calls
        upto = next(at for at, call in enumerate(calls) if call.result.wrote) + 1
        turns = (*one.turns[:place], Turn("agent", "", calls=calls[:upto]))
        return replace(one, turns=turns, ending=INTERRUPTED)

    def unlabelled(one: Transcript) -> Transcript:
        return replace(killed(one), label=replace(one.label, bans=()))

    source = tmp_path / "runs" / "complies-1"
    forged(source, tmp_path / "1" / "mine-1", killed, clock=False, agent="mine")
    assert differences(tmp_path / "1") == []
    forged(source, tmp_path / "2" / "mine-1", unlabelled, clock=False, agent="mine")
    assert len(differences(tmp_path / "2")) == 2


def test_forks_are_taken_again_from_their_conversations(tmp_path: Path) -> None:
    sab("run", "complies", "--set", "damaged_no_proof", "--out", tmp_path / "runs")
    words = ("--at", "damaged_no_proof-1:1", "--with", "proof=shown", "--agents", "oracle", "--replays", "1")
    sab("fork", tmp_path / "runs", *words, "--out", tmp_path / "forks", "--display", "none")
    assert differences(tmp_path / "forks", tmp_path / "runs") == []
    (run,) = find_runs([tmp_path / "forks"])
    without = rederive([run], [])[0]
    assert (without.conversations, without.left_out) == (0, 2)
    assert "were taken from are not here" in without.obstacle
    copy = Path(copytree(run, tmp_path / "forged" / run.name))
    header = json.loads((copy / "run.json").read_text())
    header["forks"][0]["rule"] = "blind"
    header["forks"][0]["action"] = "0" * 16
    (copy / "run.json").write_text(json.dumps(header))
    point = read_header(copy).forks[0].id
    assert f"oracle run 1: the fork {point} is not the one that its recorded conversation gives." in (
        differences(tmp_path / "forged", tmp_path / "runs")
    )
