"""Warden: a process between the benchmark and an isolated agent, which ends with everything that it started.

It adopts what the agent leaves behind, counts processes and memory, and ends them all: when the agent ends,
when they become too many, and when the benchmark is gone.
"""

import os
import resource
import signal
import sys
import time
from contextlib import suppress
from typing import NamedTuple, NoReturn

from supportagentbench.concurrency.confinement import adopt_orphans, confine, hide_memory
from supportagentbench.concurrency.process_tree import descendants, end_descendants, exceeds
from supportagentbench.desk.doors.limits import TOO_MANY_PROCESSES, TOO_MUCH_MEMORY, TreeLimits

LOOK_SECONDS = 0.5
"""Time between two looks at the agent's processes."""


class Warden(NamedTuple):
    """Watches one agent."""

    agent: int
    parent: int
    """The benchmark's process; 0: it cannot be seen from here, and ends this one itself."""
    limits: TreeLimits

    def watch(self) -> NoReturn:
        """Watch until the agent has ended, then end in the same way."""
        look = 0.0
        while True:
            signal.sigtimedwait([signal.SIGCHLD], LOOK_SECONDS)
            if (status := self._ended()) is not None:
                end_descendants([os.getpid()])
                _end_like(status)
            if time.monotonic() >= look:
                self._look()
                look = time.monotonic() + LOOK_SECONDS

    def _ended(self) -> int | None:
        """The agent's status, if it has ended; all others are only reaped."""
        with suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                if found[0] == self.agent:
                    return found[1]
        return None

    def _look(self) -> None:
        """End everything if there is too much of it, or nobody to be there for."""
        if self.parent and os.getppid() != self.parent:
            self._end_all(0)
        tree = descendants([os.getpid()])
        if self.limits.processes and len(tree) > self.limits.processes:
            self._end_all(TOO_MANY_PROCESSES)
        if self.limits.memory and exceeds(tree, self.limits.memory):
            self._end_all(TOO_MUCH_MEMORY)

    def _end_all(self, code: int) -> NoReturn:
        end_descendants([os.getpid()])
        os._exit(code)


def under_a_warden(parent: int, limits: TreeLimits, wire: int) -> int:
    """Go on in a process under a warden, which is where this returns; the number of its parent."""
    if sys.platform != "linux":
        return parent
    adopt_orphans()
    hide_memory()  # The agent could otherwise write to the warden's memory.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    warden, agent = os.getpid(), os.fork()
    if agent:
        os.close(wire)
        Warden(agent, parent, limits).watch()
    hide_memory(False)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
    confine()
    return warden


def _end_like(status: int) -> NoReturn:
    """End with the exit code or the signal that another process ended with."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError, ValueError):  # Not all signals can be set.
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code & 0xFF)
