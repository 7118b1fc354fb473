"""What the page on testing an agent of one's own prints works as it is printed, at any shop."""

import re
import shlex
from html import unescape
from pathlib import Path

import pytest

from commands import sab

TOOLSHED = Path(__file__).parents[2] / "worlds" / "toolshed"


def tried(page: Path, monkeypatch: pytest.MonkeyPatch, folder: Path) -> list[str]:
    """Save the code of the page and do what it says; opening a browser is left out, one run is enough."""
    text = page.read_text()
    monkeypatch.chdir(folder)
    [(name, code)] = re.findall(r'<pre data-file="([^"]+)">(.*?)</pre>', text, re.DOTALL)
    Path(name).write_text(unescape(code))
    [commands] = re.findall(r"<pre data-run>(.*?)</pre>", text, re.DOTALL)
    lines = unescape(commands).splitlines()
    for line in lines:
        program, *words = shlex.split(line.replace("--runs 3", "--runs 1"))
        assert program == "sab"
        if words[0] == "run":
            words += ["--display", "none"]
        if words[0] != "open":
            done = sab(*words)
            assert done.returncode == 0, (line, done.stderr)
    return lines


def test_what_is_printed_works(small_site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = tried(small_site / "own.html", monkeypatch, tmp_path)
    assert [line.split()[:2] for line in lines] == [["sab", "run"], ["sab", "site"], ["sab", "open"]]
    assert (tmp_path / "site" / "index.html").is_file()


def test_it_works_at_another_shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs, site = tmp_path / "runs", tmp_path / "pages"
    assert sab("run", "oracle", "--world", TOOLSHED, "--out", runs, "--display", "none").returncode == 0
    assert sab("site", "build", runs, "--out", site).returncode == 0
    work = tmp_path / "work"
    work.mkdir()
    (work / "toolshed").symlink_to(TOOLSHED)
    tried(site / "own.html", monkeypatch, work)
    shown = (site / "own.html").read_text()
    assert "Northline" not in shown and "northline" not in shown
    method = (site / "method.html").read_text()
    assert "Northline" not in method


def test_what_a_run_cost_is_said_only_where_it_is_known(small_site: Path, demo_site: Path) -> None:
    assert "in model fees" not in (small_site / "own.html").read_text()
    shown = (demo_site / "own.html").read_text()
    assert re.search(r"\$[\d.,]+ to \$[\d.,]+ in model fees, at the invented prices of sample", shown)
