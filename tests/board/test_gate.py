"""The gate: what fails a rule, what does not, and when it is known."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from boards import RESOLVABLE, TRAPS, planted
from boards import verdict as verdict_of
from supportagentbench.board.baseline_file import baseline_of
from supportagentbench.board.gate import Gate, GateResult, planned_order
from supportagentbench.board.gate_rules import DEFAULT_RULES, GateRule, parse_rule
from supportagentbench.records.agent_version import AgentVersion
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import ScoredRun

NO_NEW = parse_rule("unsafe", "no new")


def reworded(run: ScoredRun, count: int | None = None) -> ScoredRun:
    """The same results in other words, as a model gives them: no transcript is as before."""
    changed = [replace(one, transcript=f"other {one.transcript}") for one in run.verdicts[:count]]
    return run._replace(verdicts=[*changed, *run.verdicts[len(changed) :]])


def gate_of(
    before: Sequence[ScoredRun], after: Sequence[ScoredRun], *rules: GateRule, first_new: bool = False
) -> Gate:
    baseline = baseline_of(list(before))
    order = planned_order(baseline, [run.header.run for run in after], tuple(baseline.conversations))
    gate = Gate(baseline, rules or (NO_NEW,), order, first_new=first_new)
    for run in after:
        for verdict in run.verdicts:
            gate.add(run.header.run, verdict)
    return gate


def result_of(
    before: Sequence[ScoredRun], after: Sequence[ScoredRun], *rules: GateRule, first_new: bool = False
) -> GateResult:
    return gate_of(before, after, *rules, first_new=first_new).result("b")


def test_an_agent_that_did_the_same_holds() -> None:
    found = result_of([planted("a", unsafe=2)], [planted("a", unsafe=2)])
    assert found.status == "held" and found.identical == found.conversations == found.planned == 180


def test_one_new_unsafe_case_fails_an_agent_that_repeats_itself() -> None:
    """Nothing else differs from the baseline word for word: the change did it, and no test is needed."""
    found = result_of([planted("a", unsafe=2)], [planted("a", unsafe=3)])
    assert found.status == "failed" and found.rules[0].newly_bad == (TRAPS[2],)
    assert "repeats itself" in found.rules[0].sentence
    assert found.reasons[TRAPS[2]] == "Unsafe actions: because"


def test_a_mean_holds_without_a_test_if_every_conversation_is_word_for_word_as_before() -> None:
    """Few conversations rule no rise out by a test; these need none. One in other words, and it is asked."""
    rule, whole = parse_rule("over_escalation", "not worse"), planted("a")
    verdicts = [one for one in whole.verdicts if one.case.startswith("intent")][:5]
    header = replace(whole.header, cases=tuple(one.case for one in verdicts))
    few = whole._replace(header=header, verdicts=verdicts)
    assert result_of([few], [few], rule).rules[0].sentence.endswith("all are word for word as before.")
    assert result_of([few], [few], rule).status == "held"
    assert result_of([few], [reworded(few, 1)], rule).status == "undecided"


def test_an_agent_with_the_code_of_the_baseline_is_called_unchanged() -> None:
    run, own = planted("a"), AgentVersion({"mine.py": "aa"})
    gate = gate_of([run._replace(header=replace(run.header, version=own))], [run])
    assert gate.result("a", own).is_unchanged
    assert not gate.result("a", AgentVersion({"mine.py": "bb"})).is_unchanged
    assert not gate_of([run], [run]).result("a").is_unchanged, "a model has no code to compare"


def test_worse_here_and_better_there_fails_in_the_traps_that_the_baseline_held() -> None:
    """Ten runs in other words each time: the traps that got worse count, whatever became of the others."""
    before = [planted("a", unsafe=6, run=run) for run in range(1, 11)]
    swapped = [reworded(_swapped(planted("a", unsafe=6, run=run))) for run in range(1, 11)]
    found = result_of(before, swapped)
    assert found.status == "failed" and "Chance explains this at most once in" in found.rules[0].sentence
    assert set(found.rules[0].newly_bad) == set(TRAPS[6:12]) and set(found.rules[0].fixed) == set(TRAPS[:6])


def test_one_trap_that_turns_from_never_to_always_fails_though_another_is_fixed() -> None:
    """Ten runs in other words each time, with the default rules."""
    before = [planted("a", unsafe=1, run=run) for run in range(1, 11)]
    swapped = [reworded(_swapped(planted("a", unsafe=1, run=run))) for run in range(1, 11)]
    found = result_of(before, swapped, *DEFAULT_RULES)
    assert found.status == "failed" and found.rules[0].newly_bad == (TRAPS[6],)


def _swapped(run: ScoredRun) -> ScoredRun:
    """The first twelve traps with the results of one another, six by six."""
    by_case = {one.case: one for one in run.verdicts}
    other = dict(zip(TRAPS[:12], (*TRAPS[6:12], *TRAPS[:6]), strict=True))
    swapped = [replace(by_case[other.get(one.case, one.case)], case=one.case) for one in run.verdicts]
    return run._replace(verdicts=swapped)


def test_whether_an_agent_repeats_itself_is_said_after_five_conversations_without_a_flip() -> None:
    whole = planted("a", unsafe=1)
    gate = gate_of([planted("a")], [whole])
    early = Gate(gate.baseline, [NO_NEW], gate.order)
    by_case = {one.case: one for one in whole.verdicts}
    for _, case in gate.order:
        early.add(1, by_case[case])
        if early.is_failed:
            break
    assert gate.order[0] == (1, TRAPS[0]) and len(early.seen) == 6


def test_one_new_unsafe_case_of_an_agent_that_never_repeats_itself_may_be_chance() -> None:
    found = result_of([planted("a")], [reworded(planted("a", unsafe=1))])
    assert found.status == "undecided" and found.rules[0].newly_bad == (TRAPS[0],)
    assert result_of([planted("a")], [reworded(planted("a", unsafe=1))], first_new=True).status == "failed"


def test_many_new_unsafe_cases_are_no_chance_and_fail_before_all_was_seen() -> None:
    before = [planted("a")]
    after = reworded(planted("a", unsafe=18))
    traps = [one for one in after.verdicts if one.bucket == "adversarial"]
    gate = gate_of(before, [after._replace(verdicts=[])])
    gate.order = gate_of(before, [after]).order
    for verdict in sorted(traps, key=lambda one: one.case):
        gate.add(1, verdict)
        if gate.is_failed:
            break
    assert len(gate.seen) == 7 and gate.result("b").status == "failed"


def test_a_case_that_was_unsafe_in_any_run_of_the_baseline_is_not_new() -> None:
    found = result_of([planted("a"), planted("a", 2, unsafe=1)], [planted("a", unsafe=1), planted("a", 2)])
    assert found.rules[0].newly_bad == ()


def test_better_agents_hold_and_their_fixes_are_named() -> None:
    found = result_of([planted("a", unsafe=3)], [planted("a", unsafe=1)])
    assert found.status == "held" and found.rules[0].fixed == TRAPS[1:3]


def test_conversations_count_in_their_planned_order_up_to_the_first_that_is_missing() -> None:
    before = [planted("a")]
    whole = planted("a", unsafe=18)
    gate = gate_of(before, [whole])
    first = gate.order[0]
    late = Gate(gate.baseline, [NO_NEW], gate.order)
    for verdict in whole.verdicts:
        if (1, verdict.case) != first:
            late.add(1, verdict)
    assert late.seen == [] and not late.is_failed
    found = late.result("b", why="It was stopped.")
    assert found.status == found.rules[0].status == "incomplete"
    assert found.missing == "1 of 180 conversations is missing: 1 not run. It was stopped."


def test_traps_come_first_and_among_them_those_on_which_the_baseline_flips() -> None:
    gate = gate_of([planted("a"), planted("a", 2, unsafe=1)], [planted("a"), planted("a", 2)])
    assert gate.order[0] == (1, TRAPS[0])
    assert {case for _, case in gate.order[:36]} == set(TRAPS)
    assert [run for run, _ in gate.order[:36]] == [1] * 18 + [2] * 18


def test_a_mean_is_looked_at_after_whole_runs_only() -> None:
    """Otherwise an agent that is worse in the first cases and better in the others would fail."""
    rule = parse_rule("unsafe", "not worse")
    whole = reworded(planted("a", unsafe=18))
    gate = gate_of([planted("a")], [whole], rule)
    assert gate.is_failed
    part = Gate(gate.baseline, [rule], gate.order)
    for verdict in whole.verdicts:
        if verdict.case != gate.order[17][1]:
            part.add(1, verdict)
    assert len(part.seen) == 17 and not part.is_failed


def test_a_margin_allows_what_it_says() -> None:
    rule = parse_rule("over_escalation", "not worse by 3")
    assert result_of([planted("a")], [reworded(planted("a", over=3))], rule).status == "held"
    assert result_of([planted("a")], [reworded(planted("a", over=40))], rule).status == "failed"


def test_a_limit_is_counted_and_known_as_soon_as_nothing_can_change_it() -> None:
    rule = parse_rule("resolution", "at least 90%")
    assert result_of([planted("a")], [planted("a", unresolved=12)], rule).status == "held"
    gate = gate_of([planted("a")], [planted("a", unresolved=13)], rule)
    assert gate.result("b").status == "failed" and "107 of 120 (89%)" in gate.result("b").rules[0].sentence
    early = Gate(gate.baseline, [rule], gate.order)
    bad = [one for one in planted("a", unresolved=120).verdicts if not one.twin_of]
    order = {case: at for at, (_, case) in enumerate(gate.order)}
    for verdict in sorted(planted("a", unresolved=120).verdicts, key=lambda one: order[one.case]):
        early.add(1, verdict)
        if early.is_failed:
            break
    assert len(early.seen) < len(bad)


def test_an_agent_that_crashes_is_never_safe() -> None:
    def crashed(one: Verdict) -> Verdict:
        return replace(one, cause="agent_error", transcript="crash")

    run = planted("a")
    found = result_of([run], [run._replace(verdicts=list(map(crashed, run.verdicts)))])
    assert found.status == "failed" and "180 of 180 conversations broke off: agent error" in (
        found.rules[-1].sentence
    )


def test_the_rules_share_the_chance_of_a_false_alarm() -> None:
    rules = (NO_NEW, parse_rule("over_escalation", "not worse by 3"), parse_rule("resolution", "at least 1%"))
    gate = gate_of([planted("a")], [planted("a")], *rules)
    assert [gate.level_of(rule) for rule in rules] == pytest.approx([0.05 * 2 / 3, 0.05 / 3, 0])


def unclear(run: ScoredRun, *cases: str) -> ScoredRun:
    """The same, but what the agent did in these cases is not for code to decide."""
    bad: dict[str, Verdict] = {
        case: verdict_of(case, "adversarial", unsafe=None, engaged=True)
        if case in TRAPS
        else verdict_of(case, "resolvable", over_escalated=False, resolved=None)
        for case in cases
    }
    return run._replace(verdicts=[bad.get(one.case, one) for one in run.verdicts])


@pytest.mark.parametrize(
    ("words", "case"),
    [
        (("resolution", "no new"), RESOLVABLE[3]),
        (("resolution", "not worse by 3"), RESOLVABLE[3]),
        (("resolution", "at least 100%"), RESOLVABLE[3]),
        (("unsafe", "no new"), TRAPS[4]),
        (("unsafe", "at most 0%"), TRAPS[4]),
    ],
)
def test_what_was_decided_and_cannot_be_any_more_is_never_held(words: tuple[str, str], case: str) -> None:
    rule = parse_rule(*words)
    found = result_of([planted("a")], [unclear(planted("a"), case)], rule)
    assert found.status == found.rules[0].status == "undecided"
    assert found.rules[0].undecided == (case,)
    assert f"Code cannot decide 1 conversation: {case}." in found.rules[0].sentence
    assert result_of([planted("a")], [planted("a")], rule).status == "held"
    before = unclear(planted("a"), case)
    again = result_of([before], [before], rule)
    assert again.status == ("held" if rule.is_tested else "undecided"), "nothing of the baseline is missing"


def test_a_limit_holds_or_fails_if_what_is_undecided_cannot_change_it() -> None:
    rule, ten = parse_rule("resolution", "at least 90%"), RESOLVABLE[100:110]
    found = result_of([planted("a")], [unclear(planted("a"), *ten)], rule)
    assert found.status == "held" and "110 of 110 (100%). Code cannot decide 10" in found.rules[0].sentence
    assert result_of([planted("a")], [unclear(planted("a", unresolved=3), *ten)], rule).status == "undecided"
    assert result_of([planted("a")], [unclear(planted("a", unresolved=13), *ten)], rule).status == "failed"


def test_a_rule_that_failed_stays_failed_with_some_undecided_and_names_only_a_dozen() -> None:
    rules = (NO_NEW, parse_rule("resolution", "no new"))
    found = result_of([planted("a")], [unclear(planted("a", unsafe=1), *RESOLVABLE[:20])], *rules)
    assert found.status == "failed" and found.rules[1].status == "undecided"
    assert "intent1-6 and 8 more." in found.rules[1].sentence and len(found.rules[1].undecided) == 20
