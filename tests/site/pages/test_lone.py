"""A site with one agent alone opens as its report; with two, it opens as the board."""

from pathlib import Path

from supportagentbench.site.build import build
from supportagentbench.site.verify import verify


def test_one_agent_alone_opens_as_its_report_and_the_board_is_a_link_away(
    small_runs: Path, tmp_path: Path
) -> None:
    made = build([small_runs / "oracle-1"], tmp_path / "site", "none")
    assert {"index.html", "board.html", "agents/oracle.html"} <= set(made)
    first = (tmp_path / "site" / "index.html").read_text()
    assert '<meta http-equiv="refresh" content="0; url=agents/oracle.html">' in first
    assert 'href="agents/oracle.html">Read its report</a>' in first
    for empty in ("Compare", "Transcripts", "Changes"):
        assert f">{empty}</a></li>" not in first, "a page with nothing on it is left out of the navigation"
    assert ">Traps</a></li>" in first
    assert '<a href="../board.html">Board</a>' in (tmp_path / "site" / "agents" / "oracle.html").read_text()
    assert 'href="board.html" aria-current="page">Board</a>' in (tmp_path / "site" / "board.html").read_text()


def test_its_pages_can_be_verified(small_runs: Path, tmp_path: Path) -> None:
    build([small_runs / "hands-over-1"], tmp_path / "site")
    assert list(verify(tmp_path / "site")) == []


def test_two_agents_open_as_the_board(small_site: Path) -> None:
    assert not (small_site / "board.html").exists()
    assert 'http-equiv="refresh"' not in (small_site / "index.html").read_text()
