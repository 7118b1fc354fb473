"""Aftermath: what an agent's code may have forged outside its run is found when the code has ended."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from supportagentbench.concurrency.own_files import changed_own_file
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.records.problem import Problem
from supportagentbench.results.cache import forget_everything
from supportagentbench.runner.observer import say_aloud
from supportagentbench.storage.newcomers import Newcomers


@contextmanager
def aftermath(spec: JobSpec, say: Callable[[str], None] = say_aloud) -> Iterator[Newcomers]:
    """Around everything that runs agents: afterwards, also after an error, nothing forged is left.

    A Problem if that is not possible, or if there are runs that the command did not make; `say` gets it if
    there is another error already.
    """
    newcomers = Newcomers(spec.out)
    try:
        yield newcomers
    except BaseException:
        try:
            _set_right(spec, newcomers)
        except Problem as problem:
            say(str(problem))
        raise
    _set_right(spec, newcomers)


def _set_right(spec: JobSpec, newcomers: Newcomers) -> None:
    is_open = spec.leaves_files_open
    if is_open:
        forget_everything()
    if changed := changed_own_file():
        raise Problem(
            "was changed while agents ran, so nothing that this command says can be believed; "
            "install the package again.",
            place=changed,
        )
    if is_open:
        newcomers.refuse([agent.shown for agent in spec.agent_specs()])
