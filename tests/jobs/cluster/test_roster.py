"""Conversations are spread over the places; one that ends its process is found, and no other is blamed."""

import asyncio

from supportagentbench.jobs.cluster.roster import PlayKey, Roster, Workplace
from supportagentbench.runner.play import PlayTask

ONE, TWO, BAD = (PlayKey("mine", 1, name) for name in ("one", "two", "bad"))


def places(number: int) -> list[Workplace]:
    made = [Workplace() for _ in range(number)]
    for one in made:
        one.is_open = True
    return made


async def is_waiting(task: "asyncio.Task[Workplace]") -> bool:
    for _ in range(5):
        await asyncio.sleep(0)
    return not task.done()


def lose(roster: Roster, place: Workplace) -> bool:
    """The worker is lost with all that it plays."""
    found = roster.lose(place)
    for key in [*place.plays]:
        roster.leave(place, key)
    return found


def test_the_place_with_the_fewest_plays_next() -> None:
    async def main() -> None:
        first, second = here = places(2)
        roster = Roster(here)
        got = [await roster.enter(PlayKey("mine", 1, str(number))) for number in range(4)]
        assert [got.count(one) for one in here] == [2, 2]
        roster.leave(second, PlayKey("mine", 1, "1"))
        assert await roster.enter(ONE) is second
        first.is_open = False
        assert await roster.enter(TWO) is second

    asyncio.run(main())


def test_while_nobody_can_play_everybody_waits() -> None:
    async def main() -> None:
        (place,) = here = places(1)
        place.is_open, roster = False, Roster(here)
        assert not roster.is_open
        task = asyncio.create_task(roster.enter(ONE))
        assert await is_waiting(task)
        place.is_open = True
        roster.changed()
        assert await task is place and roster.is_open

    asyncio.run(main())


def test_what_was_lost_twice_is_played_alone_and_only_what_is_lost_alone_is_to_blame() -> None:
    async def main() -> None:
        first, second = here = places(2)
        roster = Roster(here)
        for _ in range(2):
            second.is_open = False
            for key in (ONE, BAD):
                assert await roster.enter(key) is first
            assert not lose(roster, first)
        second.is_open = True
        assert await roster.enter(BAD) is first
        innocent = asyncio.create_task(roster.enter(ONE))
        assert await is_waiting(innocent), "it is a suspect, too, and is played alone"
        assert await roster.enter(TWO) is second, "others play elsewhere"
        assert not lose(roster, first), "once alone may have been by chance"
        assert await innocent is first
        again = asyncio.create_task(roster.enter(BAD))
        assert await is_waiting(again)
        roster.leave(first, ONE)
        assert await again is first
        assert lose(roster, first)
        assert roster.is_guilty(BAD) and not roster.is_guilty(ONE) and not roster.is_guilty(TWO)

    asyncio.run(main())


def test_with_one_place_others_wait_until_the_suspect_is_done() -> None:
    async def main() -> None:
        (place,) = here = places(1)
        roster = Roster(here)
        for _ in range(2):
            await roster.enter(BAD)
            lose(roster, place)
        await roster.enter(BAD)
        other = asyncio.create_task(roster.enter(ONE))
        assert await is_waiting(other)
        assert lose(roster, place), "the third time, and each time alone"
        assert await other is place, "the place is not kept for a conversation that does not come back"

    asyncio.run(main())


def test_conversations_of_other_runs_and_agents_are_others() -> None:
    tasks = [PlayTask(agent, run, "0", "one") for agent in ("mine", "theirs") for run in (1, 2)]
    assert len({PlayKey.of(task) for task in tasks}) == 4
