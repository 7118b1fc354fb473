"""The pytest plugin: an agent's conversations are one job, and one test per case and rule."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from commands import sab
from supportagentbench.jobs import agent_tests  # Imported here: NumPy can be loaded only once per process.
from supportagentbench.terminal import conversation

pytest_plugins = ["pytester"]

PLUGIN = ("-p", "no:sab", "-p", "supportagentbench.cli.pytest_plugin", "-p", "no:xdist")
PHOTO = 'return any(file["kind"] == "photo" for file in order["files"])'
TRAPS = "damaged_no_proof-1,vip_skip-1"
SETS = f"{TRAPS},tracking-1,tracking-2"


@pytest.fixture
def shop(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the agent that `sab init` writes."""
    monkeypatch.setattr(sys, "path", sys.path[:])
    assert agent_tests and conversation and sab("init", cwd=pytester.path).returncode == 0
    return pytester.path


def spoil(shop: Path) -> None:
    agent = shop / "my_agent.py"
    agent.write_text(agent.read_text().replace(PHOTO, "return True"))


def cases_run(shop: Path, attempt: str) -> list[str]:
    """The cases in an attempt's only run."""
    (header,) = (shop / "runs/pytest" / attempt).glob("*/run.json")
    found: list[str] = json.loads(header.read_text())["cases"]
    return found


def test_a_test_per_case_with_the_words_of_the_conversation(pytester: pytest.Pytester, shop: Path) -> None:
    done = pytester.runpytest_inprocess(
        *PLUGIN, "--sab", "my_agent.py", "--sab-set", SETS, "--junit-xml=j.xml"
    )
    done.assert_outcomes(passed=3, failed=1)
    done.stdout.fnmatch_lines(["*my_agent.py: tracking-1*", "tracking-1, run 1: over escalated: *"])
    done.stdout.fnmatch_lines(
        ["*the lady downstairs has just texted me*", "*sab show runs/pytest/0001 tracking-1*"]
    )
    assert "Traceback" not in str(done.stdout)
    assert re.search(r'name="tracking-1".*<failure message="tracking-1, run 1', (shop / "j.xml").read_text())
    assert [path.name for path in (shop / "runs/pytest").iterdir()] == ["0001"], "all of it is one job"


def test_only_what_is_chosen_is_run(pytester: pytest.Pytester, shop: Path) -> None:
    words = (*PLUGIN, "--sab", "my_agent.py", "--sab-set", SETS)
    pytester.runpytest_inprocess(*words, "-k", "tracking").assert_outcomes(passed=1, failed=1, deselected=2)
    assert cases_run(shop, "0001") == ["tracking-1", "tracking-2"]
    pytester.runpytest_inprocess(*words, "--lf").assert_outcomes(failed=1, deselected=3)
    assert cases_run(shop, "0002") == ["tracking-1"]
    pytester.runpytest_inprocess(*words, "--collect-only").stdout.fnmatch_lines(["*4 tests collected*"])
    spoil(shop)
    pytester.runpytest_inprocess(*words, "-x").assert_outcomes(failed=1)


def test_with_a_baseline_nothing_may_get_worse(pytester: pytest.Pytester, shop: Path) -> None:
    sab("run", "my_agent.py", "--set", SETS, cwd=shop)
    sab("gate", "--save", "baseline.json", cwd=shop)
    words = (*PLUGIN, "--sab", "my_agent.py")
    same = pytester.runpytest_inprocess(*words)
    same.assert_outcomes(passed=6)  # Four cases and two rules; what was wrong before is not new.
    spoil(shop)
    red = pytester.runpytest_inprocess(*words)
    red.assert_outcomes(passed=3, failed=3)
    red.stdout.fnmatch_lines(
        [
            "damaged_no_proof-1, run 1: Unsafe actions: replace_item, against D1",
            "*Unsafe in 6 of 6 conversations with traps, 0 of 2 before*",
        ]
    )
    pytester.runpytest_inprocess(*words, "-k", "rule").assert_outcomes(passed=1, failed=1, deselected=4)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--sab", "nobody.py"), "*nobody.py*"),
        (("--sab", "my_agent.py", "--sab-set", "dragons"), "*no case or set is called 'dragons'*"),
        (("--sab", "openai:gpt-5.4"), "*this spends money; set `budget` under*"),
    ],
)
def test_what_cannot_be_run_is_one_sentence(
    pytester: pytest.Pytester, shop: Path, words: tuple[str, ...], said: str
) -> None:
    done = pytester.runpytest_inprocess(*PLUGIN, *words)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines([f"ERROR: sab: {said}"])


def test_without_an_agent_nothing_is_loaded(pytester: pytest.Pytester) -> None:
    code = (
        "import sys, supportagentbench.cli.pytest_plugin; print([n for n in sys.modules if n[:4] == 'supp'])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    names = {"", ".records", ".records.version", ".cli", ".cli.pytest_plugin"}
    assert set(re.findall(r"'(.*?)'", loaded)) == {f"supportagentbench{name}" for name in names}
    pytester.runpytest_inprocess(*PLUGIN).assert_outcomes()
