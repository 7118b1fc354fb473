"""Quality, as an insight: whether the share of tickets handled right goes with price or length of replies."""

from collections.abc import Iterator

from supportagentbench.records.claim import Claim
from supportagentbench.records.counts import counted
from supportagentbench.site.answers.headline import in_words
from supportagentbench.site.answers.insight import Insight, Part, PricedRow, PriceTable, opened_of
from supportagentbench.site.answers.insight_tests import Effect, InsightTests, words_per_reply
from supportagentbench.site.data.conversation_fact import BoardFacts, ConversationFact
from supportagentbench.site.number import chance, money, percent, signed, whole
from supportagentbench.stats.association import ENUMERATED, SHUFFLES

FEW_AGENTS = 12
"""With fewer agents, that no effect was seen does not show that there is none."""


def quality(facts: BoardFacts, tests: InsightTests) -> Iterator[Insight]:
    """What the share of tickets handled right goes with: price, length of replies, or neither."""
    price, length = tests.price, tests.length
    if price is None and length is None:
        yield from _within_alone(tests)
        return
    title, claim = _goes_with(price, length)
    size = max(one.size for one in (price, length) if one)
    said = [
        f"{name}: rank correlation {signed('adherence', one.effect)}, {chance(one.p)}"
        for name, one in (("cost", price), ("words per reply", length))
        if one
    ]
    tried = "every order tried" if size <= ENUMERATED else f"{whole(SHUFFLES)} orders at random"
    few = f" {in_words(size).capitalize()} agents are too few to rule it out."
    yield Insight(
        "quality",
        title,
        (
            *(_extremes(facts) if price else ()),
            *([few] if size < FEW_AGENTS and not claim else ()),
            *_length_words(facts, price, length),
            *_within_words(tests.length_within),
        ),
        f"Over {size} agents, share of tickets handled right against {'; '.join(said)} ({tried}), corrected "
        f"for {tests.number} tests.{_within_test(tests)}",
        _price_table(facts) if price else None,
        claim,
    )


def _within_alone(tests: InsightTests) -> Iterator[Insight]:
    """Where there are too few agents to ask more."""
    if words := "".join(_within_words(tests.length_within)):
        yield Insight(
            "quality",
            "The length of a reply tells whether it went right",
            (f"W{words.removeprefix(' But w')}",),
            _within_test(tests).strip(),
        )


def _length_words(facts: BoardFacts, price: Effect | None, length: Effect | None) -> Iterator[str]:
    if length is None:
        return
    words = words_per_reply(facts).values()
    span = f"from {min(words):.0f} to {max(words):.0f} words per reply"
    if length.holds:
        yield f" Agents write {span}."
    else:
        yield f" Length shows nothing{' either' if price and not price.holds else ''}, {span}."


def _goes_with(price: Effect | None, length: Effect | None) -> tuple[str, Claim | None]:
    """The title, and the claim that supports it if it compares agents."""
    for effect, more in ((price, "cost more"), (length, "write long replies")):
        if effect and effect.holds:
            amount = "more" if effect.effect > 0 else "fewer"
            sentence = f"Agents that {more} handle {amount} tickets right"
            test = "Spearman's rank correlation over agents, orders shuffled; Holm over all insights"
            return sentence, Claim("correlates", f"{sentence}.", True, test, effect.p, "<= 0.05")
    return ("No sign that price buys quality" if price else "No sign that length goes with quality"), None


def _extremes(facts: BoardFacts) -> Iterator[Part]:
    """The dearest and the cheapest agent, with what they handled right."""
    ends = sorted(facts.costs, key=lambda agent: (facts.costs[agent], agent))
    for number, agent in enumerate((ends[-1], ends[0])):
        decided = _decided(facts, agent)
        right = [one for one in decided if one.handling == "right"]
        yield f"{agent} costs {money(facts.costs[agent])} per 1,000 conversations and handled "
        yield opened_of(f"right.{facts.slugs[agent]}", f"Handled right, {agent}", right, len(decided))
        yield " right; " if not number else " right."


def _within_words(within: Effect | None) -> Iterator[str]:
    if within is None or not within.holds or round(abs(within.effect)) == 0:
        return
    words = counted(round(abs(within.effect)), "word")
    side = "shorter" if within.effect < 0 else "longer"
    yield (
        f" But when the same agent met the same ticket again, its replies were {words} {side} "
        "in the runs that went wrong."
    )


def _within_test(tests: InsightTests) -> str:
    within = tests.length_within
    if within is None or not within.holds:
        return ""
    size, p = within.size, chance(within.p)
    return (
        f" Same agent, same ticket: runs shuffled within {size} with both outcomes, {p}, corrected for "
        f"{tests.number} tests."
    )


def _price_table(facts: BoardFacts) -> PriceTable:
    """Every agent whose cost is known and that was decided anywhere."""
    rows = []
    for agent, cost in sorted(facts.costs.items(), key=lambda one: (one[1], one[0])):
        if decided := _decided(facts, agent):
            right = sum(one.handling == "right" for one in decided)
            share = percent(right / len(decided), 100)
            rows.append(PricedRow(agent, money(cost), f"{share}, {right} of {len(decided)}"))
    return PriceTable(tuple(rows))


def _decided(facts: BoardFacts, agent: str) -> list[ConversationFact]:
    """The conversations of an agent that count as handled right or wrong."""
    return [one for one in facts.conversations if one.agent == agent and one.handling != "undecided"]
