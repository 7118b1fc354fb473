"""Events on file: whole lines only, in order, for readers that come and go."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobs import busy_job, finished, write
from supportagentbench.records.event import Event, Spent, Stopping
from supportagentbench.records.record import to_json
from supportagentbench.storage.events import EVENTS, EventReader, EventWriter

ALL = busy_job()
LINES = b"".join(to_json(event) + b"\n" for event in ALL)


def read(reader: EventReader) -> list[Event]:
    return [event for _, event in reader.more()]


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    write(tmp_path, ALL)
    assert read(EventReader(tmp_path)) == ALL


def test_before_there_is_a_file_nothing_has_happened(tmp_path: Path) -> None:
    assert EventReader(tmp_path).more() == []


@settings(max_examples=30, deadline=None)
@given(cuts=st.lists(st.integers(0, len(LINES)), max_size=6).map(sorted))
def test_whenever_a_reader_looks_it_misses_nothing_and_sees_nothing_twice(cuts: list[int]) -> None:
    with TemporaryDirectory() as root:
        reader, seen, written = EventReader(Path(root)), [], 0
        for cut in (*cuts, len(LINES)):
            with (Path(root) / EVENTS).open("ab") as file:
                file.write(LINES[written:cut])
            written = cut
            seen += read(reader)
    assert seen == ALL


def test_a_torn_line_is_ended_and_passed_over(tmp_path: Path) -> None:
    (tmp_path / EVENTS).write_bytes(to_json(ALL[0]) + b'\n{"event":"fini')
    write(tmp_path, [Stopping(1.0)])
    assert read(EventReader(tmp_path)) == [ALL[0], Stopping(1.0)]


def test_events_of_another_version_are_passed_over(tmp_path: Path) -> None:
    later = b'{"event":"danced","at":1}\n{"event":"stopping","at":1,"mood":"fine"}\n'
    (tmp_path / EVENTS).write_bytes(later + to_json(Stopping(1.0)) + b"\n")
    assert read(EventReader(tmp_path)) == [Stopping(1.0)]


def test_a_file_made_anew_is_read_from_its_beginning(tmp_path: Path) -> None:
    write(tmp_path, ALL)
    reader = EventReader(tmp_path)
    read(reader)
    assert reader.files == 1
    (tmp_path / EVENTS).unlink()
    write(tmp_path, [Stopping(2.0)])
    assert read(reader) == [Stopping(2.0)]
    assert reader.files == 2


def test_two_processes_may_write_to_one_file(tmp_path: Path) -> None:
    first, second = EventWriter(tmp_path), EventWriter(tmp_path)
    for number in range(50):
        first.add(finished("a", f"c-{number}"))
        second.add(finished("b", f"c-{number}"))
    first.close()
    second.close()
    assert len(read(EventReader(tmp_path))) == 100


def test_what_broke_off_outside_the_agent_does_not_count() -> None:
    assert not finished("a", "c-1", cause="provider_error").counts
    assert finished("a", "c-1", cause="empty_reply").counts


@pytest.mark.parametrize(
    "line",
    [
        '{"event":"spent","at":1e308,"dollars":1}',
        '{"event":"spent","at":-1,"dollars":1}',
        '{"event":"spent","at":1,"dollars":1e308}',
        '{"event":"planned","at":1,"job":"j","runs":[{"agent":"a","run":1,"folder":"a-1","cases":-5}]}',
        '{"event":"planned","at":1,"job":"j","runs":[],"cap":-1e308}',
        '{"event":"retried","at":1,"agent":"a","run":1,"case":"c","attempt":1,"tries":-1,"words":"","wait":1}',
        '{"event":"retried","at":1,"agent":"a","run":1,"case":"c","attempt":1,"tries":1,"words":"","wait":1e99}',
        '{"event":"ended","at":1,"job":"j","how":"partial","missing":1000000000000000}',
    ],
)
def test_an_event_with_an_impossible_number_is_passed_over(tmp_path: Path, line: str) -> None:
    (tmp_path / EVENTS).write_text(f'{line}\n{{"event":"spent","at":2,"dollars":3}}\n')
    assert [one.event for one in EventReader(tmp_path).more()] == [Spent(2, 3)]
