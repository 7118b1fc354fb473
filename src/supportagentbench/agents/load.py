"""Load: the user's agent from its module. An isolated agent's process imports this, so it imports little."""

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

from supportagentbench.agents.own_agent import door_of, named_agent, only_agent
from supportagentbench.desk import Door
from supportagentbench.records.did_you_mean import did_you_mean
from supportagentbench.records.problem import Problem


def load_agent(name: str) -> Door:
    """The user's agent; this runs the code of its module."""
    place, colon, attribute = (name, "", "") if name.endswith(".py") else name.rpartition(":")
    module = _loaded(name, place)
    return door_of(name, named_agent(module, attribute) if colon else only_agent(module, place))


def _loaded(name: str, place: str) -> ModuleType:
    """The module in a file or with a name; errors in its code are reported with their line."""
    try:
        return _module_in(Path(place)) if place.endswith(".py") else importlib.import_module(place)
    except Problem:
        raise
    except (Exception, SystemExit) as error:
        raise Problem(
            f"the agent {name!r} cannot be loaded: {_at_its_line(error)}.{_meant_model(name)}"
        ) from None


def _at_its_line(error: BaseException) -> str:
    """An error in one line, with the place in the user's code that raised it."""
    words = " ".join(f"{error}".split()).rstrip(".") or "no reason given"
    if isinstance(error, SyntaxError) or (isinstance(error, ImportError | OSError) and not error.__cause__):
        return words if isinstance(error, ImportError | OSError) else f"{type(error).__name__}: {words}"
    frames = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__}: {words} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})"


def _meant_model(name: str) -> str:
    """A mistyped provider looks like a module that does not exist."""
    # Imported here because the process of an isolated agent never needs it.
    from supportagentbench.models.provider import PROVIDERS

    return did_you_mean(name.partition(":")[0], PROVIDERS)


def _module_in(file: Path) -> ModuleType:
    """The module in a file, which may import other files of its folder."""
    if not file.is_file():
        raise ImportError(f"there is no file {file}")
    file = file.resolve()
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))  # At the end, so that no file in the folder hides a library.
    spec = importlib.util.spec_from_file_location(str(file), file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is not a Python file")
    module = sys.modules[str(file)] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
