"""Sandbox: an isolated agent sees its own code, Python and the system's programs, all read-only, and no more.

It has process numbers, a `/tmp` and a home of its own. Runs, hidden files, other processes and, unless it was
asked for, the network are out of reach. `bwrap` (bubblewrap) does this, without any rights on most systems.
"""

import os
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

RUN = "run.json"

MARKS = (RUN, ".supportagentbench-site", "data/manifest.json")
"""What a run and a site of runs have: both hold conversations, with what was right in them."""

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
    words += [*_system(), *_code(agent), *_bound(_own_paths())]
    files, emptied = _private([*_own_folders(agent)])
    words += [*_blank(files), *_emptied(emptied), *_bound(_python())]
    for variable in CERTIFICATES:
        if place := environment.get(variable):
            words += ["--ro-bind-try", place, place]
    words += _emptied([*_answers(), *_outermost(emptied, hidden)])
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
    """The agent's own folder; in the home folder and those above, only its code."""
    if found := _place_of(agent):
        shown = str(found if Path.home().is_relative_to(found.parent) else found.parent)
        yield from ("--ro-bind", shown, shown)


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


def _own_folders(agent: str) -> Iterator[Path]:
    """The folders of the user's own code that can be seen."""
    found = _place_of(agent)
    for folder in (*([found.parent] if found else []), *_own_paths()):
        if folder.is_dir() and not Path.home().is_relative_to(folder):
            yield folder


def _private(own: Iterable[Path]) -> tuple[list[Path], list[Path]]:
    """In these folders, the hidden files; and the folders that are hidden or hold conversations."""
    hidden: list[Path] = []
    folders: list[Path] = []
    for folder in dict.fromkeys(own):
        hidden += [one for one in sorted(folder.iterdir()) if one.name.startswith(".")]
        folders += _with_conversations(folder)
    seen = [path for path in hidden if not path.is_symlink()]
    emptied = _outermost([], [*folders, *(path for path in seen if path.is_dir())])
    return [path for path in seen if path.is_file() and not _is_inside(path, emptied)], emptied


def _outermost(emptied: Iterable[Path], folders: Iterable[Path]) -> list[Path]:
    """Those that are there if these are emptied: in an empty folder there is none."""
    found = [*dict.fromkeys(folder.absolute() for folder in folders if folder.is_dir())]
    return [one for one in found if not _is_inside(one, [*emptied, *found])]


def _is_inside(path: Path, folders: Iterable[Path]) -> bool:
    return any(above in path.parents for above in folders)


def _with_conversations(top: Path) -> Iterator[Path]:
    """Folders that hold runs or a site of runs, at any depth."""
    for folder, inside, _ in os.walk(top):
        here = Path(folder)
        inside[:] = [name for name in inside if not name.startswith(".")]
        holds_runs = any((here / name / RUN).is_file() for name in inside)
        if here != top and (holds_runs or any((here / mark).is_file() for mark in MARKS)):
            yield here
            inside.clear()


def _prefixes() -> list[Path]:
    """Where Python is installed, and the environment that is used."""
    return [*map(Path, dict.fromkeys((sys.base_prefix, sys.base_exec_prefix, sys.prefix, sys.exec_prefix)))]


def _python() -> Iterator[Path]:
    """Python and what it imports from its own folders."""
    yield from _prefixes()
    yield from (place for place in _paths() if _is_inside(place, _prefixes()))


def _own_paths() -> list[Path]:
    """What is imported from anywhere else but the current folder."""
    return [one for one in _paths() if one != Path.cwd() and not _is_inside(one, _prefixes())]


def _paths() -> list[Path]:
    return [*dict.fromkeys(Path(place).absolute() for place in sys.path if place)]


def _bound(places: Iterable[Path]) -> Iterator[str]:
    """Places that can be read, except for the home folder and those above."""
    for place in dict.fromkeys(places):
        if place.exists() and not Path.home().is_relative_to(place):
            yield from ("--ro-bind", str(place), str(place))


def _blank(files: Iterable[Path]) -> Iterator[str]:
    """Files that are there, with nothing in them."""
    for path in files:
        yield from ("--ro-bind", "/dev/null", str(path))


def _answers() -> Iterator[Path]:
    """The folders of the public cases, and of code that knows what to do with them."""
    for place in _paths():
        if (place / WORLDS).is_dir():
            rooms = ((place / WORLDS).with_name(room) for room in ROOMS)
            yield from sorted(one for one in (*(place / WORLDS).iterdir(), *rooms) if one.is_dir())


def _emptied(folders: Iterable[Path]) -> Iterator[str]:
    """Folders that are there, with nothing in them."""
    for place in (str(folder.absolute()) for folder in folders):
        yield from ("--tmpfs", place, "--remount-ro", place)
