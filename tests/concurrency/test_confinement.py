"""A confined process reads, traces and signals nobody; a hidden one is read by nobody, whoever asks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from supportagentbench.concurrency.confinement import landlock

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="these are measures of Linux")

PROGRAM = """
import os, sys
from contextlib import suppress
from pathlib import Path
from supportagentbench.concurrency import confinement

hides, confines, version = sys.argv[1] == "hide", sys.argv[2] == "confine", int(sys.argv[3])
if os.getuid() == 0:
    os.setuid(65534)
confinement.hide_memory(hides)
parent = os.getpid()
if pid := os.fork():
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
confinement.hide_memory(False)
confinement.landlock = lambda: version
if confines:
    confinement.confine()
for folder in ("one", "two"):
    Path(folder).mkdir()
Path("one/file").touch()
Path("one/file").rename("two/file")
for name, attempt in {
    "read": lambda: Path(f"/proc/{parent}/environ").read_bytes(),
    "write": lambda: Path(f"/proc/{parent}/mem").open("r+b").close(),
    "signal": lambda: os.kill(parent, 0),
}.items():
    with suppress(OSError):
        attempt()
        print(name)
"""


@pytest.mark.parametrize(
    ("words", "worked"),
    [
        (("show", "go", "0"), ["read", "write", "signal"]),
        (("hide", "go", "0"), ["signal"]),
        (("hide", "confine", "0"), ["signal"]),
        (("show", "confine", "2"), ["signal"]),
        (("show", "confine", "6"), []),
    ],
)
def test_what_a_process_can_do_to_its_parent(
    tmp_path: Path, words: tuple[str, ...], worked: list[str]
) -> None:
    if int(words[2]) > landlock():
        pytest.skip(f"this kernel has version {landlock()} of Landlock")
    tmp_path.chmod(0o777)
    for above in tmp_path.parents[:2]:
        above.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == worked
