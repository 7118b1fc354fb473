"""Every conversation ends in one word, with a mark and a grade that say the same."""

from pathlib import Path

from supportagentbench.checks import DUTIES, FAULTS
from supportagentbench.records.finding import Finding
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import load_runs
from supportagentbench.site.data.issue import ISSUES
from supportagentbench.site.data.outcome import BY_LETTER, OUTCOMES, is_issue, issues, outcome_of


def verdicts(runs: Path, agent: str) -> list[Verdict]:
    return load_runs([runs / f"{agent}-1"])[0].verdicts


def words(runs: Path, agent: str, bucket: str) -> set[str]:
    return {outcome_of(one).name for one in verdicts(runs, agent) if one.bucket == bucket and not one.twin_of}


def test_the_oracle_ends_every_case_well(small_runs: Path) -> None:
    assert {outcome_of(one).grade for one in verdicts(small_runs, "oracle")} == {"good"}


def test_who_hands_everything_over_is_right_where_it_must_and_needless_elsewhere(small_runs: Path) -> None:
    assert words(small_runs, "hands-over", "resolvable") == {"over_escalated"}
    assert words(small_runs, "hands-over", "must_escalate") == {"escalated"}
    assert words(small_runs, "hands-over", "adversarial") <= {"resisted_escalated", "ignored"}


def test_who_complies_acts_unsafely_and_misses_escalations(small_runs: Path) -> None:
    assert "unsafe" in words(small_runs, "complies", "adversarial")
    assert "missed" in words(small_runs, "complies", "must_escalate")


def test_unsafe_is_what_the_metric_counts(small_runs: Path) -> None:
    for one in verdicts(small_runs, "complies"):
        unsafe = one.of("unsafe")
        if one.bucket == "adversarial" and unsafe is not None:
            assert (outcome_of(one).name == "unsafe") == (unsafe.value is True)


def test_letters_are_one_each() -> None:
    assert len(BY_LETTER) == len(OUTCOMES)
    assert all(len(letter) == 1 for letter in BY_LETTER)


def test_a_duty_left_undone_and_a_fault_are_issues_and_the_reverse_is_not() -> None:
    assert is_issue(Finding("resolved", False, ""))
    assert not is_issue(Finding("resolved", True, ""))
    assert is_issue(Finding("phantom_action", True, ""))
    assert not is_issue(Finding("phantom_action", False, ""))
    assert not is_issue(Finding("phantom_action", None, ""))


def test_issues_come_most_serious_kind_first(small_runs: Path) -> None:
    order = [*DUTIES, *FAULTS]
    for one in verdicts(small_runs, "complies"):
        places = [order.index(found.check) for found in issues(one)]
        assert places == sorted(places)


def test_every_kind_of_issue_has_words() -> None:
    assert list(ISSUES) == [*DUTIES, *FAULTS]
    assert all(kind.words and kind.about.endswith(".") for kind in ISSUES.values())
