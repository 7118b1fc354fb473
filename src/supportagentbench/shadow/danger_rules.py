"""Danger rules: the rules of a policy that are for people in danger, found by the world's own case types."""

from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import World


def danger_rules(world: World) -> frozenset[str]:
    """The rules that decide every case of a type in which people are in danger; none without such a type."""
    drawn, vocabulary = generate(world), world.vocabulary
    found = frozenset[str]()
    for family in vocabulary.stakes:
        harm = vocabulary.at_stake(family)
        names = [name for name, place in drawn.places.items() if place.family.name == family]
        if harm and harm.is_danger and names:
            rules = [frozenset(case.label.rules) for case in drawn.named(",".join(names))]
            found |= frozenset.intersection(*rules)
    return found
