"""Pods: what a person may choose about them, and that no secret is ever printed."""

import time

import pytest

from supportagentbench.manifests.pod import PodPlan, written
from supportagentbench.records.problem import Problem
from supportagentbench.records.secrets import keep_secret

PLAN = PodPlan("sab", "a/b", "1", "2Gi", volume="runs")


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("name", ["sab", "a", "a" * 47, "night-2"]),
        ("secret", ["keys", "team.keys-2", "9", "a" * 63 + "." + "b" * 63]),
        ("volume", ["runs", "r.example.com"]),
        ("image", ["sab", "sab:1.2", "r.example:5000/team/sab:v1_2-x", f"a/b__c@sha256:{'0' * 64}"]),
        ("cpu", ["1", "64", "500m", "10m"]),
        ("memory", ["512Mi", "2Gi", "1000Gi"]),
    ],
)
def test_what_kubernetes_takes_is_taken(option: str, values: list[str]) -> None:
    for value in values:
        assert PLAN._replace(**{option: value}).checked()


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("name", ["Sab", "a" * 48, "9a", "-a", "a-", "a.b", "a b", "a\n", "a\nkind: Secret", "ä", "a_b"]),
        (
            "secret",
            ["Keys", "a..b", ".a", "a/b", "../a", "a" * 64, "a\n", "$(A)", ("a" * 60 + ".") * 5 + "a"],
        ),
        ("volume", ["Runs", "a b", "a\n", "a:b"]),
        ("image", ["Sab", "a b", "a:b:c", "a@sha256:0", "a\n", "a;b", "-a", "a/" * 300 + "a", "$(A)", "a/"]),
        ("cpu", ["0", "1.5e3", "-1", "1 ", "1000000", "m", "1\n", "٣"]),
        ("memory", ["2", "2GB", "0Gi", "-2Gi", "2Gi\n", "20000000Mi", "2e9"]),
    ],
)
def test_all_else_is_refused_with_its_option(option: str, values: list[str]) -> None:
    for value in values:
        with pytest.raises(Problem, match=f"^--{option} "):
            PLAN._replace(**{option: value}).checked()


@pytest.mark.parametrize("bucket", ["s3://team", "s3://team/a/b_c=1.x"])
def test_runs_go_to_a_bucket_as_well(bucket: str) -> None:
    plan = PLAN._replace(volume="", bucket=bucket).checked()
    assert plan.folder("parts", "3") == f"{bucket}/sab/parts/3"


@pytest.mark.parametrize(
    "bucket",
    [
        "s3:/team",
        "s3://t",
        "s3://team/../x",
        "s3://team/$(A)",
        "s3://team/a b",
        "team",
    ],
)
def test_no_other_place_is_a_bucket(bucket: str) -> None:
    with pytest.raises(Problem, match="no place in a bucket"):
        PLAN._replace(volume="", bucket=bucket).checked()


def test_runs_go_to_exactly_one_place() -> None:
    for volume, bucket in (("", ""), ("runs", "s3://team/runs")):
        with pytest.raises(Problem, match=r"either --volume CLAIM or --bucket"):
            PLAN._replace(volume=volume, bucket=bucket).checked()


def test_no_image_takes_long_to_refuse() -> None:
    began = time.process_time()
    for value in ("a" * 400 + "!", "a." * 190 + "!", "a_" * 190 + "!", "a-" * 190 + "!"):
        with pytest.raises(Problem):
            PLAN._replace(image=value).checked()
    assert time.process_time() - began < 1


def test_a_comment_of_any_lines_stays_a_comment() -> None:
    head, _, _ = written([{"a": 1}], ["one\nkind: Secret\rtwo\x85three\u2028four"]).partition("---")
    assert [line[:2] for line in head.splitlines()] == ["# "] * 5


def test_a_key_that_would_be_printed_is_a_problem() -> None:
    keep_secret("sk-1234567890abcdef")
    for documents, comment in (([{"a": "x sk-1234567890abcdef"}], []), ([], ["sk-1234567890abcdef"])):
        with pytest.raises(Problem, match="would have a key in it"):
            written(documents, comment)
