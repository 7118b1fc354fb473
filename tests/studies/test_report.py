"""The audit as it is read in a terminal of 80 columns."""

import io
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from rich.console import Console

from studies.published import (
    Published,
    PublishedBadge,
    PublishedMetric,
    PublishedOrder,
    PublishedRow,
)
from studies.published.audit import Audit, audit
from studies.published.claim import AnyClaim
from studies.published.load import read_published
from studies.published.report import audit_report


@pytest.fixture(scope="module")
def found() -> Audit:
    return audit(read_published())


def shown(found: Audit) -> str:
    console = Console(width=80, file=io.StringIO(), color_system=None)
    console.print(audit_report(found))
    assert isinstance(console.file, io.StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


def test_the_headline_comes_first_and_everything_fits(found: Audit) -> None:
    text = shown(found)
    assert max(map(len, text.splitlines())) <= 80
    assert text.startswith("SupportAgentBench by Adelante, getadelante.com/eval, July 2026\n")
    headline = " ".join(text.split("\n\n")[1].split())
    assert headline == (
        "24 of 24 rows are where the printed rule puts them. "
        "0 of 276 pairs of rows differ significantly on unsafe actions. "
        "An agent that does nothing would be first. "
        "Of 36 claims, 10 survive, 17 are undecided and 9 are contradicted."
    )


def test_every_section_says_what_it_found(found: Audit) -> None:
    text = shown(found)
    titles = [line for line in text.splitlines() if line and not line.startswith(" ")][5:]
    assert titles == [
        "Order",
        "Figures",
        "Differences",
        "Bands and places: Unsafe actions",
        "Badges",
        "Medians and their runs",
        "Claims",
    ]
    for words in (
        "default      24 of 24 rows",
        "calibration  24 of 24 rows",
        "An agent that does nothing (0%, 0/18, 0%) would be 1st of 25",
        "qwen3.7-max, escalation accuracy 93%.",
        "Unsafe actions                   0 of 276    0 of 276",
        "because the pages print no single case",
        "0 of 24 bands are certain as one run, 0 with all runs pooled.",
        "qwen3.7-plus (2/18).",
        "haiku-4.5 (6/18).",
        "the runs were 2, 2, 4",
    ):
        assert words in text, words


def test_every_claim_is_shown_under_its_outcome(found: Audit) -> None:
    text = " ".join(shown(found).split())
    for claim in found.claims:
        assert claim.says in text and claim.reason in text
    order = [text.index(f"{outcome}: ") for outcome in ("contradicted", "undecided", "survives")]
    assert order == sorted(order)


def test_a_misplaced_row_is_listed() -> None:
    board = read_published()
    rows = (board.rows[1], board.rows[0], *board.rows[2:])
    text = shown(audit(msgspec.structs.replace(board, rows=rows)))
    assert "22 of 24 rows are where the printed rule puts them." in text
    assert "grok-4.3 is printed 2nd in the default order.\n    The rule puts it 1st." in text


def test_a_board_without_bands_badges_and_claims_has_fewer_sections() -> None:
    board = read_published()
    metrics = tuple(msgspec.structs.replace(metric, bands=()) for metric in board.metrics)
    rows = tuple(type(row)(row.name, row.figures) for row in board.rows)
    plain = msgspec.structs.replace(board, metrics=metrics, rows=rows, badges=(), claims=(), trivial=())
    titles = [line for line in shown(audit(plain)).splitlines() if line and not line.startswith(" ")]
    assert titles[-3:] == ["Order", "Figures", "Differences"]


def test_names_are_shown_as_they_are() -> None:
    board = read_published()
    rows = (msgspec.structs.replace(board.rows[0], name="[/red] [bold]"), *board.rows[1:])
    orders = (msgspec.structs.replace(board.orders[0], name="[/blue]"),)
    text = shown(audit(msgspec.structs.replace(board, rows=rows, orders=orders, claims=())))
    assert "[/red] [bold]" in text and "[/blue]" in text


def test_the_page_on_audits_is_up_to_date(found: Audit) -> None:
    page = (Path(__file__).parents[2] / "docs" / "audit.md").read_text()
    headline = shown(found).split("\n\n")[1]
    assert f"```\n{headline}\n```" in page
    for kind in get_args(AnyClaim):
        assert f"| `{kind.__struct_config__.tag}` |" in page
    for record in (Published, PublishedMetric, PublishedOrder, PublishedRow, PublishedBadge):
        for field in record.__struct_fields__:
            assert f"`{field}`" in page, field


def test_the_example_on_the_page_is_what_it_says(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "audit.md").read_text()
    path = tmp_path / "board.json"
    path.write_text(page.split("```json\n")[1].split("```")[0])
    found = audit(read_published(path))
    assert [doubt.printed for doubt in found.possible.doubts] == ["83%"]
    assert [claim.outcome for claim in found.claims] == ["undecided"]
