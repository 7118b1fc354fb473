"""From Python: agents that are at hand run in one call, in a script, in a notebook and in an event loop."""

import ast
import asyncio
import linecache
import math
import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Sequence
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

import supportagentbench as sab
from supportagentbench.agents.object_agent import OWN_SOURCE_ONLY
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.desk.doors.framework import FrameworkAgents, FrameworkDesk
from supportagentbench.fake_provider.clerk import Clerk
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.jobs.from_python import run, run_async
from supportagentbench.records.problem import Problem

CASES = ["tracking-1", "damaged_no_proof-1"]


class Mine:
    async def reply(self, turns: Sequence[sab.Turn], desk: sab.Desk) -> str:
        desk.spend(model="gpt-5.4-mini", input_tokens=900, output_tokens=80)
        desk.call("find_order", {"email": turns[0].sender.email if turns[0].sender else ""})
        return "One moment, please."


class Counted(Mine):
    made = 0

    def __init__(self) -> None:
        Counted.made += 1


def plain(desk: sab.Desk, conversation: Sequence[sab.Turn]) -> str:
    return f"It is {threading.current_thread().name}."


class Broken:
    def reply(self, turns: Sequence[sab.Turn], desk: sab.Desk) -> str:
        raise ValueError("no idea")


def test_classes_functions_factories_and_names_run_side_by_side() -> None:
    def factory(seed: int) -> Mine:
        return Mine()

    found = run([Mine, plain, factory, "by-the-book"], CASES)
    assert found.outcome == "complete" and found.why == "" and found.spent == 0
    names = [one.header.agent for one in found.runs]
    assert names == [f"{__name__}:Mine", f"{__name__}:plain", "factory", "by-the-book"]
    assert {verdict.case for verdict in found.verdicts} == {*CASES} and len(found.verdicts) == 8
    assert {agent.name for agent in found.board.agents} == {*names}
    usage = [one for turn in found.transcripts[0].turns for one in turn.usage]
    assert usage[0].cost_by == "table" and usage[0].cost
    assert found.agents_spent == pytest.approx(sum(one.cost or 0 for one in _usage(found)))


def _usage(found: sab.BenchResult) -> list[sab.Usage]:
    return [one for talk in found.transcripts for turn in talk.turns for one in turn.usage]


def test_a_set_two_runs_a_name_and_a_channel_can_be_asked_for() -> None:
    found = run([plain], "damaged_no_proof", runs=2, channel="chat", name="v2", seed=7)
    headers = [one.header for one in found.runs]
    assert [(one.agent, one.run, one.seed, one.channel) for one in headers] == [
        ("v2", 1, 7, "chat"),
        ("v2", 2, 7, "chat"),
    ]
    assert headers[0].ran == f"{__name__}:plain" and headers[0].customer == "scripted"
    assert run("oracle", "claims").runs[0].header.world != "northline", "the world that has these cases"


CELLS = """
class Mine:
    def __init__(self):
        self.words = "One moment, please."

    async def reply(self, turns, desk):
        return self.words
---
result = sab.run([Mine, "oracle"], cases=["tracking-1"])
---
again = await sab.run_async([Mine], "tracking-1")
---
result
"""


async def notebook(cells: str, place: ModuleType) -> object:
    """Cells one after the other in a loop that is running, as a notebook has it; what the last one shows."""
    shown: object = None
    for number, cell in enumerate(cells.strip().split("---\n")):
        name = f"<cell {number}>"
        linecache.cache[name] = (len(cell), None, cell.splitlines(keepends=True), name)
        tree, last = ast.parse(cell), None
        if isinstance(tree.body[-1], ast.Expr):
            last = ast.Expression(tree.body.pop().value)  # type: ignore[attr-defined]
        code = compile(tree, name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        waiting = FunctionType(code, place.__dict__)()
        if asyncio.iscoroutine(waiting):
            await waiting
        shown = eval(compile(last, name, "eval"), place.__dict__) if last else None
    return shown


def test_a_notebook_runs_its_class_with_and_without_await(monkeypatch: pytest.MonkeyPatch) -> None:
    place = ModuleType("__main__")
    place.__dict__["sab"] = sab
    monkeypatch.setitem(sys.modules, "__main__", place)
    shown = asyncio.run(notebook(CELLS, place))
    result: sab.BenchResult = place.__dict__["result"]
    again: sab.BenchResult = place.__dict__["again"]
    assert shown is result and "Mine: " in repr(shown)
    assert [one.header.agent for one in result.runs] == ["Mine", "oracle"]
    assert [one.turns for one in again.transcripts] == [result.transcripts[0].turns]
    version = result.runs[0].header.version
    assert [*version.source] == ["Mine"] and version.unseen == OWN_SOURCE_ONLY


def test_where_a_loop_is_running_the_agent_has_one_of_its_own_unless_it_is_awaited() -> None:
    seen: dict[str, object] = {}

    class Looks:
        async def reply(self, turns: Sequence[sab.Turn], desk: sab.Desk) -> str:
            seen["loop"], seen["thread"] = asyncio.get_running_loop(), threading.current_thread()
            return "One moment, please."

    async def inside() -> None:
        here = asyncio.get_running_loop()
        run([Looks], "tracking-1")
        assert seen["loop"] is not here and seen["thread"] is not threading.current_thread()
        await run_async([Looks], "tracking-1")
        assert seen["loop"] is here and seen["thread"] is threading.current_thread()

    for runner in (asyncio.run, drive):
        runner(inside())


def test_signals_do_afterwards_what_they_did_before() -> None:
    async def inside() -> bool:
        before = signal.getsignal(signal.SIGINT)
        await run_async([plain], "tracking-1")
        return signal.getsignal(signal.SIGINT) == before

    assert asyncio.run(inside())
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("is_inside", [False, True], ids=["in a script", "in a running loop"])
def test_an_interrupt_finishes_what_is_in_flight(is_inside: bool, capsys: pytest.CaptureFixture[str]) -> None:
    pressed: list[int] = []

    class Interrupts:
        async def reply(self, turns: Sequence[sab.Turn], desk: sab.Desk) -> str:
            if not pressed:
                pressed.append(1)
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.sleep(0.3)
            return "One moment, please."

    async def inside() -> sab.BenchResult:
        return run([Interrupts], "core")

    found = asyncio.run(inside()) if is_inside else run([Interrupts], "core")
    assert found.outcome == "interrupted" and 0 < len(found.verdicts) <= 16
    assert all(one.ending.kind != "broke" for one in found.transcripts)
    assert "finishing the conversations in flight" in capsys.readouterr().err


@pytest.mark.parametrize("is_inside", [False, True], ids=["in a script", "in a running loop"])
def test_a_second_interrupt_drops_it(is_inside: bool) -> None:
    class Insists:
        async def reply(self, turns: Sequence[sab.Turn], desk: sab.Desk) -> str:
            for _ in range(2):
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.sleep(0.3)
            await asyncio.sleep(60)
            return ""

    async def inside() -> sab.BenchResult:
        return run([Insists], "tracking-1")

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(inside()) if is_inside else run([Insists], "tracking-1")


def test_runs_without_a_folder_are_gone_with_their_result() -> None:
    found = run([plain], "tracking-1")
    out = found.out
    assert (out / "run.json").exists() or [*out.glob("*/run.json")]
    del found
    assert not out.exists()
    with pytest.raises(Problem):
        run([plain], "no-such-case")


def test_runs_in_a_folder_stay_and_are_resumed(tmp_path: Path) -> None:
    Counted.made = 0
    first = run([Counted], "tracking-1", out=tmp_path / "runs")
    again = run([Counted], "tracking-1", out=str(tmp_path / "runs"))
    assert Counted.made == 1 and again.transcripts == first.transcripts
    run([Counted], "tracking-1", out=tmp_path / "runs", fresh=True)
    assert Counted.made == 2 and (tmp_path / "runs" / "aside").exists()


def test_a_stored_run_is_never_that_of_another_agent(tmp_path: Path) -> None:
    def saying(words: str) -> FrameworkAgents:
        class Talk:
            async def answer(self, messages: Sequence[object]) -> str:
                return words

            async def close(self) -> None: ...

        def make(desk: FrameworkDesk) -> Talk:
            return Talk()

        return FrameworkAgents(make, make)

    out = tmp_path / "runs"
    first = run([saying("One moment.")], "tracking-1", out=out)
    assert first.runs[0].header.agent == "make"
    with pytest.raises(Problem, match="an agent called make, perhaps of another one"):
        run([saying("Good day.")], "tracking-1", out=out)
    for settings in ({"fresh": True}, {"name": "second"}):
        second = run([saying("Good day.")], "tracking-1", out=out, **settings)
        assert second.transcripts[0].turns[1].text == "Good day."
    with pytest.raises(Problem, match="two agents are called make; run one"):
        run([saying("One moment."), saying("Good day.")], "tracking-1")


def test_errors_of_an_agent_are_there_with_their_tracebacks() -> None:
    found = run([Broken], "tracking")
    assert found.outcome == "errors" and len(found.errors) >= 5
    assert 'raise ValueError("no idea")' in found.errors[0].traceback
    assert "errors: " in repr(found)


def test_what_is_no_agent_or_no_case_is_said_before_anything_runs() -> None:
    for agents, cases, words in (
        ([Mine()], "tracking-1", "is one object, and each conversation needs its own"),
        (["orakel"], "tracking-1", "no agent is called 'orakel'"),
        ([Mine], "trakking-1", "trakking-1"),
        ([Mine, Mine, plain], ["tracking-1"], ""),
    ):
        if words:
            with pytest.raises(Problem, match=words):
                run(agents, cases)
        else:
            assert len(run(agents, cases).runs) == 2, "the same one twice is one"


def test_only_what_can_be_imported_can_be_isolated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Problem, match="put it into a Python file"):
        run([lambda seed: Mine()], "tracking-1", isolate=True)
    (tmp_path / "walled.py").write_text("def reply(desk, conversation):\n    return 'Hello.'\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    monkeypatch.syspath_prepend(str(tmp_path))
    import walled  # type: ignore[import-not-found]

    found = run([walled.reply], "tracking-1", isolate=True)
    assert found.runs[0].header.isolation == "process" and found.outcome == "complete"


def test_nothing_is_spent_without_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none-of-yours-123")

    async def asked(budget: float | None) -> sab.BenchResult:
        async with FakeProvider(Clerk()) as provider:
            name = f"openai:gpt-5.4-mini,base_url={provider.url}/v1"
            return await run_async([name], "tracking-1", budget=budget)

    with pytest.raises(Problem, match=r"this asks openai:gpt-5.4-mini, probably for \$0.\d\d to \$\d"):
        asyncio.run(asked(None))
    for none in (-1, float("nan")):
        with pytest.raises(Problem, match="give dollars, such as budget=5"):
            asyncio.run(asked(none))
    for enough in (5, math.inf):
        assert asyncio.run(asked(enough)).spent > 0


def test_a_setting_that_does_not_exist_is_a_mistake() -> None:
    with pytest.raises(TypeError, match="cusotmer"):
        asyncio.run(run_async([Mine], "tracking-1", cusotmer="scripted"))


def test_a_script_runs_its_own_class(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        textwrap.dedent(
            """
            import supportagentbench as sab

            class Mine:
                def reply(self, turns, desk):
                    return "One moment, please."

            found = sab.run([Mine], "tracking-1")
            print(found)
            print(found.runs[0].header.version)
            """
        )
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "script.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert "Mine: needless handovers 0/1" in done.stdout and "'script.py': " in done.stdout
