"""What changed in an agent is said by file, by setting, or by what it is."""

from msgspec.structs import replace

from boards import header
from supportagentbench.records.agent_version import AgentVersion, in_short
from supportagentbench.records.record import from_json, to_json
from supportagentbench.records.run import Run

BEFORE = replace(
    header("mine"),
    version=AgentVersion({"a.py": "1", "b.py": "2"}, "tool_loop/1"),
    sampling={"temperature": 0.2},
)


def test_nothing_changed() -> None:
    assert BEFORE.agent_changes_from(BEFORE) == []
    assert from_json(to_json(BEFORE), Run) == BEFORE


def test_files_are_named() -> None:
    now = replace(BEFORE, version=AgentVersion({"a.py": "9", "c.py": "3"}, "tool_loop/1"))
    assert now.agent_changes_from(BEFORE) == ["a.py changed", "b.py was removed", "c.py was added"]


def test_settings_the_prompt_and_the_package_are_named_with_both_values() -> None:
    now = replace(
        BEFORE,
        version=replace(BEFORE.version, prompt="tool_loop/2", given="x:Y"),
        sampling={"seed": True, "temperature": 0.7},
        package="9.9",
    )
    assert now.agent_changes_from(BEFORE) == [
        "the agent is x:Y, was not set",
        "the prompt is tool_loop/2, was tool_loop/1",
        "seed is true, was not set",
        "temperature is 0.7, was 0.2",
        f"the package is 9.9, was {BEFORE.package}",
    ]


def test_a_sentence_names_three() -> None:
    assert in_short(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more"
    assert in_short(["a", "b"]) == "a, b"
