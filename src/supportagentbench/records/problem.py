"""Problem: anything the user can fix, said in one sentence with the place and the remedy."""

from pathlib import Path


class Problem(Exception):
    """Bad input or a bad moment; the command line prints it without a traceback and exits with 2."""

    def __init__(self, sentence: str, *, place: Path | str | None = None, line: int | None = None):
        self.sentence = sentence
        self.place = place
        self.line = line
        super().__init__(str(self))

    def __str__(self) -> str:
        if self.place is None:
            return self.sentence
        where = f"{self.place}:{self.line}" if self.line else f"{self.place}"
        return f"{where}: {self.sentence}"
