"""Ray job: KubeRay makes a cluster of Ray, plays a run on it and takes the cluster down again."""

from typing import NamedTuple

from supportagentbench.manifests.pod import Data, PodPlan, written
from supportagentbench.manifests.run_command import RunCommand

ENV = {"RAY_USAGE_STATS_ENABLED": "0"}
"""Ray reports its use to its makers unless this is said."""

AGENT_PORT = 52_365
"""Where Ray answers on every node whether it is healthy."""


CLUSTER_KEPT = 600
"""Seconds that the cluster stays when the run has ended, so that its logs can be read."""


class RayJob(NamedTuple):
    """One run on a cluster of Ray, on Kubernetes."""

    plan: PodPlan
    command: RunCommand
    workers: int
    deadline: int | None = None
    """Seconds."""

    def written(self) -> str:
        """The manifest."""
        self.command.refuse_too_many(self.workers, "--workers")
        # The command runs on the head, and it alone writes runs; agents play on the workers.
        head = {"rayStartParams": {"num-cpus": "0"}, "template": _node(self.plan)}
        workers = {
            "groupName": "workers",
            **dict.fromkeys(("replicas", "minReplicas", "maxReplicas"), self.workers),
            "rayStartParams": {},
            "template": _node(self.plan._replace(volume="")),
        }
        spec = {
            "entrypoint": self.command.for_shell(self.plan.folder("runs"), "--cluster", "auto"),
            "submissionMode": "HTTPMode",
            "shutdownAfterJobFinishes": True,
            "ttlSecondsAfterFinished": CLUSTER_KEPT,
            "backoffLimit": 0,  # Ray knows no exit codes, and a retry would be a new cluster.
            "rayClusterSpec": {"headGroupSpec": head, "workerGroupSpecs": [workers]},
            **({"activeDeadlineSeconds": self.deadline} if self.deadline else {}),
        }
        metadata = {"name": self.plan.name, "labels": self.plan.labels}
        document = {"apiVersion": "ray.io/v1", "kind": "RayJob", "metadata": metadata, "spec": spec}
        return written([document], self._comment())

    def _comment(self) -> list[str]:
        """What to type, for people."""
        plan, job = self.plan, f"rayjob/{self.plan.name}"
        return [
            f"A run on {self.workers} workers of Ray; {self.command.limit}. Needs KubeRay in the cluster.",
            f"The image {plan.image} must have sab, ray[default] and the code of your own agents.",
            "Whoever reaches port 8265 of the head can run code in it: close it to other pods.",
            "",
            *plan.first_lines(self.command.keys()),
            f"  kubectl wait --for=jsonpath='{{.status.jobDeploymentStatus}}'=Complete --timeout=24h {job}",
            "",
            f"The runs are then in {plan.folder('runs')}.",
            "",
            "If it fails, see why, and start again; what is stored is not played or paid again:",
            f"  kubectl get {job} -o jsonpath='{{.status.message}}'",
            f"  kubectl delete {job}",
            "  kubectl apply -f THIS_FILE",
        ]


def _node(plan: PodPlan) -> Data:
    """A node of the cluster. KubeRay's own probes need wget, which small images do not have."""
    check = {"httpGet": {"path": "/api/local_raylet_healthz", "port": AGENT_PORT}, "timeoutSeconds": 5}
    probes: Data = {
        "readinessProbe": {**check, "periodSeconds": 5, "failureThreshold": 10},
        "livenessProbe": {**check, "initialDelaySeconds": 30, "periodSeconds": 10, "failureThreshold": 30},
    }
    return plan.template(env=ENV, **probes)
