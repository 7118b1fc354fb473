"""`sab diff` and `sab gate` as a builder uses them: save, edit, red, fix, green."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from commands import alone, sab
from filed import FEW, failed, file_run, solved

AGENT = """
from supportagentbench.agents.resolve import resolve
from supportagentbench.agents.spec import Surroundings
from supportagentbench.world.folder import read_world

Agent = resolve("{name}").open(Surroundings(read_world("northline")))
"""

SET = ("--set", "damaged_no_proof")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a baseline of the oracle on a trap and its twin."""
    folder = tmp_path_factory.mktemp("saved")
    assert sab("run", "oracle", *SET, "--runs", "2", "--out", "before", cwd=folder).returncode == 0
    done = sab("gate", "--save", "baseline.json", "before", cwd=folder)
    saved, hint = done.stdout.splitlines()
    assert saved == "baseline.json: 2 cases, 2 runs of oracle" and done.returncode == 0
    assert hint == "Few runs of the traps; for 10: sab gate oracle --save baseline.json"
    return folder


@pytest.fixture
def shop(saved: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(saved, tmp_path / "shop")


def test_diff_ends_with_100_if_one_case_of_an_agent_that_repeats_itself_flips(tmp_path: Path) -> None:
    file_run(tmp_path / "before", "mine", 1, map(solved, FEW))
    file_run(tmp_path / "after", "mine", 1, [failed(FEW[0]), *map(solved, FEW[1:])])
    worse = sab("diff", "before", "after", cwd=tmp_path)
    assert worse.returncode == 100 and "Newly unsafe: 1 case" in worse.stdout


def test_diff_ends_with_101_if_it_cannot_tell_and_with_0_if_no_worse(shop: Path) -> None:
    sab("run", "complies", *SET, "--runs", "2", "--out", "after", cwd=shop)
    worse = sab("diff", "before", "after", cwd=shop)
    assert "2 newly unsafe" in worse.stdout and worse.returncode == 101
    better = sab("diff", "after", "before", "--markdown", cwd=shop)
    assert better.returncode == 0 and better.stdout.startswith("### No worse: 0 newly unsafe")
    found = json.loads(sab("diff", "before", "after", "--json", cwd=shop).stdout)
    assert found["record"] == "diff/1"


def test_a_gate_runs_the_agent_and_holds(shop: Path) -> None:
    (shop / "sab.toml").write_text('[gate]\nunsafe = "no new"\n')
    done = sab("gate", "oracle", "--baseline", "baseline.json", "--strict", cwd=shop)
    assert done.returncode == 0 and "Gate held" in done.stdout, done.stdout + done.stderr
    assert (shop / "runs/gate/0001/oracle-1/run.json").exists()


def test_a_gate_stops_at_the_first_new_case_and_only_failed_takes_up_from_there(shop: Path) -> None:
    (shop / "sab.toml").write_text('[gate]\nbaseline = "baseline.json"\nunsafe = "no new"\n')
    red = sab("gate", "complies", "-x", "-j", "1", "--junit", "out/gate.xml", cwd=shop)
    assert red.returncode == 100, red.stdout + red.stderr
    assert "after 1 of 4 conversations" in red.stdout and (shop / "out/gate.xml").exists()
    green = sab("gate", "oracle", "--only", "failed", cwd=shop)
    assert green.returncode == 0 and "after 3 of 3 conversations" in green.stdout
    assert sab("gate", "oracle", "-k", "twin", cwd=shop).stdout.count("1 of 1 conversation.") == 1


COUNTING = """
import os, pathlib
from supportagentbench.agents.resolve import resolve
from supportagentbench.agents.spec import Surroundings
from supportagentbench.world.folder import read_world

make = resolve("oracle").open(Surroundings(read_world("northline")))
began = pathlib.Path("began.txt")

def Agent(seed):
    count = len(began.read_text()) if began.exists() else 0
    if count == 2 and "DIES" in os.environ:
        os.kill(os.getpid(), 9)
    began.write_text("." * (count + 1))
    return make(seed)
"""


def test_a_killed_gate_is_resumed_and_no_finished_conversation_is_run_again(shop: Path) -> None:
    (shop / "counting.py").write_text(COUNTING)
    words = ("gate", "counting.py:Agent", "-j", "1", "--baseline", "baseline.json", "--trust")
    assert alone(*words, cwd=shop, DIES="yes").returncode == -9
    done = alone(*words, cwd=shop)
    assert "runs/gate/0001: resumed, 2 of 4 conversations are done" in done.stderr
    assert done.returncode == 0 and "after 4 of 4 conversations" in done.stdout
    assert (shop / "began.txt").read_text() == "....", "two before the kill, two after"
    assert "resumed" not in alone(*words, cwd=shop).stderr and (shop / "runs/gate/0002").is_dir()


def test_a_rule_without_conversations_is_undecided_which_only_strict_gates_mind(shop: Path) -> None:
    """The default rules ask for over-escalation, and this set has no case for it."""
    words = ("gate", "before", "--baseline", "baseline.json")
    assert "Gate undecided" in sab(*words, cwd=shop).stdout
    assert [sab(*words, *more, cwd=shop).returncode for more in ((), ("--strict",))] == [0, 101]


def test_an_agent_is_run_as_a_baseline_needs_it_and_a_killed_one_goes_on(shop: Path) -> None:
    (shop / "sab.toml").write_text('[run]\nset = "damaged_no_proof,tracking-1"\nseed = 4\n')
    (shop / "counting.py").write_text(COUNTING)
    words = ("gate", "counting.py:Agent", "--save", "ten.json", "-j", "1", "--trust", "--display", "none")
    assert alone(*words, cwd=shop, DIES="yes").returncode == -9 and not (shop / "ten.json").exists()
    done = alone(*words, cwd=shop)
    assert done.stdout == "ten.json: 3 cases, 1 run of counting.py:Agent; 1 trap, 10 runs\n", done
    assert len((shop / "began.txt").read_text()) == 3 + 9
    made = json.loads((shop / "ten.json").read_text())
    assert made["results"]["unsafe"] == {"damaged_no_proof-1": "0" * 10} and made["seed"] == 4
    assert made["results"]["over_escalation"] == {"tracking-1": "0" + "-" * 9}
    held = alone("gate", "counting.py:Agent", "--baseline", "ten.json", "--trust", cwd=shop)
    assert "after 5 of 5 conversations" in " ".join(held.stdout.split()) and held.returncode == 0, held


def test_an_incomplete_baseline_is_not_saved(shop: Path) -> None:
    (shop / "broken.py").write_text("def reply(desk, conversation): raise ValueError('no')")
    done = sab("gate", "broken.py", "--save", "new.json", "--display", "none", cwd=shop)
    assert done.returncode == 5 and not (shop / "new.json").exists(), done
    assert "was not saved" in done.stderr


def test_an_unsafe_action_that_comes_again_stops_the_pipeline_without_strict(shop: Path) -> None:
    (shop / "sab.toml").write_text('[gate]\nbaseline = "one.json"\nunsafe = "no new"\n')
    sab("gate", "--save", "one.json", "before/oracle-1", cwd=shop)
    done = sab("gate", "complies", "--display", "none", cwd=shop)
    assert done.returncode == 101 and "Gate stopped" in done.stdout, done
    assert "again in 10 of 10 reruns; 0 of 1 before, too few" in " ".join(done.stdout.split())


def test_an_earlier_version_is_run_again_for_suspicious_cases(shop: Path) -> None:
    (shop / "sab.toml").write_text('[gate]\nbaseline = "baseline.json"\nunsafe = "no new"\n')
    done = sab("gate", "complies", "--before", "oracle", "--display", "none", cwd=shop)
    assert done.returncode == 100, done.stdout
    assert "again in 5 of 5 reruns, 0 of 10 before" in " ".join(done.stdout.split())


def test_stored_runs_are_held_to_the_same_rules(shop: Path) -> None:
    assert sab("gate", "before", "--baseline", "baseline.json", cwd=shop).returncode == 0


def test_on_github_there_are_annotations_and_a_summary(shop: Path) -> None:
    done = sab(
        *("gate", "complies", "-x", "--baseline", "baseline.json"),
        cwd=shop,
        GITHUB_ACTIONS="true",
        GITHUB_STEP_SUMMARY=str(shop / "summary.md"),
    )
    assert "\n::error title=Unsafe actions" in done.stdout
    assert (shop / "summary.md").read_text().startswith("### Gate failed")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("gate", "before"), "a gate needs a baseline"),
        (("gate", "before", "--baseline", "none.json"), "no such baseline"),
        (("gate", "before", "--baseline", "baseline.json", "--only", "passed"), "use --only failed"),
        (("gate", "before", "--baseline", "baseline.json", "--only", "failed"), "no result of an earlier"),
        (("gate", "before", "--baseline", "baseline.json", "-k", "nothing"), "no case is left"),
        (("gate", "nobody", "--baseline", "baseline.json"), "nobody"),
        (("gate", "oracle", "complies", "--baseline", "baseline.json"), "or one agent"),
        (("gate", "before", "--config", "none.toml", "--baseline", "baseline.json"), "no such file"),
        (("diff", "before", "before"), "on both sides"),
        (("diff", "before", "none"), "no such folder"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(shop: Path, words: tuple[str, ...], said: str) -> None:
    done = sab(*words, cwd=shop)
    assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr, done


def test_init_edit_gate_red_fix_gate_green(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent of one's own that is edited: nothing of an earlier version is taken for the new one."""
    agent = shop / "my_agent.py"
    for name, code in (("oracle", 0), ("complies", 100), ("oracle", 0)):
        agent.write_text(AGENT.format(name=name))
        monkeypatch.delitem(sys.modules, "my_agent", raising=False)
        done = sab("gate", "my_agent.py:Agent", "-x", "--baseline", "baseline.json", cwd=shop)
        assert done.returncode == code, done.stdout + done.stderr
