"""What gives a case away before the desk is asked anything: its order number, and the wording of its opening.

`python bench/back_doors.py [SEEDS] [PRIVATE]` prints how often a guess from the number alone is right,
next to chance, and how often words seen in the public set name the very case in private sets.
"""

import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from supportagentbench.records.case import Case
from supportagentbench.world.drawn_cases import DrawnCases, generate
from supportagentbench.world.folder import World, read_world
from supportagentbench.world.seed import numbered, private

SEEDS, PRIVATE = 40, 11
NEIGHBOURS = 5

Asked = Callable[[Case], str]
ASKED: dict[str, Asked] = {
    "bucket": lambda case: case.bucket,
    "case type": lambda case: case.family,
    "exact case": lambda case: case.id,
}


class Place(NamedTuple):
    """Where a number stands among those of its set: by rank, and by size; both from 0 to 1."""

    rank: float
    size: float


def placed(cases: DrawnCases) -> Iterator[tuple[Case, Place]]:
    """The cases of a set, with the places of their numbers."""
    core = cases.named("core")
    numbers = {case.id: int(re.sub(r"\D", "", case.subject)) for case in core}
    ordered = sorted(numbers.values())
    low, span = ordered[0], ordered[-1] - ordered[0]
    for case in core:
        number = numbers[case.id]
        yield case, Place(ordered.index(number) / len(ordered), (number - low) / span)


def hits(seen: list[tuple[Case, Place]], guessed: list[tuple[Case, Place]], by: str, asked: Asked) -> int:
    """How many guesses by the nearest places are right."""
    right = 0
    known = [(getattr(place, by), asked(case)) for case, place in seen]
    for case, place in guessed:
        at = getattr(place, by)
        near = sorted(known, key=lambda one: abs(one[0] - at))[:NEIGHBOURS]
        right += Counter(name for _, name in near).most_common(1)[0][0] == asked(case)
    return right


def from_numbers(world: World, seeds: int) -> None:
    """Learn from one half of the seeds, guess in the other; chance is the most frequent answer."""
    sets = [list(placed(generate(world, numbered(seed)))) for seed in range(seeds)]
    seen = [one for cases in sets[: seeds // 2] for one in cases]
    guessed = [one for cases in sets[seeds // 2 :] for one in cases]
    print(f"from the order number alone, {len(guessed):,} guesses")
    for what, asked in ASKED.items():
        often = Counter(asked(case) for case, _ in guessed).most_common(1)[0][1]
        shares = [f"by {by} {hits(seen, guessed, by, asked) / len(guessed):.1%}" for by in Place._fields]
        print(f"  {what:10}  {', '.join(shares)}; always the most frequent {often / len(guessed):.1%}")


class BagOfWords:
    """Names a case by the rare words that its opening shares with one of the public set."""

    def __init__(self, cases: list[Case]) -> None:
        self.bags = {case.id: words_of(case) for case in cases}
        frequency = Counter(word for bag in self.bags.values() for word in bag)
        self.weight = defaultdict(float, {word: math.log(len(cases) / n) for word, n in frequency.items()})
        self.norms = {name: self._norm(bag) for name, bag in self.bags.items()}

    def _norm(self, bag: set[str]) -> float:
        return math.sqrt(sum(self.weight[word] ** 2 for word in bag)) or 1.0

    def nearest(self, case: Case) -> str:
        """The public case whose opening is most alike."""
        bag = words_of(case)

        def likeness(name: str) -> float:
            return sum(self.weight[word] ** 2 for word in bag & self.bags[name]) / self.norms[name]

        return max(self.bags, key=likeness)


def words_of(case: Case) -> set[str]:
    """Single words and pairs of words."""
    words = re.findall(r"\w+", case.opening.casefold())
    return {*words, *(" ".join(pair) for pair in pairwise(words))}


def from_openings(world: World, draws: int) -> None:
    """Words of the public openings against openings of private sets."""
    public = generate(world)
    reader = BagOfWords(list(public.named("core")))
    right: Counter[bool] = Counter()
    for number in range(draws):
        for case in generate(world, private(f"back door {number}")).named("core"):
            more = bool(public.places[case.id].template(world).more_openings)
            right[more] += reader.nearest(case) == case.id
    cases = public.named("core")
    with_more = sum(bool(public.places[case.id].template(world).more_openings) for case in cases)
    print(f"from the words of the opening, {draws} private sets against the public one")
    for name, several, count in (
        ("with more openings", True, with_more),
        ("with one opening", False, len(cases) - with_more),
    ):
        if count:
            print(f"  {count:3} cases {name}: {right[several] / count / draws:.1%} named exactly")
    print(f"  all {len(cases)}: {right.total() / len(cases) / draws:.1%}; chance {1 / len(cases):.1%}")


if __name__ == "__main__":
    counts = [int(one) for one in sys.argv[1:]]
    northline = read_world("northline")
    from_numbers(northline, counts[0] if counts else SEEDS)
    from_openings(northline, counts[1] if len(counts) > 1 else PRIVATE)
