"""The benchmark's own way: a job with a model behind the tool loop, transcripts on file."""

from side import MODEL, Tell, Work

from supportagentbench.records.record import to_json
from supportagentbench.records.transcript import Transcript
from supportagentbench.runner import job
from supportagentbench.runner.event_loop import drive
from supportagentbench.runner.interrupt import Interrupt
from supportagentbench.runner.observer import RunObserver
from supportagentbench.storage.archive import folder_name, read_transcripts


def hold(work: Work) -> Tell:
    """Hold the conversations, all on file."""
    agent = f"openai:{MODEL},base_url={work.url}/v1"
    planned = job.Job(work.cases, work.set_name, [agent], work.runs, 0, "scripted", work.out, work.at_once)
    done = drive(job.hold(planned, RunObserver(), Interrupt(print)))
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
