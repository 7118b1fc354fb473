"""Wrong inputs: each is answered with a sentence and an exit code, never with a traceback.

The table is docs/wrong-inputs.md: what is promised there is tried here, row by row.
"""

from pathlib import Path

import pytest

from wrong_inputs import WrongInput, answer, fill, typed, wrong_inputs


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("wrong")
    fill(made)
    return made


@pytest.mark.parametrize("wrong", wrong_inputs(), ids=lambda one: one.words)
def test_it_is_answered_as_promised(wrong: WrongInput, folder: Path) -> None:
    done = typed(wrong.words, folder)
    assert "Traceback" not in done.stdout + done.stderr
    assert (done.returncode, answer(done)) == (wrong.code, wrong.sentence)


def test_there_are_sixty_of_them_and_none_is_listed_twice_or_ends_well() -> None:
    words = [one.words for one in wrong_inputs()]
    assert len(words) == len(set(words)) >= 60
    assert all(one.code for one in wrong_inputs())
