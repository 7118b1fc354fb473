"""Recorded cases are drawn again only if they are still the same."""

import pytest
from msgspec.structs import replace

from conversations import HEADER
from supportagentbench.records.problem import Problem
from supportagentbench.world.redraw import redrawn
from supportagentbench.world.seed import private

REMEDY = "record it again."


def test_every_draw_is_drawn_once() -> None:
    made = redrawn(HEADER, ["0", "3", "0"], remedy=REMEDY)
    assert [cases.seed.name for cases in made] == ["0", "3"]
    assert made[0].world is made[1].world


@pytest.mark.parametrize(("field", "what"), [("world_digest", "world"), ("policy_digest", "policy")])
def test_what_has_changed_is_named_with_the_remedy(field: str, what: str) -> None:
    with pytest.raises(Problem, match=f"another {what} than there is now; {REMEDY}"):
        redrawn(replace(HEADER, **{field: "0" * 16}), ["0"], remedy=REMEDY)


def test_a_private_draw_needs_its_own_secret() -> None:
    name = private("s3cret").name
    with pytest.raises(Problem, match="--private-seed"):
        redrawn(HEADER, [name], remedy=REMEDY)
    with pytest.raises(Problem, match="another draw"):
        redrawn(HEADER, [name], secret="other", remedy=REMEDY)
    (made,) = redrawn(HEADER, [name], secret="s3cret", remedy=REMEDY)
    assert made.seed.name == name
