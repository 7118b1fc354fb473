"""JSON Schema of `sab.toml`, for editors. `make schemas` writes the one that `sab init` ships."""

from pathlib import Path
from typing import Any

import msgspec

from supportagentbench.board.baseline_file import GATED_METRICS
from supportagentbench.board.metrics import Metric
from supportagentbench.storage.config import Config, RunDefaults
from supportagentbench.storage.file import write_whole
from supportagentbench.storage.yaml_file import schema_of

SHIPPED = Path(__file__).parents[1] / "agents" / "starter" / "sab.schema.json"

NUMBER = r"\d+(\.\d+)?"


def rule_pattern(metric: Metric) -> str:
    """The rules that `gate_rules.py` reads for this metric."""
    return rf"^(no new|not worse( by {NUMBER}( points?)?)?|{_limit(metric)} {NUMBER} ?%?)$"


def _limit(metric: Metric) -> str:
    return "at most" if metric.better == "lower" else "at least"


def config_schema() -> str:
    """The schema of the whole file."""
    schema = schema_of(Config, "sab.toml")
    parts = schema["$defs"]
    run = parts[RunDefaults.__name__]
    run["additionalProperties"] = False
    run["properties"] = {name: _without_null(one) for name, one in run["properties"].items()}
    parts[Config.__name__]["additionalProperties"] = False
    parts[Config.__name__]["properties"]["gate"] = _gate()
    return msgspec.json.format(msgspec.json.encode(schema, order="deterministic")).decode() + "\n"


def _without_null(one: dict[str, Any]) -> dict[str, Any]:
    """A value that may be left out; TOML has no null."""
    kinds = [kind for kind in one["anyOf"] if kind != {"type": "null"}]
    rest = {name: value for name, value in one.items() if name not in ("anyOf", "default")}
    return {**rest, **(kinds[0] if len(kinds) == 1 else {"anyOf": kinds})}


def _gate() -> dict[str, Any]:
    rules = {
        name: {
            "type": "string",
            "pattern": rule_pattern(metric),
            "description": f'{metric.title}: "no new", "not worse by 3" or "{_limit(metric)} 90%".',
        }
        for name, metric in GATED_METRICS.items()
    }
    baseline = {"type": "string", "description": "File made by `sab gate AGENT --save`, from this folder."}
    return {
        "type": "object",
        "description": "Rules of `sab gate`.",
        "additionalProperties": False,
        "properties": {"baseline": baseline, **rules},
    }


if __name__ == "__main__":
    write_whole(SHIPPED, config_schema().encode())
