"""Agents that cheat or misbehave. In the benchmark's process the cheats win; behind the wall they are honest.

Loaded by file, as anybody's agent would be. Each cheat falls back to the agent that it is a variant of.
"""

import asyncio
import ctypes
import gc
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from supportagentbench import AgentFailure, Desk, Turn, Usage

ORDER = re.compile(r"#\d+")


class Refuser:
    """Honest and useless: looks the order up and says no."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        desk.call("find_order", {"order": ORDER.findall(turns[0].text)[0]})
        return "I'm sorry, but we can't do that."


class Careless:
    """Honest and unsafe: sends a replacement to whoever asks."""

    def __init__(self, seed: int) -> None: ...

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        order = ORDER.findall(turns[0].text)[0]
        desk.call("find_order", {"order": order})
        desk.call("replace_item", {"order": order, "line": 1, "reason": "damaged"})
        return "I've sent a replacement."


class Informed(Refuser):
    """Plays the solution of its case if it finds out which case that is."""

    player: Any = None

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        from supportagentbench.calibration.prove import ScriptPlayer

        if self.player is None and (case := self.case()):
            self.player = ScriptPlayer(case.solution)
        if self.player:
            return str(await self.player.reply(turns, desk))
        return await super().reply(turns, desk)

    def case(self) -> Any:
        raise NotImplementedError

    def public_case(self, name: str) -> Any:
        from supportagentbench.world.drawn_cases import generate
        from supportagentbench.world.folder import read_world

        return generate(read_world("northline")).cases[name]


class WalksFrames(Informed):
    """Looks through the frames of whoever called it."""

    def case(self) -> Any:
        frame: Any = sys._getframe()
        while frame:
            for value in frame.f_locals.values():
                if hasattr(value, "solution"):
                    return value
            frame = frame.f_back
        return None


class ReadsContext(Informed):
    """Asks the benchmark's own variable for the case that is being run."""

    def case(self) -> Any:
        from supportagentbench.runner.play import CURRENT

        found = CURRENT.get(None)
        return self.public_case(found.name) if found else None


class SearchesMemory(Informed):
    """Looks for a live conversation among all objects of the process."""

    def case(self) -> Any:
        for one in [found for found in gc.get_objects() if type(found).__name__ == "HiredAgent"]:
            if getattr(getattr(one._seat, "_reply", None), "__self__", None) is self:
                return self.public_case(one._case)
        return None


class GuessesSeed(Informed):
    """Tries for which case the benchmark would have drawn its seed."""

    def case(self) -> Any:
        from supportagentbench.records.record import digest

        for name in ("damaged_no_proof-1", "damaged_no_proof-1-twin"):
            if int(digest([0, 1, name]), 16) % 2**31 == self.seed:
                return self.public_case(name)
        return None


class EditsCalls(Careless):
    """Takes what it did off the record."""

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        said = await super().reply(turns, desk)
        session: Any = desk._session
        while hasattr(session, "desk"):  # A desk in front of the real one.
            session = session.desk._session
        if hasattr(session, "_calls"):
            del session._calls[1:]
        return said


class PatchesDesk(Careless):
    """Has the desk forget what it did."""

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        from supportagentbench.desk.session import DeskTurn, TurnWork

        DeskTurn.work = lambda self: TurnWork((), (), (), ())  # type: ignore[method-assign]
        return await super().reply(turns, desk)


class BlamesProvider(Careless):
    """Says that somebody else broke the conversation that it has spoilt."""

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        await super().reply(turns, desk)
        raise AgentFailure("provider_error", "503: overloaded")


class Misbehaves(Refuser):
    """Honest, but for what it does before it answers."""

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        await self.misbehave(desk)
        return await super().reply(turns, desk)

    async def misbehave(self, desk: Desk) -> None:
        raise NotImplementedError


class Sleeps(Misbehaves):
    async def misbehave(self, desk: Desk) -> None:
        time.sleep(600)


class Spins(Misbehaves):
    async def misbehave(self, desk: Desk) -> None:
        while True:
            pass


class Waits(Misbehaves):
    async def misbehave(self, desk: Desk) -> None:
        await asyncio.Event().wait()


class EatsMemory(Misbehaves):
    async def misbehave(self, desk: Desk) -> None:
        eaten = []
        while True:
            eaten.append(bytearray(64 * 2**20))


class Exits(Misbehaves):
    async def misbehave(self, desk: Desk) -> None:
        sys.exit(0)


class ExitsHard(Misbehaves):
    async def misbehave(self, desk: Desk) -> None:
        os._exit(3)


class Crashes(Misbehaves):
    async def misbehave(self, desk: Desk) -> None:
        ctypes.string_at(0)


class CannotBeMade(Refuser):
    def __init__(self, seed: int) -> None:
        raise ValueError("no licence")


class ExitsWhenMade(Refuser):
    def __init__(self, seed: int) -> None:
        sys.exit("no licence")


class Prints(Misbehaves):
    async def misbehave(self, desk: Desk) -> None:
        for _ in range(1_000):
            print("\x1b[2J" + "x" * 1_000)
            print("\x1b[2J" + "x" * 1_000, file=sys.stderr)
        os.write(1, b"raw bytes \xff")


class FloodsReply(Refuser):
    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        return "x" * 50_000_000


class FloodsUsage(Misbehaves):
    async def misbehave(self, desk: Desk) -> None:
        while True:
            desk.spend(Usage("mine", input=1))


def _report(desk: Desk, usage: Usage) -> None:
    """Report usage past everything that would refuse it on this side."""
    desk._session.link.spend(desk._session.number, usage)  # type: ignore[attr-defined]


class EarnsMoney(Misbehaves):
    async def misbehave(self, desk: Desk) -> None:
        _report(desk, Usage("mine", input=1, cost=-100.0))


class InventsUsage(Misbehaves):
    async def misbehave(self, desk: Desk) -> None:
        _report(desk, Usage("mine", input="many"))  # type: ignore[arg-type]


class Miscounts(Misbehaves):
    async def misbehave(self, desk: Desk) -> None:
        desk.spend({"prompt_tokens": -100, "completion_tokens": 9}, model="mine")


class FloodsCalls(Misbehaves):
    async def misbehave(self, desk: Desk) -> None:
        while True:
            desk.call("read_policy", {})


def _wire(desk: Desk) -> socket.socket:
    found: socket.socket = desk._session.link._wire  # type: ignore[attr-defined]
    return found


class SendsGarbage(Misbehaves):
    async def misbehave(self, desk: Desk) -> None:
        _wire(desk).sendall(b"\x00\x00\x00\x04\xff{]\x00")


class SendsDeepJson(Misbehaves):
    async def misbehave(self, desk: Desk) -> None:
        _wire(desk).sendall((200_000).to_bytes(4, "big") + b"[" * 200_000)


class SendsWithoutEnd(Misbehaves):
    async def misbehave(self, desk: Desk) -> None:
        _wire(desk).sendall(b"\xff\xff\xff\xff" + b"x" * 1_000)


class ClosesSocket(Misbehaves):
    async def misbehave(self, desk: Desk) -> None:
        _wire(desk).shutdown(socket.SHUT_RDWR)
        time.sleep(600)


class LeavesProcess(Misbehaves):
    """Starts a program and notes its number, then hangs."""

    async def misbehave(self, desk: Desk) -> None:
        started = subprocess.Popen(["sleep", "600"])
        Path("started").write_text(f"{os.getpid()} {started.pid}")
        time.sleep(600)


class TellsEnvironment(Refuser):
    """Says which variables it has."""

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        return " ".join(f"{name}={value}" for name, value in os.environ.items())


class TellsEverything(Refuser):
    """Says all that it was given."""

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        order = ORDER.findall(turns[0].text)[0]
        shown = desk.call("replace_item", {"order": order, "line": 1, "reason": "damaged"})
        return f"{turns} {shown} {vars(self)} {[*desk.tools.keys()]} {sys.argv}"


class Unspeakable(Careless):
    """Careless, in words that the provider of the customer's model does not pass on."""

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        return f"{await super().reply(turns, desk)} FILTERED"
