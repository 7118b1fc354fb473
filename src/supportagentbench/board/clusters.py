"""Clusters: which cases are likely to fail together, and so are one unit where new cases are in view."""

from collections.abc import Sequence


def clusters_of(families: Sequence[str], deciders: Sequence[str]) -> tuple[str, ...]:
    """The cluster of each case: its case type or the rule that decides it, whichever makes fewer clusters.

    A case that no single rule decides is in the cluster of its case type either way.
    """
    by_rule = [
        f"rule {decider}" if decider else family for family, decider in zip(families, deciders, strict=True)
    ]
    return tuple(by_rule if len({*by_rule}) < len({*families}) else families)
