"""A place that loses one worker after the other waits longer each time, and then ends the job."""

import pytest

from supportagentbench.jobs.cluster.bench import LONGEST_WAIT, MOST_LOSSES, Bench
from supportagentbench.records.problem import Problem


def test_the_wait_grows_until_the_job_ends_with_the_reason() -> None:
    bench = Bench()
    waits = [bench.wait("It ran out of memory.", was_useful=False) for _ in range(MOST_LOSSES - 1)]
    assert waits == [1, 2, 4, 8] and waits[-1] < LONGEST_WAIT
    with pytest.raises(Problem, match=r"5 workers .* finished anything; last: It ran out of memory\."):
        bench.wait("It ran out of memory.", was_useful=False)


def test_a_worker_that_finished_something_is_replaced_at_once_and_the_count_begins_anew() -> None:
    bench = Bench()
    for _ in range(3):
        for _ in range(MOST_LOSSES - 1):
            bench.wait("Killed.", was_useful=False)
        assert bench.wait("Killed.", was_useful=True) == 0
