"""What a pause costs: the same work back to back, and each time after the process has slept.

A client that waits for slow answers sleeps between them, and probably finds cold caches when it wakes, which
counts as its CPU time. This reads agents' messages as the checks do, which remember no sentence, one or
several per wake-up, and prints how much more they cost; use it to compare the loads of `calls.py`.
"""

import time
from pathlib import Path
from statistics import median

import yaml

from supportagentbench.language.reader import reader_of
from supportagentbench.world.folder import read_world

ENGLISH = reader_of(read_world("northline").vocabulary).english
MESSAGES = Path(__file__).parent.parent / "tests" / "language" / "agent_messages.yaml"
PAUSES = (0.0, 0.0005, 0.002, 0.005, 0.02)
TOGETHER = (1, 5, 20)
WAKE_UPS = 60
ROUNDS = 5


def microseconds(messages: list[str], pause: float, together: int) -> float:
    """CPU per message, when `count` messages are read after each pause."""
    turn = iter(messages * (1 + WAKE_UPS * together // len(messages)))
    start = time.process_time()
    for _ in range(WAKE_UPS):
        if pause:
            time.sleep(pause)
        for _ in range(together):
            list(ENGLISH.sure(next(turn)))
    return (time.process_time() - start) / WAKE_UPS / together * 1e6


def main() -> None:
    """Print a line for each number of messages read together."""
    found = yaml.safe_load(MESSAGES.read_text(encoding="utf-8"))["messages"]
    messages = [message["text"] for message in found]
    for text in messages:
        list(ENGLISH.sure(text))
    print("microseconds of CPU a message, and how often that of no pause")
    print(f"{'read together':>14}" + "".join(f"{f'after {pause * 1000:g} ms':>18}" for pause in PAUSES))
    for together in TOGETHER:
        rounds = [[microseconds(messages, pause, together) for pause in PAUSES] for _ in range(ROUNDS)]
        cells = [median(column) for column in zip(*rounds, strict=True)]
        print(f"{together:14}" + "".join(f"{cell:10.0f} {cell / cells[0]:6.1f}x" for cell in cells))


if __name__ == "__main__":
    main()
