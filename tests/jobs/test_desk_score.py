"""An import becomes one record: counts by side, what could not be seen, and what to read first."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations import WORLD
from own_desk import HANDBOOK, MAP_FILE, bot, customer, did, mapped_desk, person, stored, ticket
from supportagentbench.jobs.desk_score import MOST_LISTED, DeskCounts, DeskScoreSpec, score_desk, share
from supportagentbench.records.desk_score import CheckScore, DeskScore, DeskSide, TicketShare
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json, to_json
from supportagentbench.records.ticket import SupportTicket
from supportagentbench.shadow.check_sight import ExportSight
from supportagentbench.tickets.import_folder import ImportRecord

HELLO = customer("Hello, where is my order? Please tell me.")
LOOKED = did("find_order", '{"total": 39.9}')


def good(number: int) -> SupportTicket:
    return ticket(HELLO, LOOKED, bot("It cost $39.90."), number=number)


def bad(number: int, approved: bool = True) -> SupportTicket:
    return ticket(HELLO, LOOKED, bot("It cost $12."), number=number, approved=approved)


def scored(folder: Path, *tickets: SupportTicket) -> DeskScore:
    (folder / "map.yaml").write_text(MAP_FILE)
    (folder / "handbook.md").write_text(HANDBOOK)
    where = stored(folder / "import", *tickets)
    found = score_desk(DeskScoreSpec(where, folder / "map.yaml", folder / "handbook.md", "northline"))
    assert from_json(to_json(found), DeskScore) == found
    return found


def side(score: DeskScore, who: str, name: str = "") -> DeskSide:
    return next(one for one in score.sides if (one.who, one.person) == (who, name))


def check(score: DeskScore, who: str, name: str) -> CheckScore:
    return next(one for one in side(score, who).checks if one.check == name)


def test_tickets_are_counted_and_listed(tmp_path: Path) -> None:
    found = scored(tmp_path, good(1), bad(2), good(3), bad(4))
    assert (found.tickets, found.scored, found.unapproved, found.rights) == (4, 4, 0, "ours")
    amounts = check(found, "bot", "ungrounded_amount")
    assert amounts.counted == share(2, 4) and amounts.to_check is None
    assert side(found, "bot").counted == share(2, 4) and side(found, "bot").messages == 4
    assert side(found, "bot").checks[0].check == "ungrounded_amount", "the worst first"
    assert {one.ticket for one in found.findings if one.check == "ungrounded_amount"} == {"t-2", "t-4"}
    assert found.not_looked["resolved"].startswith("it needs to know what is right")


def test_a_ticket_is_under_one_sight_of_each_check(tmp_path: Path) -> None:
    blind = ticket(HELLO, did("find_order", "word-3fa2c1"), bot("It cost $12."), number=3)
    strange = ticket(HELLO, did("teleport"), bot("Done."), number=4)
    found = scored(tmp_path, good(1), bad(2), blind, strange)
    for one in side(found, "bot").checks:
        shares = [part for part in (one.counted, one.to_check) if part]
        assert sum(part.n for part in shares) + sum(one.not_observable.values()) == 4, one.check
        assert sum(one.doubts.values()) == (one.to_check.n if one.to_check else 0)
    amounts = check(found, "bot", "ungrounded_amount")
    assert amounts.counted and (amounts.counted.k, amounts.counted.n) == (1, 3)
    assert amounts.to_check and (amounts.to_check.k, amounts.to_check.n) == (1, 1)
    assert check(found, "bot", "phantom_action").not_observable == {
        "the map does not say what 'teleport' is": 1
    }
    assert found.notes == ("The map does not have 1 act of the export, such as teleport.",)


def test_people_are_never_counted_wrong_for_what_a_ticket_does_not_show(tmp_path: Path) -> None:
    by_person = ticket(HELLO, person("It cost $12.", 1), number=1)
    by_other = ticket(HELLO, person("It is here.", 2), number=2)
    found = scored(tmp_path, by_person, by_other, bad(3))
    assert side(found, "human").counted.k == 0 and side(found, "human").to_check == share(1, 2)
    names = [(one.who, one.person) for one in found.sides]
    assert names == [("bot", ""), ("human", ""), ("human", "A"), ("human", "B")], "the worst first"
    assert side(found, "human", "A").to_check == share(1, 1) and not side(found, "human", "A").checks


def test_one_ticket_of_two_people_counts_once_for_people(tmp_path: Path) -> None:
    both = ticket(HELLO, person("It cost $12.", 1), customer("?"), person("It cost $13.", 2), number=1)
    second = ticket(HELLO, person("Hi.", 1), customer("?"), person("It cost $13.", 2), number=2)
    found = scored(tmp_path, both, second)
    amounts = check(found, "human", "ungrounded_amount").to_check
    assert amounts == share(2, 2) and side(found, "human").messages == 4
    assert {one.person for one in found.findings if one.check == "ungrounded_amount"} == {"A", "B"}


def test_what_to_read_first(tmp_path: Path) -> None:
    claims = ticket(HELLO, LOOKED, bot("I've cancelled order 5 for you."), number=1)
    thinks = ticket(HELLO, LOOKED, bot("<think>It cost $12. What is the number?"), number=2)
    unread = [bad(number, approved=False) for number in range(4, 10)]
    found = scored(tmp_path, claims, thinks, *unread, bad(3))
    order = [(one.standing, one.check) for one in found.findings]
    assert order[:2] == [("counted", "ungrounded_amount"), ("counted", "leaked_reasoning")]
    assert order[2:9] == [("counted", "ungrounded_amount")] * 7
    assert order[9] == ("to_check", "phantom_action")
    approved = [one.approved for one in found.findings if one.check == "ungrounded_amount"]
    assert approved == [True] * 2 + [False] * 6


def test_findings_that_are_listed_are_bounded_and_counts_are_not() -> None:
    desk = mapped_desk(WORLD)
    tickets = [bad(number) for number in range(3 * MOST_LISTED)]
    counts = DeskCounts(desk, ExportSight(tickets))
    for one in tickets:
        counts.add(one)
    found = counts.score(ImportRecord("x", "", "", "US", "0", (), tickets=len(tickets)))
    amounts = [one for one in found.findings if one.check == "ungrounded_amount"]
    assert len(amounts) == MOST_LISTED
    assert check(found, "bot", "ungrounded_amount").counted == share(3 * MOST_LISTED, 3 * MOST_LISTED)


def test_what_cannot_be_scored_is_left_out_with_its_reason(tmp_path: Path) -> None:
    alone = ticket(HELLO, number=1)
    long = ticket(HELLO, bot("x" * 200_001), number=2)
    found = scored(tmp_path, alone, long, good(3))
    assert found.left_out == {"nobody answered its customer": 1, "has more than 200,000 characters": 1}
    with pytest.raises(Problem, match=r"no ticket to score .1 × nobody answered its customer"):
        score_desk(DeskScoreSpec(stored(tmp_path / "other", alone)))


def test_an_interval_is_that_of_the_house() -> None:
    assert share(0, 54) == TicketShare(0, 54, share(0, 54).interval)
    assert round(share(0, 54).interval.high, 3) == 0.054 and share(0, 54).interval.low == 0
    assert 0.2 < share(5, 10).interval.low < 0.5 < share(5, 10).interval.high < 0.8


def test_a_map_that_does_not_fit_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "map.yaml").write_text("acts:\n  pay_back: {act: beyond, called: refnd}\n")
    spec = DeskScoreSpec(stored(tmp_path / "import", good(1)), tmp_path / "map.yaml", None, "northline")
    with pytest.raises(Problem, match=r"no act beyond the world 'refnd'.*refund") as told:
        score_desk(spec)
    assert told.value.line == 2


@given(st.lists(st.text(alphabet="bcdfgkl .,;:-\n", max_size=60), min_size=3, max_size=3))
def test_noise_in_agents_sentences_moves_no_figure_of_acts(noise: list[str]) -> None:
    def figures(*more: str) -> list[CheckScore]:
        tickets = [
            ticket(HELLO, did("cancel", "{}"), bot(f"I've cancelled order 5. {more[0]}"), number=1),
            ticket(HELLO, LOOKED, bot(f"{more[1]} I've cancelled order 5."), number=2),
            ticket(HELLO, did("escalate", "{}"), bot(f"A colleague will write to you. {more[2]}"), number=3),
        ]
        counts = DeskCounts(mapped_desk(WORLD), ExportSight(tickets))
        for one in tickets:
            counts.add(one)
        found = counts.score(ImportRecord("x", "", "", "US", "0", (), tickets=3))
        names = ("unconfirmed", "phantom_action", "false_handover")
        return sorted((check(found, "bot", name) for name in names), key=msgspec.json.encode)

    assert figures(*noise) == figures("", "", "")
