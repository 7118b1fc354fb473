"""Bucket: how long a run takes that is sent to one, against a folder, at a server on this machine.

It needs what `make integrations` installs: `.venv-integrations/bin/python bench/bucket.py`.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

ROUNDS = 5
RUN = (sys.executable, "-c", "from supportagentbench.cli.main import main; main()", "run", "cast", "dummies")
SERVE = """
import boto3, logging, sys, time
from moto.server import ThreadedMotoServer
logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
server.start()
url = "http://%s:%s" % server.get_host_and_port()
boto3.client("s3", endpoint_url=url).create_bucket(Bucket="here")
print(url, flush=True)
sys.stdin.read()
"""


@contextmanager
def serving() -> Iterator[str]:
    """The address of a server with an empty bucket."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", SERVE], **pipes) as server:  # type: ignore[call-overload]
        yield server.stdout.readline().strip()
        server.stdin.close()


def seconds(out: str) -> float:
    """How long one run takes, from the command to its end."""
    begun = time.perf_counter()
    subprocess.run([*RUN, "--display", "none", "--out", out], check=True, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begun


def main() -> None:
    """Print both medians and their ratio."""
    os.environ |= {
        "AWS_ACCESS_KEY_ID": "loopback",
        "AWS_SECRET_ACCESS_KEY": "loopback",
        "AWS_ALLOW_HTTP": "true",
    }
    os.environ["AWS_REGION"] = "us-east-1"
    with tempfile.TemporaryDirectory() as folder, serving() as url:
        os.environ |= {"AWS_ENDPOINT_URL": url, "XDG_STATE_HOME": folder}
        pairs = [
            (seconds(str(Path(folder) / f"runs{turn}")), seconds(f"s3://here/{turn}"))
            for turn in range(ROUNDS)
        ]
    local, there = (median(times) for times in zip(*pairs, strict=True))
    ratio = median(two / one for one, two in pairs)
    print(f"{ROUNDS} rounds: folder {local:.2f} s, bucket {there:.2f} s, ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
