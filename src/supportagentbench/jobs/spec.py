"""Job spec: what one command runs, as plain data that can be sent to another process."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import structs

from supportagentbench.agents.resolve import is_own_code, refuse_reserved, resolve
from supportagentbench.agents.spec import AgentSpec, AskedAgent
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk.doors.limits import MEMORY
from supportagentbench.desk.doors.process import Isolation, WallKind
from supportagentbench.forks.fork_plan import ForkWishes
from supportagentbench.jobs.customer import known_customer
from supportagentbench.jobs.secret import NO_SECRET, Secret
from supportagentbench.models.provider import is_model, shown_name
from supportagentbench.records.baseline import GateBaseline
from supportagentbench.records.origin import UNSAVED, FileOrigin
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Channel, DeskKind
from supportagentbench.results.cache import cache_root
from supportagentbench.runner.hired_agent import TURN_TIMEOUT
from supportagentbench.storage.config import CONFIG, RunDefaults


class ForkSpec(NamedTuple):
    """Recorded decisions that are made again."""

    sources: tuple[Path, ...]
    """Folders of the recorded runs."""
    wishes: ForkWishes = ForkWishes()
    until_decided: bool = False
    """Whether replays of a fork stop once it is decided."""


class TicketSpec(NamedTuple):
    """Real tickets that are resumed, or whose openings are replayed."""

    folder: Path
    """The import."""
    desk_map: Path | None
    """The file that says what is known of them; None: nothing is, which is enough for openings."""
    openings: bool = False
    """Whether only their first messages are sent, unlabelled, instead of resuming them."""
    sample: int = 0
    """Of how many of them, spread evenly over the import; 0: of all."""
    incident: str = ""
    """Only this ticket, before the reply that went wrong; by its id, or by the desk's own number."""


class ShardNumber(NamedTuple):
    """One of several parts that a job is dealt out in."""

    part: int
    """From 1."""
    of: int


@dataclass(frozen=True)
class JobSpec:
    """What one command runs. It names things; `open_job` opens them."""

    world: str
    """A shipped world, or a folder."""
    agents: tuple[AskedAgent, ...]
    """By the names that were given, which `named` expands if they are groups; or specs."""
    set_name: str = "all"
    runs: int = 1
    """Runs per agent and draw."""
    seed: int = 0
    """Seed for agents and customers."""
    customer: str = ScriptedVoice.name
    out: Path = Path("runs")
    concurrency: int = 8
    """Conversations in flight, per agent."""
    budget: float | None = None
    """Dollars; None: no limit."""
    record: Path | None = None
    replay: Path | None = None
    channel: Channel = "email"
    desk: DeskKind = "prompt"
    case_seeds: str = "0"
    """The draws, by their public seeds: `0`, `0,1,5` or `0-4`."""
    private_seed: Secret = NO_SECRET
    """If given, draws the cases instead."""
    isolation: Isolation | None = None
    """How agents with Python code are isolated; None: they run in this process and are trusted."""
    turn_timeout: float = TURN_TIMEOUT
    """Seconds per turn for such agents."""
    name: str = ""
    """Name of the only agent, if not taken from the location of its code."""
    fresh: bool = False
    """Start over: move the agents' stored runs aside first."""
    resume: bool = True
    """Whether stored runs of the agents are believed and resumed; otherwise they are refused."""
    chosen: tuple[str, ...] = ()
    """The cases of the set to run, in this order; empty: all."""
    first: frozenset[str] = frozenset()
    """Cases that are run in all runs before any other."""
    numbers: tuple[tuple[int, str], ...] = ()
    """The runs by number, with the draw of each; empty: those on file, then the next free numbers."""
    own_cases: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The cases of single runs, by number, if not all that are chosen."""
    part: str = ""
    """What runs of chosen cases are called instead of their set, so that no board takes them for whole."""
    forks: ForkSpec | None = None
    """Which recorded decisions are made again, instead of whole cases."""
    tickets: TicketSpec | None = None
    """Which real tickets are resumed or replayed, instead of cases of the world."""
    shard: ShardNumber | None = None
    """The part of the conversations that this machine plays; None: all of them."""
    bucket: str = ""
    """The URL of a place in a bucket to which the runs are sent while they are written; they are in its
    folder on this machine (`folder_for`)."""
    cluster: str = ""
    """Where the conversations are played, if not in this process: `auto`, `local` or `local:2`."""

    def __post_init__(self) -> None:
        _refuse_objects(self.agents)

    def with_(self, **changed: Any) -> "JobSpec":
        """The same with something changed."""
        return replace(self, **changed)

    @property
    def runs_code_here(self) -> bool:
        """Whether an agent or the customer is the user's own code and runs in this process."""
        is_factory = ":" in self.customer and not is_model(self.customer)
        return is_factory or (self.isolation is None and any(map(is_own_code, self.agents)))

    @property
    def is_unlabelled(self) -> bool:
        """Whether it is not known what is right in its conversations."""
        return self.tickets is not None and self.tickets.openings

    @property
    def at_once(self) -> int:
        """Conversations in flight, of all agents together."""
        return self.concurrency * max(1, len(self.agents))

    @property
    def leaves_files_open(self) -> bool:
        """Whether an agent's own code can write wherever the user can."""
        kinds = (resolve(name).isolation_in(self.isolation) for name in self.agents)
        return any(kind in ("none", "process") for kind in kinds)

    @property
    def wall(self) -> Isolation | None:
        """How agents with Python code are isolated; a sandbox hides the job's folder and the cache."""
        if self.isolation is None or self.isolation.kind != "sandbox":
            return self.isolation
        return self.isolation._replace(hidden=(*self.isolation.hidden, self.out, cache_root()))

    def agent_specs(self) -> list[AgentSpec]:
        """The spec of each agent; a single agent may have been renamed."""
        specs = [resolve(name) for name in self.agents]
        if not self.name:
            return specs
        if len(specs) != 1:
            raise Problem("--name names one agent; run the others with another command.")
        refuse_reserved(self.name)
        return [structs.replace(specs[0], given=self.name)]


def _refuse_objects(agents: object) -> None:
    """Refuse anything but a tuple of names, such as an agent's class."""
    if isinstance(agents, str) or not isinstance(agents, Iterable):
        raise Problem(f"the agents of a job are several names, not {agents!r}; write ({agents!r},).")
    for one in agents:
        if not isinstance(one, str | AgentSpec):
            raise Problem(
                f"a job has its agents by name, and {one!r} is none; give it to `supportagentbench.run`, "
                "or write `module:Name`."
            )


def wall(
    memory: float | None = None,
    keep_env: Sequence[str] | None = None,
    kind: WallKind = "process",
    network: bool = False,
) -> Isolation:
    """How agents are isolated, in the words of the command line: GB, and the names of variables."""
    size = MEMORY if memory is None else int(memory * 2**30)
    return Isolation(size, tuple(keep_env or ()), kind=kind, network=network)


def spec_of_config(
    given: RunDefaults, world: str, agent: AskedAgent, customer: str = "", keep_env: Sequence[str] = ()
) -> JobSpec:
    """The settings in `sab.toml` for a run of one agent by pytest; `customer` and `keep_env` if typed.

    The agent's code is isolated whatever the file says.
    """
    if not customer and given.customer is not None:
        customer = known_customer(given.customer, FileOrigin(CONFIG, "--sab-"))
    found: dict[str, Any] = {
        "set_name": given.set,
        "runs": given.runs,
        "seed": given.seed,
        "customer": customer or None,
        "out": given.out and Path(given.out),
        "concurrency": given.concurrency,
        "budget": given.budget,
        "channel": given.channel,
        "desk": given.desk,
        "case_seeds": None if given.case_seed is None else str(given.case_seed),
        "turn_timeout": given.turn_timeout,
        "isolation": wall(given.memory, keep_env, "sandbox" if given.isolate == "sandbox" else "process"),
    }
    return JobSpec(world, (agent,), **{name: value for name, value in found.items() if value is not None})


def spec_of_baseline(
    baseline: GateBaseline,
    agent: AskedAgent,
    numbers: Mapping[int, str],
    world: str = "",
    secret: str = "",
    customer: str = "",
    origin: FileOrigin = UNSAVED,
) -> JobSpec:
    """What an agent must be run on to be compared with these runs of a baseline.

    `world` and `customer` if they were typed, because `origin` may name neither code nor addresses.
    """
    if is_model(customer) and shown_name(customer) != baseline.customer:
        raise Problem(f"the customer of the baseline is {baseline.customer}, not {shown_name(customer)}.")
    return JobSpec(
        world or baseline.world,
        (agent,),
        baseline.set,
        seed=baseline.seed,
        customer=customer or known_customer(baseline.customer, origin),
        channel=baseline.channel,
        desk=baseline.desk,
        case_seeds=",".join(dict.fromkeys(baseline.numbers().values())),
        private_seed=Secret(secret),
        first=frozenset(baseline.results.get("unsafe", {})),
        numbers=tuple(sorted(numbers.items())),
    )
