"""A scored desk on a terminal: the answer first; and in a file that only this user can read."""

import io
import stat
from pathlib import Path

from own_desk import HANDBOOK, MAP_FILE, bot, customer, did, person, stored, ticket
from supportagentbench.jobs.desk_score import DeskScoreSpec, score_desk, share
from supportagentbench.records.desk_score import DeskScore
from supportagentbench.records.record import from_json
from supportagentbench.terminal.console import EscapingConsole
from supportagentbench.terminal.desk_score import desk_score_view, share_text, write_score
from supportagentbench.terminal.ticket_pages import SCORE

HELLO = customer("Hello, where is my order? Please tell me.")
LOOKED = did("find_order", '{"total": 39.9}')


def score(folder: Path) -> DeskScore:
    (folder / "map.yaml").write_text(MAP_FILE)
    (folder / "handbook.md").write_text(HANDBOOK)
    tickets = (
        ticket(HELLO, LOOKED, bot("It cost \x1b[31m$12."), number=1),
        ticket(HELLO, LOOKED, bot("It cost $39.90."), number=2, approved=False),
        ticket(HELLO, person("It cost $12.", 1), number=3),
    )
    where = stored(folder / "import", *tickets)
    return score_desk(DeskScoreSpec(where, folder / "map.yaml", folder / "handbook.md", "northline"))


def printed(found: DeskScore) -> str:
    out = io.StringIO()
    EscapingConsole(file=out, width=110).print(desk_score_view(found))
    return out.getvalue()


def test_the_answer_comes_first_then_what_to_read(tmp_path: Path) -> None:
    lines = printed(score(tmp_path)).splitlines()
    assert lines[0].startswith("Bots: 1 of 2 (") and "have a finding that counts, 0 of 2" in lines[0]
    assert "People: 0 of 1" in lines[1] or "People: 0 of 1" in lines[2]
    text = "\n".join(lines)
    assert text.index("Read first") < text.index("t-1, entry 3. Made-up amounts") < text.index("each of them")
    assert "customer: Hello, where is my order?" in text and "(counted)" in text
    assert "(to check, as people know more than the ticket shows)" in " ".join(text.split())


def test_what_could_not_be_seen_is_said_with_its_reason(tmp_path: Path) -> None:
    text = " ".join(printed(score(tmp_path)).split())
    assert "Not observable, as it needs to know what is right in each ticket" in text
    assert "the export has no acts of people at the desk (people): " in text
    assert "1 ticket not approved" in text


def test_nothing_in_a_ticket_reaches_the_terminal_as_a_command(tmp_path: Path) -> None:
    text = printed(score(tmp_path))
    assert "\x1b[31m" not in text and "\\u001b[31m$12." in text


def test_shares_have_their_count_and_interval() -> None:
    assert share_text(share(0, 54)) == "0 of 54 (0–5%)"
    assert share_text(share(1200, 2000)) == "1,200 of 2,000 (57.8–62.1%)" and share_text(None) == "–"


def test_the_file_is_for_this_user_alone_and_is_replaced(tmp_path: Path) -> None:
    found = score(tmp_path)
    for _ in range(2):
        write_score(found, tmp_path / "out")
        path = tmp_path / "out" / SCORE
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert from_json(path.read_bytes(), DeskScore) == found
