"""Pipeline: whether this process runs in one, where results on disk may come with the change to check."""

import os

VARIABLES = (
    "CI",
    "GITHUB_ACTIONS",
    "GITLAB_CI",
    "CIRCLECI",
    "BUILDKITE",
    "TF_BUILD",
    "JENKINS_URL",
    "TEAMCITY_VERSION",
)
"""What pipelines set."""


def in_pipeline() -> bool:
    """Whether one of these variables is set, and does not say no."""
    return any(os.environ.get(name, "").lower() not in ("", "0", "false", "no") for name in VARIABLES)
