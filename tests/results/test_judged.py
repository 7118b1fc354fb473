"""What judges hold of stored conversations, gathered from their runs."""

from pathlib import Path

import msgspec

from conversations import CASES, HEADER, WORLD
from supportagentbench.agents.shipped import shipped_agent
from supportagentbench.calibration.prove import play
from supportagentbench.records.judgement import Judgement, Opinion
from supportagentbench.records.record import digest, to_json
from supportagentbench.records.transcript import Ending, Transcript
from supportagentbench.results.judged import judged_in
from supportagentbench.results.load import load_runs
from supportagentbench.storage.archive import JudgementWriter, RunWriter


def held(case: str = "tracking-1") -> Transcript:
    return play(CASES, CASES.cases[case], shipped_agent("oracle")(WORLD, 0))


def archived(root: Path, agent: str, *talks: Transcript) -> Path:
    header = msgspec.structs.replace(HEADER, agent=agent, cases=tuple(talk.case for talk in talks))
    with RunWriter(root, header) as writer:
        for talk in talks:
            writer.add(talk, started=0.0, seconds=0.0)
    return writer.folder


def test_rules_judges_everything_and_models_what_is_on_file(tmp_path: Path) -> None:
    talk = held()
    folder = archived(tmp_path, "openrouter:anthropic/claude-x", talk)
    with JudgementWriter(folder) as writer:
        writer.add(Judgement(digest(to_json(talk)), "openai:gpt-5", "v1", (Opinion("resolution", False),)))
    judged = judged_in(load_runs([folder]))
    [(name, source)] = judged.sources.items()
    assert name == source.name == f"{folder.name}/{digest(to_json(talk))}"
    assert (source.agent, source.vendor) == ("openrouter:anthropic/claude-x", "claude")
    assert (source.case, source.family, source.bucket) == ("tracking-1", "tracking", "resolvable")
    assert not source.is_twin
    assert [(one.judge, one.transcript) for one in judged.judgements] == [
        ("rules", name),
        ("openai:gpt-5", name),
    ]


def test_what_broke_off_outside_the_agent_is_no_part_of_it(tmp_path: Path) -> None:
    broken = msgspec.structs.replace(held("tracking-2"), ending=Ending("broke", "provider_error", "down"))
    judged = judged_in(load_runs([archived(tmp_path, "agent", held(), broken)]))
    assert [source.case for source in judged.sources.values()] == ["tracking-1"]
    assert len(judged.judgements) == 1


def test_two_agents_that_say_the_same_are_two_and_a_run_given_twice_is_one(tmp_path: Path) -> None:
    folders = [archived(tmp_path, agent, held()) for agent in ("one", "two")]
    judged = judged_in(load_runs([*folders, *folders]))
    assert [source.agent for source in judged.sources.values()] == ["one", "two"]
    assert len(judged.judgements) == 2


def test_twins_are_marked(tmp_path: Path) -> None:
    judged = judged_in(load_runs([archived(tmp_path, "agent", held("damaged_no_proof-1-twin"))]))
    assert [source.is_twin for source in judged.sources.values()] == [True]
