"""Indexed job: Kubernetes plays every part of a run in a pod of its own, and merges the parts afterwards."""

from typing import Literal, NamedTuple

from supportagentbench.jobs.run import EXIT_CODES, JobOutcome
from supportagentbench.manifests.pod import Data, PodPlan, unexpanded, written
from supportagentbench.manifests.run_command import RunCommand

KEPT = 3 * 86_400
"""Seconds that a finished job stays, so that its log can still be read after a weekend."""

RETRIES = 3
"""Times that a part which failed is started again. Each start resumes what is stored."""

SHARE_OF_FAILED = 4
"""The job ends if more than one part in this many fails for good: then they have something in common."""

ON_FAILURE: dict[JobOutcome, Literal["Count", "FailIndex"]] = {
    "partial": "Count",
    "budget": "FailIndex",
    "provider": "Count",
    "errors": "FailIndex",
    "interrupted": "Count",
}
"""What follows when a part ends like this: it is started again a few times, or not at all.

`partial` shares its exit code, 2, with a wrong command. A retry finishes the first and cannot harm the
second, which ends before anything is spent. A spent budget and an agent's broken code stay what they are.
"""


class IndexedJob(NamedTuple):
    """One run in parts, on Kubernetes."""

    plan: PodPlan
    command: RunCommand
    parts: int
    parallel: int
    """Parts that are played at a time, at most."""
    deadline: int | None = None
    """Seconds."""

    def written(self) -> str:
        """The manifest."""
        self.command.refuse_too_many(self.parts, "--shards")
        merge = [self._merge()] if self.plan.volume else []
        return written([self._play(), *merge], self._comment())

    def _play(self) -> Data:
        """The job that plays the parts."""
        out = f"{self.plan.folder('parts')}/$(JOB_COMPLETION_INDEX)"
        ours = self.command.ours(out, "--shard", f"/{self.parts}")
        spec = {
            "completionMode": "Indexed",
            "completions": self.parts,
            "parallelism": min(self.parallel, self.parts),
            "backoffLimitPerIndex": RETRIES,
            "maxFailedIndexes": max(1, self.parts // SHARE_OF_FAILED),
            "podFailurePolicy": {"rules": _rules()},
            "podReplacementPolicy": "Failed",  # Two pods never write to one part.
            "template": self.plan.template([*ours, *map(unexpanded, self.command.words)]),
            **({"activeDeadlineSeconds": self.deadline} if self.deadline else {}),
        }
        return self._job(self.plan.name, spec)

    def _merge(self) -> Data:
        """The job that merges the parts. Kubernetes has no order between jobs, so it waits to be started."""
        args = ["merge", *self._folders(), "-o", self.plan.folder("merged")]
        without_keys = self.plan._replace(secret="")
        spec = {"suspend": True, "backoffLimit": 1, "template": without_keys.template(args)}
        return self._job(f"{self.plan.name}-merge", spec)

    def _job(self, name: str, spec: Data) -> Data:
        return {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": {"name": name, "labels": self.plan.labels},
            "spec": {**spec, "ttlSecondsAfterFinished": KEPT},
        }

    def _folders(self) -> list[str]:
        return [self.plan.folder("parts", str(number)) for number in range(self.parts)]

    def _comment(self) -> list[str]:
        """What to type, for people."""
        plan, name = self.plan, self.plan.name
        merge = (
            f'kubectl patch job {name}-merge --patch \'{{"spec": {{"suspend": false}}}}\''
            if plan.volume
            else f"sab merge {plan.folder('parts')}/{{0..{self.parts - 1}}} -o {name}    # in bash"
        )
        return [
            f"A run in {self.parts} parts, {min(self.parallel, self.parts)} at a time; {self.command.limit}.",
            "Every part has its share of -j and --budget, so fewer parts at a time make fewer requests.",
            f"The image {plan.image} must have sab and the code of your own agents.",
            "",
            *plan.first_lines(self.command.keys()),
            f"  kubectl wait --for=condition=complete --timeout=24h job/{name}",
            f"  {merge}",
            "",
            f"The runs are then in {plan.folder('merged') if plan.volume else name}.",
            "",
            "If parts fail, see which and why, and start again; what is stored is not played or paid again:",
            f"  kubectl get job {name} -o jsonpath='{{.status.failedIndexes}}'",
            f"  kubectl logs -l job-name={name} --prefix --tail=5 --max-log-requests={self.parts}",
            f"  kubectl delete job {' '.join([name, *([f'{name}-merge'] if plan.volume else [])])}",
            "  kubectl apply -f THIS_FILE",
        ]


def _rules() -> list[Data]:
    """What follows from a pod's failure; what no rule names counts as one of the retries."""
    disrupted = {"type": "DisruptionTarget", "status": "True"}
    rules: list[Data] = [{"action": "Ignore", "onPodConditions": [disrupted]}]
    for action in ("FailIndex", "Count"):
        codes = sorted(code for how, code in EXIT_CODES.items() if code and ON_FAILURE[how] == action)
        on_codes = {"containerName": "sab", "operator": "In", "values": codes}
        rules.append({"action": action, "onExitCodes": on_codes})
    return rules
