"""Choice file: what scripts need to recommend agents for a reader's own limits and desk."""

from collections.abc import Iterator, Mapping, Set
from typing import Any

from supportagentbench.board.claims import LEVEL
from supportagentbench.board.dominance import error
from supportagentbench.board.limits import MOST_RUNS, most_errors
from supportagentbench.board.mistakes import UNRESOLVED
from supportagentbench.board.recommendation import (
    REFUSING,
    SUSPECTED_NAMED,
    SUSPECTED_TOO_OFTEN,
    BoardRecommendation,
    Recommendation,
    counted_errors,
)
from supportagentbench.board.recommendation_words import (
    CASE_NAMES,
    DECISIONS,
    LIMIT_NAMES,
    LIMIT_WORDS,
    ROW_CLAUSES,
    SMALL,
    WENT,
    WORDS,
    nobody_title,
    suspicion,
)
from supportagentbench.board.turning_price import FURTHEST, STEPS
from supportagentbench.records.record import to_json
from supportagentbench.site.answers.board_answer import no_pick_doubt
from supportagentbench.site.answers.cfo import example_words, unsolved
from supportagentbench.site.answers.diagnosis import diagnoses
from supportagentbench.site.answers.doubt import doubt_words, tried_words
from supportagentbench.site.data.bundle import as_script
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.pages.desk import script_of
from supportagentbench.stats.rates import CONFIDENCE

PATH, CALL = "data/choice.js", "SAB.choice("


def files(data: SiteData) -> Iterator[tuple[str, bytes]]:
    """The one file."""
    desk = script_of(data.desk, data.slugs, data.choice) if data.desk else None
    more = {
        "cases": len(data.core_cases),
        "isExample": data.is_example,
        "example": example_words(data),
    }
    yield PATH, choice_script(data.recommendation, data.slugs, desk, diagnoses(data), more, data.invented)


def choice_script(
    found: BoardRecommendation,
    slugs: Mapping[str, str],
    desk: dict[str, Any] | None,
    notes: Mapping[str, str] | None = None,
    more: Mapping[str, Any] | None = None,
    invented: Set[str] = frozenset(),
) -> bytes:
    """The facts, the rules' numbers and the words; without a desk, nothing is said about cost."""
    content = {
        "limits": found.limits,
        "order": [*found.limits],
        "agents": [
            _facts(one, slugs[one.agent.name], found.limits)
            | {"note": (notes or {}).get(one.agent.name, ""), "invented": one.agent.name in invented}
            for one in found.agents
        ],
        "cases": 0,
        "nobody": nobody_title(found) if found.agents else "",
        "alone": _alone(found, slugs),
        "doubt": no_pick_doubt(found),
        "unsolved": UNRESOLVED,
        "furthest": FURTHEST,
        "steps": STEPS,
        "unpriced": found.unpriced,
        "words": WORDS,
        "did": LIMIT_WORDS,
        "limitNames": LIMIT_NAMES,
        "caseNames": CASE_NAMES,
        "went": WENT,
        "rowClauses": ROW_CLAUSES,
        "decisions": DECISIONS,
        "small": SMALL,
        "refusing": REFUSING,
        "tooOften": SUSPECTED_TOO_OFTEN,
        "named": SUSPECTED_NAMED,
        "mostRuns": MOST_RUNS,
        "tail": 1 - CONFIDENCE,
        "level": LEVEL,
        "desk": desk,
        **(more or {}),
    }
    return as_script(CALL, to_json(content))


def _alone(found: BoardRecommendation, slugs: Mapping[str, str]) -> str:
    """The only agent of a board without contenders."""
    return slugs[found.shown[0].agent.name] if not found.contenders and len(found.shown) == 1 else ""


def _facts(one: Recommendation, slug: str, limits: Mapping[str, float]) -> dict[str, Any]:
    """Everything that decides about one agent, whatever the limits and the desk are."""
    agent = one.agent
    return {
        "slug": slug,
        "name": agent.name,
        "contender": one.is_contender,
        "dummy": agent.is_dummy,
        "part": agent.is_part,
        "hidden": agent.hides_acts,
        "hasTraps": agent.of("unsafe") is not None,
        "limits": {
            metric: [
                *counted_errors(agent, metric),
                error(agent, metric),
                most_errors(agent, metric),
                len(found.runs) if (found := agent.of(metric)) else 0,
            ]
            for metric in limits
        },
        "danger": [agent.grounds.danger_missed, agent.grounds.danger],
        "averted": agent.grounds.averted,
        "tried": tried_words(agent),
        "doubt": doubt_words(agent),
        "unsolved": unsolved(agent),
        "suspected": [
            [fault.check, suspicion(fault.check), fault.found, fault.of]
            for fault in agent.grounds.suspected
            if fault.share >= SUSPECTED_NAMED
        ],
    }
