import os
import subprocess
import sys
from pathlib import Path

import pytest

from supportagentbench.concurrency.worker_pool import SAFE_PATH, worker_pool

WORK = "from supportagentbench.concurrency.worker_pool import worker_pool\nif __name__ == '__main__':\n    "
LIBRARY = ("socket", "selectors", "traceback", "heapq")


@pytest.mark.parametrize("name", LIBRARY)
def test_a_file_in_the_current_folder_is_not_imported_in_place_of_the_librarys(
    tmp_path: Path, name: str
) -> None:
    here, script = tmp_path / "here", tmp_path / "script.py"
    here.mkdir()
    (here / f"{name}.py").write_text("open('MARK', 'w').close()\n")
    script.write_text(f"{WORK}with worker_pool(2) as pool:\n        print(sum(pool.map(abs, [-1, -2])))\n")
    done = subprocess.run([sys.executable, script], cwd=here, capture_output=True, text=True)
    assert done.stdout == "3\n", done.stderr
    assert not (here / "MARK").exists()


def test_the_environment_is_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    for before in ("", "0"):
        monkeypatch.setenv(SAFE_PATH, before)
        with worker_pool(1):
            assert os.environ[SAFE_PATH] == "1"
        assert os.environ[SAFE_PATH] == before
    monkeypatch.delenv(SAFE_PATH)
    with worker_pool(1):
        pass
    assert SAFE_PATH not in os.environ
