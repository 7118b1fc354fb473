"""Files given to `--record`: nothing is cut that this program did not write.

Attack → before → now:

- A file without a line end, such as a key in `.env` or a picture → emptied, exit code 0 → refused, untouched.
- A recording with something else at its end → that was cut off → refused, untouched.
- A recording whose last line a kill tore → that line is cut → the same.
"""

from pathlib import Path

import pytest

from commands import sab
from filed import FEW
from supportagentbench.models import Completion
from supportagentbench.models.recording import BEGINNING, RecordedAnswer, Recording
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
from supportagentbench.records.usage import Usage

LINE = to_json(RecordedAnswer("k1", completion=Completion("Hello.", Usage("m")))) + b"\n"

NO_RECORDINGS = {
    "a key": b"KEY=x",
    "a picture": b"\x89PNG" + bytes(range(11, 256)) * 20_000,
    "text": b"Dear Sir,\nnothing.",
    "one brace": b"{",
    "other JSON": b'{"record":"run/1"}',
    "other JSON on a line": b'{"record":"run/1"}\n',
    "the beginning of no answer": BEGINNING[:-9],
    "a recording and a key": LINE + b"KEY=x",
    "a recording and other JSON": LINE + b'{"record":"run/1',
}


@pytest.mark.parametrize("content", NO_RECORDINGS.values(), ids=NO_RECORDINGS)
def test_what_is_no_recording_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine"
    path.write_bytes(content)
    done = sab("run", "oracle", "--set", FEW[0], "-o", tmp_path / "runs", "--record", path)
    assert done.returncode == 2, done
    assert str(path) in done.stderr and "--record" in done.stderr
    assert path.read_bytes() == content


def test_a_file_without_an_end_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "mine"
    with path.open("wb") as file:
        file.truncate(50_000_000_000)  # It takes no room on the disk.
    with pytest.raises(Problem, match="is longer than"), Recording(path, records=True):
        pass
    assert path.stat().st_size == 50_000_000_000


@pytest.mark.parametrize("before", [b"", LINE])
@pytest.mark.parametrize("keep", [len(BEGINNING), len(BEGINNING) + 1, len(LINE) - 1])
def test_a_torn_last_answer_is_cut(tmp_path: Path, before: bytes, keep: int) -> None:
    path = tmp_path / "recording.jsonl"
    path.write_bytes(before + LINE[:keep])
    with Recording(path, records=True) as recording:
        assert recording.find("k1") is not None if before else recording.find("k1") is None
    assert path.read_bytes() == before


def test_an_answer_torn_at_its_very_beginning_is_cut_behind_others(tmp_path: Path) -> None:
    path = tmp_path / "recording.jsonl"
    path.write_bytes(LINE + LINE[:5])
    with Recording(path, records=True):
        pass
    assert path.read_bytes() == LINE


def test_a_recording_to_replay_is_never_changed(tmp_path: Path) -> None:
    path = tmp_path / "recording.jsonl"
    path.write_bytes(LINE + LINE[:-5])
    with Recording(path, records=False) as recording:
        assert recording.find("k1") is not None
    assert path.read_bytes() == LINE + LINE[:-5]


def test_every_answer_begins_alike() -> None:
    assert LINE.startswith(BEGINNING)
