"""The benchmark itself: a job with a model in the tool loop, transcripts stored."""

from side import MODEL, Tell, Work, said_in

from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.runner import job
from supportagentbench.runner.observer import SilentObserver
from supportagentbench.storage.archive import folder_name
from supportagentbench.storage.transcripts import read_transcripts


def run_work(work: Work) -> Tell:
    """Run the conversations and store them."""
    agent = f"openai:{MODEL},base_url={work.url}/v1"
    planned = job.Job(
        work.cases, work.set_name, [agent], work.runs, 0, "scripted", work.out, work.concurrency
    )
    done = drive(job.run_job(planned, SilentObserver(), Interrupt(print)))
    return lambda: {
        f"{header.run} {filed.transcript.case}": said_in(filed.transcript)
        for header in done.headers
        for filed in read_transcripts(work.out / folder_name(header))
    }
