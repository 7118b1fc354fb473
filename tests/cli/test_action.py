"""The GitHub Action calls the command as it is, and never writes an input into its script."""

import re
from pathlib import Path

import yaml

from commands import sab

ACTION = Path(__file__).parents[2] / "action.yml"


def test_every_option_of_the_action_exists() -> None:
    step = yaml.safe_load(ACTION.read_text())["runs"]["steps"][-1]
    command = step["run"].partition("sab gate")[2]
    options = {*re.findall(r"--[a-z]+", command), "--strict"}
    help_text = sab("gate", "--help").stdout
    assert options and all(option in help_text for option in options)


def test_inputs_reach_the_script_as_variables_only() -> None:
    for step in yaml.safe_load(ACTION.read_text())["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
