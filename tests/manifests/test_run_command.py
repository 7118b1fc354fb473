"""The command that pods run: what it may hold, and what a shell may see of it."""

import pytest

from supportagentbench.manifests.run_command import MOST_LETTERS, RunCommand
from supportagentbench.records.problem import Problem

KEY = "sk-1234567890abcdef"


def command(
    *words: str, names: tuple[str, ...] = (), agrees: bool = True, budget: float | None = None
) -> RunCommand:
    return RunCommand(words, names, 8, budget, agrees)


@pytest.mark.parametrize(
    "name", ["OPENAI_API_KEY", "BOT_TOKEN", "SAB_PRIVATE_SEED", "DB_PASSWORD", "MY_SECRET"]
)
def test_a_key_of_the_environment_is_refused_wherever_it_is_typed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, KEY)
    for word in (KEY, f"http://bot.example/{KEY}/reply", f"--customer={KEY}"):
        with pytest.raises(Problem, match="has a key or a password in it") as found:
            command("oracle", word).checked()
        assert KEY not in str(found.value)
    assert command("oracle").checked()


def test_a_password_in_an_address_is_refused() -> None:
    for word in ("https://me:hunter2hunter2@bot.example/reply", "https://0123456789abcdef0123@bot.example"):
        with pytest.raises(Problem, match="has a key or a password in it"):
            command(word).checked()


def test_nothing_is_spent_without_consent_or_a_limit() -> None:
    with pytest.raises(Problem, match="add --budget DOLLARS, or --yes"):
        command("oracle", agrees=False).checked()
    assert command("oracle", agrees=False, budget=5.0).checked().ours("o")[-1] == "--yes"
    assert "--yes" not in command("oracle", "--yes").checked().ours("o")
    assert command(agrees=False, budget=5.0).limit == "at most $5.00 in all"
    assert command().limit == "no spending limit"


def test_a_command_is_bounded_and_is_text() -> None:
    with pytest.raises(Problem, match="name fewer agents"):
        command("a" * MOST_LETTERS, "b").checked()
    with pytest.raises(Problem, match="not text in UTF-8"):
        command("\udcff.py").checked()


def test_the_keys_that_models_need_are_named() -> None:
    names = ("openai:gpt-5.4", "gemini:x", "oracle", "my_shop.py", "scripted", "openai:other", "ollama:q")
    assert command(names=names).keys() == ("OPENAI_API_KEY", "GEMINI_API_KEY")
    assert command(names=("openai:q,base_url=http://vllm:8000/v1", "local:small")).keys() == ()


def test_our_options_come_before_any_double_dash() -> None:
    words = [*command("--", "oracle").ours("out", "--shard", "/2"), "--", "oracle"]
    assert words.index("--out") < words.index("--") and words.index("--shard") < words.index("--")


@pytest.mark.parametrize(
    "word", ["; rm -rf /", "a b", "$(id)", "`id`", "a\nb", "a&b", "a?b", "*", "'", "~", "", "ä"]
)
def test_what_a_shell_would_change_is_refused(word: str) -> None:
    with pytest.raises(Problem, match="mean something to a shell"):
        command(word).for_shell("out")


def test_plain_words_are_one_line() -> None:
    found = command("openai:gpt-5.4,temperature=0.3", "-j", "8").for_shell("s3://a/b", "--cluster", "auto")
    assert found == "sab run --cluster auto --out s3://a/b openai:gpt-5.4,temperature=0.3 -j 8"
