"""An insight appears when its effect was planted, not when it was not, and rarely by chance."""

import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from supportagentbench.board.claims import unclaimed
from supportagentbench.records.outcome import Handling
from supportagentbench.site.answers.insight import Insight, Opened, PriceTable, SidesPicture, SplitHistogram
from supportagentbench.site.answers.insight_tests import InsightTests, insight_tests
from supportagentbench.site.answers.insights import MOST, counted_insights, insights
from supportagentbench.site.data.conversation_fact import BoardFacts, ConversationFact, PairFact, UnsafeMoment

AGENTS = tuple(f"agent {letter}" for letter in "abcdef")
RULES, RUNS, TICKETS = 12, 3, 20


def trap(agent: str, rule: int, run: int, *, refused: bool, knew: bool = True) -> ConversationFact:
    """A trap with an unsafe action; it was offered one message before."""
    moment = UnsafeMoment(turn=3, decided=2, had_refused=refused, knew=knew)
    return ConversationFact((f"trap-{rule}", agent, run), f"rule {rule}", True, "unsafe", unsafe=moment)


def safe(agent: str, rule: int, run: int, never_looked: bool = False) -> ConversationFact:
    place = f"trap-{rule}", agent, run
    return ConversationFact(place, f"rule {rule}", True, "right", never_looked=never_looked)


def ticket(agent: str, number: int, run: int, handling: Handling, words: float) -> ConversationFact:
    return ConversationFact((f"ticket-{number}", agent, run), f"type {number}", False, handling, words)


def pair(agent: str, rule: int, side: str) -> PairFact:
    trap = f"trap-{rule}"
    sides = side == "let", side == "turned"
    return PairFact((trap, agent, 1), f"rule {rule}", *sides, (f"{trap}-twin", agent, 1))


def board(
    conversations: Sequence[ConversationFact] = (),
    pairs: Sequence[PairFact] = (),
    costs: dict[str, float] | None = None,
) -> BoardFacts:
    agents = [*(one.agent for one in conversations), *(one.place[1] for one in pairs)]
    slugs = {agent: agent.replace(" ", "-") for agent in agents}
    return BoardFacts(tuple(conversations), tuple(pairs), costs or {}, slugs)


def named(facts: BoardFacts, name: str) -> Insight | None:
    return next((one for one in insights(facts) if one.name == name), None)


def text_of(insight: Insight) -> str:
    return "".join(part if isinstance(part, str) else part.text for part in insight.parts)


def test_agents_that_give_in_are_told_from_those_that_never_say_no() -> None:
    unsafe = [trap(agent, rule, 1, refused=agent < "agent c") for agent in AGENTS[:4] for rule in range(6)]
    found = named(board(unsafe), "unsafe")
    assert found and "Others never say no" in found.title
    assert [one.text for one in found.opened][:2] == ["12 of 12", "12 of 12"]
    assert {place[1] for place in found.opened[0].places} == {"agent a", "agent b"}
    assert isinstance(found.picture, SplitHistogram)
    assert [(one.first, one.second) for one in found.picture.columns] == [(0, 0), (0, 0), (12, 12)]


@pytest.mark.parametrize(("refused", "words"), [(True, "worn down: they say no"), (False, "taken in")])
def test_agents_alike_are_worn_down_or_taken_in(refused: bool, words: str) -> None:
    unsafe = [trap(agent, rule, 1, refused=refused) for agent in AGENTS for rule in range(RULES)]
    found = named(board(unsafe), "unsafe")
    assert found and words in found.title
    assert found.opened[0].text == "72 of 72"


def test_acting_with_the_facts_looked_up_is_an_insight_of_its_own() -> None:
    unsafe = [trap(agent, rule, 1, refused=rule % 2 == 0) for agent in AGENTS for rule in range(RULES)]
    found = named(board(unsafe), "unsafe")
    assert found and found.title == "Agents had the facts, and acted against them"
    blind = [one._replace(unsafe=one.unsafe and one.unsafe._replace(knew=False)) for one in unsafe]
    found = named(board(blind), "unsafe")
    assert found and found.title == "Agents acted without looking"


def test_too_few_unsafe_actions_teach_nothing() -> None:
    assert insights(board([trap("agent a", rule, 1, refused=True) for rule in range(4)])) == []


def test_agents_err_on_different_sides() -> None:
    pairs = [
        pair(agent, rule, "let" if agent < "agent c" else "turned")
        for agent in AGENTS[:4]
        for rule in range(5)
    ]
    found = named(board(pairs=pairs), "sides")
    assert found and isinstance(found.picture, SidesPicture)
    assert [(row.agent, *map(text, (row.left, row.right))) for row in found.picture.rows] == [
        ("agent a", "5", "0"),
        ("agent b", "5", "0"),
        ("agent c", "0", "5"),
        ("agent d", "0", "5"),
    ]
    alike = [pair(agent, rule, "let" if rule % 2 else "turned") for agent in AGENTS[:4] for rule in range(6)]
    assert named(board(pairs=alike), "sides") is None


def text(part: str | Opened) -> str:
    return part if isinstance(part, str) else part.text


def tickets(
    right: Callable[[int], int], words: Callable[[int], float], agents: int = 10
) -> list[ConversationFact]:
    """Agents of which each handles so many of its tickets right, in so many words."""
    return [
        ticket(f"agent {agent:02}", number, 1, "right" if number < right(agent) else "wrong", words(agent))
        for agent in range(agents)
        for number in range(TICKETS)
    ]


def prices(agents: int = 10) -> dict[str, float]:
    return {f"agent {agent:02}": 1.0 + agent for agent in range(agents)}


@pytest.mark.parametrize(("step", "amount"), [(1, "more"), (-1, "fewer")])
def test_a_price_that_goes_with_quality_is_a_claim(step: int, amount: str) -> None:
    found = named(board(tickets(lambda agent: 10 + step * agent, lambda _: 30.0), costs=prices()), "quality")
    assert found and found.claim
    assert found.title == f"Agents that cost more handle {amount} tickets right"
    assert unclaimed(f"{found.title}\n\n", [found.claim]) == [], "its own claim supports it"


def test_without_a_sign_it_says_so_and_how_little_that_means() -> None:
    mixed = [4, 1, 6, 3, 0, 5, 2, 8, 7, 9]
    found = named(
        board(tickets(lambda agent: 9 + mixed[agent] % 3, lambda agent: 20.0 + mixed[agent]), costs=prices()),
        "quality",
    )
    assert found and not found.claim
    assert found.title == "No sign that price buys quality"
    assert "too few to rule it out" in text_of(found)
    assert isinstance(found.picture, PriceTable)
    assert len(found.picture.rows) == 10
    costs = [float(row.cost.strip("$").replace(",", "")) for row in found.picture.rows]
    assert costs == sorted(costs), "a table, so that no axis begins at the lowest value"
    assert all(re.fullmatch(r"[\d.]+%, \d+ of \d+", row.right) for row in found.picture.rows)


def test_few_agents_say_nothing_about_price() -> None:
    assert insights(board(tickets(lambda agent: agent, lambda _: 30.0, 5), costs=prices(5))) == []


def test_replies_that_shrink_where_it_goes_wrong_are_told() -> None:
    runs = [
        ticket(
            agent, number, run, "right" if run == number % 3 else "wrong", 40.0 if run == number % 3 else 30.0
        )
        for agent in AGENTS
        for number in range(8)
        for run in range(RUNS)
    ]
    found = named(board(runs), "quality")
    assert found and "10 words shorter in the runs that went wrong" in text_of(found)


def test_people_in_danger_come_first_and_another_day_is_told() -> None:
    met = [
        ConversationFact(("danger-1", agent, run), "danger", False, "right", danger=True)
        for agent in AGENTS[:3]
        for run in range(RUNS)
    ]
    assert insights(board(met)) == []
    met[0] = met[0]._replace(missed_danger=True, handling="wrong")
    first, *_ = insights(board([*met, *(trap("agent a", rule, 1, refused=True) for rule in range(RULES))]))
    assert first.title == "Once someone was in danger and no person was called"
    assert [one.text for one in first.opened] == ["1 of 3", "1"]


def test_a_trap_that_goes_wrong_in_some_runs_only() -> None:
    runs = [trap("agent a", 1, 1, refused=True), safe("agent a", 1, 2), safe("agent a", 1, 3)]
    always = [trap("agent a", 2, run, refused=True) for run in (1, 2, 3)]
    found = named(board([*runs, *always]), "sometimes")
    assert found and text_of(found).startswith("Of 2 traps")
    assert [len(one.places) for one in found.opened] == [1, 2]
    assert named(board(always), "sometimes") is None


def test_a_trap_that_nobody_looked_into() -> None:
    found = named(
        board([safe("agent a", rule, 1, never_looked=rule < 7) for rule in range(RULES)]), "never-looked"
    )
    assert found and found.title.startswith("Seven times")
    assert found.opened[0].text == "7 of 12"


def test_every_number_names_the_conversations_it_counts() -> None:
    facts = everything()
    found = insights(facts)
    assert len(found) == MOST
    for number in (one for insight in found for one in insight.opened):
        assert len(number.places) == int(number.text.partition(" ")[0].replace(",", ""))
        assert len({*number.places}) == len(number.places)
    groups = {one.name: one.places for one in counted_insights(found)}
    assert all(groups[one.group] == list(one.places) for insight in found for one in insight.opened)


def test_a_customer_turned_away_opens_the_honest_twin() -> None:
    facts = everything()
    turned = [one for one in facts.pairs if one.turned_away]
    groups = [one for one in counted_insights(insights(facts)) if one.name.startswith("turned-away")]
    assert {place for one in groups for place in one.places} == {one.twin for one in turned}


def everything() -> BoardFacts:
    """A board with every effect."""
    danger = ConversationFact(
        ("danger-1", "agent a", 1), "danger", False, "wrong", danger=True, missed_danger=True
    )
    unsafe = [trap(agent, rule, 1, refused=agent < "agent c") for agent in AGENTS[:4] for rule in range(6)]
    again = [safe("agent a", 1, 2), safe("agent e", 1, 1, never_looked=True)]
    pairs = [
        pair(agent, rule, "let" if agent < "agent c" else "turned")
        for agent in AGENTS[:4]
        for rule in range(5)
    ]
    solved = [ticket(agent, number, 1, "right", 30.0 + len(agent)) for agent in AGENTS for number in range(3)]
    wrong = [ticket("agent f", 9, 1, "wrong", 30.0)]
    return board(
        [danger, *unsafe, *again, *solved, *wrong], pairs, dict.fromkeys(AGENTS, 1.0) | {"agent a": 2.0}
    )


def equal_agents(random: np.random.Generator) -> BoardFacts:
    """Six agents with the same rates; what they do in a trap depends on the trap's rule and on chance."""
    by_rule = random.random(RULES) < 0.5
    conversations, pairs = [], []
    for agent in AGENTS:
        for rule in range(RULES):
            for run in range(RUNS):
                falls, honest = random.random(2) < (0.15, 0.15)
                said_no, knew = np.where(random.random(2) < 0.5, by_rule[rule], random.random(2) < 0.5)
                conversations.append(
                    trap(agent, rule, run, refused=bool(said_no), knew=bool(knew))
                    if falls
                    else safe(agent, rule, run)
                )
                side = "let" if falls and not honest else "turned" if honest and not falls else ""
                pairs.append(pair(agent, rule, side))
        for number in range(TICKETS):
            for run in range(RUNS):
                right: Handling = "right" if random.random() < 0.8 else "wrong"
                conversations.append(ticket(agent, number, run, right, float(random.normal(30, 5))))
    return board(conversations, pairs, {agent: float(random.lognormal()) for agent in AGENTS})


def alarms(tests: InsightTests) -> list[str]:
    return [name for name, one in tests._asdict().items() if name != "number" and one and one.holds]


def test_equal_agents_rarely_teach_anything() -> None:
    """One false insight in twenty boards is allowed; at that rate 100 boards have 11 or more once in 90."""
    random = np.random.default_rng(7)
    found = [alarms(insight_tests(equal_agents(random))) for _ in range(100)]
    assert sum(map(bool, found)) < 11, found
