"""A gate's own folder: a new one each time, so that no version is taken for another."""

from pathlib import Path

from supportagentbench.terminal.gate_job import fresh_folder


def test_every_gate_has_a_new_folder(tmp_path: Path) -> None:
    root = tmp_path / "runs" / "gate"
    assert [fresh_folder(root).name for _ in range(3)] == ["0001", "0002", "0003"]
    (root / "last.json").write_text("{}")
    assert fresh_folder(root).name == "0004"
