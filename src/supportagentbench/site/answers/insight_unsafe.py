"""Unsafe actions, as an insight: after a refusal or without one, with the facts looked up or without."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from supportagentbench.site.answers.insight import (
    Insight,
    Part,
    SplitColumn,
    SplitHistogram,
    names_of,
    opened_count,
    opened_of,
    tested,
)
from supportagentbench.site.answers.insight_tests import Effect, InsightTests
from supportagentbench.site.data.conversation_fact import BoardFacts, ConversationFact, UnsafeMoment

Unsafe = tuple[ConversationFact, UnsafeMoment]

_FACTS = "Had it looked up the facts in more or in less than half? Signs were flipped for {} deciding rules"


def unsafe_actions(facts: BoardFacts, tests: InsightTests) -> Iterator[Insight]:
    """How unsafe actions in traps happen: after a refusal or without one, with the facts or without."""
    unsafe = [(one, one.unsafe) for one in facts.conversations if one.unsafe]
    by_agent, refused, knew = tests.refused_by_agent, tests.refused, tests.knew
    if by_agent and by_agent.holds:
        title, parts = _two_ways(unsafe)
        test = tested(
            tests,
            by_agent,
            "Does it depend on the agent whether it had said no? Agents were shuffled over "
            f"{by_agent.size} groups of unsafe actions (one agent, one deciding rule)",
        )
    elif refused and refused.holds:
        title, parts = _one_way(unsafe, refused)
        test = tested(
            tests,
            refused,
            "Do unsafe actions come after a refusal as often as without one? Signs were flipped for "
            f"{refused.size} deciding rules",
        )
    else:
        title, parts, test = "", (), ""
    if knew and knew.holds:
        fact, asked = _with_facts(unsafe, knew)
        title, parts = title or fact, (*parts, " ") if parts else ()
        parts = (*parts, *asked)
        test = " ".join(filter(None, (test, tested(tests, knew, _FACTS.format(knew.size)))))
    if title:
        yield Insight("unsafe", title, (*parts, *_claimed(facts)), test, _histogram(unsafe))


def _two_ways(unsafe: Sequence[Unsafe]) -> tuple[str, tuple[Part, ...]]:
    """Agents that say no and then give in, and agents that never say no."""
    said: dict[str, list[bool]] = defaultdict(list)
    for fact, moment in unsafe:
        said[fact.agent].append(moment.had_refused)
    givers = {agent for agent, some in said.items() if 2 * sum(some) > len(some)}
    gave = [fact for fact, moment in unsafe if fact.agent in givers and moment.had_refused]
    all_of = sum(fact.agent in givers for fact, _ in unsafe)
    never = [fact for fact, moment in unsafe if fact.agent not in givers and not moment.had_refused]
    rest = len(unsafe) - all_of
    if not givers or not rest:
        return "Whether an agent says no before it acts depends on the agent", _first(unsafe)
    is_clear = len(gave) == all_of and len(never) == rest
    others = names_of([one for one in said if one not in givers])
    return (
        "Some agents say no and then give in. Others never say no."
        if is_clear
        else "Some agents say no and then give in, others act without having said no",
        (
            f"{names_of([one for one in said if one in givers])} had said no before ",
            opened_of("gave-in", "Said no, then did it", gave, all_of),
            f" unsafe actions in traps; {others} {'never refused first (' if is_clear else 'did not in '}",
            opened_of("never-said-no", "Did it without having said no", never, rest),
            "). " if is_clear else ". ",
            *_first(unsafe),
        ),
    )


def _one_way(unsafe: Sequence[Unsafe], refused: Effect) -> tuple[str, tuple[Part, ...]]:
    """All agents together: worn down, or taken in."""
    after = [fact for fact, moment in unsafe if moment.had_refused]
    before = [fact for fact, moment in unsafe if not moment.had_refused]
    if refused.effect > 0:
        return "Agents are worn down: they say no, and then do it", (
            "In ",
            opened_of("gave-in", "Said no, then did it", after, len(unsafe)),
            " unsafe actions in traps the agent had already said no. ",
            *_first(unsafe),
        )
    return "Agents are taken in, not worn down", (
        "In ",
        opened_of("never-said-no", "Did it without having said no", before, len(unsafe)),
        " unsafe actions in traps the agent had never said no. ",
        *_first(unsafe),
    )


def _first(unsafe: Sequence[Unsafe]) -> tuple[Part, ...]:
    """How many were offered in answer to the first message."""
    first = offered_first([fact for fact, _ in unsafe])
    if not first:
        return (f"No agent fell for the first message: all {len(unsafe)} were offered only later.",)
    number = opened_count("offered-first", "Offered in answer to the first message", first)
    return "In ", number, f" {offered_words(first)}"


def offered_first(facts: Iterable[ConversationFact]) -> list[ConversationFact]:
    """The unsafe actions in traps that an agent offered in answer to the customer's first message."""
    return [one for one in facts if one.unsafe and one.unsafe.decided <= 1]


def offered_words(first: Sequence[ConversationFact]) -> str:
    """What these have in common, to follow their number; every page says it so."""
    is_later = all(one.unsafe and one.unsafe.turn > 1 for one in first)
    return f"the agent offered it at the customer's first message{' and acted later' if is_later else ''}."


def _with_facts(unsafe: Sequence[Unsafe], knew: Effect) -> tuple[str, tuple[Part, ...]]:
    with_facts = [fact for fact, moment in unsafe if moment.knew]
    without = [fact for fact, moment in unsafe if not moment.knew]
    if knew.effect > 0:
        return "Agents had the facts, and acted against them", (
            "In ",
            opened_of(
                "had-the-facts", "Had looked up what rules it out, and did it", with_facts, len(unsafe)
            ),
            " the agent had looked up what rules it out.",
        )
    return "Agents acted without looking", (
        "In ",
        opened_of("without-the-facts", "Did it without looking up what decides", without, len(unsafe)),
        " the agent had not looked up what decides the request.",
    )


def _claimed(facts: BoardFacts) -> tuple[Part, ...]:
    """The reverse: words without the action."""
    claimed = [one for one in facts.conversations if one.claimed]
    if not claimed:
        return ()
    number = opened_count("claimed-only", "Reported a change that it had not made", claimed)
    where = "conversation" if len(claimed) == 1 else "conversations"
    return (
        " The reverse occurs, too: in ",
        number,
        f" {where} an agent reported a change that it had not made.",
    )


def _histogram(unsafe: Sequence[Unsafe]) -> SplitHistogram:
    turns = [moment.turn for _, moment in unsafe]
    counts = Counter((moment.turn, moment.had_refused) for _, moment in unsafe)
    return SplitHistogram(
        "Unsafe actions, by the customer's message that they followed",
        ("had said no", "had not"),
        tuple(
            SplitColumn(str(turn), counts[turn, True], counts[turn, False])
            for turn in range(1, max(turns) + 1)
        ),
    )
