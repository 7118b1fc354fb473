"""Doctor: what is ready on this machine. It shows whether a key is set, never the key."""

import platform
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from rich.table import Table
from rich.text import Text

from supportagentbench.board.gate_rules import read_gate_config
from supportagentbench.models.prices import price_table
from supportagentbench.models.provider import PROVIDERS, key_of
from supportagentbench.models.spec import ModelName, ModelSpec
from supportagentbench.records.problem import Problem
from supportagentbench.records.version import __version__
from supportagentbench.storage.config import CONFIG, read_config
from supportagentbench.terminal.escape import on_one_line

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox", "firefox-esr")

EXTRAS = {
    "bucket": ("obstore", "runs in a bucket"),
    "local": ("xllamacpp", "models on this machine"),
    "sql": ("duckdb", "tables as Parquet"),
}
"""Extras of this package: the module that each installs, and its purpose."""

LITTLE = 1 << 30
"""Free bytes below which a warning is shown."""


def checkup(out: Path) -> Table:
    """A row for everything a run may need."""
    shown = Table(box=None, padding=(0, 2, 0, 0), show_header=False, pad_edge=False)
    shown.add_column(no_wrap=True)
    shown.add_column(no_wrap=True)
    shown.add_column(overflow="fold")
    for is_ready, what, words in _lines(out):
        mark = {True: ("yes", "green"), False: ("no", "yellow")}[is_ready]
        shown.add_row(Text(*mark), what, Text(on_one_line(words)))
    return shown


def _lines(out: Path) -> Iterator[tuple[bool, str, str]]:
    yield True, "python", f"{platform.python_version()}, supportagentbench {__version__}"
    yield True, "prices", price_table()
    yield from _config_lines()
    for name, provider in PROVIDERS.items():
        if provider.keys:
            yield _has_key(name), f"key for {name}", " or ".join(provider.keys)
    for extra, (module, use) in EXTRAS.items():
        yield (
            find_spec(module) is not None,
            f"extra {extra}",
            f"{use}: pip install 'supportagentbench[{extra}]'",
        )
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    yield browser is not None, "browser", browser or "none found; the pages work in any browser"
    free = shutil.disk_usage(_nearest(out)).free
    yield free > LITTLE, "disk", f"{free / (1 << 30):.1f} GB free for {out}"


def _config_lines() -> Iterator[tuple[bool, str, str]]:
    """Which config file is used, and every value that it sets."""
    if not CONFIG.exists():
        yield False, f"{CONFIG}", "none in this folder; `sab init` writes one"
        return
    try:
        config, gate = read_config(), read_gate_config()
        is_saved = gate.baseline is not None and gate.baseline.exists()
    except Problem as problem:
        yield False, f"{CONFIG}", problem.sentence
        return
    yield True, f"{CONFIG}", f"{CONFIG.resolve()}"
    for name, value in config.run.shown().items():
        yield True, f"  run.{name}", value
    for name, words in config.gate.items():
        if name != "baseline":
            yield True, f"  gate.{name}", f"{words}"
    if config.gate.keys() <= {"baseline"}:
        yield (
            True,
            "  gate",
            f"no rules, so the built-in ones: {'; '.join(rule.words for rule in gate.rules)}",
        )
    if gate.baseline:
        missing = f": not there yet; sab gate --save {gate.baseline}"
        yield is_saved, "  gate.baseline", f"{gate.baseline}{'' if is_saved else missing}"


def _has_key(provider: str) -> bool:
    try:
        return bool(key_of(ModelName(provider, "any", ModelSpec())))
    except Problem:
        return False


def _nearest(path: Path) -> Path:
    """The folder itself, or the nearest parent that exists."""
    return next(one for one in (path.resolve(), *path.resolve().parents) if one.exists())
