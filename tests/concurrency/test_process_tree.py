"""A tree of processes is found, measured and ended as a whole, whatever its members do to leave it."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from supportagentbench.concurrency.process_tree import descendants, end_marked, end_trees, exceeds, memory_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows processes in /proc")

TREE = """
import os, signal, sys, time
from supportagentbench.concurrency.confinement import adopt_orphans
adopt_orphans()
for _ in range(3):
    if child := os.fork():
        os.waitpid(child, 0)
        continue
    os.setsid()
    if os.fork():
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)
print("ready", flush=True)
time.sleep(600)
"""


@pytest.fixture
def tree() -> Iterator[subprocess.Popen[str]]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TREE_OF_THIS_TEST": str(os.getpid())}
    started = subprocess.Popen([sys.executable, "-c", TREE], stdout=subprocess.PIPE, text=True, env=env)
    assert started.stdout and started.stdout.readline() == "ready\n"
    yield started
    end_trees([started.pid])
    started.communicate()


def wait_for(count: int, root: int) -> list[int]:
    deadline = time.monotonic() + 10
    while len(found := descendants([root])) != count and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def are_gone(pids: list[int]) -> bool:
    """Whether these processes end; one that was killed takes a moment."""
    deadline = time.monotonic() + 10
    while (left := {*pids} & {*descendants([1])}) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not left


def test_orphans_of_other_sessions_belong_to_it(tree: subprocess.Popen[str]) -> None:
    found = wait_for(3, tree.pid)
    assert len(found) == 3 and all(os.getsid(pid) != os.getsid(tree.pid) for pid in found)


def test_it_is_ended_as_a_whole(tree: subprocess.Popen[str]) -> None:
    found = wait_for(3, tree.pid)
    end_trees([tree.pid])
    assert tree.wait(10) == -signal.SIGKILL
    assert are_gone(found)


def test_orphans_are_found_by_their_mark(tree: subprocess.Popen[str]) -> None:
    found = wait_for(3, tree.pid)
    tree.kill()
    tree.wait()
    end_marked(f"TREE_OF_THIS_TEST={os.getpid()}")
    assert are_gone(found)


HOPPER = """
import os, time
for _ in range(40):
    if os.fork():
        os._exit(0)
    os.setsid()
    time.sleep(0.01)
time.sleep(600)
"""


def test_a_process_that_hops_from_fork_to_fork_is_caught() -> None:
    mark = f"HOPPER_OF_THIS_TEST={os.getpid()}"
    env = {**os.environ, **dict([mark.split("=")])}
    with subprocess.Popen([sys.executable, "-c", HOPPER], stdout=subprocess.PIPE, env=env) as started:
        started.wait()
        end_marked(mark)
        assert started.stdout and select.select([started.stdout], [], [], 5)[0], "one of them holds the pipe"


def test_its_memory_is_that_of_all_its_members(tree: subprocess.Popen[str]) -> None:
    found = [tree.pid, *wait_for(3, tree.pid)]
    used = memory_of(found)
    assert 2**20 < used < 2**30
    assert exceeds(found, 2**20) and not exceeds(found, 2**30)


def test_a_process_that_has_ended_has_no_tree() -> None:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    assert descendants([done.pid]) == []
    end_trees([done.pid])
