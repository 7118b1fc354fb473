"""Column map: columns and people as the user types them; what is not clear is refused."""

import pytest

from supportagentbench.records.problem import Problem
from supportagentbench.tickets.column_map import column_map


def test_columns_people_and_dates() -> None:
    found = column_map(
        " ticket=case_no, who=author ,customer=Client|buyer,desk=A@x.example,dates=%d/%m/%Y,zone=UTC"
    )
    assert found.columns == {"ticket": "case_no", "who": "author"}
    assert found.who_is("", "CLIENT") == "customer"
    assert found.who_is("nobody") is None
    assert found.desk == {"a@x.example"}
    assert (found.dates, str(found.zone)) == ("%d/%m/%Y", "UTC")
    assert column_map("") == column_map(",")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("ticket", "has no name and value"),
        ("ticket=", "has no name and value"),
        ("ticket=a,ticket=b", "twice"),
        ("dates=a,dates=b", "twice"),
        ("colour=a", "is not one of ticket"),
        ("customer=a,human=A", "is two people"),
        ("zone=Mars/Olympus", "is not a time zone"),
        ("zone=../../etc/passwd", "is not a time zone"),
    ],
)
def test_what_is_not_clear_is_refused(words: str, sentence: str) -> None:
    with pytest.raises(Problem, match=sentence):
        column_map(words)
