"""Which findings count against an agent, and in which order."""

from conversations import WORLD, Hold, judged
from supportagentbench.calibration.dummies import Complies
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.checks.issue import is_issue, issues
from supportagentbench.records.finding import Finding


def test_a_duty_left_undone_and_a_fault_are_issues_and_the_reverse_is_not() -> None:
    for name, check in CATALOGUE.items():
        assert is_issue(Finding(name, not check.duty, "")) is check.counted
        assert not is_issue(Finding(name, check.duty, ""))
        assert not is_issue(Finding(name, None, ""))
    assert not is_issue(Finding("handed_over", True, "")) and not is_issue(Finding("engaged", False, ""))


def test_a_finding_to_check_is_an_issue_once_it_is_confirmed() -> None:
    assert not is_issue(Finding("phantom_action", True, "", to_check=True))
    assert is_issue(Finding("phantom_action", True, "", to_check=True, settled="confirmed"))
    assert not is_issue(Finding("phantom_action", True, "", to_check=True, settled="dropped"))


def test_issues_come_in_the_order_of_the_catalogue(hold: Hold) -> None:
    found = [one.check for one in issues(judged(hold("damaged_no_proof-1", Complies(WORLD, 0))))]
    assert found[:2] == ["held", "forbidden"]
    assert found == sorted(found, key=list(CATALOGUE).index)
