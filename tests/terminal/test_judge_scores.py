"""What judges hold, on a terminal: every judge by its name, every share with its count, names as they are."""

import re

from msgspec.structs import replace
from rich.cells import cell_len

from boards import planted, printed, read_aloud, reference_board
from supportagentbench.board.claims import unclaimed
from supportagentbench.board.standings import make_board
from supportagentbench.records.judgement import Judgement, Opinion
from supportagentbench.terminal.judge_scores import judge_scores_table


def test_every_judge_has_a_table_of_its_own_and_every_share_its_count() -> None:
    text = read_aloud(judge_scores_table(reference_board()))
    assert re.search(r"judge: +policy +resolved, +mood as\nrules +adherence +judged +good\n", text)
    for entry in reference_board().agents:
        sentiment = entry.of("sentiment", "rules")
        assert sentiment is not None and f"{sentiment.k}/{sentiment.n}" in text
    assert "uncalibrated" in text


def test_no_printed_sentence_compares_without_a_claim() -> None:
    """The build check."""
    assert unclaimed(read_aloud(judge_scores_table(reference_board())), []) == []


def test_without_judges_there_is_nothing() -> None:
    assert read_aloud(judge_scores_table(make_board([planted("a")]))).strip() == ""


def test_names_are_printed_as_they_are_and_every_line_fits() -> None:
    run = planted("a")
    boards = []
    for name in ("[red]x[/] :smile: \x1b[31m", "harmless"):
        given = tuple(
            Judgement(one.transcript, name, "v", (Opinion("sentiment", True),)) for one in run.verdicts
        )
        named = run._replace(header=replace(run.header, agent=f"{name}," + "y" * 70), judgements=given)
        boards.append(judge_scores_table(make_board([named])))
    hostile, harmless = (set(re.findall(r"\x1b.*?m", printed(shown))) for shown in boards)
    assert hostile == harmless
    text = read_aloud(boards[0])
    assert "[red]x[/] :smile: \\u001b[31m" in text and "\x1b" not in text
    assert max(map(cell_len, text.splitlines())) <= 80
