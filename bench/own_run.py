"""The benchmark itself: a job with a model in the tool loop, transcripts stored."""

from side import MODEL, Tell, Work, said_in

from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.jobs.job import Job
from supportagentbench.jobs.run import run_job
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.storage.archive import folder_name
from supportagentbench.storage.transcripts import read_transcripts


def run_work(work: Work) -> Tell:
    """Run the conversations and store them."""
    agent = f"openai:{MODEL},base_url={work.url}/v1"
    spec = JobSpec(
        "northline", (agent,), work.set_name, work.runs, out=work.out, concurrency=work.concurrency
    )
    done = drive(run_job(Job(spec, {work.cases.seed.name: work.cases}), (), Interrupt(print)))
    return lambda: {
        f"{header.run} {filed.transcript.case}": said_in(filed.transcript)
        for header in done.headers
        for filed in read_transcripts(work.out / folder_name(header))
    }
