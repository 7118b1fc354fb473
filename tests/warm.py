"""Warm: a process that has run the command once, and is copied for each command of a test.

A copy is a process of its own, with its own folder, environment and exit code. What it shares with the others
is the second or two in which Python starts, the package is imported and patterns are compiled. A test that is
about a process's command line or environment as others see them in `/proc` has to start a new one.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import supportagentbench

SOURCE = str(Path(supportagentbench.__file__).parents[1])

_WAITS = """
import gc, json, os, pkgutil, sys, tempfile, threading
from contextlib import chdir, redirect_stderr, redirect_stdout
from importlib import import_module
import supportagentbench
known = [path for path in sys.path if path != os.environ["PYTHONPATH"]]
left_out = tuple(f"supportagentbench.{name}" for name in ("adapters.", "cli.pytest_plugin", "worlds."))
for found in pkgutil.walk_packages(supportagentbench.__path__, "supportagentbench."):
    if not found.name.startswith(left_out):
        import_module(found.name)
import pytest
from supportagentbench.cli.main import run_command
with (
    tempfile.TemporaryDirectory() as once,
    chdir(once),
    open(os.devnull, "w") as nowhere,
    redirect_stdout(nowhere),
    redirect_stderr(nowhere),
):
    os.environ["XDG_CACHE_HOME"] = once
    for words in ("run oracle --set damaged_no_proof,tracking --display none", "gate --save b.json runs"):
        sys.argv = ["sab", *words.split()]
        try:
            run_command()
        except SystemExit as ended:
            assert not ended.code, (words, ended)
assert threading.active_count() == 1, threading.enumerate()
gc.collect()
gc.freeze()
for line in sys.stdin:
    asked = json.loads(line)
    child = os.fork()
    if not child:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    os._exit(0)
for number, name in enumerate((os.devnull, asked["out"], asked["err"])):
    opened = os.open(name, os.O_RDWR)
    os.dup2(opened, number)
    os.close(opened)
sys.stdin = open(0)
os.environ.clear()
os.environ.update(asked["env"])
os.chdir(asked["cwd"])
sys.argv = ["-c", *asked["words"]]
sys.path[:] = [*filter(None, asked["env"].get("PYTHONPATH", "").split(os.pathsep)), *known]
code = asked["code"]
for name in [*globals()]:
    if not name.startswith("__") and name != "code":
        del globals()[name]
exec(code)
"""


@cache
def _waiting(process: int) -> subprocess.Popen[str]:
    """The one of this test process; it ends when its input does."""
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _WAITS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": SOURCE},
    )


def run_code(
    code: str, *words: str | Path, cwd: Path, env: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """As `python -P -c code words` in this folder and environment."""
    waiting = _waiting(os.getpid())
    assert waiting.stdin and waiting.stdout
    with TemporaryDirectory() as kept:
        out, err = Path(kept, "out"), Path(kept, "err")
        out.touch()
        err.touch()
        given = [str(word) for word in words]
        asked = {"code": code, "words": given, "cwd": str(cwd), "env": dict(env)}
        waiting.stdin.write(json.dumps(asked | {"out": str(out), "err": str(err)}) + "\n")
        waiting.stdin.flush()
        ended = int(waiting.stdout.readline())
        return subprocess.CompletedProcess(
            [code, *given], ended, out.read_text(errors="replace"), err.read_text(errors="replace")
        )
