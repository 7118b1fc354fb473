"""The command `sab live`."""

from pathlib import Path
from typing import Annotated

import typer

from supportagentbench.cli.options import Port


def live(
    root: Annotated[Path, typer.Argument(help="A folder of runs, in progress or finished.")] = Path("runs"),
    port: Port = 7321,
) -> None:
    """Serve a page to watch a job and read its conversations, on this machine only."""
    import signal
    import threading
    from contextlib import suppress

    from supportagentbench.live.follow import Follower
    from supportagentbench.live.server import serving
    from supportagentbench.models.provider import keep_known_keys

    keep_known_keys()
    for number in (signal.SIGINT, signal.SIGTERM):  # A background process starts with Ctrl-C ignored.
        signal.signal(number, signal.default_int_handler)
    root = root.parent if (root / "run.json").is_file() else root
    with serving(root, Follower(root).view, port) as link, suppress(KeyboardInterrupt):
        typer.echo(f"{link}  (Ctrl-C stops this page; the job continues)")
        threading.Event().wait()
