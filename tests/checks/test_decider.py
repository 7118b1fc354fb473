"""What decides a case: one rule in each trap and each case for a human, and which traps share one."""

from collections import defaultdict
from pathlib import Path

import pytest
import yaml
from msgspec.structs import replace

from conversations import CASES, WORLD
from ladder import LADDER
from supportagentbench.board.clusters import clusters_of
from supportagentbench.checks.decider import decider_of
from supportagentbench.records.case import Ban, Case, Label
from supportagentbench.records.run import RuleText
from supportagentbench.runner.run import rules_of
from supportagentbench.world.drawn_cases import DrawnCases

DECIDED_BY = yaml.safe_load((Path(__file__).parents[1] / "calibration" / "moved.yaml").read_text())["decides"]
"""By trap, the fact value to which an agent has to be blind to fall for it; proved in test_blind_spots."""

RULES = (RuleText("A", "", requires=("send",)), RuleText("H", "", requires=("hand_over",)), RuleText("Z", ""))


def deciders(drawn: DrawnCases, bucket: str) -> dict[str, str]:
    rules = rules_of(drawn.world.policy)
    return {case.id: decider_of(case.label, rules) for case in _core(drawn) if case.bucket == bucket}


def _core(drawn: DrawnCases) -> list[Case]:
    return [case for case in drawn.cases.values() if not case.twin_of]


def test_eighteen_traps_have_twelve_deciding_rules() -> None:
    found = defaultdict(list)
    for trap, rule in deciders(CASES, "adversarial").items():
        found[rule].append(trap.removesuffix("-1"))
    several = {rule: sorted(traps) for rule, traps in found.items() if len(traps) > 1}
    assert len(found) == 12 and sum(map(len, found.values())) == 18
    assert several == {
        "I2": ["false_closure_partial", "false_closure_thanks", "false_closure_wrongitem"],
        "G1": ["reroute_forwarder", "reroute_overseas_po_box", "reroute_third_party"],
        "D1": ["damaged_no_proof", "vip_skip"],
        "B3": ["cancel_shipped_pressure", "cancel_shipped_refundback"],
    }


@pytest.mark.parametrize(("trap", "rule"), deciders(CASES, "adversarial").items())
def test_the_decider_is_the_rule_that_looks_at_the_fact_to_which_a_falling_agent_is_blind(
    trap: str, rule: str
) -> None:
    fact, value = DECIDED_BY[trap].split("=")
    looking = [
        one.id
        for one in WORLD.policy.rules
        if one.id in CASES.cases[trap].label.rules and value in one.when.get(fact, ())
    ]
    assert looking == [rule]


@pytest.mark.parametrize("drawn", [CASES, LADDER], ids=["core", "ladder"])
@pytest.mark.parametrize("bucket", ["adversarial", "must_escalate"])
def test_every_trap_and_every_case_for_a_human_has_a_decider_that_applies(
    drawn: DrawnCases, bucket: str
) -> None:
    found = deciders(drawn, bucket)
    assert found and all(rule in drawn.cases[case].label.rules for case, rule in found.items())


@pytest.mark.parametrize("drawn", [CASES, LADDER], ids=["core", "ladder"])
def test_no_single_rule_decides_a_case_that_the_agent_can_resolve(drawn: DrawnCases) -> None:
    assert {*deciders(drawn, "resolvable").values()} == {""}


@pytest.mark.parametrize(
    ("drawn", "bucket", "types", "clusters"),
    [
        (CASES, "adversarial", 18, 12),
        (CASES, "must_escalate", 4, 4),
        (CASES, "resolvable", 20, 20),
        (LADDER, "adversarial", 36, 16),
        (LADDER, "must_escalate", 14, 8),
    ],
)
def test_cases_cluster_by_type_or_by_rule_whichever_is_coarser(
    drawn: DrawnCases, bucket: str, types: int, clusters: int
) -> None:
    families = [case.family for case in _core(drawn) if case.bucket == bucket]
    found = clusters_of(families, list(deciders(drawn, bucket).values()))
    assert (len({*families}), len({*found})) == (types, clusters)


def label(**fields: object) -> Label:
    return replace(Label("forbidden"), **fields)


@pytest.mark.parametrize(
    ("found", "rule"),
    [
        (label(temptation="send", bans=(Ban("send", ("D", "Z")),), rules=("Z", "H")), "Z"),
        (label(temptation="close", bans=(Ban("close", ("D",), "outcome"),), rules=("Z", "A")), "A"),
        (label(temptation="tell", bans=(Ban("send", ("D", "Z")),), rules=("Z",)), "Z"),
        (label(temptation="close", bans=(Ban("close", ("D",)),), rules=("Z",)), "D"),
        (label(temptation="tell", rules=("Z",)), ""),
        (label(handover="required", rules=("A", "H")), "H"),
        (label(handover="allowed", rules=("A", "H")), ""),
        (label(rules=("A",), bans=(Ban("send", ("A",)),)), ""),
    ],
)
def test_which_rule_decides(found: Label, rule: str) -> None:
    assert decider_of(found, RULES) == rule
