"""Attacks by repositories: a folder from a stranger is in git, or holds what git takes for a repository.

| attack | before | now |
|---|---|---|
| a bare repository committed next to the baseline, whose remote names a program | run | not asked |
| a program in `.git/config` of an unpacked folder, for a fetch of what is missing | run | not fetched |
| the same in a git that fetches missing objects whatever it is told | run | no protocol is allowed |
| a bare repository next to the baseline vouches for it: `as in commit …` | believed | not asked |
| a partial clone lacks the rules or the baseline of a commit | default rules, traceback | a sentence |
"""

import subprocess
from pathlib import Path

import pytest

from commands import sab
from supportagentbench.records.problem import Problem
from supportagentbench.storage import git_file
from supportagentbench.storage.config import read_config
from supportagentbench.storage.git_file import GitFile, origin

MISSING = "1" * 40
"""A commit that a repository names but does not have, so that git wants to fetch it."""

REMOTE = '[remote "x"]\n promisor = true\n'

CONFIGS = {
    "uploadpack": f'{REMOTE} url = .\n uploadpack = "{{run}}; false"\n',
    "ssh": f'{REMOTE} url = ssh://localhost/x\n[core]\n sshCommand = "{{run}}; false"\n',
    "git proxy": f"{REMOTE} url = git://localhost:9/x\n[core]\n gitProxy = {{program}}\n",
    "ext": f'{REMOTE} url = "ext::{{program}}"\n[protocol "ext"]\n allow = always\n',
    "vcs": f'{REMOTE} vcs = ext\n url = "{{program}}"\n[protocol]\n allow = always\n',
    "url": f'{REMOTE} url = a:b\n[url "ext::{{program}} "]\n insteadOf = a:\n[protocol]\n allow = always\n',
    "include": "[include]\n path = ../more\n",
}
"""What a stranger's configuration may say so that a fetch runs a program."""


@pytest.fixture
def ran(tmp_path: Path) -> Path:
    """The file that a stranger's program makes."""
    return tmp_path / "ran"


@pytest.fixture(params=CONFIGS)
def hostile(request: pytest.FixtureRequest, tmp_path: Path, ran: Path) -> Path:
    """A repository whose HEAD is missing, and whose configuration runs a program if git fetches it."""
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    folder = tmp_path / "given"
    in_git(tmp_path, "init", "-q", "-b", "main", "given")
    (folder / "baseline.json").write_text("{}")
    made = {"run": f"touch {ran}", "program": program}
    (folder / "more").write_text(CONFIGS["uploadpack"].format(**made))
    with (folder / ".git/config").open("a") as file:
        file.write("[core]\n repositoryformatversion = 1\n[extensions]\n partialClone = x\n")
        file.write(CONFIGS[request.param].format(**made))
    (folder / ".git/refs/heads/main").write_text(f"{MISSING}\n")
    return folder


def in_git(folder: Path, *words: str) -> str:
    """What git prints in this folder."""
    name = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    return subprocess.run(
        ["git", *name, *words], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


def test_git_itself_would_run_it(hostile: Path, ran: Path) -> None:
    subprocess.run(["git", "ls-tree", "HEAD"], cwd=hostile, capture_output=True)
    assert ran.exists()


@pytest.mark.parametrize("version", ["new", "old"])
def test_a_configuration_runs_nothing(
    hostile: Path, ran: Path, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if version == "old":  # It does not know the variable, and fetches.
        monkeypatch.delitem(git_file._VARIABLES, "GIT_NO_LAZY_FETCH")
    monkeypatch.chdir(hostile)
    assert origin(Path("baseline.json")) == "baseline.json"
    for file in ("git:HEAD:baseline.json", "git:HEAD~1:baseline.json", f"git:{MISSING}:./baseline.json"):
        with pytest.raises(Problem, match="the repository has no commit called"):
            GitFile(*file.split(":")[1:]).read(100)
    assert not ran.exists()


@pytest.fixture
def clone(tmp_path: Path, ran: Path) -> Path:
    """A clone of a repository in which a bare one is committed, next to the baseline."""
    given, checks = tmp_path / "given", tmp_path / "given/checks"
    for folder in ("refs/heads", "objects/info"):
        (checks / folder).mkdir(parents=True)
    (checks / "HEAD").write_text("ref: refs/heads/m\n")
    (checks / "refs/heads/m").write_text(f"{MISSING}\n")
    (checks / "objects/info/x").write_text("x")
    head = "[core]\n repositoryformatversion = 1\n bare = true\n[extensions]\n partialClone = x\n"
    (checks / "config").write_text(head + CONFIGS["uploadpack"].format(run=f"touch {ran}"))
    (checks / "baseline.json").write_text("{}")
    (given / "sab.toml").write_text('[gate]\nbaseline = "checks/baseline.json"\n')
    in_git(given, "init", "-q", "-b", "main")
    in_git(given, "add", "-A")
    in_git(given, "commit", "-qm", "x")
    in_git(tmp_path, "clone", "-q", "given", "clone")
    return tmp_path / "clone"


@pytest.mark.parametrize("version", ["new", "old"])
def test_a_bare_repository_next_to_a_baseline_is_not_asked(
    clone: Path, ran: Path, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if version == "old":  # It knows neither, and takes the folder for a repository.
        monkeypatch.delitem(git_file._VARIABLES, "GIT_NO_LAZY_FETCH")
        monkeypatch.delitem(git_file._SETTINGS, "safe.bareRepository")
    commit = in_git(clone, "rev-parse", "HEAD")[:12]
    monkeypatch.chdir(clone)
    assert origin(Path("checks/baseline.json")) == f"checks/baseline.json, as in commit {commit}"
    monkeypatch.chdir(clone / "checks")
    assert origin(Path("baseline.json")) == "baseline.json"
    monkeypatch.chdir(clone.parent)
    assert origin(clone / "checks/baseline.json") == f"{clone}/checks/baseline.json"
    assert not ran.exists()


def test_a_gate_in_a_strangers_clone_runs_nothing(clone: Path, ran: Path) -> None:
    before = sab("run", "oracle", "--set", "tracking-1", "--display", "none", cwd=clone)
    assert before.returncode == 0, before.stderr
    (clone / "checks/baseline.json").unlink()
    saved = sab("gate", "--save", "checks/baseline.json", "runs/oracle-1", cwd=clone)
    assert saved.returncode == 0, saved.stderr
    done = sab("gate", "oracle", "--display", "none", cwd=clone)
    assert "checks/baseline.json, which differs from commit" in " ".join(done.stdout.split()), done
    assert not ran.exists()


@pytest.mark.parametrize("lost", ["HEAD:checks/baseline.json", "HEAD:checks", "HEAD^{tree}"])
def test_a_commit_without_its_files_is_one_sentence(
    clone: Path, lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = in_git(clone, "rev-parse", lost)
    (clone / ".git/objects" / name[:2] / name[2:]).unlink()
    monkeypatch.chdir(clone)
    with pytest.raises(Problem, match="not all of its files, like a partial clone"):
        GitFile("main", "checks/baseline.json").read(100)


def test_rules_that_a_partial_clone_lacks_are_not_the_default_ones(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = in_git(clone, "rev-parse", "HEAD^{tree}")
    (clone / ".git/objects" / name[:2] / name[2:]).unlink()
    monkeypatch.chdir(clone)
    with pytest.raises(Problem, match="not all of its files, like a partial clone"):
        read_config(GitFile("main", "sab.toml"))


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (".", "has no such file"),
        ("./", "has no such file"),
        ("checks/..", "has no such file"),
        ("./../x", "has no such file"),
        ("checks/", "is a folder or a link"),
    ],
)
def test_a_folder_is_not_its_first_file(
    clone: Path, path: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(clone)
    with pytest.raises(Problem, match=said):
        GitFile("main", path).read(100)


def test_a_path_may_start_in_the_current_folder(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (clone / "inner").mkdir()
    monkeypatch.chdir(clone / "inner")
    assert GitFile("main", "./../sab.toml").read(100) == (clone / "sab.toml").read_bytes()
    assert not GitFile("main", "./sab.toml").exists()
