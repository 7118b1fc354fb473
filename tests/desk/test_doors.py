"""Doors: in each of them a turn that is over is over, and no agent decides whose fault a break was."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from conversations import CASES, job_on
from supportagentbench.desk import Desk
from supportagentbench.desk.doors import process
from supportagentbench.desk.doors.process import Isolation
from supportagentbench.desk.doors.thread import ThreadSeat
from supportagentbench.desk.session import DeskSession
from supportagentbench.jobs.run import run_job
from supportagentbench.models.prices import dollars, price_table
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.records.usage import Usage
from supportagentbench.storage.archive import find_runs, read_errors, read_header
from supportagentbench.storage.inventory import Inventory
from supportagentbench.storage.transcripts import read_transcripts

CASE = "cancel_before_ship-1"
ORDER = CASES.cases[CASE].subject

AGENTS = f"""
import asyncio, threading
from pathlib import Path
from supportagentbench import AgentFailure, ModelError, Problem, Usage

CANCEL = ("cancel_order", {{"order": "{ORDER}", "reason": "late"}})

class LateTask:
    async def reply(self, turns, desk):
        asyncio.get_running_loop().call_soon(lambda: desk.call(*CANCEL))
        return "Shall I cancel it?"

class LaterTask:
    async def reply(self, turns, desk):
        self.kept = [*getattr(self, "kept", ()), asyncio.create_task(self.later(desk))]
        return "Shall I cancel it?"

    async def later(self, desk):
        for _ in range(3):
            await asyncio.sleep(0)
        desk.call(*CANCEL)

class LateThread:
    def __init__(self):
        self.gone, self.helpers = threading.Event(), []

    def reply(self, turns, desk):
        self.helpers.append(threading.Thread(target=self.later, args=(desk,), daemon=True))
        self.helpers[-1].start()
        return "Shall I cancel it?"

    def later(self, desk):
        self.gone.wait()
        Path("said").write_text(desk.call(*CANCEL).text)

    def leave(self):
        self.gone.set()
        for helper in self.helpers:
            helper.join()

class KeepsDesk:
    async def reply(self, turns, desk):
        self.kept = getattr(self, "kept", desk)
        found = self.kept.call("find_order", {{"order": "{ORDER}"}})
        return f"{{found.ok}}: shall I cancel it?"

class KeepsDeskInThread(KeepsDesk):
    def reply(self, turns, desk):
        self.kept = getattr(self, "kept", desk)
        found = self.kept.call("find_order", {{"order": "{ORDER}"}})
        return f"{{found.ok}}: shall I cancel it?"

class MixesDesks(KeepsDesk):
    async def reply(self, turns, desk):
        self.kept = getattr(self, "kept", desk)
        self.kept.call("find_order", {{"order": "{ORDER}"}})
        return "Shall I? " + desk.call("track_parcel", {{"tracking": "nonsense"}}).text

class Reports:
    cached = {{"prompt_tokens_details": {{"cached_tokens": 300}}}}
    usage = {{"prompt_tokens": 900, "completion_tokens": 80, **cached}}

    async def reply(self, turns, desk):
        return self.told(desk)

    def told(self, desk):
        desk.spend(self.usage, model="openai:gpt-5.4-mini")
        desk.spend(self.usage, model="gpt-5.4-mini", cost=0.25)
        desk.spend(model="of-my-own", input_tokens=900, output_tokens=80)
        return f"{{[tool.name for tool in desk.tools] == [*dict(desk.tools)]}} {{len(desk.tools)}}"

class ReportsInThread(Reports):
    def reply(self, turns, desk):
        return self.told(desk)

class Miscounts(Reports):
    usage = {{"prompt_tokens": 200, "prompt_tokens_details": {{"cached_tokens": 300}}}}

class MiscountsInThread(ReportsInThread):
    usage = Miscounts.usage

class ClosesJob:
    async def reply(self, turns, desk):
        return "Good morning."

    async def leave(self):
        Path("left").touch()

    @staticmethod
    async def aclose():
        Path("closed").touch()

class CannotLeave(ClosesJob):
    def leave(self):
        raise ValueError("stuck")

    @staticmethod
    async def aclose():
        raise ValueError("open for ever")

class QuitsAtTheEnd(ClosesJob):
    async def leave(self):
        raise SystemExit("gone")

ERRORS = {{
    "budget": AgentFailure("budget", "none left"),
    "provider_error": AgentFailure("provider_error", "503"),
    "ModelError": ModelError("budget", "none left", Usage("m")),
    "Problem": Problem("the disk is full"),
}}

class Blames:
    error = "budget"
    async def reply(self, turns, desk):
        raise ERRORS[self.error]

class BlamesInThread(Blames):
    def reply(self, turns, desk):
        raise ERRORS[self.error]

class BlamesModel(Blames):
    error = "ModelError"

class BlamesModelInThread(BlamesInThread):
    error = "ModelError"

class BlamesHarness(Blames):
    error = "Problem"

class BlamesWhenMade:
    def __init__(self):
        raise ERRORS["ModelError"]
    def reply(self, turns, desk): ...
"""

DOORS = [pytest.param(None, id="same process"), pytest.param(Isolation(), id="own process")]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "clerks.py").write_text(AGENTS)
    monkeypatch.setenv("PYTHONPATH", str(Path(process.__file__).parents[3]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def talk(agent: str, isolation: Isolation | None) -> Transcript:
    job = job_on(CASE, [f"clerks.py:{agent}"], out=Path("runs"), isolation=isolation)
    asyncio.run(run_job(job))
    (run,) = find_runs([Path("runs")])
    (filed,) = read_transcripts(run)
    return filed.transcript


@pytest.mark.parametrize("isolation", DOORS)
@pytest.mark.parametrize("agent", ["LateTask", "LaterTask", "LateThread"])
def test_a_call_after_the_reply_is_refused_and_on_record(agent: str, isolation: Isolation | None) -> None:
    found = talk(agent, isolation)
    places = [place for place, turn in enumerate(found.turns) if turn.party == "agent"]
    assert len(places) > 1
    assert all(not turn.calls for turn in found.turns), "nothing was carried out"
    assert sorted(one.turn for one in found.refused) == places, "also the one after the last turn"
    for one in found.refused:
        assert (one.tool, one.arguments) == ("cancel_order", {"order": ORDER, "reason": "late"})
        assert one.why == "late" or one.during > one.turn


@pytest.mark.parametrize("isolation", DOORS)
def test_a_late_thread_is_told_that_it_is_late(folder: Path, isolation: Isolation | None) -> None:
    talk("LateThread", isolation)
    assert "turn is over" in (folder / "said").read_text()


@pytest.mark.parametrize("isolation", DOORS)
@pytest.mark.parametrize("agent", ["KeepsDesk", "KeepsDeskInThread"])
def test_a_call_through_the_desk_of_another_turn_is_foreign(agent: str, isolation: Isolation | None) -> None:
    found = talk(agent, isolation)
    replies = [turn for turn in found.turns if turn.party == "agent"]
    assert replies[0].text.startswith("True") and len(replies[0].calls) == 1
    assert all(turn.text.startswith("False") and not turn.calls for turn in replies[1:])
    noted = [(one.turn, one.why, one.during) for one in found.refused]
    assert noted == [(1, "foreign", place) for place in range(3, len(found.turns), 2)] and noted


@pytest.mark.parametrize("isolation", DOORS)
def test_each_call_gets_its_own_answer_whatever_else_is_asked(isolation: Isolation | None) -> None:
    replies = [turn for turn in talk("MixesDesks", isolation).turns if turn.party == "agent"]
    assert len(replies) > 1 and all("No parcel has" in turn.text for turn in replies)


@pytest.mark.parametrize("isolation", DOORS)
@pytest.mark.parametrize(
    "agent",
    ["Blames", "BlamesInThread", "BlamesModel", "BlamesModelInThread", "BlamesHarness", "BlamesWhenMade"],
)
def test_whose_fault_it_was_is_not_the_agents_to_say(agent: str, isolation: Isolation | None) -> None:
    ending = talk(agent, isolation).ending
    assert (ending.kind, ending.cause) == ("broke", "agent_error")
    (run,) = find_runs([Path("runs")])
    (error,) = read_errors(run)
    assert "raise ERRORS[" in error.traceback


@pytest.mark.parametrize("isolation", DOORS)
@pytest.mark.parametrize("agent", ["Reports", "ReportsInThread"])
def test_tokens_that_an_agent_reports_are_priced_if_their_model_is_known(
    agent: str, isolation: Isolation | None
) -> None:
    turn = talk(agent, isolation).turns[1]
    table = dollars(Usage("", input=600, cache_read=300, output=80), "openai", "gpt-5.4-mini")
    assert [(one.model, one.input, one.cache_read, one.cost, one.cost_by) for one in turn.usage] == [
        ("openai:gpt-5.4-mini", 600, 300, table, "table"),
        ("gpt-5.4-mini", 600, 300, 0.25, ""),
        ("of-my-own", 900, 0, None, ""),
    ]
    assert turn.text == f"True {len(CASES.tools)}", "the tools are a list, and a dictionary"
    (run,) = find_runs([Path("runs")])
    assert read_header(run).prices == price_table()
    inventory = Inventory(run, read_header(run))
    inventory.read()
    assert inventory.cost == 0, "none of it is spent from a budget of ours"


@pytest.mark.parametrize("isolation", DOORS)
@pytest.mark.parametrize("agent", ["Miscounts", "MiscountsInThread"])
def test_counts_that_cannot_be_right_are_an_error_that_names_them(
    agent: str, isolation: Isolation | None
) -> None:
    ending = talk(agent, isolation).ending
    assert ending.cause == "agent_error"
    assert ending.detail == (
        "Problem: the agent reported usage that cannot be stored (expected at least 300 tokens, those of the "
        "cache, in `prompt_tokens`); give whole numbers of tokens, and None only for a cost that is unknown."
    )


@pytest.mark.parametrize("isolation", DOORS)
def test_an_agent_may_be_told_of_the_end(
    folder: Path, isolation: Isolation | None, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = talk("ClosesJob", isolation).turns
    assert (folder / "left").exists() and (folder / "closed").exists()
    for agent, words in (("CannotLeave", "stuck"), ("QuitsAtTheEnd", "gone")):
        (folder / "runs").rename(f"before {agent}")
        assert talk(agent, isolation).turns == kept
        said = capsys.readouterr().err
        assert words in said
        assert ("open for ever" in said) == (agent == "CannotLeave" and isolation is None)


def test_a_reply_that_outlives_its_deadline_can_do_nothing_more() -> None:
    session, late = DeskSession(CASES.desk_for(CASES.cases[CASE])), []

    def hangs(turns: Sequence[Turn], desk: Desk) -> str:
        time.sleep(0.2)
        late.append(desk.call("hand_over", {"reason": "too late"}).text)
        return "Done."

    async def one() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(ThreadSeat(hangs).reply([], session.open_turn()), 0.05)
        session.close_turn()
        await asyncio.sleep(0.4)

    asyncio.run(one())
    assert session.ticket == "open" and "turn is over" in late[0]
    assert [call.tool for call in session.end().listed] == ["hand_over"]


def test_a_function_that_returns_a_coroutine_can_use_its_desk() -> None:
    session = DeskSession(CASES.desk_for(CASES.cases[CASE]))

    async def later(desk: Desk) -> str:
        return str(desk.call("find_order", {"order": ORDER}).ok)

    reply = ThreadSeat(lambda turns, desk: later(desk)).reply([], session.open_turn())
    assert asyncio.run(asyncio.wait_for(reply, 5)) == "True"
