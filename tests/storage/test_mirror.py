"""Mirrors: what is in a folder is in the bucket, whoever is killed and whoever goes on."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import obstore
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from obstore.store import MemoryStore

from supportagentbench.records.problem import Problem
from supportagentbench.storage import bucket as buckets
from supportagentbench.storage.archive import lock_folder
from supportagentbench.storage.batch import replay
from supportagentbench.storage.bucket import Bucket
from supportagentbench.storage.mirror import Mirror, bring, folder_for, mirrored

URL = "s3://here/p"
LINES = "oracle-1/transcripts.jsonl"


def quiet(words: str) -> None:
    raise AssertionError(words)


def mirror_of(store: MemoryStore, home: Path, say: Callable[[str], None] = quiet) -> Mirror:
    """A mirror that sends only when it is told to."""
    return Mirror(Bucket(URL, store), home, say, every=3600)


def there(store: MemoryStore) -> dict[str, bytes]:
    """What a reader finds in the bucket."""
    bucket = Bucket(URL, store)
    with TemporaryDirectory() as folder, bucket.fetched(bucket.numbers()) as paths:
        replay(paths, URL, Path(folder))
        return files_in(Path(folder))


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file, by its name in the folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def add(home: Path, data: bytes, name: str = LINES) -> Path:
    """Put this at the end of a file."""
    path = home / "runs" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(data)
    return path


def put_in_place(path: Path, data: bytes) -> None:
    """Replace a file in one step, as its writer does."""
    path.with_name("draft").write_bytes(data)
    path.with_name("draft").replace(path)


def test_another_machine_goes_on_where_the_first_one_stopped(tmp_path: Path) -> None:
    store, one, two = MemoryStore(), tmp_path / "one", tmp_path / "two"
    mirror = mirror_of(store, one)
    add(one, b'{"agent":"oracle"}', "oracle-1/run.json")
    add(one, b"a\n")
    mirror.send()
    add(one, b"b\nc\n")
    add(one, b"x", "oracle-1/lock")
    assert mirror.finish() == ""
    next_one = mirror_of(store, two)
    assert files_in(two / "runs") == {"oracle-1/run.json": b'{"agent":"oracle"}', LINES: b"a\nb\nc\n"}
    add(two, b"d\n")
    assert next_one.finish() == ""
    assert there(store)[LINES] == b"a\nb\nc\nd\n"


def test_a_torn_line_is_not_sent_and_does_no_harm_when_it_is_cut(tmp_path: Path) -> None:
    store = MemoryStore()
    mirror = mirror_of(store, tmp_path / "one")
    path = add(tmp_path / "one", b"a\nto")
    mirror.send()
    assert there(store) == {LINES: b"a\n"}
    os.truncate(path, 2)
    add(tmp_path / "one", b"b\n")
    mirror.send()
    assert there(store) == {LINES: b"a\nb\n"}


def test_a_file_that_was_replaced_is_sent_again_even_if_it_is_as_long(tmp_path: Path) -> None:
    store = MemoryStore()
    mirror = mirror_of(store, tmp_path / "one")
    path = add(tmp_path / "one", b"a\nb\n")
    mirror.send()
    put_in_place(path, b"b\nc\n")
    mirror.send()
    assert there(store) == {LINES: b"b\nc\n"}
    put_in_place(path, b"b\nc\nd\n")
    mirror.send()
    assert there(store) == {LINES: b"b\nc\nd\n"}
    path.write_bytes(b"e\nf\ng\nh\n")  # The same file with other lines.
    mirror.send()
    assert there(store) == {LINES: b"e\nf\ng\nh\n"}
    put_in_place(path, b"")
    mirror.send()
    assert there(store) == {}


def test_a_file_that_was_replaced_is_sent_again_even_if_it_goes_on_alike(tmp_path: Path) -> None:
    store = MemoryStore()
    mirror = mirror_of(store, tmp_path / "one")
    path = add(tmp_path / "one", b"a\n" + b"b" * 99 + b"\n")
    mirror.send()
    put_in_place(path, b"c\n" + b"b" * 99 + b"\nd\n")
    mirror.send()
    assert there(store) == {LINES: b"c\n" + b"b" * 99 + b"\nd\n"}


def test_only_what_a_run_deletes_itself_is_deleted(tmp_path: Path) -> None:
    store, home = MemoryStore(), tmp_path / "one"
    mirror = mirror_of(store, home)
    kept = add(home, b"a\n"), add(home, b"{}", "oracle-1/run.json"), add(home, b"e\n", "events.jsonl")
    passing = add(home, b"b\n", "oracle-1/in_flight.jsonl"), add(home, b"c\n", "oracle-1/answers.jsonl")
    mirror.send()
    assert len(there(store)) == 5
    for path in (*kept, *passing):
        path.unlink()
    mirror.send()
    assert there(store) == {LINES: b"a\n", "oracle-1/run.json": b"{}", "events.jsonl": b"e\n"}


def test_a_run_that_is_moved_aside_is_moved_there_too(tmp_path: Path) -> None:
    store, home = MemoryStore(), tmp_path / "one"
    mirror = mirror_of(store, home)
    add(home, b"a\n")
    add(home, b"1", "oracle-1/run.json")
    mirror.send()
    (home / "runs/aside").mkdir()
    (home / "runs/oracle-1").rename(home / "runs/aside/oracle-1.1")
    add(home, b"2", "oracle-1/run.json")
    mirror.send()
    aside = "aside/oracle-1.1"
    assert there(store) == {
        "oracle-1/run.json": b"2",
        f"{aside}/run.json": b"1",
        f"{aside}/transcripts.jsonl": b"a\n",
    }


def test_of_two_that_write_the_older_one_stops(tmp_path: Path) -> None:
    store = MemoryStore()
    older = mirror_of(store, tmp_path / "one")
    add(tmp_path / "one", b"a\n")
    older.send()
    newer = mirror_of(store, tmp_path / "two")
    add(tmp_path / "one", b"only here\n")
    add(tmp_path / "two", b"b\n")
    assert "another `sab run` goes on with these runs, so this one stopped" in older.finish()
    assert str(tmp_path / "one/runs") in older.finish()
    assert newer.finish() == ""
    assert there(store) == {LINES: b"a\nb\n"}
    said: list[str] = []
    mirror_of(store, tmp_path / "one", said.append)
    assert files_in(tmp_path / "one/runs") == {LINES: b"a\nb\n"}
    assert files_in(tmp_path / "one.left-1/runs") == {LINES: b"a\nonly here\n"}
    assert said == [f"{tmp_path}/one.left-1/runs has what was not sent before another process went on; "
                    "`sab board` reads it."]  # fmt: skip


def test_who_has_sent_all_takes_what_others_added(tmp_path: Path) -> None:
    store = MemoryStore()
    for home in ("one", "two", "one"):
        mirror = mirror_of(store, tmp_path / home)
        add(tmp_path / home, b"a\n")
        assert mirror.finish() == ""
    assert files_in(tmp_path / "one/runs") == {LINES: b"a\na\na\n"}
    assert not [*tmp_path.glob("*.left-*")]


def test_what_could_not_be_sent_is_sent_by_the_next_process(tmp_path: Path) -> None:
    store, home = MemoryStore(), tmp_path / "one"
    mirror_of(store, home)
    add(home, b"a\n")  # And it is killed.
    mirror = mirror_of(store, home)
    assert there(store) == {}
    assert mirror.finish() == ""
    assert there(store) == {LINES: b"a\n"}


@pytest.mark.parametrize("lost", [1, 2])
def test_a_kill_between_a_batch_and_its_note_loses_nothing(lost: int, tmp_path: Path) -> None:
    store, home = MemoryStore(), tmp_path / "one"
    mirror = mirror_of(store, home)
    add(home, b"a\n")
    mirror.send()
    shutil.copy(home / "sent.json", tmp_path / "note")
    for _ in range(lost):
        add(home, b"b\n")
        mirror.send()
    shutil.copy(tmp_path / "note", home / "sent.json")
    add(home, b"c\n")
    assert mirror_of(store, home).finish() == ""
    assert there(store) == {LINES: b"a\n" + b"b\n" * lost + b"c\n"}


class KilledBucket(Bucket):
    """A process that is killed as soon as its claim is there."""

    def claim(self, number: int, data: bytes) -> None:
        super().claim(number, data)
        raise KeyboardInterrupt


def test_a_kill_between_a_claim_and_its_note_leaves_the_folder_as_it_is(tmp_path: Path) -> None:
    store, home = MemoryStore(), tmp_path / "one"
    mirror_of(store, home)
    add(home, b"not sent\n")
    with pytest.raises(KeyboardInterrupt):
        Mirror(KilledBucket(URL, store), home, quiet)
    assert mirror_of(store, home).finish() == ""
    assert there(store) == {LINES: b"not sent\n"}


def test_a_kill_in_the_middle_of_a_large_change_leaves_what_was_before(tmp_path: Path) -> None:
    store, home = MemoryStore(), tmp_path / "one"
    mirror = mirror_of(store, home)
    add(home, b"a\n")
    mirror.send()
    large = b"x" * 999 + b"\n"
    add(home, large * 40_000)
    mirror.send()
    last = Bucket(URL, store).numbers()[-1]
    assert last > 4  # More than one batch.
    assert there(store) == {LINES: b"a\n" + large * 40_000}
    obstore.delete(store, f"batches/{last:08}")
    assert there(store) == {LINES: b"a\n"}
    assert mirror_of(store, tmp_path / "two").finish() == ""
    assert there(store) == {LINES: b"a\n"}


def test_a_folder_that_was_deleted_here_is_taken_from_the_bucket(tmp_path: Path) -> None:
    store, home = MemoryStore(), tmp_path / "one"
    mirror = mirror_of(store, home)
    add(home, b"a\n")
    mirror.finish()
    shutil.rmtree(home / "runs")
    assert mirror_of(store, home).finish() == ""
    assert files_in(home / "runs") == there(store) == {LINES: b"a\n"}


def test_a_bucket_that_was_emptied_is_not_written_to_from_the_middle(tmp_path: Path) -> None:
    mirror = mirror_of(MemoryStore(), tmp_path / "one")
    add(tmp_path / "one", b"a\n")
    mirror.finish()
    with pytest.raises(Problem, match="no longer has what this machine wrote"):
        mirror_of(MemoryStore(), tmp_path / "one")


def test_without_a_server_the_sentence_says_where_the_runs_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buckets, "TRIES", 1)
    store = MemoryStore()
    bucket = Bucket(URL, store)
    mirror = Mirror(bucket, tmp_path / "one", quiet, every=0.01)
    bucket._store = object()  # No store at all: whatever obstore says of it is told in a sentence.
    add(tmp_path / "one", b"a\n")
    mirror._thread.join(5)
    assert not mirror._thread.is_alive()
    assert mirror.finish().endswith(
        f"What is finished is in {tmp_path}/one/runs, and the same command sends it."
    )
    assert mirror.finish().startswith(f"{URL}: ")
    assert mirror_of(store, tmp_path / "one").finish() == ""
    assert there(store) == {LINES: b"a\n"}


def test_it_sends_by_itself(tmp_path: Path) -> None:
    store = MemoryStore()
    mirror = Mirror(Bucket(URL, store), tmp_path / "one", quiet, every=0.01)
    add(tmp_path / "one", b"a\n")
    for _ in range(500):
        if there(store):
            break
    assert there(store) == {LINES: b"a\n"}
    mirror.finish()


def test_a_job_without_a_bucket_has_no_mirror_and_one_with_it_has_its_own_folder(tmp_path: Path) -> None:
    with mirrored("", tmp_path, quiet) as mirror:
        assert mirror is None
    with pytest.raises(Problem, match="a job with a bucket has its runs in "), mirrored(URL, tmp_path, quiet):
        pass


def test_two_processes_of_one_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    home = folder_for(URL).parent
    lock = home.with_name(f"{home.name}.lock")
    lock.mkdir(parents=True)
    with lock_folder(lock), pytest.raises(Problem, match="is being written by another process"):
        bring(URL, quiet)


def test_a_file_that_is_replaced_twice_is_sent_again(tmp_path: Path) -> None:
    """The second replacement may get the number of the first file, and its size."""
    store = MemoryStore()
    mirror = mirror_of(store, tmp_path)
    path = add(tmp_path, b"0\n")
    mirror.send()
    for content in (b"0\n1\n3\n", b"1\n3\n", b"3\n"):
        put_in_place(path, content)
    assert mirror.finish() == ""
    assert there(store) == {LINES: b"3\n"}


STEPS = st.sampled_from(["line", "torn", "cut", "rewrite", "pass", "aside", "send", "kill", "move"])


@settings(max_examples=60, deadline=None)
@given(steps=st.lists(STEPS, max_size=14))
@example(["line", "send", "line", "line", "rewrite", "rewrite"])
def test_whatever_happens_the_bucket_has_all_whole_lines(steps: list[str]) -> None:
    with TemporaryDirectory() as root:
        store, home, machines = MemoryStore(), Path(root) / "0", 0
        mirror = mirror_of(store, home)
        add(home, b"{}", "oracle-1/run.json")
        for lines, step in enumerate(steps):
            path = home / "runs" / LINES
            if step in ("line", "torn"):
                if path.exists() and not path.read_bytes().endswith(b"\n"):
                    os.truncate(path, path.read_bytes().rfind(b"\n") + 1)
                add(home, b"%d\n" % lines if step == "line" else b"%d" % lines)
            elif step == "cut" and path.exists():
                os.truncate(path, path.read_bytes().rfind(b"\n") + 1)
            elif step == "rewrite" and path.exists():
                put_in_place(path, b"".join(path.read_bytes().splitlines(keepends=True)[1:]))
            elif step == "pass":
                passing = add(home, b"%d\n" % lines, "oracle-1/in_flight.jsonl")
                if lines % 2:
                    passing.unlink()
            elif step == "aside":
                aside = home / f"runs/aside/oracle-1.{lines}"
                aside.parent.mkdir(exist_ok=True)
                path.parent.rename(aside)
                add(home, b"{%d}" % lines, "oracle-1/run.json")
            elif step == "send":
                mirror.send()
            elif step == "kill":
                mirror = mirror_of(store, home)
            elif step == "move":
                assert mirror.finish() == ""
                machines += 1
                home = Path(root) / str(machines)
                mirror = mirror_of(store, home)
        assert mirror.finish() == ""
        whole = {
            name: data if name.endswith(".json") else data[: data.rfind(b"\n") + 1]
            for name, data in files_in(home / "runs").items()
        }
        assert there(store) == {name: data for name, data in whole.items() if data}
