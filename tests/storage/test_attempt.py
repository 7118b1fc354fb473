"""An attempt's own folder: a new one each time, unless the same one was cut short."""

from pathlib import Path

from msgspec.structs import replace

from supportagentbench.records.agent_version import AgentVersion
from supportagentbench.records.attempt import AttemptPlan
from supportagentbench.storage.attempt import PLAN, end_attempt, open_attempt

ONE = AttemptPlan("mine", AgentVersion({"mine.py": "aa"}), ("tracking-1", "tracking-2"), 3, "baseline")

OTHERS = (
    replace(ONE, version=AgentVersion({"mine.py": "bb"})),
    replace(ONE, agent="other"),
    replace(ONE, cases=("tracking-2", "tracking-1")),
    replace(ONE, runs=4),
    replace(ONE, baseline="another"),
    replace(ONE, package="0.0.1"),
)


def test_an_attempt_that_was_cut_short_is_taken_up_and_one_that_ended_is_not(tmp_path: Path) -> None:
    root = tmp_path / "runs" / "gate"
    first = open_attempt(root, ONE)
    (root / "last.json").write_text("{}")
    assert open_attempt(root, ONE) == first == root / "0001"
    end_attempt(first)
    assert open_attempt(root, ONE) == root / "0002"


def test_whatever_differs_begins_a_new_attempt(tmp_path: Path) -> None:
    open_attempt(tmp_path, ONE)
    assert [open_attempt(tmp_path, other).name for other in OTHERS] == [f"000{n}" for n in range(2, 8)]
    assert open_attempt(tmp_path, ONE).name == "0008", "only the last attempt can be taken up"


def test_a_plan_that_cannot_be_read_is_another_one(tmp_path: Path) -> None:
    (open_attempt(tmp_path, ONE) / PLAN).write_text('{"record": "attempt/')
    assert open_attempt(tmp_path, ONE).name == "0002"
