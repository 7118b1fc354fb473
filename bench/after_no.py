"""What scripted customers do after a refusal, a request for other proof or a change that waits.

python bench/after_no.py RUNS [--show]    # as recorded, and as customers of this source answer the same words

Agents' messages of recorded runs are said once more to the customers of the same cases. `--show` prints every
turn that is counted now.
"""

import asyncio
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from supportagentbench.customer.planner import Customer
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.language.reader import Reader
from supportagentbench.records.case import Brief
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.records.vocabulary import TICKET_ACTS
from supportagentbench.storage.archive import find_runs, read_header
from supportagentbench.storage.transcripts import read_transcripts
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import read_world
from supportagentbench.world.seed import numbered

KINDS = {
    "yes": "yes, where no yes was asked for",
    "photo": "the photo pointed to, though it was known",
    "waiting": "more than two turns about a change that waits",
    "filler": "a second filler after a no",
}


class Reply(NamedTuple):
    """An agent's message and what the customer answers."""

    said: Turn
    answer: Turn


def recorded(transcript: Transcript) -> Iterator[Reply]:
    """The answers as they are in a transcript."""
    for said, answer in zip(transcript.turns[1:], transcript.turns[2:], strict=False):
        if said.party == "agent":
            yield Reply(said, answer)


def answered(transcript: Transcript, brief: Brief, reader: Reader) -> Iterator[Reply]:
    """The answers of a customer of today to the same messages, until it leaves."""
    customer = Customer(brief, ScriptedVoice(), Random(0), reader)
    customer.open(transcript.turns[0].text)
    for said, _ in recorded(transcript):
        done = [call.tool for call in said.calls if call.result.wrote]
        queued = [call.tool for call in said.calls if call.result.pending]
        answer = asyncio.run(customer.answer(said.text, done, queued))
        yield Reply(said, answer)
        if answer.conduct and answer.conduct.leaves:
            return


def oddities(replies: Iterator[Reply]) -> Iterator[tuple[str, Reply]]:
    """The answers that fit nothing that was said, by kind."""
    waiting = fillers = 0
    has_queued = was_refused = False
    for reply in replies:
        conduct = reply.answer.conduct
        assert conduct is not None
        has_queued |= any(call.result.pending for call in reply.said.calls)
        was_refused |= conduct.heard.refuses
        waiting += has_queued and not conduct.leaves
        fillers += was_refused and "nudge" in conduct.moves
        if set(conduct.confirms) - set(TICKET_ACTS) and not is_asked(reply.said.text):
            yield "yes", reply
        if "attached to my message" in reply.answer.text:
            yield "photo", reply
        if has_queued and waiting > 2 and not conduct.leaves:
            yield "waiting", reply
        if "nudge" in conduct.moves and fillers > 1:
            yield "filler", reply


def is_asked(words: str) -> bool:
    """Whether a yes to something else than a colleague is asked for."""
    sentences = [one for one in words.lower().replace("?", "?.").split(".") if "colleague" not in one]
    return any(re.search(r"\?|\b(?:yes|confirm)\b", one) for one in sentences)


def main(roots: list[Path], is_shown: bool) -> None:
    """Both columns, for all runs together."""
    before, now, conversations = Counter[str](), Counter[str](), 0
    for folder in find_runs(roots):
        header = read_header(folder)
        cases = generate(read_world(header.world), numbered(int(header.case_seed)))
        for filed in read_transcripts(folder):
            transcript = filed.transcript
            conversations += 1
            before.update(kind for kind, _ in oddities(recorded(transcript)))
            brief = cases.cases[transcript.case].brief
            for kind, reply in oddities(answered(transcript, brief, cases.reader)):
                now[kind] += 1
                if is_shown:
                    print(f"{kind}: {transcript.case}\n  {reply.said.text}\n  > {reply.answer.text}\n")
    print(f"{conversations} conversations{'recorded':>42}{'now':>6}")
    for kind, title in KINDS.items():
        print(f"{title:50}{before[kind]:12}{now[kind]:6}")


if __name__ == "__main__":
    main([Path(one) for one in sys.argv[1:] if not one.startswith("--")], "--show" in sys.argv)
