"""Whoever has the pages can check them: everything on them follows from the conversations they hold."""

import shutil
from pathlib import Path

import pytest

from pictures import png
from supportagentbench.records.problem import Problem
from supportagentbench.site.build import Extras, build
from supportagentbench.site.verify import verify


@pytest.fixture
def copy(small_site: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small_site, tmp_path / "site"))


def test_a_site_as_it_was_built_is_borne_out(small_site: Path) -> None:
    assert list(verify(small_site)) == []


def test_what_was_changed_by_hand_and_what_does_not_belong_there_is_found(copy: Path) -> None:
    page = copy / "index.html"
    page.write_text(page.read_text().replace("oracle", "0racle", 1))
    (copy / "data" / "extra.js").write_text("1")
    assert sorted(verify(copy)) == [
        "data/extra.js is in the folder but is not built from its conversations.",
        "index.html differs from what its conversations give.",
    ]


def test_a_picture_may_be_drawn_by_another_library_but_is_a_picture(copy: Path) -> None:
    share = copy / "share"
    (share / "index.png").write_bytes(png(1200, 630))
    assert list(verify(copy)) == []
    (share / "desk.png").write_bytes(png(1200, 631))
    (share / "traps.png").write_bytes(png(1200, 630) + b"<script>")
    (share / "method.png").unlink()
    (share / "more.png").write_bytes(png(1200, 630))
    assert sorted(verify(copy)) == [
        "share/desk.png has 1200 × 631 pixels, and a picture for sharing has 1200 × 630.",
        "share/method.png is missing.",
        "share/more.png is in the folder but is not built from its conversations.",
        "share/traps.png: is a damaged PNG, or has something after its end; export it again.",
    ]


def test_a_conversation_that_was_changed_is_found(copy: Path) -> None:
    bundle = copy / "data" / "t" / "damaged_no_proof-1" / "complies.js"
    bundle.write_text(bundle.read_text().replace("Done, ", "Never, ", 1))
    with pytest.raises(Problem, match=r"complies\.js.*does not match its digest"):
        list(verify(copy))


def test_a_conversation_that_was_taken_out_is_found(copy: Path) -> None:
    (copy / "data" / "t" / "damaged_no_proof-1" / "complies.js").unlink()
    assert "index.html differs from what its conversations give." in list(verify(copy))


def test_without_conversations_nothing_can_be_recomputed(small_runs: Path, tmp_path: Path) -> None:
    build([small_runs], tmp_path / "site", "none")
    with pytest.raises(Problem, match="cannot be recomputed; build it with --transcripts all"):
        list(verify(tmp_path / "site"))


def test_a_folder_that_is_no_site_is_named(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"has no data/manifest\.json"):
        list(verify(tmp_path))


def test_written_reports_and_an_earlier_board_are_part_of_what_is_verified(
    small_runs: Path, tmp_path: Path
) -> None:
    prose = tmp_path / "prose"
    prose.mkdir()
    (prose / "oracle.md").write_text(
        "By: Robin\n\n## Bottom line\n\nIt resolved {{resolution}} of what it could.\n"
    )
    now, before = [small_runs / "oracle-1", small_runs / "complies-1"], (small_runs / "oracle-2",)
    build(now, tmp_path / "site", extras=Extras(prose, before))
    assert "It resolved" in (tmp_path / "site" / "agents" / "oracle.html").read_text()
    assert "complies" in (tmp_path / "site" / "changes.html").read_text()
    assert list(verify(tmp_path / "site")) == []
    (tmp_path / "site" / "data" / "prose" / "oracle.md").write_text(
        "By: Robin\n\n## Bottom line\n\nIt is very good.\n"
    )
    assert "agents/oracle.html differs from what its conversations give." in list(verify(tmp_path / "site"))


def test_pages_on_forks_are_part_of_what_is_verified(fork_site: Path, tmp_path: Path) -> None:
    assert list(verify(fork_site)) == []
    copy = Path(shutil.copytree(fork_site, tmp_path / "site"))
    (page,) = (copy / "forks").glob("*.t1.*.html")
    page.write_text(page.read_text().replace("3 of 3", "2 of 3", 1))
    (copy / "data" / "t" / page.stem / "oracle.js").unlink()
    found = list(verify(copy))
    assert f"forks/{page.name} differs from what its conversations give." in found
    assert "forks.html differs from what its conversations give." in found
