"""A body is read whole, decompressed if it has to be, and never beyond a bound."""

import gzip

import pytest

from supportagentbench.concurrency.event_loop import drive
from supportagentbench.fake_provider.clerk import RawReply, Script
from supportagentbench.fake_provider.faults import Faults
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.models.body import ENCODINGS, LONGEST_BODY, MOST_PARTS, MOST_VALUES, read_body
from supportagentbench.models.dialect import UnreadableAnswer
from supportagentbench.models.http_client import ConnectionPool

BODY = b'{"model": "m", "messages": [{"role": "user", "content": "Hello?"}]}'
HEADERS = {"Content-Type": "application/json", "Authorization": "Bearer sk-1", "Accept-Encoding": ENCODINGS}
LONGEST = b" " * LONGEST_BODY


def body_of(reply: RawReply | str, faults: Faults = Faults()) -> bytes:  # noqa: B008
    async def main() -> bytes:
        async with FakeProvider(Script([reply]), faults) as provider, ConnectionPool(1) as pool:
            url = f"{provider.url}/v1/chat/completions"
            async with pool.session.post(url, data=BODY, headers=HEADERS) as answer:
                return await read_body(answer)

    return drive(main())


def zipped(data: bytes) -> RawReply:
    return RawReply(data, headers={"Content-Encoding": "gzip"})


def test_it_comes_as_it_was_sent_or_as_it_was_before_compression() -> None:
    assert body_of(RawReply(b"Hello.")) == b"Hello."
    assert body_of(zipped(gzip.compress(b"Hello.", mtime=0))) == b"Hello."
    assert body_of(zipped(gzip.compress(b"Hel", mtime=0) + gzip.compress(b"lo.", mtime=0))) == b"Hello."


def test_it_may_come_in_pieces_of_unknown_number() -> None:
    assert b"Hello." in body_of("Hello.", Faults(padded=1))


@pytest.mark.parametrize("over", [0, 1])
@pytest.mark.parametrize("compressed", [False, True])
def test_it_may_be_as_long_as_the_bound_and_no_longer(over: int, compressed: bool) -> None:
    data = LONGEST + b" " * over
    reply = zipped(gzip.compress(data, 1, mtime=0)) if compressed else RawReply(data)
    if over:
        with pytest.raises(UnreadableAnswer, match="longer than 8 MB"):
            body_of(reply)
    else:
        assert len(body_of(reply)) == LONGEST_BODY


def test_a_length_beyond_the_bound_is_not_even_waited_for() -> None:
    with pytest.raises(UnreadableAnswer, match="longer than 8 MB"):
        body_of("Hello.", Faults(huge_length=1))


@pytest.mark.parametrize("value", [b"0", b"{}", b"[]", b'""', b"null", b"-1.5e3"])
def test_it_holds_as_many_values_as_the_bound_and_no_more(value: bytes) -> None:
    data = b"[" + (value + b",") * (MOST_VALUES - 2) + value + b"]"
    assert body_of(RawReply(data)) == data
    with pytest.raises(UnreadableAnswer, match="more than 100,000 values"):
        body_of(zipped(gzip.compress(data[:-1] + b",0]", 1)))


@pytest.mark.parametrize("words", [b",[{" * MOST_VALUES, rb"\"[," * MOST_VALUES])
def test_what_is_said_is_one_value_whatever_is_in_it(words: bytes) -> None:
    data = b'{"content": "' + words + b'"}'
    assert body_of(RawReply(data)) == data


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"Hello.", "cannot be decompressed"),
        (gzip.compress(b"Hello.", mtime=0)[:-4], "breaks off"),
        (gzip.compress(b"Hello.", mtime=0) * (MOST_PARTS + 1), "compressed parts"),
        (gzip.compress(b"Hello.", mtime=0) + b"rest", "cannot be decompressed"),
    ],
)
def test_what_cannot_be_decompressed_is_unreadable(data: bytes, words: str) -> None:
    with pytest.raises(UnreadableAnswer, match=words):
        body_of(zipped(data))


def test_an_encoding_that_was_not_asked_for_is_unreadable() -> None:
    with pytest.raises(UnreadableAnswer, match="'br', which was not asked for"):
        body_of(RawReply(b"Hello.", headers={"Content-Encoding": "br"}))
