"""The example: what the desk's people did in each ticket, against what a reader of the policy would say."""

import asyncio
import json
from pathlib import Path

import pytest

from supportagentbench.checks.acts_judged import acts_judged
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.records.problem import Problem
from supportagentbench.runner.run import header_of
from supportagentbench.shadow.human_record import human_record
from supportagentbench.tickets.example_week import HERE, write_example
from supportagentbench.tickets.import_folder import read_header, stored_tickets
from week_in_june import example, keys_of, own, week

PEOPLE = {
    "50411": (True, 0, "B1: told how long processing takes"),
    "50412": (False, 0, "C1: handed over to somebody who reads German; J1 names no such reason"),
    "50413": (True, 0, "B2: not shipped, cancelled on a yes"),
    "50414": (True, 0, "B3: refused with the reason, asked again, may be handed over"),
    "50415": (False, 150, "G1: a friend's address"),
    "50416": (True, 0, "B5: another colour of a line that has not shipped"),
    "50417": (True, 80, "D2: damage on a photo, four days after delivery"),
    "50418": (False, 80, "D1: nothing waives the photo"),
    "50419": (False, 0, "D2: a photo, thirteen days after delivery; nothing was sent"),
    "50420": (False, 0, "D4: the packing scan reads another variant; handed over"),
    "50421": (True, 80, "D7: two of three were counted into the parcel"),
    "50422": (False, 80, "D9: the packing scan counted all of it"),
    "50423": (True, 80, "C4: delivered without a signature"),
    "50424": (False, 80, "C5: signed for"),
    "50425": (True, 0, "C3: scanned two days ago"),
    "50426": (True, 0, "D10: many claims"),
    "50427": (None, 80, "C4 or D10: nobody knows how many claims there were"),
    "50428": (True, 0, "E1: unused, within the time"),
    "50429": (False, 80, "E2: worn on two hikes"),
    "50430": (False, 0, "E3: five months later is for a colleague"),
    "50431": (True, 80, "E4: another size, tried on only"),
    "50432": (False, 0, "F2: a hold needs no colleague"),
    "50433": (True, 0, "F3: two captures"),
    "50434": (None, 25, "a credit: no tool of Northline gives one"),
    "50435": (False, 80, "J2: says that it may harm itself"),
    "50436": (None, 16.5, "a credit"),
    "50437": (False, 0, "I2: goods were approved and never sent"),
}
"""By ticket: whether the policy agrees with the people, the dollars that they gave away, and the rule."""


def test_every_act_of_the_people_is_judged_as_a_reader_of_the_policy_judges_it() -> None:
    cases = week()
    header = header_of(cases, "tickets", "people", ScriptedVoice(), 0, 0)
    found, right = {}, {}
    for number in PEOPLE:
        one = cases.resumed[own(number).id]
        done = asyncio.run(human_record(cases, one))
        judged = acts_judged(done.transcript, header, done.elsewhere)
        found[number], right[number] = judged, (judged.right, judged.dollars)
    assert right == {number: (is_right, dollars) for number, (is_right, dollars, _) in PEOPLE.items()}
    named = {
        number: rule.split(":")[0] for number, (is_right, _, rule) in PEOPLE.items() if is_right is False
    }
    assert {number: rule for number, rule in named.items() if rule not in found[number].rules} == {}


def test_three_tickets_are_left_out_and_said_why() -> None:
    assert week().left_out == {
        "merged into another ticket": 1,
        "spam": 1,
        "the map does not say what its customer asks for; add it under `kinds` or `tickets`": 1,
    }
    assert len(week().resumed) == len(PEOPLE)


def test_what_is_unknown_is_named_and_nothing_else() -> None:
    cases = week()
    unknown = {number: cases.cases[own(number).id].label.unknown for number in PEOPLE}
    assert {number: names for number, names in unknown.items() if names} == {"50427": ("claims",)}


def test_people_of_the_exports_are_in_no_import() -> None:
    names = {
        word
        for user in json.loads((HERE / "zendesk.json").read_text())["users"]
        for word in (user["name"], user["email"])
    }
    stored = (example() / "tickets" / "tickets.jsonl").read_text()
    assert len(names) > 60 and not [name for name in names if name in stored]
    assert not [number for number in PEOPLE if number in stored]


def test_its_imports_are_approved_and_say_that_they_are_invented() -> None:
    for folder, count in (("tickets", 30), ("agent", 2)):
        tickets = [*stored_tickets(example() / folder)]
        assert len(tickets) == count and all(one.approved for one in tickets)
        assert read_header(example() / folder).rights == "invented"


def test_it_is_written_once(tmp_path: Path) -> None:
    with keys_of(tmp_path):
        write_example(tmp_path / "week")
        with pytest.raises(Problem, match="is not empty"):
            write_example(tmp_path / "week")
