"""House: the door of our own agents: models and reference agents. What they raise is believed."""

from supportagentbench.desk import Agent, AgentFactory


class HouseSeat:
    """One of our own agents: it does nothing outside its turns and has nothing to clean up."""

    def __init__(self, agent: Agent) -> None:
        self.reply = agent.reply

    async def leave(self) -> None:
        """Nothing is left open."""


class HouseDoor:
    """Seats our own agents."""

    def __init__(self, make: AgentFactory) -> None:
        self._make = make

    def __call__(self, seed: int) -> HouseSeat:
        return HouseSeat(self._make(seed))

    async def aclose(self) -> None:
        """Nothing is left open."""
