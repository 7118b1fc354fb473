"""Scratch folder: there as long as anything knows it."""

import warnings

from supportagentbench.storage.scratch_folder import ScratchFolder


def test_it_is_gone_with_the_last_that_knew_it() -> None:
    first = ScratchFolder()
    also, path = first, first.path
    (path / "runs").mkdir()
    del first
    assert path.is_dir() and path != ScratchFolder().path
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        del also
    assert not path.exists()
