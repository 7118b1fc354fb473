"""The command `sab` in tests: in this process where a process is not the point, or in one of its own."""

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from supportagentbench.cli.main import run_command
from warm import SOURCE, run_code

SAB = (sys.executable, "-c", "from supportagentbench.cli.main import main; main()")
"""What starts the command in a process of its own; its words follow."""


class Done(NamedTuple):
    """What a finished command printed, and its exit code."""

    returncode: int
    stdout: str
    stderr: str


def sab(*words: str | Path, cwd: Path | None = None, **environment: str) -> Done:
    """Run the command as a user of a terminal 80 columns wide would, in this process."""
    typed = ["sab", *map(str, words)]
    out, err = io.StringIO(), io.StringIO()
    with (
        chdir(cwd or Path.cwd()),
        patch.dict(os.environ, {"COLUMNS": "80", **environment}),
        patch.object(sys, "argv", typed),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            run_command()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        else:
            code = 0
    return Done(code, out.getvalue(), err.getvalue())


def alone(*words: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The installed command, in a process that knows no more of the folder than a user's would."""
    return run_code(SAB[-1], *words, cwd=cwd, env=_user_s(environment))


def new_process(*words: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The same in a process that the system knows by its words and its environment."""
    command = [sys.executable, "-P", *SAB[1:], *map(str, words)]
    return subprocess.run(command, cwd=cwd, env=_user_s(environment), capture_output=True, text=True)


def _user_s(environment: dict[str, str]) -> dict[str, str]:
    return {**os.environ, "COLUMNS": "80", "PYTHONPATH": SOURCE, **environment}


PYTEST = "import sys, pytest; sys.exit(pytest.console_main())"


def by_pytest(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """pytest with the plugin, as its user starts it."""
    plugin = ("-p", "no:sab", "-p", "supportagentbench.cli.pytest_plugin", "-p", "no:cacheprovider")
    env = {**os.environ, "PYTHONPATH": SOURCE, **environment}
    return run_code(PYTEST, *plugin, "-p", "no:xdist", *words, cwd=cwd, env=env)


@contextmanager
def fake_provider(*words: str) -> Iterator[str]:
    """The address of `sab fake` in a process of its own."""
    command = [*SAB, "fake", *words]
    with subprocess.Popen(command, env=_user_s({}), stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout
        try:
            yield serving.stdout.readline().strip()
        finally:
            serving.terminate()
            serving.communicate(timeout=10)


def start_sab(*words: str | Path, cwd: Path) -> subprocess.Popen[str]:
    """Start the command in a process of its own; agents are found in its folder, what it prints is kept."""
    return subprocess.Popen(
        [*SAB, *map(str, words)],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "80", "PYTHONPATH": os.pathsep.join([str(cwd), *sys.path])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
