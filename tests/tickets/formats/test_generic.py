"""Generic: the user says what each column holds, who is whom and how dates are written."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from exported import dropped_in, rows_of, talk, tickets_in
from supportagentbench.records.problem import Problem
from supportagentbench.tickets.raw import RawTicket

TABLE = (
    "ticket=case_no,who=author,when=date,text=body,act=button,email=mail,number=order,"
    "customer=client,human=clerk,dates=%d.%m.%Y %H:%M,zone=Europe/Berlin"
)
LINES = "ticket=case,who=by,when=at,text=words,customer=buyer,bot=ai"
SMALL = "ticket=t,who=w,when=d,text=x,customer=c"


def test_rows_of_a_ticket_need_not_be_together() -> None:
    first, second = tickets_in("csv", "events.csv", columns=TABLE)
    assert talk(first.ticket) == [
        "customer message: The jug\nis =cracked",
        "human act: refund 12.00",
        "human message: Refunded.",
    ]
    assert talk(second.ticket) == ["customer message: -1 star"]
    assert first.numbers == ("A-1", "J-10")
    assert first.ticket.people[0].emails == ("ada@mail.example",)
    assert first.ticket.events[0].at == datetime(2026, 4, 3, 7, 15, tzinfo=UTC)


def test_json_lines_are_read_in_the_same_way() -> None:
    (found,) = tickets_in("jsonl", "events.jsonl", columns=LINES)
    assert talk(found.ticket) == ["customer message: Where is it?", "bot message: It is on its way."]
    assert dropped_in("jsonl", "events.jsonl", columns=LINES) == {"a row without the number of a ticket": 1}


@pytest.mark.parametrize(
    ("table", "columns", "sentence"),
    [
        ("t,w,d,x\n1,c,,Hi\n", "who=w,text=x,customer=c", "which column holds `ticket`"),
        ("t,w,d,x\n1,c,,Hi\n", "ticket=t,who=w,text=x", "which value of `who` is the customer"),
        ("t,w,d\n1,c,\n", SMALL, r"a\.csv:1: has no column 'x'"),
        (
            "t,w,d,x\n1,c,,Hi\n1,z,,Ho\n",
            SMALL,
            r"a\.csv:3: the value in the column 'w' is not in the column map",
        ),
        (
            "t,w,d,x\n1,c,03/04/2026,Hi\n",
            SMALL,
            r"a\.csv:2: the date is not a date like .* say how it is written",
        ),
        ("t,w,d,x\n1,c,2026-04-03 10:00,Hi\n", SMALL, r"a\.csv:2: the date has no time zone"),
        ("t,w,d,x\n1,c,2026-02-30T10:00Z,Hi\n", SMALL, "does not exist"),
        ("t,w,d,x\n1,c,3.4.26,Hi\n", f"{SMALL},dates=%d.%m.%Y,zone=UTC", "is not written as `dates=` says"),
        ('t,w,d,x\n1,c,,"Hi\n', SMALL, r"a\.csv:\d: is not a row of a table"),
    ],
)
def test_what_is_not_clear_is_refused_with_file_and_line(
    tmp_path: Path, table: str, columns: str, sentence: str
) -> None:
    with pytest.raises(Problem, match=sentence):
        rows_of(tmp_path / "a.csv", table, "csv", columns)


def test_rows_of_another_length_are_counted(tmp_path: Path) -> None:
    table = "t,w,d,x\n1,c,,Hi\n1,c,,Ho,more\n1,c\n"
    *dropped, found = rows_of(tmp_path / "a.csv", table, "csv", SMALL)
    assert [str(row).partition("reason=")[2] for row in dropped] == [
        "'a row with more cells than the table has columns')",
        "'a row with fewer cells than the table has columns')",
    ]
    assert isinstance(found, RawTicket)
