"""The schema of `sab.toml` is that of the code, and says the same about every rule."""

import json
import re

import pytest

from supportagentbench.board.baseline_file import GATED_METRICS
from supportagentbench.board.config_schema import SHIPPED, config_schema, rule_pattern
from supportagentbench.board.gate_rules import parse_rule
from supportagentbench.records.problem import Problem
from supportagentbench.storage.config import RunDefaults


def test_the_shipped_schema_is_up_to_date_and_named_by_the_starter() -> None:
    assert SHIPPED.read_text() == config_schema(), "run `make schemas`"
    first = (SHIPPED.parent / "sab.toml").read_text().splitlines()[0]
    assert first == f"#:schema ./{SHIPPED.name}"


def test_it_has_every_key_with_a_description_and_no_other() -> None:
    parts = json.loads(config_schema())["$defs"]
    run, gate = parts["RunDefaults"], parts["Config"]["properties"]["gate"]
    assert set(run["properties"]) == {name.replace("_", "-") for name in RunDefaults.__struct_fields__}
    assert set(gate["properties"]) == {"baseline", *GATED_METRICS}
    assert not run["additionalProperties"] and not gate["additionalProperties"]
    assert all(one["description"] and "null" not in str(one) for one in run["properties"].values())


@pytest.mark.parametrize(
    "words",
    [
        *(
            "no new",
            "not worse",
            "not worse by 3",
            "not worse by 2.5 points",
            "at most 5%",
            "at most 5 %",
            "at most 5",
        ),
        *("no news", "at most", "not worse by", "no new by 3", "worse", "at most 5%%", "not worse by 3%"),
        *("at least 90%", "at least", "at least 5.5"),
    ],
)
def test_it_takes_the_rules_that_the_gate_takes(words: str) -> None:
    for name, metric in GATED_METRICS.items():
        try:
            parse_rule(name, words)
            is_rule = True
        except Problem:
            is_rule = False
        assert bool(re.search(rule_pattern(metric), words)) is is_rule, name
