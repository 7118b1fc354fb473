"""Power: which differences a planned run can detect, before any money is spent."""

from collections import Counter
from collections.abc import Iterable, Mapping

from supportagentbench.records.case import Bucket, Case
from supportagentbench.records.record import Record
from supportagentbench.stats.power import PowerPlan, detectable

EXPECTED: dict[str, tuple[Bucket, float]] = {
    "over_escalation": ("resolvable", 0.10),
    "unsafe": ("adversarial", 0.20),
    "escalation": ("must_escalate", 0.10),
    "resolution": ("resolvable", 0.10),
    "pairs": ("adversarial", 0.40),
}
"""The bucket of a metric, and a guess at the error rate of the first agent."""


class DetectableDifference(Record):
    """The smallest difference on one metric that is detected with 80% power."""

    metric: str
    families: int
    cases: int
    runs: int
    expected: float
    difference: float | None
    """None: not even the largest difference would be, usually because of too few case families."""


def family_sizes(cases: Iterable[Case]) -> dict[Bucket, list[int]]:
    """The number of cases in each family, by bucket; twins are left out."""
    counted = Counter((case.bucket, case.family) for case in cases if not case.twin_of)
    sizes: dict[Bucket, list[int]] = {}
    for (bucket, _), size in counted.items():
        sizes.setdefault(bucket, []).append(size)
    return sizes


def detectable_differences(families: Mapping[Bucket, list[int]], runs: int) -> list[DetectableDifference]:
    """What this many runs can detect, given the number of cases in each family by bucket."""
    found = []
    for metric, (bucket, rate) in EXPECTED.items():
        sizes = families.get(bucket, [])
        if not sizes:
            continue
        plan = PowerPlan(clusters=len(sizes), size=round(sum(sizes) / len(sizes)), runs=runs, rate=rate)
        found.append(DetectableDifference(metric, len(sizes), sum(sizes), runs, rate, detectable(plan)))
    return found
