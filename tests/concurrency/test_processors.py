"""What a control group allows, read from files such as the kernel writes."""

import os
from pathlib import Path

import pytest

from supportagentbench.concurrency.processors import UNLIMITED, memory_limit, processors

ALL = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
"""Processors of this machine."""

SOME = 100_000
"""Microseconds of a period."""


def group(root: Path, own: str, **files: str) -> Path:
    """A root with this content of /proc/self/cgroup, and files below /sys/fs/cgroup."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(own)
    for name, text in files.items():
        path = root / "sys/fs/cgroup" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def v2(root: Path, cpu: str, memory: str = "max") -> Path:
    """A container of version 2, which sees itself at the top."""
    return group(root, "0::/\n", **{"cpu.max": f"{cpu}\n", "memory.max": f"{memory}\n"})


@pytest.mark.parametrize(
    ("cpu", "count"),
    [
        (f"{SOME} {SOME}", 1),
        (f"{SOME // 2} {SOME}", 1),
        (f"{SOME + 1} {SOME}", min(2, ALL)),
        (f"{9_000 * SOME} {SOME}", ALL),
        (f"max {SOME}", ALL),
        (f"0 {SOME}", ALL),
        (f"{SOME} 0", ALL),
        ("", ALL),
        ("nonsense", ALL),
        (f"{SOME}", ALL),
    ],
)
def test_a_quota_of_processor_time_is_a_number_of_processors(tmp_path: Path, cpu: str, count: int) -> None:
    assert processors(v2(tmp_path, cpu)) == count


@pytest.mark.parametrize(
    ("memory", "size"), [("536870912", 536870912), ("max", None), ("", None), ("0", None), ("a lot", None)]
)
def test_a_limit_of_memory_is_read(tmp_path: Path, memory: str, size: int | None) -> None:
    assert memory_limit(v2(tmp_path, f"max {SOME}", memory)) == size


def test_the_tightest_limit_of_all_groups_above_applies(tmp_path: Path) -> None:
    files = {
        "cpu.max": f"{SOME} {SOME}",
        "pod/cpu.max": f"{9 * SOME} {SOME}",
        "pod/memory.max": "2000000",
        "pod/own/memory.max": "3000000",
        "other/memory.max": "1",
    }
    root = group(tmp_path, "0::/pod/own\n", **files)
    assert (processors(root), memory_limit(root)) == (1, 2_000_000)


def test_version_1_has_a_folder_for_each_controller(tmp_path: Path) -> None:
    files = {
        "cpu/pod/cpu.cfs_quota_us": f"{SOME}",
        "cpu/pod/cpu.cfs_period_us": f"{SOME}",
        "cpu/cpu.cfs_quota_us": "-1",
        "cpu/cpu.cfs_period_us": f"{SOME}",
        "memory/pod/memory.limit_in_bytes": "4000000",
        "memory/memory.limit_in_bytes": "9223372036854771712",
        "memory/others/memory.limit_in_bytes": "1",
    }
    root = group(tmp_path, "4:memory:/pod\n3:cpuset:/others\n1:cpu,cpuacct:/pod\n", **files)
    assert (processors(root), memory_limit(root)) == (1, 4_000_000)


def test_version_1_without_limits_says_so_in_its_own_way(tmp_path: Path) -> None:
    files = {
        "cpu/cpu.cfs_quota_us": "-1",
        "cpu/cpu.cfs_period_us": f"{SOME}",
        "memory/memory.limit_in_bytes": f"{UNLIMITED}",
    }
    root = group(tmp_path, "4:memory:/\n1:cpu:/\n", **files)
    assert (processors(root), memory_limit(root)) == (ALL, None)


def test_a_container_that_is_given_the_hosts_path_finds_its_own_files(tmp_path: Path) -> None:
    files = {"cpu/cpu.cfs_quota_us": f"{SOME}", "cpu/cpu.cfs_period_us": f"{SOME}"}
    assert processors(group(tmp_path, "1:cpu:/docker/abc\n", **files)) == 1


def test_no_path_leads_out_of_the_folder(tmp_path: Path) -> None:
    root = group(tmp_path, "0::/../../../outside\n", **{"memory.max": "5000000"})
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/memory.max").write_text("1")
    assert memory_limit(root) == 5_000_000


def test_without_any_file_there_is_no_limit(tmp_path: Path) -> None:
    assert (processors(tmp_path), memory_limit(tmp_path)) == (ALL, None)


def test_this_machine_has_at_least_one() -> None:
    assert 1 <= processors() <= ALL
    assert memory_limit() is None or memory_limit()
