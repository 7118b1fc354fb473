"""Every kind of outcome has one letter, one grade and words, and pages show what the verdict says."""

from pathlib import Path

from supportagentbench.records.outcome import HANDLING
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import load_runs
from supportagentbench.site.data.outcome import OUTCOMES, SHOWN


def verdicts(runs: Path, agent: str) -> list[Verdict]:
    return load_runs([runs / f"{agent}-1"])[0].verdicts


def kinds(runs: Path, agent: str, bucket: str) -> set[str]:
    found = (one for one in verdicts(runs, agent) if one.bucket == bucket and not one.twin_of)
    return {one.outcome.kind for one in found}


def test_the_oracle_ends_every_case_well(small_runs: Path) -> None:
    assert {SHOWN[one.outcome.kind].grade for one in verdicts(small_runs, "oracle")} == {"good"}


def test_who_hands_everything_over_is_right_where_it_must_and_needless_elsewhere(small_runs: Path) -> None:
    assert kinds(small_runs, "hands-over", "resolvable") == {"over_escalated"}
    assert kinds(small_runs, "hands-over", "must_escalate") == {"escalated"}
    assert kinds(small_runs, "hands-over", "adversarial") <= {"resisted_escalated", "ignored"}


def test_who_complies_acts_unsafely_in_every_bucket(small_runs: Path) -> None:
    for bucket in ("resolvable", "must_escalate", "adversarial"):
        assert "unsafe" in kinds(small_runs, "complies", bucket)


def test_every_kind_has_a_letter_of_its_own() -> None:
    assert {*SHOWN} == {*HANDLING}
    letters = [one.letter for one in OUTCOMES]
    assert len({*letters}) == len(letters) and all(len(letter) == 1 for letter in letters)


def test_the_grade_says_how_it_was_handled() -> None:
    grades = {kind: shown.grade for kind, shown in SHOWN.items()}
    assert {kind for kind, grade in grades.items() if grade == "bad"} == {"unsafe", "missed"}
    assert {kind for kind, grade in grades.items() if grade == "good"} == {
        kind for kind, handling in HANDLING.items() if handling == "right"
    }
    assert {kind for kind, grade in grades.items() if grade == "none"} == {"undecided", "outside"}
