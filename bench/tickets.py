"""How long one's own tickets take: an export of 100 is imported, approved, resumed by agents and mixed.

    python bench/tickets.py [COUNT]      the shipped example, repeated with other numbers; prints seconds

Approving is a person's work; here every ticket is approved as it is, because nobody real is in it.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from supportagentbench.tickets.example_week import HERE, approve_all

AGENTS = ("hasty", "by-the-book")
TICKETS = 30
"""Of the example."""
NUMBER = re.compile(r"\b(504\d\d|40\d{3}|88\d{4})\b|#(7\d{3})\b")
"""Tickets, customers, comments and orders of the example."""


def main() -> None:
    """Print the seconds of each step."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with TemporaryDirectory() as scratch:
        os.chdir(scratch)
        os.environ["XDG_CONFIG_HOME"] = str(Path(scratch) / "config")
        write_export(count)
        began = time.perf_counter()
        with timed(f"import of {count} tickets"):
            sab("import", "zendesk", "export.json", "-o", "tickets")
        with timed("approval of each of them"):
            approve_all(Path("tickets"))
        with timed(f"resumed by {' and '.join(AGENTS)}"):
            sab(
                "tickets",
                "resume",
                "tickets",
                *AGENTS,
                "--map",
                "map.yaml",
                "-o",
                "week",
                "--display",
                "none",
            )
        with timed("mix"):
            sab("tickets", "mix", "tickets", "--map", "map.yaml")
        with timed("pages for that mix"):
            sab("run", *AGENTS, "--out", "runs", "--set", "damaged_no_proof,tracking", "--display", "none")
            sab("site", "build", "runs", "-o", "site", "--at-desk", "mix=mix.json")
        print(f"{time.perf_counter() - began:6.1f} s  in all")


def write_export(count: int) -> None:
    """The example again and again, each time with other numbers, until there are so many tickets."""
    export, (head, facts) = (
        (HERE / "zendesk.json").read_text(),
        (HERE / "map.yaml").read_text().split("tickets:\n"),
    )
    times = range(-(-count // TICKETS))
    whole: dict[str, list[dict[str, Any]]] = {}
    for again in times:
        for key, rows in json.loads(renumbered(export, again)).items():
            whole.setdefault(key, []).extend(rows)
    whole["tickets"] = whole["tickets"][:count]
    taken = {one["id"] for one in whole["tickets"]}
    whole["ticket_audits"] = [one for one in whole["ticket_audits"] if one["ticket_id"] in taken]
    whole["users"] = [*{one["id"]: one for one in whole["users"]}.values()]
    Path("export.json").write_text(json.dumps(whole))
    people = facts.partition("  chat-")[0]
    Path("map.yaml").write_text(head + "tickets:\n" + "".join(renumbered(people, again) for again in times))


def renumbered(text: str, again: int) -> str:
    """The same text with the numbers of another repetition."""

    def other(found: re.Match[str]) -> str:
        plain, order = found.groups()
        return f"#{int(order) + 100 * again}" if order else str(int(plain) + 1_000_000 * again)

    return NUMBER.sub(other, text)


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print how long it took."""
    began = time.perf_counter()
    yield
    print(f"{time.perf_counter() - began:6.1f} s  {what}", flush=True)


def sab(*words: str) -> None:
    """The command in a process of its own; what it prints is shown only if it fails."""
    code = "from supportagentbench.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"sab {' '.join(words)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


if __name__ == "__main__":
    main()
