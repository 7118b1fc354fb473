"""Whether reports tell agents apart: a blind reader matches reports to the faults that their agents have.

Twenty agents with one known fault each get neutral names and run once over all cases. Of every report, title,
verdict and what goes wrong are written to a text file of its own. Beside them are the faults in their own
words, and the key, which a reader opens last. `report_matching.py FOLDER [SEED] [rest]`: with `rest`, the
faults on which no wording of the report was tried.
"""

import asyncio
import random
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from supportagentbench.calibration.blind import Blind, FactValue
from supportagentbench.calibration.faults import FAULTS
from supportagentbench.calibration.self_test import about_of
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk import AgentFactory
from supportagentbench.records.record import readable
from supportagentbench.records.vocabulary import Vocabulary
from supportagentbench.results.load import ScoredConversation
from supportagentbench.runner.run import header_of, run_agent
from supportagentbench.site.answers.report_top import ReportTop, report_top
from supportagentbench.site.data.agent_stats import all_agent_stats
from supportagentbench.site.data.site_data import gather
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import World, read_world

CHOSEN = (
    *("ActsBeforeConfirming", "DoesMoreThanProposed", "DoesItTwice", "TriesWhatIsForbidden"),
    *("AsksAndDoesWithout", "MakesExceptions", "GivesIn", "SkipsLookUps", "NeverActs", "ClosesUnresolved"),
    *(
        "NeverHandsOver",
        "ActsThenHandsOver",
        "HandsOverOddNumbers",
        "HandsOverTheAngry",
        "HandsOverQuestions",
    ),
    *("ClaimsWithoutDoing", "AnswersHalf", "InventsADuration"),
)
"""Faults that are hard to tell apart: most come as three or four of one family."""

BLIND = {
    FactValue("age", "old"): "Does not see that a delivery lies far back.",
    FactValue("delivery", "signed"): "Does not see that a delivery was signed for.",
}
"""Agents that never see one value of one fact."""


def faulty(world: World) -> Iterator[tuple[str, AgentFactory]]:
    """The chosen agents, each with what is wrong with it."""
    for fault in FAULTS:
        if fault.__name__ in CHOSEN:
            yield about_of(fault), partial(fault, world)
    for unseen, words in BLIND.items():
        yield words, partial(Blind, unseen, world)


def untried(world: World) -> list[tuple[str, AgentFactory]]:
    """The other agents with a fault of conduct or words."""
    return [(about_of(fault), partial(fault, world)) for fault in FAULTS if fault.__name__ not in CHOSEN]


def keep_nothing(case: str, slug: str, found: list[ScoredConversation], vocabulary: Vocabulary) -> None:
    """Conversations are read here and not kept."""


def text_of(top: ReportTop) -> str:
    """What the reader gets to see."""
    said = [
        top.title,
        f"Verdict: {top.verdict.decided}. {top.verdict.why} {top.verdict.beside}",
        "",
        "What goes wrong",
    ]
    for at, one in enumerate(top.troubles, 1):
        said += ["", f"{at}. {one.heading}", f"{one.counted} {' '.join(one.causes)}"]
        if found := one.exhibit:
            said += [f"  {bubble.kind}: {bubble.text}" for bubble in found.chat.bubbles]
            said += [f"  -> {found.did}"] if found.did else []
            said += [f"  Rule {found.rule}: {found.rule_text}"] if found.rule else []
    return readable("\n".join([*said, "", *top.others, ""]))


def main() -> None:
    """Write the reports, the list of faults, and the key."""
    out, seed = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    cases, rng = generate(read_world("northline")), random.Random(seed)
    agents = untried(cases.world) if "rest" in sys.argv else list(faulty(cases.world))
    rng.shuffle(agents)
    agents = agents[:20]
    listed = sorted(about for about, _ in agents)
    out.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as runs:
        for at, (_, factory) in enumerate(agents, 1):
            header = header_of(cases, "all", f"agent-{at:02}", ScriptedVoice(), 1, 0)
            asyncio.run(run_agent(cases, header, factory, ScriptedVoice(), Path(runs), concurrency=4))
        data = gather([Path(runs)], keep_nothing)
        for stats in all_agent_stats(data):
            (out / f"{stats.slug}.txt").write_text(text_of(report_top(stats)), encoding="utf-8")
    letters = {about: chr(ord("A") + at) for at, about in enumerate(listed)}
    faults = "".join(f"{letter}. {about}\n" for about, letter in letters.items())
    key = "".join(f"agent-{at:02} {letters[about]} {about}\n" for at, (about, _) in enumerate(agents, 1))
    (out / "faults.txt").write_text(faults, encoding="utf-8")
    (out / "key.txt").write_text(key, encoding="utf-8")
    print(f"{len(agents)} reports in {out}; match them to faults.txt, then open key.txt")


if __name__ == "__main__":
    main()
