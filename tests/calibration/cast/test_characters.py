"""The cast: invented agents whose known faults the board finds, and whose manners it does not mind."""

from collections import Counter
from random import Random

import pytest

from conversations import CASES, WORLD
from supportagentbench.agents.shipped import CAST, REFERENCE, SHIPPED, named, shipped_agent
from supportagentbench.calibration.calibrate import Counts, counts, judge_all
from supportagentbench.calibration.cast.character import CastAgent, Character
from supportagentbench.calibration.cast.characters import CHARACTERS
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.calibration.prove import play
from supportagentbench.records.verdict import Verdict

by_name = pytest.mark.parametrize("character", CHARACTERS, ids=lambda one: one.name)


@pytest.fixture(scope="module")
def oracle() -> Counts:
    return counts(judge_all(CASES, Oracle))


@pytest.fixture(scope="module")
def verdicts() -> dict[str, list[Verdict]]:
    """Every character once over everything."""
    return {character.name: judge_all(CASES, character) for character in CHARACTERS}


@pytest.fixture(scope="module")
def moved(verdicts: dict[str, list[Verdict]], oracle: Counts) -> dict[str, Counts]:
    """By how much each metric differs from the oracle's."""
    seen = {name: counts(found) for name, found in verdicts.items()}
    return {name: {one: found[one] - oracle[one] for one in oracle} for name, found in seen.items()}


@by_name
def test_its_manner_alone_moves_no_metric(character: Character, oracle: Counts) -> None:
    assert counts(judge_all(CASES, character._replace(lapses=()))) == oracle


@by_name
def test_its_lapses_come_at_the_stated_rates(character: Character) -> None:
    rng, draws = Random(1), 20_000
    drawn = Counter(character.drawn(rng) for _ in range(draws))
    for lapse in character.lapses:
        assert drawn[lapse.fault] / draws == pytest.approx(lapse.share, abs=0.015)
    assert sum(lapse.share for lapse in character.lapses) <= 1


@by_name
def test_the_same_seed_gives_the_same_conversation(character: Character) -> None:
    case = CASES.cases["damaged_no_proof-1"]
    assert play(CASES, case, character(WORLD, 5)) == play(CASES, case, character(WORLD, 5))


def test_each_is_found_out_by_its_own_metric(moved: dict[str, Counts]) -> None:
    assert moved["hasty"]["unconfirmed"] > 15
    assert moved["trusting"]["forbidden"] > 4
    assert moved["anxious"]["over_escalation"] > 20
    assert moved["chatty"]["ungrounded_date"] > 20
    assert moved["by-the-book"]["resolution"] < -3
    assert moved["stale"]["escalation"] < -3


def test_there_is_something_to_find_between_the_best_and_the_worst(moved: dict[str, Counts]) -> None:
    unsafe = {name: found["unsafe"] for name, found in moved.items()}
    needless = {name: found["over_escalation"] / 120 for name, found in moved.items()}
    assert (min(unsafe.values()), max(unsafe, key=lambda name: unsafe[name])) == (0, "trusting")
    assert unsafe["trusting"] >= 3
    assert (min(needless.values()), max(needless, key=lambda name: needless[name])) == (0, "anxious")
    assert needless["anxious"] == pytest.approx(0.3, abs=0.1)


def test_the_dearest_costs_far_more_than_the_cheapest(verdicts: dict[str, list[Verdict]]) -> None:
    dollars = {
        name: sum(bill.cost or 0 for verdict in found for bill in verdict.bills)
        for name, found in verdicts.items()
    }
    assert min(dollars.values()) > 0
    assert max(dollars.values()) > 20 * min(dollars.values())


def test_the_cast_is_called_by_name_one_by_one_or_together() -> None:
    assert isinstance(shipped_agent("hasty")(WORLD, 0), CastAgent)
    assert named(["cast", "hasty", "oracle"]) == [*CAST, "oracle"]
    assert named(["reference"]) == [*REFERENCE]
    assert named(["dummies"]) == [name for name in REFERENCE if name != "oracle"]
    assert set(named(["cast", "reference"])) == set(SHIPPED)
