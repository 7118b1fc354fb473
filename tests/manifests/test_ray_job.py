"""A RayJob: there is no schema of it here, but its pods are pods, and its command is one plain line."""

import shlex
from typing import Any

import pytest

from printed_manifests import VERSIONS, manifest, printed, validate

WORDS = ("openai:gpt-5.4", "oracle", "--secret", "sab-keys", "--", "-j", "64", "--budget", "50")


def groups(spec: dict[str, Any]) -> list[dict[str, Any]]:
    cluster = spec["rayClusterSpec"]
    return [cluster["headGroupSpec"], *cluster["workerGroupSpecs"]]


@pytest.mark.parametrize("version", VERSIONS)
def test_its_pods_are_pods(version: str) -> None:
    [job] = manifest("ray", "--volume", "runs", *WORDS)
    for group in groups(job["spec"]):
        pod = {"apiVersion": "v1", "kind": "Pod", **group["template"]}
        validate(pod, version)
        assert pod["spec"]["securityContext"]["runAsNonRoot"] is True
        [one] = pod["spec"]["containers"]
        assert one["envFrom"] == [{"secretRef": {"name": "sab-keys"}}]
        assert {"name": "RAY_USAGE_STATS_ENABLED", "value": "0"} in one["env"]
        assert "command" not in one and "args" not in one
        assert {"livenessProbe", "readinessProbe"} <= one.keys()


def test_the_command_runs_on_the_cluster_it_is_in() -> None:
    [job] = manifest("ray", "--bucket", "s3://team/runs", "--workers", "3", *WORDS)
    spec = job["spec"]
    assert (job["apiVersion"], job["kind"]) == ("ray.io/v1", "RayJob")
    assert shlex.split(spec["entrypoint"]) == [
        *("sab", "run", "--cluster", "auto", "--out", "s3://team/runs/sab/runs", "--yes"),
        *("openai:gpt-5.4", "oracle", "-j", "64", "--budget", "50"),
    ]
    [workers] = spec["rayClusterSpec"]["workerGroupSpecs"]
    assert {workers[one] for one in ("replicas", "minReplicas", "maxReplicas")} == {3}
    assert spec["rayClusterSpec"]["headGroupSpec"]["rayStartParams"] == {"num-cpus": "0"}
    assert spec["submissionMode"] == "HTTPMode"
    assert spec["shutdownAfterJobFinishes"] is True
    assert spec["backoffLimit"] == 0
    assert "activeDeadlineSeconds" not in spec


def test_only_the_head_can_write_runs() -> None:
    [job] = manifest("ray", "--volume", "runs", "--deadline", "60", *WORDS)
    head, workers = [group["template"]["spec"]["volumes"] for group in groups(job["spec"])]
    assert [one["name"] for one in head] == ["tmp", "runs"]
    assert [one["name"] for one in workers] == ["tmp"]
    assert job["spec"]["activeDeadlineSeconds"] == 60


def test_more_workers_than_conversations_are_refused() -> None:
    done = printed("ray", "--volume", "runs", "--workers", "9", "oracle", "--", "--yes")
    assert done.returncode == 2
    assert "-j 8 is shared out and not enough for --workers 9; add -j 9" in done.stderr


def test_what_to_type_comes_first() -> None:
    done = printed("ray", "--volume", "runs", "--name", "night", *WORDS)
    head, _, _ = done.stdout.partition("---\n")
    assert all(line.startswith("#") for line in head.splitlines())
    assert "rayjob/night" in head and "with OPENAI_API_KEY" in head and "/runs/night/runs" in head


def test_no_word_reaches_a_shell_unquoted() -> None:
    done = printed("ray", "--volume", "runs", "; rm -rf /", "--", "--yes")
    assert (done.returncode, done.stdout) == (2, "")
    assert "mean something to a shell" in done.stderr
