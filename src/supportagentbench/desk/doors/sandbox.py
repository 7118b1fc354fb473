"""Sandbox: an isolated agent sees its own code, Python and the system's programs, all read-only, and no more.

It has process numbers, a `/tmp` and a home of its own. Runs, hidden files, other processes and, unless it was
asked for, the network are out of reach. `bwrap` (bubblewrap) does this, without any rights on most systems.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path

from supportagentbench.records.problem import Problem

BWRAP = "bwrap"

INSTEAD = "use --isolate=process, or run everything in a container"

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Folders of programs and libraries."""

SETTINGS = (
    *("alternatives", "ca-certificates", "group", "hosts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d"),
    *("localtime", "nsswitch.conf", "passwd", "pki", "resolv.conf", "ssl"),
)
"""What programs read in `/etc`; none of it is a secret."""

CERTIFICATES = ("SSL_CERT_DIR", "SSL_CERT_FILE")
"""Variables with the place of certificates."""

HOME = "/tmp"

WORLDS = "supportagentbench/worlds"
"""Where the public cases are in an installed package; an agent's process does not need them."""

ROOMS = (
    *("board", "calibration", "checks", "cli", "customer", "forks", "jobs", "judges", "live", "results"),
    *("runner", "site", "terminal"),
)
"""Parts of the package that an agent's process does not need; some know right answers, as the oracle does."""

PROBE_SECONDS = 20


def sandboxed(
    command: Sequence[str], agent: str, hidden: Iterable[Path], network: bool, environment: Mapping[str, str]
) -> list[str]:
    """The command that runs another one in the sandbox of an agent; a Problem if there can be none."""
    refuse_if_impossible(network)
    here = str(Path.cwd())
    words = [BWRAP, *_apart(network), "--proc", "/proc", "--dev", "/dev", "--tmpfs", HOME]
    words += [*_system(), *_code(agent), *_python()]
    for variable in CERTIFICATES:
        if place := environment.get(variable):
            words += ["--ro-bind-try", place, place]
    words += [*_without_answers(), *_emptied(path for path in hidden if path.is_dir())]
    return [*words, "--dir", here, "--chdir", here, "--", *command]


def refuse_if_impossible(network: bool) -> None:
    """Stop if no sandbox can be made here, with what to do about it."""
    if sys.platform != "linux":
        raise Problem(f"--isolate=sandbox needs Linux and bubblewrap; elsewhere {INSTEAD}.")
    if not shutil.which(BWRAP):
        raise Problem(
            f"--isolate=sandbox needs bubblewrap; install it, such as `apt install bubblewrap`, or {INSTEAD}."
        )
    if why := _why_not(network):
        raise Problem(f"--isolate=sandbox is not possible here ({why}); allow user namespaces, or {INSTEAD}.")


@cache
def _why_not(network: bool) -> str:
    """What bubblewrap says if it cannot make a sandbox; empty if it can."""
    words = [BWRAP, *_apart(network), "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    try:
        done = subprocess.run(
            [*words, "--", sys.executable, "-c", ""], capture_output=True, text=True, timeout=PROBE_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    said = " ".join(done.stderr.split()).rstrip(".")[:200]
    return (said or f"exit code {done.returncode}") if done.returncode else ""


def _apart(network: bool) -> list[str]:
    shared = [] if network else ["--unshare-net"]
    own = ["--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try", *shared]
    return [*own, "--cap-drop", "ALL", "--die-with-parent"]


def _system() -> Iterator[str]:
    for place in map(Path, SYSTEM):
        if place.is_symlink():
            yield from ("--symlink", str(place.readlink()), str(place))
        elif place.is_dir():
            yield from ("--ro-bind", str(place), str(place))
    for name in SETTINGS:
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")


def _code(agent: str) -> Iterator[str]:
    """The agent's own folder, without hidden files and folders of runs; in the home folder, only its code."""
    found = _place_of(agent)
    if found is None:
        return
    folder = found.parent
    if Path.home().is_relative_to(folder):
        yield from ("--ro-bind", str(found), str(found))
        return
    yield from ("--ro-bind", str(folder), str(folder))
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or not (path.name.startswith(".") or _holds_runs(path)):
            continue
        if path.is_dir():
            yield from _emptied([path])
        elif path.is_file():
            yield from ("--ro-bind", "/dev/null", str(path))


def _place_of(agent: str) -> Path | None:
    """The file or package with an agent's code; None if it is not to be found, or installed."""
    place = agent if agent.endswith(".py") else agent.rpartition(":")[0] or agent
    if place.endswith(".py"):
        return Path(place).resolve()
    found = PathFinder.find_spec(place.partition(".")[0], [str(Path.cwd()), *sys.path])
    inside = list(found.submodule_search_locations or ()) if found else []
    origin = inside[0] if inside else found.origin if found else None
    path = Path(origin).resolve() if origin else None
    return None if path is None or any(path.is_relative_to(one) for one in _prefixes()) else path


def _holds_runs(path: Path) -> bool:
    return path.is_dir() and any(any(path.glob(f"{above}run.json")) for above in ("", "*/", "*/*/"))


def _prefixes() -> list[Path]:
    """Where Python is installed, and the environment that is used."""
    return [*map(Path, dict.fromkeys((sys.base_prefix, sys.base_exec_prefix, sys.prefix, sys.exec_prefix)))]


def _python() -> Iterator[str]:
    """Python and what it imports from, except for the current folder, and the home folder and those above."""
    here, home = Path.cwd(), Path.home()
    paths = [Path(place) for place in sys.path if place]
    for place in dict.fromkeys((*_prefixes(), *(path.absolute() for path in paths))):
        if place.exists() and place != here and not home.is_relative_to(place):
            yield from ("--ro-bind", str(place), str(place))


def _without_answers() -> Iterator[str]:
    """Empty folders in place of the public cases, and of code that knows what to do with them."""
    for place in dict.fromkeys(Path(one).absolute() for one in sys.path if one):
        if (place / WORLDS).is_dir():
            rooms = ((place / WORLDS).with_name(room) for room in ROOMS)
            yield from _emptied(sorted(one for one in (*(place / WORLDS).iterdir(), *rooms) if one.is_dir()))


def _emptied(folders: Iterable[Path]) -> Iterator[str]:
    """Folders that are there, with nothing in them."""
    for place in (str(folder.absolute()) for folder in folders):
        yield from ("--tmpfs", place, "--remount-ro", place)
