"""The image: there is no builder here, so the file is linted, and what it copies and starts is looked at."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "Dockerfile").read_text()
HADOLINT = shutil.which("hadolint", path=str(Path(sys.executable).parent))


@pytest.mark.skipif(HADOLINT is None, reason="hadolint is not made for this machine")
def test_a_linter_finds_nothing(tmp_path: Path) -> None:
    assert HADOLINT
    labels = ("--require-label", "org.opencontainers.image.licenses:spdx")
    done = subprocess.run([HADOLINT, *labels, ROOT / "Dockerfile"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout
    wrong = tmp_path / "Dockerfile"
    wrong.write_text(
        TEXT.replace("pip install --no-cache-dir", "pip install", 1).replace("WORKDIR /", "WORKDIR ")
    )
    done = subprocess.run([HADOLINT, wrong], capture_output=True, text=True)
    assert done.returncode == 1 and {"DL3042", "DL3000"} <= {*re.findall(r"DL\d+", done.stdout)}


def test_the_image_runs_as_the_pods_do() -> None:
    from supportagentbench.manifests.pod import USER

    last = TEXT.rpartition("FROM ")[2]
    assert re.findall(r"^USER (.*)$", last, re.M) == [f"{USER}:{USER}"]
    assert f"--gid {USER} " in last and f"--uid {USER} " in last
    assert 'ENTRYPOINT ["sab"]' in last
    assert "apt" not in last and "COPY . " not in last


def test_only_what_a_wheel_is_made_of_is_sent_to_the_builder() -> None:
    lines = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    assert lines[0] == "*"
    sent = {line[1:] for line in lines if line.startswith("!")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert sent == {"src", "pyproject.toml", "constraints.txt", project["readme"], *project["license-files"]}
    assert all((ROOT / name).exists() for name in sent)
