"""`sab manifest`: the words after `--` are those of `sab run`, and its own parser reads them first."""

from pathlib import Path

import pytest
from typer.main import get_command

from printed_manifests import container, manifest, printed
from supportagentbench.cli.main import app
from supportagentbench.cli.manifest import NOT_IN_A_POD
from supportagentbench.models.provider import _env_file

KEY, ANOTHER = "sk-1234567890abcdef", "ant-fedcba0987654321"
K8S = ("--shards", "2", "--volume", "runs", "oracle")
RAY = ("--workers", "2", "--volume", "runs", "oracle")
BOTH = [("k8s", K8S), ("ray", RAY)]


@pytest.mark.parametrize(("kind", "words"), BOTH)
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("--wrong",), "No such option: --wrong"),
        (("--runs", "0"), "Invalid value for '--runs'"),
        (("-j", "many"), "Invalid value for '--concurrency'"),
        (("--channel", "fax"), "Invalid value for '--channel'"),
        (("--isolate=sandbox",), "a pod cannot hold a sandbox"),
        (("--private-seed", "secret-words-of-mine"), "SAB_PRIVATE_SEED"),
        (("--private-seed-file", "-"), "SAB_PRIVATE_SEED"),
        (("--out", "runs"), "--volume or --bucket"),
        (("-o", "runs"), "--volume or --bucket"),
        (("--fresh",), "pay again"),
        (("--record", "x"), "write to one place"),
        (("--live",), "nobody could open"),
    ],
)
def test_a_wrong_option_is_found_before_anything_is_started(
    kind: str, words: tuple[str, ...], typed: tuple[str, ...], said: str
) -> None:
    done = printed(kind, *words, "--", "--yes", *typed)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and "secret-words" not in done.stderr


def test_every_refused_option_is_one_of_sab_run_or_will_be() -> None:
    run = get_command(app).commands["run"]  # type: ignore[attr-defined]
    known = {flag for one in run.params for flag in one.opts}
    assert NOT_IN_A_POD.keys() - known <= {"--shard", "--cluster"}


@pytest.mark.parametrize(("kind", "words"), BOTH)
def test_a_key_in_the_environment_is_never_printed(
    kind: str, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _env_file.cache_clear()
    (tmp_path / ".env").write_text(f"ANTHROPIC_API_KEY={ANOTHER}\n")
    models = ("openai:gpt-5.4", "anthropic:claude", "--secret", "keys")
    keys = {"OPENAI_API_KEY": KEY, "BOT_TOKEN": KEY}
    done = printed(kind, *words, *models, "--", "--yes", **keys)
    assert done.returncode == 0 and KEY not in done.stdout + done.stderr
    assert "OPENAI_API_KEY, ANTHROPIC_API_KEY" in done.stdout
    for typed in (KEY, ANOTHER, f"http://bot.example/?key={KEY}"):
        done = printed(kind, *words, typed, "--", "--yes", **keys)
        assert (done.returncode, done.stdout) == (2, "") and typed not in done.stderr
    _env_file.cache_clear()


def test_a_model_without_a_secret_is_refused() -> None:
    for words in (("openai:gpt-5.4",), ("--", "--customer", "mistral:small")):
        done = printed("k8s", *K8S, *words, *([] if "--" in words else ["--"]), "--yes")
        assert done.returncode == 2
        assert "put it into a Secret, and name it with --secret" in done.stderr


def test_more_parts_than_conversations_are_refused() -> None:
    done = printed("k8s", "--shards", "16", "--volume", "runs", "oracle", "--", "--yes")
    assert done.returncode == 2
    assert "-j 8 is shared out and not enough for --shards 16; add -j 16" in done.stderr


def test_a_folders_settings_are_not_those_of_the_pods(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sab.toml").write_text('[run]\nconcurrency = 64\nagents = ["silent"]\n')
    assert "-j 8 is shared out" in printed("k8s", "--shards", "9", *K8S[2:], "--", "--yes").stderr
    assert "silent" not in container(manifest("k8s", *K8S, "--", "--yes")[0])["args"]


def test_isolation_is_typed_as_in_sab_run() -> None:
    [job, _] = manifest("k8s", *K8S, "--", "--yes", "--isolate", "--keep-env", "BOT_KEY")
    assert container(job)["args"][-4:] == ["--yes", "--isolate=process", "--keep-env", "BOT_KEY"]


@pytest.mark.parametrize("kind", ["k8s", "ray"])
def test_a_wrong_name_is_one_sentence(kind: str) -> None:
    words = K8S if kind == "k8s" else RAY
    done = printed(kind, "--name", "a\nkind: Secret", *words, "--", "--yes")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("sab: --name ") and len(done.stderr.splitlines()) == 1
