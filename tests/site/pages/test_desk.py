"""Your desk: complete without a script, honest about what it is, and counted from the record."""

import json
import re
from pathlib import Path

import pytest

from site_data import site_data_of
from supportagentbench.board.choice import recommended
from supportagentbench.board.desk import (
    BENCHMARK,
    PERSON,
    TICKETS,
    SupportDesk,
    crossing,
    desk_of,
    plus,
    with_cheats,
)
from supportagentbench.board.loss import DeskSettings, Expected, Gap, Kind, loss, quantiles
from supportagentbench.board.recommendation import Rivalry
from supportagentbench.board.recommendation_words import which_one
from supportagentbench.site.answers.desk_answer import answer, gap_words, signed
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
    desk = desk_of(data.board, few)
    return data._replace(runs=few, desk=desk, recommendation=recommended(data.board, desk))


def fields_of(context: DeskContext) -> list[Kind]:
    return [field for group in context.groups.values() for field in group]


def row(html: str, slug: str) -> str:
    found = re.search(rf'<tr role="row" data-slug="{slug}">(.*?)</tr>', html, re.DOTALL)
    assert found
    return re.sub(r"<[^>]+>|\s+", " ", found[1])


def test_every_kind_of_ticket_has_cases_and_only_danger_has_no_price(page: DeskPage) -> None:
    fields = fields_of(page.context)
    assert len(fields) == 20 + 4 + 4
    assert sum(field.cases for field in fields) == 162
    assert {name for field in fields for name in field.mistakes} == {
        one.name for one in page.context.mistakes
    }
    assert [field.name for field in fields if not field.mistakes] == ["abusive_threatening"]


def test_mistakes_per_month_are_the_rates_of_the_record_times_the_mix(data: SiteData, page: DeskPage) -> None:
    """Missed escalations, at what is at stake in each; those with danger to people are counted apart."""
    context = next(pages(only_escalations(data))).context
    even = all(part == context.mix["abusive_threatening"] for part in context.mix.values())
    assert not even, "a typical desk is not even"
    for row in context.rows:
        weights = [context.mix[fields_of(context)[one.kind].name] for one in row.agent.trials]
        for name in ("missed", "unseen_fraud"):
            rates = [one.made.count((name,)) / one.runs for one in row.agent.trials]
            expected = sum(rate * weight for rate, weight in zip(rates, weights, strict=True)) / sum(weights)
            assert row.times[name] == pytest.approx(TICKETS * expected)
    some = {row.agent.results.name: row for row in context.rows}
    grounds = {name: month.agent.results.grounds for name, month in some.items()}
    assert grounds["complies"].danger_missed == grounds["complies"].danger == 18
    assert some["complies"].endangered == pytest.approx(TICKETS / 6)
    assert grounds["oracle"].danger_missed == 0 and some["oracle"].endangered == 0


def test_a_perfect_agent_loses_nothing_but_may(page: DeskPage) -> None:
    oracle = next(row for row in page.context.rows if row.agent.results.name == "oracle")
    assert oracle.loss is not None
    assert (oracle.loss.value, oracle.loss.low) == (0, 0)
    assert oracle.loss.high > 0
    assert oracle.bad_month is not None and oracle.bad_month > 0
    assert oracle.handovers is not None and oracle.saving is not None
    assert oracle.handovers.value >= TICKETS * 0.04
    assert oracle.saving.value == pytest.approx(PERSON * (TICKETS - oracle.handovers.value))


def test_four_fields_come_first_then_the_answer_then_the_table_and_the_rest_is_folded(
    html: str, page: DeskPage, data: SiteData
) -> None:
    places = [html.index(f'id="{name}"') for name in ("desk", "answer", "losses", "more", "mix")]
    assert places == sorted(places)
    first = html[places[0] : places[1]]
    assert re.findall(r'<input [^>]*id="(\w+)"[^>]* value="([^"]+)"', first) == [
        *(("tickets", "10000"), ("cheats", "1"), ("worth", "80"), ("person", "6"))
    ]
    assert html[places[-1] :].count("data-part=") == 28
    said = which_one(data.recommendation)
    head, *rest = page.context.answer
    assert head == f"{said.title}." and head.startswith("Use oracle: ")
    assert rest[: len(said.lead)] == [*said.lead]
    assert any(sentence.startswith("A bad month (one in 20) costs more than $") for sentence in rest)


def test_the_answer_is_that_of_every_page_with_the_share_of_cheats_that_turns_it(
    page: DeskPage, desk: SupportDesk, data: SiteData
) -> None:
    """Who grants everything costs less than who hands everything over, until abuse is frequent."""
    kinds, mix = desk.kinds, page.context.mix
    prices = dict.fromkeys((one.name for one in page.context.mistakes), 1.0)
    settings = DeskSettings(TICKETS, mix, prices | {"needless": 6.0, "fraud": 100.0}, PERSON)
    agents = {one.results.name: one._replace(is_ranked=True) for one in desk.agents}
    wild, shy = agents["complies"], agents["hands-over"]
    some = desk._replace(agents=[wild, shy])
    found = data.recommendation._replace(pick="hands-over", rivalry=Rivalry("complies", None))
    months = some.cost_at(settings, "hands-over")
    said = answer(found, months, some, settings)
    assert said[0] == f"{which_one(found).title}."
    ends = [desk.ends(agent, settings) for agent in (wild, shy)]
    turn = crossing(ends[0], ends[1]) if ends[0] and ends[1] else None
    assert turn is not None and 0 < turn < 1
    assert f"Above {percent(turn)} cheats, complies costs more than hands-over." in said
    assert (
        "Most of what hands-over costs, $57,000, is tickets it hands over although it could solve them."
        in said
    )
    many = settings._replace(mix=with_cheats(kinds, mix, (1 + turn) / 2))
    beyond = answer(found, some.cost_at(many, "hands-over"), some, many)
    assert f"Below {percent(turn)} cheats, complies would cost less than hands-over." in beyond
    moved = settings._replace(mix=with_cheats(kinds, mix, turn))
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
    assert "This is not a forecast." in html
    assert "nothing is sent" in html


def test_it_compares_nothing_in_words(html: str, data: SiteData) -> None:
    assert unsupported(html, data.board.claims, list(data.slugs)) == []


def test_the_numbers_travel_as_data_that_no_text_can_break_out_of(html: str, page: DeskPage) -> None:
    found = re.search(r'<script type="application/json" id="desk-data">(.*?)</script>', html, re.DOTALL)
    assert found
    data = json.loads(found[1])
    assert data == json.loads(json.dumps(page.context.script))
    assert len(data["cases"]) == 162
    assert all(
        len(entry[name]) == 162 for entry in data["agents"] for name in ("made", "endangered", "handed")
    )


def test_a_preset_weighs_what_it_names_within_its_bucket(data: SiteData, desk: SupportDesk) -> None:
    mixes = {preset.name: desk.mix_of(preset) for preset in (BENCHMARK, *data.vocabulary.mixes)}
    assert mixes["benchmark"]["goods"] == 10
    assert mixes["orders"]["tracking"] > 10 * mixes["orders"]["return_request"] > 0
    assert mixes["returns"]["return_request"] > 10 * mixes["returns"]["tracking"] > 0
    abuse = [kind.name for kind in desk.kinds if kind.is_abuse]
    for name, share in (("typical", 1), ("orders", 1), ("returns", 1), ("fraud", 10)):
        assert sum(mixes[name][kind] for kind in abuse) == pytest.approx(share)
        assert sum(mixes[name].values()) == pytest.approx(100)
    assert all(set(mix) == set(mixes["benchmark"]) for mix in mixes.values())


def test_a_difference_is_so_much_more_or_less_or_not_significant() -> None:
    assert gap_words(Gap(300, 0.001), 5) == "$300 more"
    assert gap_words(Gap(-300, 0.01), 5) == "$300 less"
    assert gap_words(Gap(300, 0.02), 5) == "no significant difference: $300 more"
    assert gap_words(None, 5) == "–"


def test_what_is_certain_moves_all_of_it() -> None:
    assert plus(Expected(1, 0, 2), 10) == Expected(11, 10, 12)
    assert plus(None, 10) is None


def test_a_part_of_the_cases_makes_a_smaller_desk(data: SiteData) -> None:
    page = next(pages(only_escalations(data)))
    assert {"missed", "unseen_fraud"} <= {mistake.name for mistake in page.context.mistakes}
    assert page.context.cheats is None, "without traps there is no share of cheats to set"
    assert len(fields_of(page.context)) == 4


def test_what_is_left_of_a_sum_that_should_be_zero_is_zero() -> None:
    assert [signed(value) for value in (1e-9, -1e-9, -0.006, 1234.5, -2.5)] == [
        *("$0.00", "$0.00", "−$0.01", "$1,234", "−$2.50")
    ]


def test_traps_without_a_price_are_said_to_be_left_out(data: SiteData, html: str) -> None:
    words = "Traps are left out of all costs"
    few = only_escalations(data)
    page = next(pages(few))
    assert words not in html and words in render(page, frame(few, [page]))
