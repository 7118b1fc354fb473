"""Your desk: complete without a script, honest about what it is, and counted from the record."""

import json
import re
from pathlib import Path

import pytest

from site_data import site_data_of
from supportagentbench.board.desk import BENCHMARK, PERSON, TICKETS, SupportDesk, desk_of, plus
from supportagentbench.board.loss import DeskSettings, Expected, Gap, Kind, loss, quantiles
from supportagentbench.site.answers.desk_answer import about, answer, breaks_words, gap_words, named
from supportagentbench.site.build import frame
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.lint import unsupported
from supportagentbench.site.number import percent
from supportagentbench.site.pages.desk import DeskContext, pages
from supportagentbench.site.pages.page import SitePage, render

DeskPage = SitePage[DeskContext]


@pytest.fixture(scope="module")
def data(small_runs: Path) -> SiteData:
    return site_data_of(small_runs)


@pytest.fixture(scope="module")
def page(data: SiteData) -> DeskPage:
    return next(pages(data))


@pytest.fixture(scope="module")
def html(data: SiteData, page: DeskPage) -> str:
    return render(page, frame(data, [page]))


@pytest.fixture(scope="module")
def desk(data: SiteData) -> SupportDesk:
    found = desk_of(data.board, data.runs)
    assert found
    return found


def only_escalations(data: SiteData) -> SiteData:
    few = [
        run._replace(verdicts=[one for one in run.verdicts if one.bucket == "must_escalate"])
        for run in data.runs
    ]
    return data._replace(runs=few)


def fields_of(context: DeskContext) -> list[Kind]:
    return [field for group in context.groups.values() for field in group]


def row(html: str, slug: str) -> str:
    found = re.search(rf'<tr role="row" data-slug="{slug}">(.*?)</tr>', html, re.DOTALL)
    assert found
    return re.sub(r"<[^>]+>|\s+", " ", found[1])


def test_every_kind_of_ticket_has_cases_and_something_that_can_go_wrong(page: DeskPage) -> None:
    fields = fields_of(page.context)
    assert len(fields) == 20 + 4 + 4
    assert sum(field.cases for field in fields) == 162
    assert {name for field in fields for name in field.mistakes} == {
        one.name for one in page.context.mistakes
    }


def test_mistakes_per_month_are_the_rates_of_the_record_times_the_mix(data: SiteData, page: DeskPage) -> None:
    """The board's rate of missed escalations, where all kinds that need a human weigh the same."""
    context = next(pages(only_escalations(data))).context
    even = all(part == context.mix["abusive_threatening"] for part in context.mix.values())
    assert not even, "a typical desk is not even"
    for row in context.rows:
        rates = [one.mistakes[0] / one.runs for one in row.agent.trials]
        weights = [context.mix[fields_of(context)[one.kind].name] for one in row.agent.trials]
        expected = sum(rate * weight for rate, weight in zip(rates, weights, strict=True)) / sum(weights)
        assert row.times["missed"] == pytest.approx(TICKETS * expected)


def test_a_perfect_agent_loses_nothing_but_may(page: DeskPage) -> None:
    oracle = next(row for row in page.context.rows if row.agent.results.name == "oracle")
    assert oracle.loss is not None
    assert (oracle.loss.value, oracle.loss.low) == (0, 0)
    assert oracle.loss.high > 0
    assert oracle.bad_month is not None and oracle.bad_month > 0
    assert oracle.handovers is not None and oracle.saving is not None
    assert oracle.handovers.value >= TICKETS * 0.04
    assert oracle.saving.value == pytest.approx(PERSON * (TICKETS - oracle.handovers.value))


def test_the_answer_comes_before_the_form_and_names_who_costs_least(html: str, page: DeskPage) -> None:
    assert html.index('id="answer"') < html.index('id="losses"') < html.index('id="desk"')
    head, *rest = page.context.answer
    assert head == "At 10,000 tickets per month, oracle costs least within the limits."
    assert rest[0].startswith("oracle: about $0.00 in mistakes")
    assert "less than staff doing all the work" in rest[0]
    assert any(sentence.startswith("A bad month (one in 20) costs more than $") for sentence in rest)


def test_who_costs_least_outside_the_limits_is_named_with_the_share_of_abuse_that_ends_it(
    page: DeskPage, desk: SupportDesk
) -> None:
    """Who grants everything costs less than who hands everything over, until abuse is frequent."""
    kinds, mix = desk.kinds, page.context.mix
    prices = {one.name: one.dollars for one in page.context.mistakes} | {"unresolved": 1, "missed": 1}
    settings = DeskSettings(TICKETS, mix, prices, PERSON)
    rows = {row.agent.results.name: row for row in page.context.rows}
    wild, shy = rows["complies"].agent, rows["hands-over"].agent._replace(is_ranked=True, breaks=())
    wild = wild._replace(is_ranked=True)
    assert breaks_words(wild).startswith("acts unsafely in 100% of traps (limit 12%)")
    some = [
        rows[agent.results.name]._replace(
            agent=agent, gap=None, loss=loss(kinds, agent.trials, settings, quantiles())
        )
        for agent in (wild, shy)
    ]
    turn = desk.turning_point(wild, shy, settings)
    assert turn is not None and 0 < turn < 1
    head, *rest = answer(some, desk, settings)
    assert head == "At 10,000 tickets per month, hands-over costs least within the limits."
    assert rest[0].startswith("complies costs less at 1% abuse, but it acts unsafely in 100% of traps")
    assert rest[1] == f"Above {percent(turn)} abuse, hands-over costs less."
    abuse = {kind.name for kind in kinds if kind.is_abuse}
    part = sum(mix[name] for name in abuse) / sum(mix.values())
    there = {
        name: value * (turn / part if name in abuse else (1 - turn) / (1 - part))
        for name, value in mix.items()
    }
    moved = settings._replace(mix=there)
    one, other = (loss(kinds, agent.trials, moved, quantiles()) for agent in (wild, shy))
    assert one and other and one.value == pytest.approx(other.value)


def test_a_typical_desk_sees_little_abuse(page: DeskPage) -> None:
    assert page.context.presets[0].name == "typical"
    assert page.context.shares["Attempted abuse"] < 0.02
    assert page.context.shares["Tickets that need a human"] == pytest.approx(0.04, abs=0.001)


def test_who_hands_everything_over_is_separated_from_who_does_not(html: str) -> None:
    """95 of 100 tickets at 6 dollars each, with 10,000 of them a month; nothing saved."""
    assert "$57,0" in row(html, "hands-over")
    assert re.search(r" \$[\d,]+ more", row(html, "hands-over"))
    assert "no significant difference" not in row(html, "hands-over")


def test_rows_go_by_loss_and_agents_that_are_not_ranked_are_folded(
    html: str, page: DeskPage, data: SiteData
) -> None:
    ranked, others = page.context.tables["ranked"], page.context.tables["others"]
    for some in (ranked, others):
        lost = [row.loss.value for row in some if row.loss]
        assert lost == sorted(lost)
    folded = html[html.index('<details class="fold">') : html.index("How it is computed")]
    assert ranked and others
    assert all(f'data-slug="{data.slugs[row.agent.results.name]}"' in folded for row in others)
    assert not any(f'data-slug="{data.slugs[row.agent.results.name]}"' in folded for row in ranked)


def test_it_is_complete_without_a_script(html: str, data: SiteData) -> None:
    assert all(f'data-slug="{slug}"' in html for slug in data.slugs.values())
    assert "Enter your numbers." in html
    assert "nothing is sent" in html


def test_it_compares_nothing_in_words(html: str, data: SiteData) -> None:
    assert unsupported(html, data.board.claims, list(data.slugs)) == []


def test_the_numbers_travel_as_data_that_no_text_can_break_out_of(html: str, page: DeskPage) -> None:
    found = re.search(r'<script type="application/json" id="desk-data">(.*?)</script>', html, re.DOTALL)
    assert found
    data = json.loads(found[1])
    assert data == json.loads(json.dumps(page.context.script))
    assert len(data["cases"]) == 162
    assert all(len(entry[name]) == 162 for entry in data["agents"] for name in ("runs", "hits", "handed"))


def test_a_preset_weighs_what_it_names_within_its_bucket(data: SiteData, desk: SupportDesk) -> None:
    mixes = {preset.name: desk.mix_of(preset) for preset in (BENCHMARK, *data.vocabulary.mixes)}
    assert mixes["benchmark"]["goods"] == 10
    assert mixes["orders"]["tracking"] > 10 * mixes["orders"]["return_request"] > 0
    assert mixes["returns"]["return_request"] > 10 * mixes["returns"]["tracking"] > 0
    abuse = [kind.name for kind in desk.kinds if kind.is_abuse]
    for name, share in (("typical", 1), ("orders", 1), ("returns", 1), ("fraud", 10)):
        assert sum(mixes[name][kind] for kind in abuse) == pytest.approx(share, abs=0.05)
        assert sum(mixes[name].values()) == pytest.approx(100, abs=0.3)
    assert all(set(mix) == set(mixes["benchmark"]) for mix in mixes.values())


def test_a_difference_is_so_much_more_or_less_or_not_significant() -> None:
    assert gap_words(Gap(300, 0.001), 5) == "$300 more"
    assert gap_words(Gap(-300, 0.01), 5) == "$300 less"
    assert gap_words(Gap(300, 0.02), 5) == "no significant difference: $300 more"
    assert gap_words(None, 5) == "–"


def test_names_and_amounts_are_short() -> None:
    assert named(["a"]) == "a"
    assert named(["a", "b", "c"]) == "a, b or c"
    assert named(["a", "b", "c", "d", "e"], "and") == "a, b and 3 others"
    assert [about(value) for value in (0.4, 7.26, 99.6, 1449, 1450, 1_236_000)] == [
        *("$0.00", "$7.00", "$100", "$1,400", "$1,500", "$1,200,000")
    ]


def test_what_is_certain_moves_all_of_it() -> None:
    assert plus(Expected(1, 0, 2), 10) == Expected(11, 10, 12)
    assert plus(None, 10) is None


def test_a_part_of_the_cases_makes_a_smaller_desk(data: SiteData) -> None:
    page = next(pages(only_escalations(data)))
    assert [mistake.name for mistake in page.context.mistakes] == ["missed"]
    assert len(fields_of(page.context)) == 4
