"""DetectableDifference: what differences a planned run can show, before anything is spent on it."""

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
"""Where a metric is counted, and how often the agent to be compared with may go wrong there: a guess."""


class DetectableDifference(Record):
    """The smallest difference on one metric that would be found four times in five."""

    metric: str
    families: int
    cases: int
    runs: int
    expected: float
    difference: float | None
    """None: not even the largest would be, most likely because there are too few families."""


def family_sizes(cases: Iterable[Case]) -> dict[Bucket, list[int]]:
    """The number of cases in each family, by bucket; twins are left out."""
    counted = Counter((case.bucket, case.family) for case in cases if not case.twin_of)
    sizes: dict[Bucket, list[int]] = {}
    for (bucket, _), size in counted.items():
        sizes.setdefault(bucket, []).append(size)
    return sizes


def detectable_differences(families: Mapping[Bucket, list[int]], runs: int) -> list[DetectableDifference]:
    """What so many runs can show, given how many cases each family has, by bucket."""
    found = []
    for metric, (bucket, rate) in EXPECTED.items():
        sizes = families.get(bucket, [])
        if not sizes:
            continue
        plan = PowerPlan(clusters=len(sizes), size=round(sum(sizes) / len(sizes)), runs=runs, rate=rate)
        found.append(DetectableDifference(metric, len(sizes), sum(sizes), runs, rate, detectable(plan)))
    return found
