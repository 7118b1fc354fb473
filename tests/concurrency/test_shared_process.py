"""Code that shares the benchmark's process can neither end it at once nor go on as a copy of it."""

import os
from multiprocessing import get_context

import pytest

from supportagentbench.concurrency.shared_process import ProcessEnded, end_copy, kept_alive


def test_ending_the_process_raises_as_long_as_it_is_kept_alive() -> None:
    before = os._exit, os.execv
    with kept_alive(), kept_alive():
        with pytest.raises(ProcessEnded, match=r"it called os\._exit\(0\), which would end the benchmark"):
            os._exit(0)
        with pytest.raises(ProcessEnded, match=r"os\.execv"):
            os.execlp("true", "true")
    assert (os._exit, os.execv) == before


def test_a_child_may_end_itself() -> None:
    with kept_alive():
        child = get_context("fork").Process(target=os._exit, args=(7,))
        child.start()
        child.join()
    assert child.exitcode == 7


def test_only_a_copy_is_ended(capfd: pytest.CaptureFixture[str]) -> None:
    end_copy(os.getpid())
    child = get_context("fork").Process(target=end_copy, args=(os.getpid(),))
    child.start()
    child.join()
    assert child.exitcode == 1
    assert "an agent copied this process with os.fork; the copy was ended." in capfd.readouterr().err
