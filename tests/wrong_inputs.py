"""Wrong inputs: the table in docs/wrong-inputs.md, and a folder in which each of its commands is wrong.

`python tests/wrong_inputs.py` writes the table again, with what each command answers now.
"""

import os
import re
import shlex
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from commands import Done, sab

TABLE = Path(__file__).parents[1] / "docs/wrong-inputs.md"

FILES = {
    "note.txt": "hello",
    "board.json": "[]",
    "sheet.csv": "a,b\n1,2\n",
    "broken.py": "def agent(:\n",
    "raises.py": "1 / 0\n",
    "exits.py": "raise SystemExit(3)\n",
    "fine.py": "x = 3\n\n\nclass Mine:\n    def __init__(self, seed): ...\n",
}
"""Files beside the runs, most of them wrong in one way."""

_ROW = re.compile(r"\| `sab (?P<words>.*?)` \| (?P<code>\d+) \| (?P<sentence>.*) \|")


class WrongInput(NamedTuple):
    """A row: what is typed, the exit code, and the sentence that is said."""

    words: str
    code: int
    sentence: str

    @property
    def row(self) -> str:
        return f"| `sab {self.words}` | {self.code} | {self.sentence.replace('|', chr(92) + '|')} |"


def wrong_inputs() -> list[WrongInput]:
    """Every row of the table."""
    found = [_ROW.fullmatch(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]
    return [
        WrongInput(row["words"], int(row["code"]), row["sentence"].replace("\\|", "|"))
        for row in found
        if row
    ]


def fill(folder: Path) -> None:
    """Two runs, copies of one that are damaged, and files that are something else."""
    words = ("run", "oracle", "complies", "--set", "damaged_no_proof", "--display", "none")
    assert sab(*words, cwd=folder).returncode == 0
    for name, file, content in (
        ("torn", "run.json", "{"),
        ("alien", "run.json", '{"a": 1}'),
        ("garbled", "transcripts.jsonl", "not json\n"),
    ):
        shutil.copytree(folder / "runs/oracle-1", folder / name)
        (folder / name / file).write_text(content)
    (folder / "empty").mkdir()
    for name, content in FILES.items():
        (folder / name).write_text(content)


def typed(words: str, folder: Path) -> Done:
    """What `sab` does with these words, where no key is set."""
    without = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    with patch.dict(os.environ, without, clear=True):
        return sab(*shlex.split(words), cwd=folder)


def answer(done: Done) -> str:
    """The last sentence that was said, on one line and without who says it."""
    said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    first = max((at for at, line in enumerate(said) if line.startswith(("sab: ", "Error: "))), default=0)
    return " ".join(said[first:]).removeprefix("sab: ").removeprefix("Error: ")


def main() -> None:
    """Write the table again."""
    page = TABLE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as place:
        fill(Path(place))
        for one in wrong_inputs():
            done = typed(one.words, Path(place))
            page = page.replace(one.row, WrongInput(one.words, done.returncode, answer(done)).row)
    TABLE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
