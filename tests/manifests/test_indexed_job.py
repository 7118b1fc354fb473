"""An Indexed Job for Kubernetes: what its schemas take, what is started again, and what stays data."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from commands import sab
from printed_manifests import VERSIONS, container, expanded, manifest, printed, validate
from supportagentbench.jobs.run import EXIT_CODES
from supportagentbench.manifests.indexed_job import ON_FAILURE, IndexedJob
from supportagentbench.manifests.pod import PodPlan
from supportagentbench.manifests.run_command import RunCommand
from supportagentbench.storage.archive import find_runs, read_header
from supportagentbench.storage.transcripts import read_transcripts

KEY = "sk-1234567890abcdef"

FULL = (
    *(
        "--shards",
        "16",
        "--volume",
        "team-runs",
        "--secret",
        "sab-keys",
        "--name",
        "night",
        "--deadline",
        "90",
    ),
    *("openai:gpt-5.4", "oracle", "--", "--runs", "3", "-j", "64", "--budget", "50", "--set", "core"),
)
SHORT = ("oracle", "--shards", "2", "--volume", "runs", "--", "--yes")


def job_of(*words: str, volume: str = "runs", bucket: str = "") -> IndexedJob:
    plan = PodPlan("sab", "a/b", "1", "2Gi", volume=volume, bucket=bucket)
    return IndexedJob(plan, RunCommand(words, (), 8, None, True), 2, 8)


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_since_1_31_takes_it(version: str) -> None:
    for document in (*manifest("k8s", *FULL), *manifest("k8s", *SHORT)):
        validate(document, version)


def test_the_schemas_refuse_what_is_wrong() -> None:
    [job, _] = manifest("k8s", *FULL)
    for change in ({"completions": "16"}, {"completionmode": "Indexed"}):
        with pytest.raises(Exception, match=r"is not of type|were unexpected|was unexpected|Additional"):
            validate(job | {"spec": job["spec"] | change})


def test_the_command_is_the_one_that_was_typed_and_knows_its_part() -> None:
    [job, _] = manifest("k8s", *FULL)
    args = container(job)["args"]
    assert container(job)["command"] == ["sab"]
    assert [expanded(one, {"JOB_COMPLETION_INDEX": "3"}) for one in args] == [
        *("run", "--shard", "/16", "--out", "/runs/night/parts/3", "--yes", "openai:gpt-5.4", "oracle"),
        *("--runs", "3", "-j", "64", "--budget", "50", "--set", "core"),
    ]


@pytest.mark.parametrize(("shards", "asked", "most", "failed"), [(16, 4, 4, 4), (3, 8, 3, 1), (64, 8, 8, 16)])
def test_few_pods_are_started_at_a_time(shards: int, asked: int, most: int, failed: int) -> None:
    words = (
        "--shards",
        str(shards),
        "--parallelism",
        str(asked),
        "--volume",
        "v",
        "oracle",
        "--",
        "-yj",
        "64",
    )
    spec = manifest("k8s", *words)[0]["spec"]
    assert (spec["completionMode"], spec["completions"]) == ("Indexed", shards)
    assert (spec["parallelism"], spec["maxFailedIndexes"]) == (most, failed)
    assert "activeDeadlineSeconds" not in spec
    assert manifest("k8s", *FULL)[0]["spec"]["activeDeadlineSeconds"] == 90


def test_parallelism_is_capped_without_being_asked_for() -> None:
    words = ("--shards", "1000", "--volume", "v", "oracle", "--", "-yj", "1000")
    assert manifest("k8s", *words)[0]["spec"]["parallelism"] == 8


def test_every_way_to_end_has_a_rule() -> None:
    rules = manifest("k8s", *SHORT)[0]["spec"]["podFailurePolicy"]["rules"]
    disrupted = {"type": "DisruptionTarget", "status": "True"}
    assert rules[0] == {"action": "Ignore", "onPodConditions": [disrupted]}
    found = {code: rule["action"] for rule in rules[1:] for code in rule["onExitCodes"]["values"]}
    assert found == {code: ON_FAILURE[how] for how, code in EXIT_CODES.items() if how != "complete"}
    assert found == {2: "Count", 3: "FailIndex", 4: "Count", 5: "FailIndex", 130: "Count"}
    for rule in rules[1:]:
        assert rule["onExitCodes"]["containerName"] == container(manifest("k8s", *SHORT)[0])["name"]
        assert rule["onExitCodes"]["operator"] == "In"
        assert rule["onExitCodes"]["values"] == sorted(rule["onExitCodes"]["values"])


def test_a_part_is_never_written_by_two_pods() -> None:
    spec = manifest("k8s", *SHORT)[0]["spec"]
    assert spec["podReplacementPolicy"] == "Failed"
    assert spec["template"]["spec"]["restartPolicy"] == "Never"
    assert spec["backoffLimitPerIndex"] == 3


def test_merging_waits_until_it_is_started_and_has_no_keys() -> None:
    [_, merge] = manifest("k8s", "--secret", "s", *SHORT)
    assert merge["metadata"]["name"] == "sab-merge"
    assert merge["spec"]["suspend"] is True
    assert container(merge)["args"] == [
        *("merge", "/runs/sab/parts/0", "/runs/sab/parts/1", "-o", "/runs/sab/merged")
    ]
    assert "envFrom" not in container(merge)


def test_with_a_bucket_the_parts_are_merged_by_hand() -> None:
    words = ("oracle", "--shards", "2", "--bucket", "s3://team/runs", "--", "--yes")
    [job] = manifest("k8s", *words)
    validate(job)
    out = "s3://team/runs/sab/parts/$(JOB_COMPLETION_INDEX)"
    assert out in container(job)["args"]
    assert [one["name"] for one in job["spec"]["template"]["spec"]["volumes"]] == ["tmp"]
    assert "sab merge s3://team/runs/sab/parts/{0..1} -o sab" in printed("k8s", *words).stdout


@pytest.mark.parametrize(
    "name",
    [
        "; rm -rf /",
        "a\n---\napiVersion: v1\nkind: Secret",
        "$(OPENAI_API_KEY)",
        "$$(OPENAI_API_KEY)",
        "$(JOB_COMPLETION_INDEX)",
        "$",
        "!!python/object/apply:os.system [true]",
        "*alias",
        "&anchor x",
        "{a: 1}",
        "yes",
        "y",
        "null",
        "1e3",
        "0x10",
        "012",
        "1_000",
        "12:30:00",
        "2026-01-01",
        "~",
        "",
        "# comment",
        "a: b",
        "'\"",
        "\u2028\x85\ufeff",
        "\x00\x1b[31m",
        "<<",
        "=",
        "--- |",
    ],
)
def test_a_hostile_agent_stays_data(name: str) -> None:
    text = job_of(name, "oracle").written()
    [job, _] = yaml.safe_load_all(text)
    args = container(job)["args"]
    variables = {"OPENAI_API_KEY": KEY, "JOB_COMPLETION_INDEX": "1"}
    assert [expanded(one, variables) for one in args[-2:]] == [name, "oracle"]
    assert job["kind"] == "Job"
    validate(job)
    assert len(text.splitlines()) == len(job_of("plain", "oracle").written().splitlines())


@given(st.text(), st.dictionaries(st.text("AB", min_size=1), st.just(KEY)))
@example("$(A)", {"A": KEY})
@example("$$(A)", {"A": KEY})
def test_no_word_is_ever_expanded(word: str, variables: dict[str, str]) -> None:
    [job, _] = yaml.safe_load_all(job_of(word).written())
    assert expanded(container(job)["args"][-1], variables) == word


def test_words_that_parsers_read_differently_are_quoted() -> None:
    text = job_of("y", "1e3", "0o17", "on", "oracle", "1.").written()
    for word in ("y", "1e3", "0o17", "on", "1."):
        assert f'- "{word}"\n' in text
    assert "- oracle\n" in text


def test_what_to_type_comes_first() -> None:
    done = printed("k8s", *FULL)
    head, _, _ = done.stdout.partition("---\n")
    assert all(line.startswith("#") for line in head.splitlines())
    for words in (
        "kubectl create secret generic sab-keys --from-env-file=FILE    # with OPENAI_API_KEY",
        "kubectl wait --for=condition=complete --timeout=24h job/night",
        """kubectl patch job night-merge --patch '{"spec": {"suspend": false}}'""",
        "kubectl delete job night night-merge",
        "at most $50.00 in all",
        "16 parts, 8 at a time",
    ):
        assert words in head


def pods(documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one["spec"]["template"]["spec"] for one in documents]


def test_a_pod_may_do_little() -> None:
    for pod in pods(manifest("k8s", *FULL)):
        assert pod["automountServiceAccountToken"] is False
        assert pod["enableServiceLinks"] is False
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["runAsUser"] > 0
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        [one] = pod["containers"]
        assert one["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert one["resources"]["requests"] == one["resources"]["limits"] == {"cpu": "1", "memory": "2Gi"}
        assert [place["mountPath"] for place in one["volumeMounts"]] == ["/tmp", "/runs"]
        assert pod["volumes"][1]["persistentVolumeClaim"] == {"claimName": "team-runs"}
        assert one["env"] == [{"name": "HOME", "value": "/tmp"}]


def test_the_pods_play_every_part_and_the_second_job_puts_them_together(tmp_path: Path) -> None:
    """The words of both jobs, as the containers get them, with the volume in a folder."""
    words = (
        "oracle",
        "--shards",
        "2",
        "--volume",
        "v",
        "--",
        "--yes",
        "--set",
        "tracking",
        "--display",
        "none",
    )
    play, merge = (container(job)["args"] for job in manifest("k8s", *words))
    for index in ("0", "1"):
        pod = {"JOB_COMPLETION_INDEX": index}
        args = [expanded(one, pod).replace("/runs/", f"{tmp_path}/") for one in play]
        assert sab(*args, cwd=tmp_path, **pod).returncode == 0
    args = [one.replace("/runs/", f"{tmp_path}/") for one in merge]
    for _ in range(2):  # The job may be started again.
        assert sab(*args, cwd=tmp_path).returncode == 0
    [folder] = find_runs([tmp_path / "sab" / "merged"])
    header = read_header(folder)
    assert {one.transcript.case for one in read_transcripts(folder)} == {*header.cases} and not header.shard
