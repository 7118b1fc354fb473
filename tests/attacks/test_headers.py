"""Headers, conversations and judgements from strangers: the code's own opinion stands, and no traceback.

Attack → before → now:

- Judgements on file in the name of the rule judge (board, site) → they replaced its own → ignored, and said.
"""

from pathlib import Path

import pytest

from commands import sab
from filed import FEW, failed, file_run
from supportagentbench.records.judgement import RULE_JUDGE, Judgement, Opinion
from supportagentbench.results.load import load_run
from supportagentbench.storage.archive import read_judgements
from supportagentbench.storage.transcripts import Filed


def in_the_name_of_the_rule_judge(filed: Filed) -> tuple[Judgement, ...]:
    """Everything was kept, says a stranger, under two versions, each with more lines than conversations."""
    kept = tuple(Opinion(rule, True) for rule in ("resolution", "sentiment", "A1", "D1", "P1"))
    return tuple(
        Judgement(filed.digest, RULE_JUDGE, version, kept, sample)
        for version in ("forged", "")
        for sample in range(3)
    )


@pytest.fixture
def forged(tmp_path: Path) -> Path:
    return file_run(tmp_path / "runs", "steady", 1, map(failed, FEW), in_the_name_of_the_rule_judge)


def test_the_rule_judge_is_never_read_from_a_file(forged: Path, tmp_path: Path) -> None:
    genuine = file_run(tmp_path / "genuine", "steady", 1, map(failed, FEW))
    assert (forged / "judgements.jsonl").read_bytes().count(b"\n") == 6 * len(FEW)
    assert read_judgements(forged) == []
    assert load_run(forged).judgements == load_run(genuine).judgements


@pytest.mark.parametrize("command", ["board", "site"])
def test_judgements_in_its_name_are_reported_once(forged: Path, tmp_path: Path, command: str) -> None:
    words = ["board", forged] if command == "board" else ["site", "build", forged, "-o", tmp_path / "site"]
    done = sab(*words)
    assert done.returncode == 0
    assert done.stderr.count(f"{6 * len(FEW)} judgements in the name of the rule judge ignored") == 1
