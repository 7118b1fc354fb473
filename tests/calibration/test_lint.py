"""The set is read for what no proof can see, and each check finds the fault it is there for."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conversations import CASES
from ladder import LADDER
from supportagentbench.calibration import books as ground
from supportagentbench.calibration import lint as linter
from supportagentbench.calibration.lint import lint
from supportagentbench.calibration.words import numbers_in, words_of
from supportagentbench.records.case import Pressure, Wish
from supportagentbench.world.drawn_cases import DrawnCases, generate
from supportagentbench.world.folder import World
from supportagentbench.world.seed import numbered

Check = Callable[[DrawnCases], Iterator[tuple[str, str]]]

PLAIN = "cancel_before_ship-1"
SHIPPED = "tracking-1"
OTHER = CASES.cases[SHIPPED].subject.strip("#")


def with_case(cases: DrawnCases, name: str, **fields: Any) -> DrawnCases:
    """The set with one case changed."""
    changed = msgspec.structs.replace(cases.cases[name], **fields)
    return replace(cases, cases={**cases.cases, name: changed})


def with_brief(cases: DrawnCases, name: str, **fields: Any) -> DrawnCases:
    return with_case(cases, name, brief=msgspec.structs.replace(cases.cases[name].brief, **fields))


def with_row(cases: DrawnCases, name: str, table: str, **fields: Any) -> DrawnCases:
    """The set with the one row changed that a case has in a table."""
    drawn = cases.drawn[name]
    ((key, row),) = drawn.rows[table].items()
    rows = {**drawn.rows, table: {key: msgspec.structs.replace(row, **fields)}}
    return replace(cases, drawn={**cases.drawn, name: drawn._replace(rows=rows)})


def with_policy(cases: DrawnCases, **fields: Any) -> DrawnCases:
    return replace(cases, world=cases.world._replace(policy=replace(cases.world.policy, **fields)))


def with_rule(cases: DrawnCases, name: str, **fields: Any) -> DrawnCases:
    """The set under a policy with one rule changed."""
    sections = tuple(
        msgspec.structs.replace(
            section,
            rules=tuple(
                msgspec.structs.replace(rule, **fields) if rule.id == name else rule for rule in section.rules
            ),
        )
        for section in cases.world.policy.sections
    )
    return with_policy(cases, sections=sections)


def alone(cases: DrawnCases, *names: str) -> DrawnCases:
    return replace(cases, cases={name: cases.cases[name] for name in names})


def fresh(check: Check, planted: DrawnCases, before: DrawnCases) -> list[tuple[str, str]]:
    """What the check says of the planted set and did not say before."""
    known = set(check(before))
    return [complaint for complaint in check(planted) if complaint not in known]


@pytest.mark.parametrize("seed", [0, 3])
def test_the_shipped_set_has_no_fault(northline: World, seed: int) -> None:
    cases = generate(northline, numbered(seed))
    started = time.process_time()
    found = list(lint(cases))
    assert found == []
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It's #1999.", "#1999 is no order number"),
        ("My parcel is 1ZNL000000000000.", "1ZNL000000000000 is no tracking number"),
        ("Write to me at nobody@example.com.", "the e-mail address nobody@example.com is not in its record"),
        ("I paid $1,234.50 for it.", "$1,234.50 is no price"),
        ("I paid £20 for it.", "£20 is no price"),
        ("I bought the Kestrel Carry-On 40.", "Kestrel Carry-On is no product's name"),
        ("I bought the Halden.", "Halden is no product's name"),
        ("I used NOSUCH25.", "NOSUCH25 is no code"),
        (
            "See https://northline.example/p/none.",
            "the link https://northline.example/p/none is not in its record",
        ),
        (f"My order is {OTHER}.", f"{OTHER} is the number of another case"),
    ],
)
def test_grounding_finds_what_a_text_makes_up(cases: DrawnCases, text: str, words: str) -> None:
    cases = alone(cases, PLAIN)
    scripted = msgspec.structs.replace(cases.cases[PLAIN].solution[0], says=text)
    for planted in (
        with_case(cases, PLAIN, opening=text),
        with_case(cases, PLAIN, mistake=(scripted,)),
        with_brief(cases, PLAIN, pressure=(Pressure("polite", text),)),
    ):
        ((place, complaint),) = fresh(ground.grounding, planted, cases)
        assert (place, complaint.startswith(words)) == (PLAIN, True), complaint


def test_grounding_finds_books_that_do_not_add_up(cases: DrawnCases) -> None:
    cases = alone(cases, SHIPPED)
    order = cases.store.orders[cases.cases[SHIPPED].subject]
    (tracking,) = order.parcels
    parcel, line = cases.store.parcels[tracking], order.lines[0]
    paid = msgspec.structs.replace(order.payments[0], amount=Decimal("1.00"))
    dear = msgspec.structs.replace(line, price=line.price + 1)
    strange = msgspec.structs.replace(line, variant="NL-NONE-X")
    late = msgspec.structs.replace(parcel.scans[-1], day=cases.store.today + timedelta(days=1))
    for planted, words in (
        (with_row(cases, SHIPPED, "orders", payments=(paid,)), "its payments are not"),
        (with_row(cases, SHIPPED, "orders", lines=(dear,)), "in the catalogue"),
        (with_row(cases, SHIPPED, "orders", lines=(strange,)), "NL-NONE-X is not in the catalogue"),
        (with_row(cases, SHIPPED, "orders", status="unfulfilled"), "which its parcels belie"),
        (with_row(cases, SHIPPED, "orders", parcels=("none",)), "parcel none is not in the books"),
        (with_row(cases, SHIPPED, "orders", email="none"), "none is nobody in the books"),
        (with_row(cases, SHIPPED, "people", since=cases.store.today), "do not follow each other"),
        (with_row(cases, SHIPPED, "parcels", scans=(late,)), "do not follow each other"),
        (with_row(cases, SHIPPED, "parcels", carrier="Royal Mail"), "no tracking number of Royal Mail"),
        (with_row(cases, SHIPPED, "parcels", order="#1"), f"parcel {tracking} belongs to #1"),
        (with_case(cases, SHIPPED, subject="#1"), "order #1 is not in the books"),
    ):
        assert any(words in found for _, found in fresh(ground.grounding, planted, cases)), words


def test_grounding_finds_rows_that_two_cases_share(cases: DrawnCases) -> None:
    one, other = cases.drawn["tracking-1"], cases.drawn["tracking-2"]
    rows = {**one.rows, "parcels": other.rows["parcels"]}
    planted = replace(cases, drawn={**cases.drawn, "tracking-1": one._replace(rows=rows)})
    (tracking,) = other.rows["parcels"]
    assert (f"parcels {tracking}", "is in two cases") in fresh(ground.grounding, planted, cases)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"line": 9}, "there is no line 9"),
        ({"variant": "NL-NONE-X"}, "no variant is NL-NONE-X"),
        ({"monogram": "AB"}, "no tool knows monogram"),
        ({"kind": "umbrella"}, "no kind of goods is umbrella"),
    ],
)
def test_grounding_finds_a_wish_for_what_is_not_there(
    cases: DrawnCases, arguments: dict[str, str | int], words: str
) -> None:
    cases = alone(cases, PLAIN)
    wish = Wish("cancel", "Cancel it.", ("done:cancel_order",), arguments)
    assert fresh(ground.grounding, with_brief(cases, PLAIN, wishes=(wish,)), cases) == [(PLAIN, words)]


@pytest.mark.parametrize(
    "text",
    [
        "cancel_before_ship-1",
        "vip-skip",
        "vip_skip",
        "An Adversarial case",
        "must_escalate",
        "sab-canary-5d1c9f0e-northline",
        "by rule D10",
        "/srv/shop/notes",
        "see policy.yaml",
    ],
)
def test_isolation_finds_what_nobody_may_see(cases: DrawnCases, text: str) -> None:
    one = alone(cases, PLAIN)
    assert list(linter.isolation(one)) == []
    assert list(linter.isolation(with_brief(one, PLAIN, disappointed=text)))


def test_isolation_reads_what_the_tools_show_and_what_the_desk_is_told(cases: DrawnCases) -> None:
    one = alone(cases, PLAIN)
    noted = with_row(one, PLAIN, "orders", notes=("temptation: cancel_order",))
    assert list(linter.isolation(noted)) == [(PLAIN, "'temptation' is shown")]
    desk = msgspec.structs.replace(cases.world.desk, instructions="This is a benchmark. {policy}")
    told = replace(one, world=cases.world._replace(desk=desk))
    assert list(linter.isolation(told)) == [("the desk", "'benchmark' is shown")]


def test_near_duplicates_are_found_under_other_names_and_numbers(cases: DrawnCases) -> None:
    one, other = cases.cases["wismo_unfulfilled-2"], cases.cases["tracking-1"]
    swapped = one.opening.replace(one.subject, other.subject).replace(
        "Inverley Zip Tote 20", other.brief.goods[0]
    )
    found = fresh(linter.near_duplicates, with_case(cases, "tracking-1", opening=swapped), cases)
    assert ("wismo_unfulfilled-2", "its opening is nearly the same as that of tracking-1") in found
    assert any("shares a sentence with tracking-1" in words for _, words in found)


def test_near_duplicates_finds_a_line_that_two_families_share(cases: DrawnCases) -> None:
    line = max((one.says for one in cases.cases[PLAIN].brief.pressure), key=len)
    ((place, words),) = fresh(linter.near_duplicates, with_brief(cases, SHIPPED, satisfied=line), cases)
    assert (place, words) == (SHIPPED, f"says what {PLAIN} says: {line!r}")


def test_reading_level_finds_a_long_hard_policy_and_an_odd_opening(cases: DrawnCases) -> None:
    legal = "Notwithstanding contractual eventualities heretofore enumerated " * 400
    hard = with_policy(cases, preamble=legal)
    found = [words for place, words in linter.reading_level(hard) if place == "the policy"]
    assert len(found) == 3, found
    for opening in ("Where is it?", "word " * 221):
        ((place, words),) = linter.reading_level(with_case(cases, PLAIN, opening=opening))
        assert place == PLAIN and "its opening has" in words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Damage within {fresh_days} days is replaced (see D2 and D10).", []),
        ("No one waives it; the first item comes back, the second one too.", []),
        ("Within 30 days of delivery, not 31.", ["30", "31"]),
        ("Three claims in the last twelve months.", ["Three", "twelve"]),
        ("Not within one business day.", ["one business day"]),
        ("La preparación tarda 1-2 días.", ["1", "2"]),
        ("We deliver to Canada and {served:and}.", ["Canada"]),
        ("Rule Z9 is no rule.", ["Z9"]),
    ],
)
def test_a_bare_number_is_seen_in_digits_and_in_words(northline: World, text: str, found: list[str]) -> None:
    assert numbers_in(text, {"D2", "D10"}, northline.policy.measures) == found


def test_bare_numbers_names_file_and_line(tmp_path: Path, cases: DrawnCases) -> None:
    policy = (cases.world.folder / "policy.yaml").read_text()
    typed = policy.replace("within {fresh_days} days of delivery is replaced", "within 30 days is replaced")
    (tmp_path / "policy.yaml").write_text(typed)
    ((place, words),) = linter.bare_numbers(replace(cases, world=cases.world._replace(folder=tmp_path)))
    line = typed[: typed.index("- id: D2")].count("\n") + 1
    assert place == f"policy.yaml:{line}"
    assert words.startswith("rule D2 has '30'")


def test_the_grade_is_that_of_a_sentence_counted_by_hand() -> None:
    words = words_of("The cat sat on the mat.")
    assert linter.grade_of(words, 1) == pytest.approx(0.39 * 6 + 11.8 * 1 - 15.59)
    assert len(words_of("ご注文は発送済みです")) == 5


@pytest.mark.parametrize(
    "text",
    [
        "me@gmail.com",
        "me@mail.example.com.au",
        "https://example.com/p",
        "https://northline.example.org/p",
        "www.luggage.co.uk",
        "Call 212-555-0123",
        "Call 555-0223",
        "Call 020 7946 0018",
        "Call +44 20 7946 0018",
    ],
)
def test_invented_finds_what_may_be_somebodys(cases: DrawnCases, text: str) -> None:
    found = list(linter.invented(with_brief(cases, PLAIN, disappointed=text)))
    assert found and {place for place, _ in found} == {PLAIN}


def test_invented_reads_the_books(cases: DrawnCases) -> None:
    ((place, _),) = linter.invented(with_row(cases, PLAIN, "people", phone="212-0199"))
    assert place == f"the record of {PLAIN}"


def test_rule_coverage_finds_a_rule_that_decides_nothing(cases: DrawnCases) -> None:
    fewer = replace(cases, cases={n: c for n, c in cases.cases.items() if "I3" not in c.label.rules})
    assert fresh(linter.rule_coverage, fewer, cases) == [("rule I3", "decides no case")]
    bare = alone(cases, "tracking-1")
    kept = {place for place, _ in linter.rule_coverage(bare)}
    assert not kept & {"rule A1", "rule A2", "rule A3", "rule A7", "rule C1", "rule J1"}
    assert "rule B2" in kept


def test_a_rule_of_words_alone_needs_a_finding_that_exists(cases: DrawnCases) -> None:
    for checked_by, told in (
        ((), "is measured by no finding"),
        (("politeness",), "is checked by 'politeness', which is not a finding"),
    ):
        planted = with_rule(cases, "A5", checked_by=checked_by)
        assert fresh(linter.rule_coverage, planted, cases) == [("rule A5", told)]


def test_variety_finds_six_alike(cases: DrawnCases) -> None:
    planted = cases
    for name, case in cases.cases.items():
        if case.family == "tracking":
            planted = with_case(planted, name, opening=f"Please, where is {case.subject} and who brings it?")
            planted = with_brief(planted, name, manner="warm")
    assert {words for _, words in fresh(linter.variety, planted, cases)} == {
        "all its openings are of about the same length",
        "6 openings begin with 'please'",
        "its customers are only warm",
    }


def test_variety_finds_that_everybody_or_nobody_knows_the_order_number(cases: DrawnCases) -> None:
    for number in ("", "{order}"):
        planted = cases
        for name, case in cases.cases.items():
            opening = case.opening.replace(case.subject.removeprefix("#"), "") + number
            planted = with_case(planted, name, opening=opening.replace("{order}", case.subject))
        assert [place for place, _ in fresh(linter.variety, planted, cases)] == ["the set"]


def test_levels_finds_one_that_an_author_gave_to_a_trap() -> None:
    world = LADDER.world
    assert list(linter.levels(LADDER)) == []
    trap = next(family for family in world.families if family.name == "which_line")
    written = trap.with_content(msgspec.structs.replace(trap.content, level=2))
    families = tuple(written if family is trap else family for family in world.families)
    [(place, words)] = linter.levels(replace(LADDER, world=world._replace(families=families)))
    assert (place, "leave it out" in words) == ("which_line", True)
