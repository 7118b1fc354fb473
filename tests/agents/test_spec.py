"""What an agent is: every kind by its name, what each declares, and a kind that nobody else knows of."""

import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Self

import pytest

from commands import sab
from supportagentbench.agents import resolve as resolver
from supportagentbench.agents.code_agent import CodeAgent
from supportagentbench.agents.model_agent import ModelAgent
from supportagentbench.agents.resolve import refuse_reserved, resolve
from supportagentbench.agents.shipped import CAST, SHIPPED, ShippedAgent, named, shipped_agent
from supportagentbench.agents.spec import AgentSpec, Surroundings
from supportagentbench.agents.tool_loop import PROMPT
from supportagentbench.customer.choice import MODELS
from supportagentbench.desk import Desk, Door
from supportagentbench.desk.doors.house import HouseDoor
from supportagentbench.desk.doors.process import Isolation, ProcessDoor
from supportagentbench.jobs.customer import customer_for
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.models.provider import PROVIDERS
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Turn
from supportagentbench.storage.archive import headers_of
from supportagentbench.world.folder import World

MODEL = "openai:gpt-5.4,effort=high,base_url=http://127.0.0.1:1/v1"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (MODEL, ModelAgent),
        ("local:tiny", ModelAgent),
        ("oracle", ShippedAgent),
        ("by-the-book", ShippedAgent),
        ("capacity:believes,dose=0.3", ShippedAgent),
        ("my_agent.py", CodeAgent),
        ("my_agent.py:Mine", CodeAgent),
        ("shop.desk:Mine", CodeAgent),
    ],
)
def test_a_name_means_one_kind_and_travels_as_plain_data(name: str, kind: type[AgentSpec]) -> None:
    spec = resolve(name)
    assert type(spec) is kind and spec.name == name
    assert pickle.loads(pickle.dumps(spec)) == spec


@pytest.mark.parametrize(
    ("name", "declared"),
    [
        (MODEL, "is_name_reserved can_resume_within_reply model"),
        ("gemini:gemini-3.5-flash", "is_name_reserved model"),
        ("oracle", "knows_world has_known_words is_name_reserved"),
        ("capacity:believes,dose=0.3", "knows_world has_known_words is_name_reserved"),
        ("my_agent.py:Mine", "runs_own_code has_turn_limit"),
    ],
)
def test_each_kind_declares_what_it_can_and_may(name: str, declared: str) -> None:
    spec = resolve(name)
    flags = ("knows_world", "runs_own_code", "has_turn_limit", "has_known_words", "is_name_reserved")
    found = {flag for flag in (*flags, "can_resume_within_reply", "model") if getattr(spec, flag)}
    assert found == set(declared.split())


def test_a_models_spec_says_what_a_header_stores() -> None:
    spec = resolve(MODEL)
    assert spec.shown == "openai:gpt-5.4,effort=high" and spec.model == MODEL
    assert spec.host == "127.0.0.1:1" and spec.sampling["effort"] == "high" and spec.prices
    assert spec.version().prompt == PROMPT and not spec.version().given
    assert ModelAgent(MODEL, given="v2").version().given == "openai:gpt-5.4,effort=high"


def test_others_store_no_server_and_no_settings_and_own_code_has_prices(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def reply(desk, conversation):\n    return ''\n")
    for name in ("oracle", str(file)):
        spec = resolve(name)
        assert (spec.host, spec.sampling, spec.version().prompt) == ("", {}, "")
        assert bool(spec.prices) is (name != "oracle")
    assert not resolve("oracle").version().source and [*resolve(str(file)).version().source] == ["mine.py"]
    assert CodeAgent(str(file), given="v2").version().given == str(file)


def test_only_own_code_is_isolated() -> None:
    kinds = {name: resolve(name).isolation_in(Isolation()) for name in (MODEL, "oracle", "a.py:A")}
    assert kinds == {MODEL: "", "oracle": "", "a.py:A": "process"}
    assert resolve("a.py:A").isolation_in(None) == "none"
    assert isinstance(resolve("a.py:A").open(Surroundings(None, isolation=Isolation())), ProcessDoor)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("orcale", "oracle"), ("refrence", "reference"), ("capacty", "capacity"), ("nobody", "file.py")],
)
def test_a_name_that_nobody_has_is_refused_with_the_nearest(name: str, hint: str) -> None:
    with pytest.raises(Problem, match=hint):
        resolve(name)


def test_a_file_without_its_ending_is_pointed_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").touch()
    with pytest.raises(Problem, match=r"write bot\.py"):
        resolve("bot")


def test_an_own_name_is_nobody_elses() -> None:
    (spec,) = JobSpec("northline", ("shop:Mine",), name="v2").agent_specs()
    assert (spec.name, spec.shown) == ("shop:Mine", "v2")
    for taken in ("oracle", "Oracle", "capacity:believes,dose=0.3", MODEL):
        with pytest.raises(Problem, match="--name"):
            refuse_reserved(taken)
    with pytest.raises(Problem, match="one agent"):
        JobSpec("northline", ("oracle", "silent"), name="v2").agent_specs()


def test_shipped_agents_are_called_as_they_call_themselves(northline: World) -> None:
    for name in named(["cast", "reference", "capacity"]):
        assert type(resolve(name)) is ShippedAgent
        assert resolve(name).open(Surroundings(northline))(seed=0)
    for name in CAST:
        agent = shipped_agent(name)(northline, 0)
        assert agent.character.name == name  # type: ignore[attr-defined]
    assert set(named(["cast", "reference"])) == set(SHIPPED)


def test_the_customer_suits_what_the_agents_declare(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in PROVIDERS.values():
        for variable in provider.keys:
            monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    chosen = {
        name: customer_for("auto", [resolve("oracle"), resolve(name)]).name for name in ("silent", "a:B")
    }
    assert chosen == {"silent": "scripted", "a:B": next(one for one in MODELS if one.startswith("openai:"))}
    assert customer_for("auto", [resolve(MODEL)]).name == "scripted"  # The key may be for that server.


def test_neither_a_shipped_agent_nor_a_client_is_imported_before_it_is_wanted() -> None:
    code = (
        "import sys, supportagentbench.agents, supportagentbench.agents.child as child\n"
        "later = 'aiohttp', 'supportagentbench.calibration'\n"
        "print([one for one in sys.modules if one.startswith(later)])\n"
        "import supportagentbench.agents.resolve\n"
        "print([one for one in sys.modules if one.startswith('supportagentbench.calibration')])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[]", "[]"]


class Parrot:
    """Says what it was opened with."""

    def __init__(self, words: str, seed: int) -> None:
        self.words = words

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        return self.words


class ParrotAgent(AgentSpec):
    """A kind of agent that only this test knows."""

    has_turn_limit: ClassVar[bool] = True
    has_known_words: ClassVar[bool] = True

    @classmethod
    def of(cls, name: str) -> Self | None:
        return cls(name) if name.startswith("parrot:") else None

    @property
    def title(self) -> str:
        return "parrot"

    @property
    def host(self) -> str:
        return "parrots.example"

    def _open(self, around: Surroundings) -> Door:
        assert around.world is None, "it has not declared that it may know the world"
        return HouseDoor(lambda seed: Parrot(self.name.removeprefix("parrot:"), seed))


def test_a_new_kind_is_one_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolver, "KINDS", (ParrotAgent, *resolver.KINDS))
    done = sab("run", "parrot:Hello there.", "oracle", "--set", "tracking-1", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (header,) = headers_of(tmp_path / "runs", "parrot")
    assert (header.isolation, header.hosts) == ("", {"agent": "parrots.example"})
    (stored,) = (tmp_path / "runs").glob("parrot*/transcripts.jsonl")
    assert "Hello there." in stored.read_text()
