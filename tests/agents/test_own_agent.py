"""Anybody's agent: a class, a factory or a plain function, sync or async, by file or by module."""

import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from conversations import CASES, WORLD, job_on
from supportagentbench.agents.load import load_agent
from supportagentbench.agents.own_agent import seated
from supportagentbench.agents.resolve import resolve
from supportagentbench.agents.spec import Surroundings
from supportagentbench.desk import Desk
from supportagentbench.desk.doors import process
from supportagentbench.desk.doors.process import Isolation, check_loading
from supportagentbench.desk.session import DeskSession
from supportagentbench.jobs.run import run_job
from supportagentbench.records.case import Case
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
from supportagentbench.records.transcript import Turn
from supportagentbench.storage.archive import find_runs
from supportagentbench.storage.transcripts import read_transcripts

ANSWERS = """
def answer(desk, turns):
    found = desk.call("find_order", {"email": turns[0].sender.email})
    return f"{found.ok}, {len(turns)}, {len(desk.tools)}"
"""
"""What every agent below says: whatever its form, the record has to be the same."""

FORMS = {
    "an async class": "class Mine:\n"
    "    def __init__(self, seed): ...\n"
    "    async def reply(self, turns, desk): return answer(desk, turns)",
    "a class without a seed": "class Mine:\n"
    "    async def reply(self, turns, desk): return answer(desk, turns)",
    "a class that blocks": "class Mine:\n    def reply(self, turns, desk): return answer(desk, turns)",
    "a class with the desk first": "class Mine:\n"
    "    def reply(self, desk, conversation): return answer(desk, conversation)",
    "a plain function": "def reply(desk, conversation): return answer(desk, conversation)",
    "an async function": "async def reply(desk, conversation): return answer(desk, conversation)",
    "a function in the other order": "def reply(turns, desk): return answer(desk, turns)",
    "a function of another name": "def shop_bot(desk, conversation): return answer(desk, conversation)",
    "a factory": "class _Mine:\n"
    "    async def reply(self, turns, desk): return answer(desk, turns)\n"
    "def make(seed): return _Mine()",
    "one called agent, among others": "class Other:\n"
    "    async def reply(self, turns, desk): return 'no'\n"
    "def agent(desk, conversation): return answer(desk, conversation)",
    "beside another's Agent": "from supportagentbench import Agent\n"
    "class Mine:\n    async def reply(self, turns, desk): return answer(desk, turns)",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTHONPATH", str(Path(process.__file__).parents[3]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def conversations(agent: str, out: str, isolation: Isolation | None = None) -> list[bytes]:
    asyncio.run(
        run_job(job_on("damaged_no_proof", [agent], out=Path(out), concurrency=2, isolation=isolation))
    )
    (run,) = find_runs([Path(out)])
    return sorted(to_json(filed.transcript.turns) for filed in read_transcripts(run))


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    place = tmp_path_factory.mktemp("expected")
    (place / "bot.py").write_text(ANSWERS.replace("def answer", "def reply").replace("turns", "conversation"))
    found = conversations(f"{place}/bot.py", f"{place}/runs")
    assert all(b"True, 1, 11" in line for line in found)
    return found


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_agent_is_found_by_its_file_alone(
    form: str, folder: Path, expected: list[bytes]
) -> None:
    (folder / "bot.py").write_text(f"from bot_helper import answer\n{FORMS[form]}\n")
    (folder / "bot_helper.py").write_text(ANSWERS)
    assert conversations("bot.py", "runs") == expected


@pytest.mark.parametrize("form", ["a class that blocks", "an async function", "a factory"])
def test_the_same_forms_work_behind_the_wall(form: str, folder: Path, expected: list[bytes]) -> None:
    (folder / "bot.py").write_text(f"from bot_helper import answer\n{FORMS[form]}\n")
    (folder / "bot_helper.py").write_text(ANSWERS)
    assert conversations("bot.py", "runs", Isolation()) == expected


@pytest.mark.parametrize(
    ("code", "name", "words"),
    [
        (
            "class One:\n    def reply(self, turns, desk): ...\nclass Two(One): ...",
            "bot.py",
            "bot.py: has several agents: One, Two; give one, as bot.py:One or bot.py:Two.",
        ),
        (
            "import json\ndef helper(text): ...",
            "bot.py",
            "has no agent; it needs a class with `reply`",
        ),
        ("class Mine: ...", "bot.py:Mine", "is a class without a method `reply(self, turns, desk)`"),
        ("class Mine:\n    def reply(self): ...", "bot.py", "takes (self); write `reply(self, turns, desk)`"),
        ("def reply(a, b, c): ...", "bot.py:reply", "takes (a, b, c); it has to be a class with `reply`"),
        (
            "class M:\n    def reply(self, turns, desk): ...\nagent = M()",
            "bot.py",
            "needs its own; give its class",
        ),
        ("x = 3", "bot.py:x", "is not a class or function"),
        ("x = 3", "bot.py:Mine", "bot.py has no 'Mine'; it has x."),
        ("x = 3", "bot", "no agent is called 'bot'; for the file write bot.py."),
        ("def reply(:", "bot.py", "SyntaxError: invalid syntax (bot.py, line 1)"),
        ("\nopen('nowhere')", "bot.py", "No such file or directory: 'nowhere'"),
        ("x = {}\nx['key']", "bot.py", "KeyError: 'key' (bot.py, line 2)"),
        ("raise SystemExit(3)", "bot.py", "SystemExit: 3 (bot.py, line 1)"),
        ("import no_such_library", "bot.py", "No module named 'no_such_library'"),
    ],
)
def test_what_cannot_be_an_agent_is_said_in_one_sentence(
    code: str, name: str, words: str, folder: Path
) -> None:
    (folder / "bot.py").write_text(code)
    with pytest.raises(Problem) as near:
        resolve(name).open(Surroundings(WORLD))
    assert words in str(near.value) and "\n" not in str(near.value)


def test_the_wall_says_the_same_sentence(folder: Path) -> None:
    (folder / "bot.py").write_text(FORMS["one called agent, among others"].replace("agent(", "bot("))
    with pytest.raises(Problem) as near:
        resolve("bot.py").open(Surroundings(WORLD))
    with pytest.raises(Problem) as far:
        asyncio.run(check_loading("bot.py", Isolation(), 60))
    assert str(near.value) == str(far.value)


def test_a_factory_that_makes_no_agent_ends_the_conversation_with_the_reason(folder: Path) -> None:
    (folder / "bot.py").write_text("def make(seed): return 'hello'")
    assert conversations("bot.py", "runs")
    (run,) = find_runs([Path("runs")])
    endings = {filed.transcript.ending.detail for filed in read_transcripts(run)}
    assert endings == {"bot.py made a str, which has no method `reply`"}


def test_replies_that_block_run_side_by_side() -> None:
    def sleepy(turns: Sequence[Turn], desk: Desk) -> str:
        time.sleep(0.3)
        return "Good morning."

    async def four() -> None:
        agent, desk = seated(sleepy), DeskSession(CASES.desk_for(_case())).open_turn()
        await asyncio.gather(*(agent.reply([], desk) for _ in range(4)))

    started = time.monotonic()
    asyncio.run(four())
    assert time.monotonic() - started < 0.9


def _case() -> Case:
    return CASES.cases["damaged_no_proof-1"]


@pytest.mark.parametrize(
    "line", ["agent = Agent()", "support = Agent()", "class Own(Agent): ...\nagent = Own()"]
)
def test_a_framework_s_agent_as_it_is_is_told_its_page(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pydantic_ai.py").write_text("class Agent: ...\n")
    (tmp_path / "unadapted.py").write_text(f"from pydantic_ai import Agent\n{line}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Problem, match=r"docs/bring/pydantic-ai\.md says how .* `on_desk`"):
        load_agent(str(tmp_path / "unadapted.py"))
    monkeypatch.delitem(sys.modules, "pydantic_ai")
