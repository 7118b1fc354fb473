"""Ticket pages: written beside their records, and again whenever that is wanted."""

from pathlib import Path

import pytest

from shadow_weeks import SMALL
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
from supportagentbench.site.pages.week import week_page
from supportagentbench.terminal.ticket_pages import write_page, write_pages


def test_the_page_of_a_record_is_beside_it(tmp_path: Path) -> None:
    (tmp_path / "week.json").write_bytes(to_json(SMALL))
    assert write_pages(tmp_path) == [tmp_path / "week.html"]
    assert (tmp_path / "week.html").read_bytes() == week_page(SMALL)


def test_a_page_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "week.json").write_bytes(to_json(SMALL))
    (tmp_path / "week.html").write_text("old")
    assert write_page(tmp_path / "week.json").read_bytes() == week_page(SMALL)


def test_a_folder_without_records_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"has none of week\.json, score\.json, replay\.json"):
        write_pages(tmp_path)


def test_a_record_that_cannot_be_read_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "week.json").write_text('{"record": "shadow_week/1", "world": 3}')
    with pytest.raises(Problem, match="make it again with the same command"):
        write_pages(tmp_path)
