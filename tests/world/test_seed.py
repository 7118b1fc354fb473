"""Seeds as they are typed, each once; a private one is known by a salted commitment that is slow to guess."""

import time

import pytest

from supportagentbench.records.problem import Problem
from supportagentbench.world.seed import (
    commitment,
    is_name_of,
    is_salted,
    new_private_seed,
    numbered_seeds,
    private,
    refuse_guessable,
)

SALTED = "0123456789abcdef-correct horse battery staple"


@pytest.mark.parametrize(
    ("words", "names"),
    [("0", "0"), ("0,1,5", "0 1 5"), ("0-3", "0 1 2 3"), ("7, 2-3,2", "7 2 3")],
)
def test_lists_and_ranges_name_each_seed_once(words: str, names: str) -> None:
    assert [seed.name for seed in numbered_seeds(words)] == names.split()


@pytest.mark.parametrize("words", ["", "x", "1.5", "-1", "3-1", "0,,1", "0-100", "٣", "9" * 40])
def test_anything_else_is_refused(words: str) -> None:
    with pytest.raises(Problem, match="not numbers or ranges"):
        numbered_seeds(words)


def test_too_many_draws_are_refused() -> None:
    with pytest.raises(Problem, match="at most 100"):
        numbered_seeds("0-99,100-199")


def test_a_commitment_shows_the_salt_and_how_it_was_made() -> None:
    form, cost, block, parallel, salt, hashed = commitment(SALTED).split(":")
    assert (form, cost, block, parallel, salt) == ("scrypt", "32768", "8", "1", "0123456789abcdef")
    assert len(hashed) == 64 and "horse" not in commitment(SALTED)
    assert hashed != commitment("fedcba9876543210-correct horse battery staple").rpartition(":")[2]
    assert hashed == "00507377791021fdd25084bbcd48d9b636512e1464e277ab772025ac0a4caef5", "it never changes"


def test_guessing_takes_time_and_knowing_does_not() -> None:
    started = time.process_time()
    commitment(new_private_seed())
    assert time.process_time() - started > 0.01
    commitment(SALTED)
    started = time.process_time()
    for _ in range(1_000):
        private(SALTED)
    assert time.process_time() - started < 0.5


def test_commitments_of_earlier_versions_can_still_be_opened() -> None:
    old = "private:8c16f74f38675872a7066783b9c7aa6da31dbede8ac048215eb2bb46eabc39c7"
    assert not is_salted("fern") and is_name_of(private("fern"), old)
    assert not is_name_of(private("moss"), private("fern").name)


def test_new_seeds_are_never_the_same_and_good_enough() -> None:
    seeds = {new_private_seed() for _ in range(100)}
    assert len(seeds) == 100
    for seed in seeds:
        refuse_guessable(seed)
    assert new_private_seed(SALTED).endswith(SALTED)


@pytest.mark.parametrize(
    ("seed", "words"),
    [
        ("7", "can be guessed"),
        ("acme-2026", "can be guessed"),
        ("0123456789abcdef-short", "can be guessed"),
        ("0123456789abcdef-" + "ab" * 20, "can be guessed"),
        ("correct horse battery staple", "has no salt; `sab commit SECRET` prints the seed"),
    ],
)
def test_others_are_refused_with_the_remedy(seed: str, words: str) -> None:
    with pytest.raises(Problem, match=words):
        refuse_guessable(seed)
