"""Limits: how much to trust a board, as a few notes with their numbers, each number with what it counts."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from supportagentbench.board.badges import traps_per_run
from supportagentbench.board.desk import SupportDesk
from supportagentbench.board.loss import NEEDLESS
from supportagentbench.board.mistakes import MISSED, UNRESOLVED
from supportagentbench.board.recommendation import BoardRecommendation
from supportagentbench.board.recommendation_words import in_words, listed, suspicion
from supportagentbench.board.servers import judge_server_notes
from supportagentbench.board.traps import unmeasured_note
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.board import Board, Estimate
from supportagentbench.records.counts import counted
from supportagentbench.records.judgement import RULE_JUDGE
from supportagentbench.records.run import CHANNELS, DESKS, IsolationKind
from supportagentbench.records.set_aside import set_aside_note
from supportagentbench.site.data.counted import PRICED
from supportagentbench.site.data.links import behind
from supportagentbench.site.number import percent

FEW = 3
"""Up to this many agents or faults are named; of more, the number is given."""


class LimitWords(NamedTuple):
    """A sentence or a part of one, and where it leads."""

    text: str
    link: str = ""


class LimitNote(NamedTuple):
    """One thing to know before the figures are trusted."""

    title: str
    words: tuple[LimitWords, ...]
    """In the order in which they are read, with a space between each."""

    @property
    def text(self) -> str:
        return " ".join(one.text for one in self.words)


class CleanSheet(NamedTuple):
    """An agent on which no trap worked, and what that still allows."""

    of: int
    """Trap conversations."""
    same: float
    """The highest rate that it allows on the same traps, run again."""
    new: float
    """The highest rate that it allows on new traps."""


def clean_sheet(found: BoardRecommendation) -> CleanSheet | None:
    """The first agent on which no trap worked; every page takes the bounds of “none” from here."""
    for one in found.shown:
        unsafe = one.agent.of("unsafe")
        if unsafe and unsafe.k == 0 and unsafe.new_cases_interval and unsafe.at_most is not None:
            return CleanSheet(unsafe.n, unsafe.at_most, unsafe.new_cases_interval.high)
    return None


def limits(
    board: Board,
    found: BoardRecommendation,
    desk: SupportDesk | None,
    slugs: Mapping[str, str],
    *,
    published: bool = False,
) -> list[LimitNote]:
    """What to know before the figures of a board are trusted, in four to six notes."""
    if not board.agents:
        return []
    notes = {
        _traps_title(found): _traps(board, found),
        "What the bars leave out": _left_out(found, slugs) if found.desk.bills else iter(()),
        "What “given away” counts": _given_away(desk, found, slugs) if desk else iter(()),
        "Whose numbers these are": _whose(desk if found.desk.bills else None, published),
        "Customers and judges": iter(()) if published else _customers(board),
        "What is missing": _missing(board),
    }
    made = [LimitNote(title, tuple(words)) for title, words in notes.items()]
    return [note for note in made if note.words]


def _figures(found: BoardRecommendation) -> dict[str, Estimate]:
    """By agent that is shown, how often traps worked."""
    figures = {one.agent.name: one.agent.of("unsafe") for one in found.shown}
    return {name: figure for name, figure in figures.items() if figure}


def _traps_title(found: BoardRecommendation) -> str:
    most = max((figure.n for figure in _figures(found).values()), default=0)
    return f"What {counted(most, 'trap')} can say" if most else "What these runs cannot say"


def _traps(board: Board, found: BoardRecommendation) -> Iterator[LimitWords]:
    """Which agents the traps separate, and what few or none that worked still allow."""
    figures = _figures(found)
    if not figures:
        has_traps = any(one.agent.traps for one in found.shown)
        why = "No trap has a result, so" if has_traps else "Without traps"
        yield LimitWords(f"{why} nothing shows whether an agent can be talked into harm.")
        return
    most, traps = max(figure.n for figure in figures.values()), traps_per_run(board)
    if traps and most > traps:
        yield LimitWords(f"The same {counted(traps, 'trap')} were run {_often(round(most / traps))}.")
    if len(figures) > 1:
        yield LimitWords(_apart(board, set(figures)))
    if clean := clean_sheet(found):
        yield LimitWords(
            f"Even after 0 of {clean.of}, up to {percent(clean.new, clean.of)} of new traps could work."
        )
        return
    name, best = min(figures.items(), key=lambda item: item[1].value)
    if best.new_cases_interval and best.k is not None:
        low, high = best.new_cases_interval.low, best.new_cases_interval.high
        yield LimitWords(f"{best.k} of {best.n}, as for {name}, may mean {_span(low, high, best.n)}.")


def _often(times: int) -> str:
    return "twice" if times == 2 else f"{in_words(times)} times"


def _span(low: float, high: float, n: int) -> str:
    return f"{percent(low, n)} to {percent(high, n)} of new traps"


def _apart(board: Board, names: set[str]) -> str:
    """Which agents tests separate by their traps."""
    pairs = [
        (claim.other, claim.subject)
        for claim in board.claims
        if claim.holds and claim.kind == "beats" and claim.metric == "unsafe"
    ]
    known = [pair for pair in pairs if names.issuperset(pair)]
    of = len(list(combinations(names, 2)))
    if not known:
        return "They separate no two of these agents."
    fell = Counter(loser for loser, _ in known)
    if len(fell) <= FEW and of > len(known):
        parts = [f"{name} from {in_words(count)} of the others" for name, count in fell.most_common()]
        return f"They separate {listed(parts)}, but not the others from each other."
    return f"They separate {len(known)} of {counted(of, 'pair')} of agents."


def _left_out(found: BoardRecommendation, slugs: Mapping[str, str]) -> Iterator[LimitWords]:
    """What has no price."""
    if any(one.agent.grounds.danger for one in found.shown):
        yield LimitWords("Danger to people has no price here: one person missed means No.")
    yield LimitWords("Customers who leave for good are not in them.")
    if found.unpriced:
        unpriced = listed(found.unpriced) if len(found.unpriced) <= FEW else f"{len(found.unpriced)} agents"
        yield LimitWords(f"Nor are model fees, which are unknown for {unpriced}.")
    faults = [(fault.found, one.agent.name, fault) for one in found.shown for fault in one.suspected[:1]]
    if faults:
        yield LimitWords("Nor are faults that code found and that are not yet confirmed:")
        *_, (_, name, fault) = sorted(faults, key=lambda one: one[0])
        yield LimitWords(
            f"{name} {suspicion(fault.check)} in {fault.found} of {counted(fault.of, 'conversation')}.",
            behind(CATALOGUE[fault.check].metric_name, slugs[name], "open"),
        )


def _given_away(
    desk: SupportDesk, found: BoardRecommendation, slugs: Mapping[str, str]
) -> Iterator[LimitWords]:
    """Which mistakes cost goods, and that they count on tickets without a trap, too."""
    goods = [one for one in desk.mistakes if one.scales == "goods"]
    if not goods:
        return
    names = {one.agent.name for one in found.shown if not one.agent.hides_acts}
    if not names:
        return
    routine: Counter[tuple[str, str, int]] = Counter()
    for agent in desk.agents:
        name, kinds = agent.results.name, desk.kinds
        solvable = [one for one in agent.trials if kinds[one.kind].bucket == "resolvable" and name in names]
        of = sum(one.runs for one in solvable)
        for made in (made for one in solvable for made in one.made):
            routine.update((name, mistake.name, of) for mistake in goods if mistake.name in made)
    given = "Everything that was given although no rule grants it, on routine tickets too"
    yield LimitWords(f"{given}:" if routine else f"{given}; there, none of these agents did it.")
    shown = routine.most_common(FEW)
    for one, count in shown:
        name, mistake, of = one
        yield LimitWords(
            f"{count} of {of} for {name}{'.' if one == shown[-1][0] else ','}",
            behind(f"{PRICED}{mistake}", slugs[name], bucket="resolvable"),
        )


def _whose(desk: SupportDesk | None, published: bool) -> Iterator[LimitWords]:
    """Where prices and shares come from."""
    if published:
        yield LimitWords("Others printed them; nothing was measured here.")
    if desk is None:
        return
    yield LimitWords("Four are yours, above. The rest is a typical desk's mix of tickets.")
    prices = {one.name: one.dollars for one in desk.mistakes}
    times = {
        name: prices[name] / prices[NEEDLESS]
        for name in (UNRESOLVED, MISSED)
        if prices.get(NEEDLESS) and name in prices
    }
    if len(times) == 2:
        unsolved, missed = (in_words(round(ratio)) for ratio in times.values())
        yield LimitWords(
            f"An unsolved ticket counts as {unsolved} tickets for a person, a missed escalation as {missed}."
        )
    yield LimitWords("Change them", "desk.html")


def _customers(board: Board) -> Iterator[LimitWords]:
    """Who wrote the tickets, at which desk, and whose opinions are among the figures."""
    customers = listed(sorted({agent.customer for agent in board.agents}))
    written = listed(sorted({CHANNELS[agent.channel] for agent in board.agents}))
    yield LimitWords(
        f"Customers are simulated ({customers}): they write {written} to one shop, under one policy. "
        "Yours differ."
    )
    if any(agent.desk != "prompt" for agent in board.agents):
        yield LimitWords(f"Agents work by {DESKS[board.agents[0].desk]}; other desks may differ.")
    judges = [
        " ".join((name, *(f"({words})" for words in judge_server_notes(board, name))))
        for name in board.judges
        if name != RULE_JUDGE
    ]
    if judges:
        yield LimitWords(
            f"Policy adherence is the opinion of {listed(judges)}; the rest is read from the record."
        )
    else:
        yield LimitWords("No model judged: every figure is read from the record.")
    yield LimitWords("How we test", "method.html")


def _missing(board: Board) -> Iterator[LimitWords]:
    """What was not counted, and whose code could have read the cases."""
    for agent in board.agents:
        notes = (*agent.selection, set_aside_note(agent.set_aside), unmeasured_note(agent))
        yield from (LimitWords(f"{agent.name}: {note}.") for note in notes if note)
    if outside := sum(agent.outside for agent in board.agents):
        yield LimitWords(
            f"{counted(outside, 'conversation')} failed for reasons outside the agent and "
            f"{'is' if outside == 1 else 'are'} not counted."
        )
    for kind, sentence in _WALLS.items():
        if names := [agent.name for agent in board.agents if agent.isolation == kind]:
            yield LimitWords(f"The code of {listed(names)} {sentence}")


_WALLS: dict[IsolationKind, str] = {
    "none": "ran in the benchmark's process, where it could have read the cases: it is trusted.",
    "process": "ran in a separate process. Files, the network and the public cases stayed open to it.",
    "sandbox_network": "ran in a sandbox. The network stayed open to it, and through it the public cases.",
    "sandbox": "ran in a sandbox: without other files, network or public cases.",
}
"""What each wall keeps away from an agent's code, and what it does not."""
