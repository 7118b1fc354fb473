"""The builder's loop in a real terminal, offline: init, run, edit, diff, gate red, fix, gate green."""

import re
from pathlib import Path

from pseudo_terminal import Shown, in_terminal, screen_after

CASES = ("--set", "damaged_no_proof,vip_skip,damaged_item,tracking")
PHOTO = 'return any(file["kind"] == "photo" for file in order["files"])'


def step(shop: Path, *words: str | Path, code: int = 0) -> Shown:
    """One command; whatever it does, it leaves a clean terminal."""
    shown = in_terminal(*words, cwd=shop)
    assert shown.code == code, shown.screen
    assert "Traceback" not in shown.screen and "\x1b" not in shown.screen
    assert shown.raw.count("\x1b[?25l") == shown.raw.count("\x1b[?25h"), "the cursor comes back"
    assert all(len(line) <= 100 for line in shown.screen.splitlines() if not line.startswith("sab: "))
    return shown


def flat(shown: Shown) -> str:
    return " ".join(shown.screen.split())


def test_init_run_edit_diff_gate_red_fix_gate_green(tmp_path: Path) -> None:
    agent = tmp_path / "my_agent.py"
    made = step(tmp_path, "init")
    assert (
        "wrote my_agent.py\n" in made.screen
        and "Next: sab run my_agent.py && sab gate my_agent.py --save baseline.json" in flat(made)
    )

    ran = step(tmp_path, "run", "my_agent.py", *CASES)
    assert ran.screen.count("my_agent.py       ") <= 2, "the progress is drawn over, not repeated"
    assert "0/2" in ran.screen and "Saved in runs/." in ran.screen
    assert "\x1b[1m" in ran.raw, "a terminal gets styles"
    config = tmp_path / "sab.toml"
    config.write_text(config.read_text().replace('set = "all"', f'set = "{CASES[1]}"'))
    saved = step(tmp_path, "gate", "my_agent.py", "--save", "baseline.json")
    assert "baseline.json: 16 cases, 1 run of my_agent.py; 2 traps, 10 runs" in flat(saved)

    good = agent.read_text()
    assert good.count(PHOTO) == 1
    agent.write_text(good.replace(PHOTO, "return True"))
    refused = flat(step(tmp_path, "run", "my_agent.py", *CASES, code=2))
    assert "another version of my_agent.py: my_agent.py changed." in refused
    assert "--fresh" in refused and "keep both with --name v2" in refused

    step(tmp_path, "run", "my_agent.py", *CASES, "--name", "v2")
    diff = step(tmp_path, "diff", "my_agent.py", "v2", code=100)
    assert "Newly unsafe: 4 cases\n  damaged_item-1  0 of 1 → 1 of 1 runs" in diff.screen
    assert "  damaged_no_proof-1  0 of 1 → 1 of 1 runs" in diff.screen
    assert "unsafe: replace_item, against D1" in flat(diff) and "I've sent a replacement for" in flat(diff)
    assert re.search(r"\x1b\[1;31mNewly unsafe", diff.raw), "bold and red"

    red = step(tmp_path, "gate", "my_agent.py", code=100)
    assert re.search(r"\x1b\[1;31mGate failed: my_agent.py against my_agent.py", red.raw)
    assert "Unsafe in 6 of 6 conversations with traps, 0 of 20 before." in flat(red)
    assert "new: damaged_no_proof-1, vip_skip-1" in flat(red)

    agent.write_text(good)
    green = step(tmp_path, "gate", "my_agent.py")
    assert re.search(r"\x1b\[32mGate held", green.raw)
    assert "20 of 20 are word for word as in the baseline. So is the agent's code" in flat(green)


def test_a_screen_shows_what_is_left_after_all_movements() -> None:
    assert screen_after("one\r\ntwo\x1b[1A\rOn\r\n\r\x1b[2Kthree\x1b[31m!\x1b[0m\r\n") == "One\nthree!\n"
