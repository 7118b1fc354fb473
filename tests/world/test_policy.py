"""The policy: one source for the agent's text and for what is right, with no two answers to anything."""

from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conversations import WORLD
from supportagentbench.records.problem import Problem
from supportagentbench.world.drawn_cases import DrawnCases
from supportagentbench.world.folder import World
from supportagentbench.world.policy import Policy, PolicyFile, Rulings, read_policy_file
from supportagentbench.world.situation import Situation
from supportagentbench.worlds.northline.tools import KIT

TINY = """
preamble: A tiny policy.
measures: {processing_least: 1, processing_most: 2, stalled_days: 7, fresh_days: 30, return_days: 100,
  many_claims: 3, claim_months: 12, double_charge: 2, served: {US: the United States}}
sections:
- title: All
  rules:
  - id: R1
    text: Nothing, unless a rule says so.
    otherwise_forbid: [cancel_order, hand_over]
  - id: R2
    text: Cancel before it ships.
    when: {request: cancel, stage: unfulfilled}
    unless: [R3]
    require: [cancel_order]
  - id: R3
    text: Threats go to a person.
    when: {threat: harm}
    forbid: [cancel_order]
    require: [hand_over]
"""


def read(tmp_path: Path, text: str) -> Policy:
    path = tmp_path / "policy.yaml"
    path.write_text(text)
    return read_policy_file(path, KIT)


def situation(cases: DrawnCases, case: str, **disclosed: str) -> Situation:
    found = cases.cases[case]
    return cases.record_of(case).situation(found.brief.wishes[0], disclosed)


def test_the_agent_reads_every_rule(northline: World) -> None:
    for rule in northline.policy.rules:
        assert f"{rule.id}. {rule.text.strip()}" in northline.instructions("email")


def test_a_ruling_names_its_rules(tmp_path: Path, cases: DrawnCases) -> None:
    policy = read(tmp_path, TINY)
    calm = policy.rule_on(situation(cases, "cancel_before_ship-1"))
    assert calm.acts["cancel_order"] == ("required", ("R2",))
    assert calm.acts["hand_over"] == ("forbidden", ("R1",))
    angry = policy.rule_on(situation(cases, "cancel_before_ship-1", threat="harm"))
    assert angry.acts["cancel_order"] == ("forbidden", ("R3",))
    assert angry.acts["hand_over"] == ("required", ("R3",))
    assert [rule.id for rule in calm.applying] == ["R2"], "a rule without conditions decides nothing"
    assert [rule.id for rule in angry.applying] == ["R3"], "R2 gives way"
    assert (calm.required(), angry.required()) == (("cancel_order",), ("hand_over",))
    assert (calm.forbidden(), angry.forbidden()) == (("hand_over",), ("cancel_order",))


def test_a_rule_gives_way_only_to_one_that_does_not_give_way_itself(
    tmp_path: Path, cases: DrawnCases
) -> None:
    spared = "    unless: [R4]\n    forbid: [cancel_order]"
    status = "  - {id: R4, text: Not VIPs., when: {stage: unfulfilled}}\n"
    policy = read(tmp_path, TINY.replace("    forbid: [cancel_order]", spared) + status)
    found = policy.rule_on(situation(cases, "cancel_before_ship-1", threat="harm"))
    assert [rule.id for rule in found.applying] == ["R2", "R4"]
    assert found.required() == ("cancel_order",)


def test_a_request_is_granted_by_the_act_that_a_rule_requires_for_it(tmp_path: Path) -> None:
    policy = read(tmp_path, TINY)
    assert policy.requests_granted_by("cancel_order") == {"cancel"}
    assert policy.requests_granted_by("hand_over") == frozenset(), "R3 asks for no kind of request"
    assert policy.requests_granted_by("reship") == frozenset()


def test_what_the_customer_shows_changes_the_ruling(northline: World, cases: DrawnCases) -> None:
    before = northline.policy.rule_on(situation(cases, "damaged_item-1"))
    after = northline.policy.rule_on(situation(cases, "damaged_item-1", proof="shown"))
    assert before.acts["replace_item"] == ("forbidden", ("D1",))
    assert before.asks() == ("photo",)
    assert after.acts["replace_item"] == ("required", ("D2",))


@pytest.mark.parametrize(
    ("old", "new", "words", "line"),
    [
        ("stage: unfulfilled}", "moon: full}", "rule R2: no fact 'moon'; known: request,", 13),
        ("stage: unfulfilled}", "stage: lost}", "rule R2: stage is never 'lost'", 13),
        ("    unless: [R3]\n", "", "rule R3 forbids cancel_order where rule R2 grants it", 15),
        (
            "    unless: [R3]\n",
            "    ask: [shoe_size]\n    unless: [R3]\n",
            "rule R2: no topic 'shoe_size'",
            14,
        ),
        ("    unless: [R3]\n", "    lookups: [crystal_ball]\n    unless: [R3]\n", "rule R2: no look-up", 14),
        ("    unless: [R3]\n", "    say: On {moon}.\n    unless: [R3]\n", "no measure or word 'moon'", 14),
        ("unless: [R3]", "unless: [R9]", "rule R2 yields to R9, which does not exist", 11),
        ("id: R3", "id: R2", "rule R2 is there twice", 16),
        ("require: [cancel_order]", "require: [sing]", "rule R2: no act 'sing'; known: cancel_order,", 15),
        (
            "Cancel before",
            "Within {days} days cancel before",
            "rule R2: no measure 'days'; known: processing_least,",
            12,
        ),
        ("Cancel before", "Not {served:nor} before", "rule R2: {served:nor} cannot be printed", 11),
        ("many_claims: 3", "many_claims: 0", "Expected `int` >= 1", 4),
    ],
)
def test_a_rule_that_cannot_stand_is_named(tmp_path: Path, old: str, new: str, words: str, line: int) -> None:
    with pytest.raises(Problem, match=r"policy\.yaml:\d+: ") as caught:
        read(tmp_path, TINY.replace(old, new))
    assert words in caught.value.sentence
    assert caught.value.line == line


def test_no_situation_has_two_answers(northline: World) -> None:
    """What the reader of the file proves by pairs is tried here by brute force, rule by rule."""
    rules = northline.policy.rules
    for one, other in product(rules, rules):
        granted = {*other.require, *other.allow}
        if set(one.forbid) & granted and one.id not in other.unless:
            facts = set(one.when) & set(other.when)
            assert any(not set(one.values(fact)) & set(other.values(fact)) for fact in facts), (
                one.id,
                other.id,
            )


def test_every_fact_stays_in_its_vocabulary(cases: DrawnCases) -> None:
    for case in cases.cases.values():
        for wish in case.brief.wishes:
            now = cases.record_of(case.id).situation(wish, case.brief.disclosed_in_full())
            for name, fact in KIT.readers.items():
                assert fact.read(now) in fact.values, (case.id, name)


def test_the_file_round_trips(northline: World) -> None:
    policy = northline.policy
    content = PolicyFile(policy.preamble, policy.measures, policy.sections)
    kind: Any = PolicyFile
    assert msgspec.convert(msgspec.to_builtins(content), kind[KIT.measures]) == content


def test_the_digest_follows_the_rules(tmp_path: Path) -> None:
    assert read(tmp_path, TINY).digest != read(tmp_path, TINY.replace("harm", "none")).digest


def test_acts_are_those_of_the_desk(cases: DrawnCases) -> None:
    assert set(KIT.acts) == {tool.name for tool in cases.tools.values() if tool.writes}


def test_today_is_fixed_in_the_world(cases: DrawnCases) -> None:
    assert cases.store.today == date(2026, 6, 29)


FACTS = st.fixed_dictionaries({name: st.sampled_from(fact.values) for name, fact in KIT.readers.items()})
NAMES = st.sets(st.sampled_from(sorted(KIT.readers)), max_size=len(KIT.readers))


@given(facts=FACTS)
def test_with_all_facts_known_everything_is_sure(facts: dict[str, str]) -> None:
    policy = WORLD.policy
    assert policy.rulings_given(facts) == policy.rule(facts)


@given(facts=FACTS, less=NAMES, more=NAMES)
@settings(max_examples=60)
def test_what_is_sure_stays_sure_when_more_is_known(
    facts: dict[str, str], less: set[str], more: set[str]
) -> None:
    policy = WORLD.policy

    def given_only(names: set[str]) -> Rulings:
        return policy.rulings_given({name: facts[name] for name in names | {"request"}})

    before, after, truth = given_only(less), given_only(less | more), policy.rule(facts)
    for act, ruling in before.acts.items():
        assert ruling.verdict in (after.acts[act].verdict, "undecided"), act
        assert ruling.verdict in (truth.acts[act].verdict, "undecided"), act
    sure = [{rule.id for rule in one.applying} for one in (before, after, truth)]
    assert sure[0] <= sure[1] <= sure[2]
    may = [
        {rule.id for rule in (*one.applying, *one.may_apply) if rule.when} for one in (before, after, truth)
    ]
    assert may[2] <= may[1] <= may[0]


def test_what_is_undecided_really_depends_on_what_is_unknown(tmp_path: Path) -> None:
    """Every ruling by itself, against all values of all facts."""
    policy = read(tmp_path, TINY)
    open_to = {name: KIT.readers[name].values for name in ("request", "stage", "threat")}
    rest = {name: fact.values[0] for name, fact in KIT.readers.items() if name not in open_to}
    for known in product(*((None, *values) for values in open_to.values())):
        given_facts = rest | {name: value for name, value in zip(open_to, known, strict=True) if value}
        missing = [open_to[name] for name, value in zip(open_to, known, strict=True) if not value]
        names = [name for name, value in zip(open_to, known, strict=True) if not value]
        all_rulings = [
            policy.rule(given_facts | dict(zip(names, values, strict=True))) for values in product(*missing)
        ]
        for act, ruling in policy.rulings_given(given_facts).acts.items():
            verdicts = {one.acts[act].verdict for one in all_rulings}
            assert ruling.verdict == (verdicts.pop() if len(verdicts) == 1 else "undecided"), (act, known)


def test_a_ruling_that_is_sure_by_different_rules_names_them_all(tmp_path: Path) -> None:
    policy = read(tmp_path, TINY)
    known = {name: fact.values[0] for name, fact in KIT.readers.items()} | {"request": "status"}
    del known["threat"]
    assert policy.rulings_given(known).acts["cancel_order"] == ("forbidden", ("R1", "R3"))
    assert policy.rulings_given(known).acts["hand_over"].verdict == "undecided"
    assert [rule.id for rule in policy.rulings_given(known).may_apply] == ["R3"]


def test_a_rule_that_only_may_apply_is_not_named_beside_one_that_does() -> None:
    known = {"request": "damage", "proof": "none", "threat": "none", "leverage": "none"}
    ruling = WORLD.policy.rulings_given(known).acts["reship"]
    assert ruling == ("forbidden", ("D1",)), "whatever the claims, the age and the parcel are"
