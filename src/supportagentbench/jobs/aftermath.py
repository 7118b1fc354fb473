"""Aftermath: what an agent's code may have forged outside its run is dropped when the code has ended."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from supportagentbench.concurrency.own_files import changed_own_file
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.records.problem import Problem
from supportagentbench.results.cache import forget_everything
from supportagentbench.runner.observer import say_aloud


@contextmanager
def aftermath(spec: JobSpec, say: Callable[[str], None] = say_aloud) -> Iterator[None]:
    """Around everything that runs agents: afterwards, also after an error, nothing forged is left.

    A Problem if that is not possible; `say` gets it if there is another error already.
    """
    try:
        yield
    except BaseException:
        try:
            _set_right(spec)
        except Problem as problem:
            say(str(problem))
        raise
    _set_right(spec)


def _set_right(spec: JobSpec) -> None:
    if spec.leaves_files_open:
        forget_everything()
    if changed := changed_own_file():
        raise Problem(
            "was changed while agents ran, so nothing that this command says can be believed; "
            "install the package again.",
            place=changed,
        )
