"""Draws docs/board.svg from a folder of runs: `python docs/make_board.py runs/demo`."""

import io
import sys
from pathlib import Path

from rich.console import Console

from supportagentbench.archive import find_runs, read_header, read_transcripts
from supportagentbench.score import score
from supportagentbench.tally.standings import make_board
from supportagentbench.terminal import board_table

scored = []
for folder in find_runs([Path(name) for name in sys.argv[1:]]):
    header = read_header(folder)
    scored.append((header, [score(filed, header) for filed in read_transcripts(folder)]))
console = Console(record=True, width=88, file=io.StringIO(), force_terminal=True)
console.print(board_table(make_board(scored)))
console.save_svg(str(Path(__file__).parent / "board.svg"), title="sab board")
