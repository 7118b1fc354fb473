"""Object agents: what can be imported again is a name, anything else is taken as it is."""

import linecache
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from supportagentbench.agents.code_agent import CodeAgent
from supportagentbench.agents.object_agent import (
    MADE_WITH,
    NO_SOURCE,
    OWN_SOURCE_ONLY,
    ObjectAgent,
    asked_agent,
)
from supportagentbench.agents.own_agent import OwnDoor
from supportagentbench.agents.resolve import resolve
from supportagentbench.agents.source import source_of
from supportagentbench.agents.spec import AgentSpec, Surroundings
from supportagentbench.desk.doors.process import Isolation
from supportagentbench.records.problem import Problem

MINE = """
import os

class Mine:
    async def reply(self, turns, desk):
        return "Hello."

def answer(desk, conversation):
    return "Hello."

def made(words):
    class Made:
        async def reply(self, turns, desk):
            return words
    return Made
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    (tmp_path / "own_module.py").write_text(MINE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "own_module", raising=False)
    return import_module("own_module")


def script(text: str, file: str | None, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """What a program or a notebook is while it runs: the module `__main__`, whose file may be nowhere."""
    running = ModuleType("__main__")
    if file:
        running.__file__ = file
    monkeypatch.setitem(sys.modules, "__main__", running)
    place = file or f"<cell {len(linecache.cache)}>"
    if not file:
        linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)
    exec(compile(text, place, "exec"), running.__dict__)
    return running


def test_what_can_be_imported_is_its_name(module: ModuleType) -> None:
    assert asked_agent(module.Mine) == "own_module:Mine"
    assert asked_agent(module.answer) == "own_module:answer"
    assert isinstance(resolve("own_module:Mine"), CodeAgent)
    assert asked_agent("oracle") == "oracle" and asked_agent(resolve("oracle")) == resolve("oracle")


def test_what_is_hidden_behind_another_of_its_name_is_an_object(module: ModuleType) -> None:
    first = module.Mine
    module.Mine = type("Mine", (), {})  # type: ignore[attr-defined]
    found = asked_agent(first)
    assert isinstance(found, ObjectAgent) and found.made is first


@pytest.mark.parametrize("name", ["Mine", "answer"])
def test_of_a_running_script_the_file_is_known(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "script.py"
    file.write_text(MINE)
    running = script(MINE, str(file), monkeypatch)
    found = asked_agent(getattr(running, name))
    assert isinstance(found, ObjectAgent) and found.shown == name
    assert (found.version().source, found.version().unseen) == (source_of(str(file)), "")
    file.write_text(MINE + "\n# changed\n")
    assert found.version().source != source_of(__file__) and found.version().source["script.py"]


def test_what_a_function_made_may_hold_anything(module: ModuleType) -> None:
    found = asked_agent(module.made("Hello."))
    assert isinstance(found, ObjectAgent)
    version = found.version()
    assert [*version.source] == ["own_module.py"] and version.unseen == MADE_WITH


@pytest.mark.parametrize("name", ["Mine", "answer"])
def test_in_a_notebook_only_its_own_source_is_known(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = (MINE, MINE.replace("Hello", "Hi"), MINE)
    before, other, again = (asked_agent(getattr(script(one, None, monkeypatch), name)) for one in cells)
    assert (
        isinstance(before, ObjectAgent) and isinstance(other, ObjectAgent) and isinstance(again, ObjectAgent)
    )
    assert before.version() == again.version() != other.version()
    assert [*before.version().source] == [name] and before.version().unseen == OWN_SOURCE_ONLY


def test_of_some_objects_nothing_is_known() -> None:
    hidden: dict[str, Any] = {}
    exec("def typed(seed): ...", hidden)
    for one in (hidden["typed"], partial(hidden["typed"], 1)):
        found = asked_agent(one)
        assert isinstance(found, ObjectAgent) and found.shown == "typed"
        assert (found.version().source, found.version().unseen) == ({}, NO_SOURCE)
        assert found.mistrusts_stored == NO_SOURCE


FRAMEWORK = """
from functools import partial
from supportagentbench.desk.doors.framework import FrameworkAgents

def careful(desk, tools): ...

class Maker:
    name = "Otto"
    def __call__(self, desk, tools): ...

def on_desk(make, **options):
    return FrameworkAgents(make, make, **options)

agent = on_desk(careful)
unnamed = on_desk(lambda desk, tools: None)
others = [
    on_desk(careful), on_desk(lambda desk, tools: None), on_desk(Maker()), on_desk(Maker),
    on_desk(partial(careful, model="other")), on_desk(careful, max_turns=3),
]
"""


def test_what_is_on_a_desk_is_called_as_its_author_called_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "framework_script.py"
    file.write_text(FRAMEWORK)
    running = script(FRAMEWORK, str(file), monkeypatch)
    found = [asked_agent(one) for one in (running.agent, running.unnamed, *running.others)]
    specs = [one for one in found if isinstance(one, ObjectAgent)]
    names = ["careful", "unnamed", "careful", "lambda", "Otto", "Maker", "careful", "careful"]
    assert [one.shown for one in specs] == names
    assert {tuple(one.version().source) for one in specs} == {("framework_script.py",)}
    unseen = ["", "", "", "", MADE_WITH, "", MADE_WITH, MADE_WITH]
    assert [one.version().unseen for one in specs] == unseen
    before = specs[0].version()
    file.write_text(FRAMEWORK + "\n# changed\n")
    assert specs[0].version() != before


def test_an_agent_of_a_framework_that_can_be_imported_is_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "framework_module.py").write_text(FRAMEWORK)
    monkeypatch.syspath_prepend(str(tmp_path))
    module = import_module("framework_module")
    assert asked_agent(module.agent) == "framework_module:agent"
    assert asked_agent(module.unnamed) == "framework_module:unnamed"
    monkeypatch.delitem(sys.modules, "framework_module")


def test_it_can_be_given_another_name() -> None:
    found = replace(ObjectAgent("Mine", made=lambda seed: None), given="v2")
    assert (found.shown, found.version().given, found.runs_own_code) == ("v2", "Mine", True)
    assert found.isolation_in(None) == "none" and found.prices


class Whole:
    async def reply(self, turns: object, desk: object) -> str:
        return "Hello."


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (Whole(), "is one object, and each conversation needs its own; give its class"),
        (None, "the agent 'NoneType' is not a class or function"),
        (7, "the agent 'int' is not a class or function"),
        (type("Mute", (), {}), "the agent 'Mute' is a class without a method `reply(self, turns, desk)`"),
        (type("Silent", (Whole,), {}), "Silent is another agent's name"),
    ],
)
def test_what_is_no_agent_is_refused_before_it_runs(made: object, words: str) -> None:
    found = asked_agent(made)
    assert isinstance(found, AgentSpec)
    for work in (found.check, lambda: found.open(Surroundings(None))):
        with pytest.raises(Problem) as caught:
            work()
        assert words in str(caught.value)


def test_it_cannot_be_isolated() -> None:
    agent: Callable[[Any], None] = lambda seed: None  # noqa: E731
    found = asked_agent(agent)
    assert isinstance(found, ObjectAgent) and isinstance(found.open(Surroundings(None)), OwnDoor)
    with pytest.raises(Problem, match="another process cannot import it; put it into a Python file"):
        found.check(Isolation())
