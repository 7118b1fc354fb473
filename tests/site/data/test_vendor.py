"""A model's vendor is read from its name, and only where it is a model that ran."""

import pytest
from msgspec.structs import replace

from boards import planted
from supportagentbench.records.agent_version import AgentVersion
from supportagentbench.site.about import About, AboutAgent
from supportagentbench.site.data.vendor import ModelOrigin, origin_of, origins


@pytest.mark.parametrize(
    ("model", "vendor", "is_open"),
    [
        ("openrouter:qwen/qwen3-32b,effort=high", "Alibaba", True),
        ("qwen3.7-plus", "Alibaba", False),
        ("openai:gpt-5.4-mini", "OpenAI", False),
        ("gpt-oss-120b", "OpenAI", True),
        ("sonnet-5", "Anthropic", False),
        ("gemma-4-31b", "Google", True),
        ("my-gpt-bot", "", None),
    ],
)
def test_the_beginning_of_the_name_decides(model: str, vendor: str, is_open: bool | None) -> None:
    assert origin_of(model) == (vendor, is_open)


def test_an_agent_of_code_has_no_vendor() -> None:
    run = planted("gpt-helper")
    model = run._replace(header=replace(run.header, version=AgentVersion(prompt="1", given="openai:gpt-5.5")))
    assert origins([run], About(), {}) == {}
    assert origins([model], About(), {}) == {"gpt-helper": ModelOrigin("OpenAI", False)}


def test_what_the_publisher_says_counts_more_than_a_name() -> None:
    about = About(agents={"gpt-helper": AboutAgent(name="Helper", vendor="Acme", is_open=True)})
    run = planted("Helper")
    assert origins([run], about, {"Helper": "gpt-helper"}) == {"Helper": ModelOrigin("Acme", True)}
