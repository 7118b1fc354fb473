"""pytest plugin: `pytest --sab my_shop.py` runs an agent's conversations as one job, with one test per case.

The rest of this package is imported only if `--sab`, or `sab` in pytest's configuration, names an agent, so
unrelated test suites are not slowed down.
"""

import os
import shlex
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from supportagentbench.board.gate_rules import GateRule
    from supportagentbench.jobs.agent_tests import AgentTests


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options: an agent, its cases, and the number of runs."""
    about = "a support agent to test, such as my_shop.py or my_shop.py:MyAgent"
    group = parser.getgroup("sab", "SupportAgentBench")
    group.addoption("--sab", metavar="AGENT", default="", help=about)
    group.addoption("--sab-set", metavar="CASES", default="", help="core, twins, all, case types or cases")
    group.addoption("--sab-world", metavar="FOLDER", default="", help="a world that is not shipped")
    group.addoption("--sab-customer", metavar="MODEL", default="", help="who plays the customer")
    group.addoption("--sab-runs", metavar="N", type=int, default=0, help="runs per case")
    group.addoption(
        "--sab-trust", action="store_true", help="run the agent's code in this process, not in separate ones"
    )
    group.addoption(
        "--sab-keep-env",
        metavar="NAME",
        action="append",
        default=[],
        help="environment variable, such as a key, that the agent's code gets; repeatable",
    )
    group.addoption(
        "--sab-resume",
        action="store_true",
        help="in a pipeline: resume killed tests, whose results are stored",
    )
    parser.addini("sab", about, default="")


def pytest_configure(config: pytest.Config) -> None:
    """Load the rest, if there is an agent to test."""
    agent = config.getoption("--sab") or config.getini("sab")
    if not agent:
        return
    if config.getoption("numprocesses", None):
        raise pytest.UsageError("--sab runs all conversations as one job, many at a time; leave out -n.")
    config.pluginmanager.register(AgentPlugin(agent), "sab-agent")


class AgentPlugin:
    """Adds the tests of an agent to those that were collected."""

    def __init__(self, agent: str) -> None:
        self._agent = agent
        self._where = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Runs before deselection, so that `-k` and `--lf` apply to these tests, too."""
        from supportagentbench.records.problem import Problem
        from supportagentbench.terminal.escape import on_one_line

        try:
            tests = agent_tests(self._agent, session.config)
        except Problem as problem:
            raise pytest.UsageError(on_one_line(f"sab: {problem}")) from None
        name = tests.spec.shown  # Without an address, which a report must not have.
        group = AgentGroup.from_parent(session, name=name, nodeid=name)
        group.tests = tests
        items += session.genitems(group)
        self._where = group.where
        report = session.config.pluginmanager.get_plugin("terminalreporter")
        for line in (*tests.settings, *tests.servers):
            (report.write_line if report else print)(on_one_line(f"sab: {line}"))

    def pytest_report_collectionfinish(self) -> list[str]:
        """Say where the agent's code runs."""
        return [self._where] if self._where else []


def agent_tests(agent: str, config: pytest.Config) -> "AgentTests":
    """The tests of an agent; what a file of pytest's names is neither code nor an address."""
    from supportagentbench.agents.resolve import is_known_agent
    from supportagentbench.customer.choice import is_known_customer
    from supportagentbench.jobs.agent_tests import AgentTests
    from supportagentbench.records.origin import FileOrigin
    from supportagentbench.storage.pipeline import in_pipeline
    from supportagentbench.world.folder import is_shipped_world

    origin = FileOrigin(config.inipath or "pytest's configuration")

    def checked(option: str, name: str, is_known: Callable[[str], bool]) -> str:
        if not name or is_typed(config, option, name):
            return name
        field = "addopts" if config.getoption(option) else "sab"
        return origin.accept(field, name, is_known(name), f"add {option}")

    return AgentTests(
        checked("--sab", agent, is_known_agent),
        config.getoption("--sab-set"),
        config.getoption("--sab-runs"),
        checked("--sab-world", config.getoption("--sab-world"), is_shipped_world),
        checked("--sab-customer", config.getoption("--sab-customer"), is_known_customer),
        keep_env=typed_variables(config, origin.place),
        trust=bool(config.getoption("--sab-trust")) and "--sab-trust" in typed_words(config),
        resume=bool(config.getoption("--sab-resume")) or not in_pipeline(),
    )


def typed_variables(config: pytest.Config, place: "Path | str") -> list[str]:
    """The variables that the agent's code gets; a file of pytest's may not name them."""
    from supportagentbench.records.problem import Problem

    names: list[str] = config.getoption("--sab-keep-env")
    for name in names:
        if not is_typed(config, "--sab-keep-env", name):
            typed = f"--sab-keep-env {shlex.quote(name)}"
            raise Problem(f"`addopts` may not hand variables to the agent; type it: {typed}", place=place)
    return names


def typed_words(config: pytest.Config) -> list[str]:
    """What the user gave: on the command line, or in the environment."""
    return [*map(str, config.invocation_params.args), *shlex.split(os.environ.get("PYTEST_ADDOPTS", ""))]


def is_typed(config: pytest.Config, option: str, value: str) -> bool:
    """Whether the user gave an option this value: on the command line, or in the environment."""
    words = typed_words(config)
    return f"{option}={value}" in words or (option, value) in pairwise(words)


class AgentGroup(pytest.Collector):
    """All tests of one agent; the first one runs the conversations of all of them."""

    tests: "AgentTests"
    _is_run = False
    _problem: Exception | None = None
    """Why nothing could be run."""

    @property
    def where(self) -> str:
        """Where the agent's code runs, in a sentence; empty if it has none."""
        from supportagentbench.records.run import ISOLATIONS

        kind = self.tests.isolation
        return f"sab: the code of {self.name} runs {ISOLATIONS[kind]}" if kind else ""

    def collect(self) -> Iterator[pytest.Item]:
        """A test per case, then one per rule of the gate."""
        for case in self.tests.cases:
            yield CaseTest.from_parent(self, name=case)
        for rule in self.tests.rules:
            test = RuleTest.from_parent(self, name=f"rule-{rule.metric.name}")
            test.rule = rule
            yield test

    def run_once(self) -> "AgentTests":
        """The tests, after the conversations of all selected cases have finished."""
        if not self._is_run:
            self._is_run = True
            chosen = [one.name for one in self.session.items if isinstance(one, CaseTest)]
            try:
                self.tests.run(chosen or self.tests.cases)
            except Exception as error:
                self._problem = error
        if self._problem:
            raise self._problem
        return self.tests


class NotHandled(Exception):
    """A case or a rule failed; the message is for people."""


def sentence(words: str) -> str:
    """Words that a provider or an agent may have a part in, for a terminal or a build log."""
    from supportagentbench.terminal.escape import for_log, on_one_line

    return for_log(on_one_line(words))


class AgentTest(pytest.Item):
    """A test of an agent."""

    @property
    def group(self) -> AgentGroup:
        """The agent's tests."""
        assert isinstance(self.parent, AgentGroup)
        return self.parent

    def ran(self) -> "AgentTests":
        """The agent's tests, after all conversations; what kept them from running is one sentence."""
        from supportagentbench.records.problem import Problem

        try:
            return self.group.run_once()
        except Problem as problem:
            pytest.fail(sentence(f"sab: {problem}"), pytrace=False)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any) -> Any:
        """The conversation, instead of a traceback through this package."""
        from supportagentbench.records.problem import Problem
        from supportagentbench.terminal.escape import for_log

        if isinstance(excinfo.value, NotHandled | Problem):
            return for_log(str(excinfo.value))
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[str, None, str]:
        """The location that pytest prints for the test."""
        return self.group.name, None, f"{self.group.name}: {self.name}"


class CaseTest(AgentTest):
    """One case. It is an error, not a failure, if there is no conversation to judge the agent by."""

    def setup(self) -> None:
        """Have all conversations run, and check that this one was."""
        if why := self.ran().unmeasured(self.name):
            pytest.fail(sentence(why), pytrace=False)

    def runtest(self) -> None:
        """Fail with the text of the conversation."""
        from supportagentbench.terminal.conversation import failure_text

        if why := failure_text(self.ran(), self.name):
            raise NotHandled(why)


class RuleTest(AgentTest):
    """One rule of the gate: skipped if it is undecided or noted, an error if conversations are missing."""

    rule: "GateRule"

    def setup(self) -> None:
        """Have all conversations run, and check that the rule could be applied."""
        found = self.ran().rule(self.rule.words)
        if found is None or found.status == "incomplete":
            pytest.fail(sentence(found.sentence) if found else "nothing was run", pytrace=False)

    def runtest(self) -> None:
        """Fail with the result of the rule."""
        found = self.ran().rule(self.rule.words)
        assert found
        if found.status in ("undecided", "noted"):
            pytest.skip(sentence(found.all_words))
        if found.status in ("failed", "stopped"):
            raise NotHandled(sentence(f"{found.rule}. {found.all_words}"))
