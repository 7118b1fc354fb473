"""The benchmark itself: a job with a model in the tool loop, transcripts stored."""

from side import MODEL, Tell, Work

from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.records.record import to_json
from supportagentbench.records.transcript import Transcript
from supportagentbench.runner import job
from supportagentbench.storage.archive import folder_name
from supportagentbench.storage.transcripts import read_transcripts


def run_work(work: Work) -> Tell:
    """Run the conversations and store them."""
    agent = f"openai:{MODEL},base_url={work.url}/v1"
    planned = job.Job(
        work.cases, work.set_name, [agent], work.runs, 0, "scripted", work.out, work.concurrency
    )
    done = drive(job.run_job(planned, (), Interrupt(print)))
    return lambda: {
        f"{header.run} {filed.transcript.case}": _said(filed.transcript)
        for header in done.headers
        for filed in read_transcripts(work.out / folder_name(header))
    }


def _said(transcript: Transcript) -> list[str]:
    said: list[str] = []
    for turn in transcript.turns:
        said += [f"{call.tool} {to_json(call.arguments).decode()}" for call in turn.calls]
        said.append(turn.text)
    return said
