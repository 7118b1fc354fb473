"""Draws docs/board.svg from a folder of runs: `python docs/make_board.py runs/demo`."""

import io
import sys
from pathlib import Path

from rich.console import Console

from supportagentbench.board.standings import make_board
from supportagentbench.results.load import load_runs
from supportagentbench.terminal.board import board_table

board = make_board(load_runs([Path(name) for name in sys.argv[1:]]))
console = Console(record=True, width=88, file=io.StringIO(), force_terminal=True)
console.print(board_table(board))
console.save_svg(str(Path(__file__).parent / "board.svg"), title="sab board")
