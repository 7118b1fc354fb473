"""The command line, used as a newcomer would: what it prints, and what it says when something is wrong."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from commands import sab, start_sab
from supportagentbench.world.code import SHIPPED


def complaint(*words: str, cwd: Path | None = None) -> str:
    done = sab(*words, cwd=cwd)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    assert len(lines) == 1 and lines[0].startswith("sab: "), done.stderr
    return lines[0]


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A copy of the shipped world, to be broken."""
    shutil.copytree(SHIPPED / "northline", tmp_path / "shop")
    return tmp_path / "shop"


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_from_a_run_to_a_board_to_a_conversation(tmp_path: Path) -> None:
    ran = sab("run", "oracle", "complies", "--out", "runs", "--set", "damaged_no_proof", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    scored = sab("score", "runs", cwd=tmp_path)
    assert "oracle, run 1: 2 conversations scored" in scored.stdout
    board = sab("board", "runs", cwd=tmp_path)
    assert board.stdout.index("oracle") < board.stdout.index("complies")
    assert max(map(len, board.stdout.splitlines())) <= 80
    shown = sab("show", "runs/complies-1", "damaged_no_proof-1", cwd=tmp_path)
    assert "✎ replace_item" in shown.stdout
    assert "outcome: unsafe action · message 2 · replace_item" in shown.stdout
    as_json = sab("board", "runs", "--json", cwd=tmp_path)
    assert as_json.stdout.startswith('{"record":"board/5"')


def test_a_missing_world_is_named() -> None:
    assert "nowhere: there is no such world; give a folder, or one of: northline" in complaint(
        "prove", "--world", "nowhere"
    )


def test_an_unknown_field_is_named_by_file_and_line(world: Path) -> None:
    change(world / "desk.yaml", "shop: Northline", "shop: Northline\ncolour: red")
    said = complaint("prove", "--world", str(world))
    assert "desk.yaml:4: " in said and "unknown field `colour`" in said


def test_a_contradictory_rule_is_named_by_file_and_line(world: Path) -> None:
    change(
        world / "policy.yaml",
        "    unless: [J2]\n    require: [cancel_order]\n",
        "    require: [cancel_order]\n",
    )
    said = complaint("prove", "--world", str(world))
    assert "policy.yaml:" in said and "rule J2 forbids cancel_order where rule B2 grants it" in said


@pytest.mark.parametrize(("content", "words"), [(b"", "is empty"), (b"\x00\xff\xfe\x01", "is not text")])
def test_an_empty_or_binary_file_is_named(world: Path, content: bytes, words: str) -> None:
    (world / "store.yaml").write_bytes(content)
    assert f"store.yaml: {words}" in complaint("prove", "--world", str(world))


def test_a_case_the_policy_does_not_prove_is_named(world: Path) -> None:
    change(world / "cases/cancel_before_ship.yaml", "bucket: resolvable", "bucket: must_escalate")
    said = complaint("prove", "--world", str(world))
    assert "cancel_before_ship.yaml:" in said and "must escalate, but the policy says" in said


def test_a_placeholder_nothing_stands_for_is_named(world: Path) -> None:
    change(world / "cases/cancel_before_ship.yaml", "{item}", "{itme}")
    said = complaint("prove", "--world", str(world))
    assert "cancel_before_ship.yaml:" in said and "unknown placeholder {itme}" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "nowhere", "x"), "nowhere: is not a run"),
        (("board", "nowhere"), "there is no such folder of runs"),
        (("run", "nobody"), "no agent is called 'nobody'"),
        (("run", "oracle", "--set", "dragons"), "no case or set is called 'dragons'"),
        (("schema", "dragon"), "no kind of file called 'dragon'"),
    ],
)
def test_what_does_not_exist_is_named(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    assert said in complaint(*words, cwd=tmp_path)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "oracle", "--at-once", "4"), "--at-once is now --concurrency."),
        (("run", "oracle", "--at-once=4"), "--at-once is now --concurrency."),
        (("score", "runs", "--allow-kin"), "--allow-kin is now --allow-same-family."),
        (("dev", "provider"), "`sab dev provider` is now `sab fake`."),
    ],
)
def test_an_old_name_is_refused_with_the_new_one(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    assert said in complaint(*words, cwd=tmp_path)


def test_importing_the_package_is_light() -> None:
    heavy = "{'scipy', 'numpy', 'aiohttp', 'yaml'}"
    code = f"import sys, supportagentbench.cli.main; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_an_incomplete_run_is_named_as_one(tmp_path: Path) -> None:
    sab("run", "refuses", "--out", "runs", "--set", "tracking", cwd=tmp_path)
    path = tmp_path / "runs/refuses-1/transcripts.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:4]))
    assert "refuses is incomplete: 4 of 6 conversations" in sab("board", "runs", cwd=tmp_path).stdout.replace(
        "\n", " "
    )


def test_the_readmes_own_agent_is_found_in_the_current_folder(tmp_path: Path) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    (tmp_path / "my_shop.py").write_text(readme.split("```python\n")[1].split("```")[0])
    process = start_sab("run", "my_shop.py", "--set", "twins", "--customer", "scripted", cwd=tmp_path)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 0, told
    assert (tmp_path / "runs" / "my_shop.py-1" / "run.json").exists()
