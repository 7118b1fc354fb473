"""Your desk: complete without a script, honest about what it is, and counted from the record."""

import json
import re
from pathlib import Path

import pytest

from site_data import drop, site_data_of
from supportagentbench.board.choice import choice_with, recommended
from supportagentbench.board.desk import (
    BENCHMARK,
    PARTS,
    PERSON,
    TICKETS,
    SupportDesk,
    crossing,
    desk_of,
    plus,
    with_cheats,
)
from supportagentbench.board.loss import DeskSettings, Expected, Gap, Kind, loss, quantiles
from supportagentbench.board.recommendation import bills_at
from supportagentbench.board.recommendation_words import about, then_words, which_one
from supportagentbench.records.choice import Choice
from supportagentbench.records.record import to_json
from supportagentbench.records.vocabulary import TicketMix
from supportagentbench.site.answers.desk_answer import gap_words
from supportagentbench.site.build import frame
from supportagentbench.site.charts.break_even import break_even
from supportagentbench.site.data.site_data import SiteData, gather
from supportagentbench.site.lint import unsupported
from supportagentbench.site.pages.desk import NO_RUN, DeskContext, pages, script_of
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
    assert grounds["Complies"].danger_missed == grounds["Complies"].danger == 18
    assert some["Complies"].endangered == pytest.approx(TICKETS / 6)
    assert grounds["Oracle"].danger_missed == 0 and some["Oracle"].endangered == 0


def test_a_perfect_agent_loses_nothing_but_may(page: DeskPage) -> None:
    oracle = next(row for row in page.context.rows if row.agent.results.name == "Oracle")
    assert oracle.loss is not None
    assert (oracle.loss.value, oracle.loss.low) == (0, 0)
    assert oracle.loss.high > 0
    assert oracle.bad_month is not None and oracle.bad_month > 0
    assert oracle.handovers is not None and oracle.saving is not None
    assert oracle.handovers.value >= TICKETS * 0.04
    assert oracle.saving.value == pytest.approx(PERSON * (TICKETS - oracle.handovers.value))


def test_the_sentence_comes_first_then_the_answer_the_bars_and_the_chart(
    html: str, page: DeskPage, data: SiteData
) -> None:
    marks = ('id="tickets"', 'id="answer"', 'class="months"', "data-even-chart", "data-cfo", 'id="more"')
    places = [html.index(mark) for mark in (*marks, 'id="losses"', 'id="mistakes"')]
    assert places == sorted(places)
    first = html[: places[1]]
    assert re.findall(r'<input id="(\w+)" value="([^"]+)"', first) == [
        *(("tickets", "10,000"), ("cheats", "1"), ("worth", "80"), ("person", "6"))
    ]
    assert places[1] < html.index('<input id="unsolved" value="12"') < places[2]
    assert html.count("data-part=") == 28
    assert page.context.headed.title == which_one(data.recommendation).title
    assert re.findall(r"\$[\d,]+", page.context.answer) == ["$0", "$2,600", "$60,000"]


def test_the_answer_says_what_is_spent_and_the_chart_where_it_turns(
    page: DeskPage, desk: SupportDesk, data: SiteData
) -> None:
    """Who grants everything costs less than who hands everything over, until abuse is frequent."""
    kinds, mix = desk.kinds, page.context.mix
    prices = dict.fromkeys((one.name for one in page.context.mistakes), 1.0)
    settings = DeskSettings(TICKETS, mix, prices | {"needless": 6.0, "fraud": 100.0}, PERSON)
    agents = {one.results.name: one for one in desk.agents}
    wild, shy = agents["Complies"], agents["Hands-over"]
    found = data.recommendation._replace(pick="Hands-over")
    bills = bills_at(desk, settings)
    found = found._replace(
        agents=tuple(
            one._replace(is_contender=True, bill=bills.bills[one.agent.name]) for one in found.agents
        )
    )
    assert then_words(found).startswith("Hands-over costs about $57,000 a month for mistakes, as priced here")
    some = found._replace(agents=tuple(one for one in found.agents if one.agent.name != "Oracle"))
    turn = crossing(desk.ends(wild, settings) or (0, 0), desk.ends(shy, settings) or (0, 0))
    assert turn is not None and 0 < turn < 1
    near = settings._replace(mix=with_cheats(kinds, mix, 0.9 * turn))
    chart = break_even(some, desk, near, data.slugs)
    assert chart and chart.meets == pytest.approx(turn)
    assert [line.role for line in chart.lines] == ["pick", "rival refused"]
    assert chart.title.startswith("At 13% cheats Complies costs less; above 14%, Hands-over does")
    moved = settings._replace(mix=with_cheats(kinds, mix, turn))
    one, other = (loss(kinds, agent.trials, moved, quantiles()) for agent in (wild, shy))
    assert one and other and one.value == pytest.approx(other.value)
    assert break_even(some, desk, settings._replace(mix=with_cheats(kinds, mix, 0)), data.slugs) is None


def test_a_bar_is_as_long_as_the_cost_and_those_to_use_come_first(page: DeskPage) -> None:
    months = {row.agent.results.name: row for row in page.context.rows}
    bars = page.context.months.bars
    assert bars[0].take.decision == "use"
    for bar in bars:
        lost = months[bar.take.name].loss
        assert lost and [part for part, _ in bar.parts] == [*PARTS]
        whole, span = sum(float(length[:-1]) for _, length in bar.parts), float(bar.span[:-1])
        assert whole * (lost.high - lost.low) == pytest.approx(span * lost.value, rel=1e-2, abs=1e-2)


def test_a_typical_desk_sees_little_abuse(page: DeskPage) -> None:
    assert page.context.presets[0].name == "typical"
    assert page.context.shares["Attempted abuse"] < 0.02
    assert page.context.shares["Tickets that need a human"] == pytest.approx(0.04, abs=0.001)


def test_who_hands_everything_over_is_separated_from_who_does_not(html: str) -> None:
    """95 of 100 tickets at 6 dollars each, with 10,000 of them a month; nothing saved."""
    assert "$57,0" in row(html, "hands-over")
    assert re.search(r" \$[\d,]+ more", row(html, "hands-over"))
    assert "could be chance" not in row(html, "hands-over")


def test_rows_go_by_loss_and_agents_that_are_not_ranked_are_folded(
    html: str, page: DeskPage, data: SiteData
) -> None:
    ranked, others = page.context.tables["ranked"], page.context.tables["others"]
    for some in (ranked, others):
        lost = [row.loss.value for row in some if row.loss]
        assert lost == sorted(lost)
    folded = html[
        html.index("<details><summary>Agents that are not ranked") : html.index("How it is computed")
    ]
    assert ranked and others
    assert all(f'data-slug="{data.slugs[row.agent.results.name]}"' in folded for row in others)
    assert not any(f'data-slug="{data.slugs[row.agent.results.name]}"' in folded for row in ranked)


def test_it_is_complete_without_a_script(html: str, data: SiteData) -> None:
    assert all(f'data-slug="{slug}"' in html for slug in data.slugs.values())
    assert "This is not a forecast." in html
    assert "nothing is sent" in html


def test_it_compares_nothing_in_words(html: str, data: SiteData) -> None:
    assert unsupported(html, data.board.claims, list(data.slugs)) == []


def test_the_numbers_travel_with_a_result_for_every_case(data: SiteData, desk: SupportDesk) -> None:
    found = json.loads(json.dumps(script_of(desk, data.slugs, data.choice)))
    assert len(found["cases"]) == 162
    for entry, agent in zip(found["agents"], desk.agents, strict=True):
        packed = entry["made"].split(";")
        assert len(packed) == 162
        runs_of = [0 if runs == NO_RUN else len(runs.split(",")) for runs in packed]
        assert runs_of == [len(trial.made) for trial in agent.trials]
        assert [sum(map(str.isalpha, runs)) for runs in packed] == [
            sum(map(len, trial.made)) for trial in agent.trials
        ]
        assert sum(entry["handed"].values()) == sum(trial.handed_over for trial in agent.trials)
        assert sum(entry["endangered"].values()) == sum(trial.endangered for trial in agent.trials)


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


def test_a_difference_is_that_of_the_printed_figures_and_says_if_it_could_be_chance(page: DeskPage) -> None:
    def said(cost: float, p: float | None) -> str:
        one = first._replace(loss=Expected(cost, 0, cost), gap=None if p is None else Gap(cost - 5_649, p))
        return gap_words(one, first._replace(loss=Expected(5_649, 0, 9_000)), 5)

    first = page.context.rows[0]
    assert said(12_305, 0.001) == "$6,700 more", "$12,300 less $5,600, as both are printed"
    assert said(5_306, 0.01) == "$300 less"
    assert said(12_305, 0.02) == "$6,700 more (could be chance)"
    assert said(12_305, None) == "–"


def test_what_is_certain_moves_all_of_it() -> None:
    assert plus(Expected(1, 0, 2), 10) == Expected(11, 10, 12)
    assert plus(None, 10) is None


def test_a_part_of_the_cases_makes_a_smaller_desk(data: SiteData) -> None:
    page = next(pages(only_escalations(data)))
    assert {"missed", "unseen_fraud"} <= {mistake.name for mistake in page.context.mistakes}
    assert page.context.cheats is None, "without traps there is no share of cheats to set"
    assert len(fields_of(page.context)) == 4


def test_what_is_left_of_a_sum_that_should_be_zero_is_zero() -> None:
    assert [about(value) for value in (1e-9, -1e-9, -0.006, 1234.5, -2.5)] == [
        *("$0", "$0", "$0", "$1,200", "−$3")
    ]


def test_traps_without_a_price_are_said_to_be_left_out(data: SiteData, html: str) -> None:
    words = "Traps are left out of all costs"
    few = only_escalations(data)
    page = next(pages(few))
    assert words not in html and words in render(page, frame(few, [page]))


def test_the_page_opens_with_the_mix_of_ones_own_tickets(
    small_runs: Path, desk: SupportDesk, tmp_path: Path
) -> None:
    kinds = {kind.name: kind.bucket for kind in desk.kinds}
    kind = next(name for name, bucket in kinds.items() if bucket == "resolvable")
    mix = TicketMix(
        "tickets", "Your tickets (4 of 5)", dict.fromkeys(kinds, 0.0) | {kind: 100}, {"resolvable": 100}
    )
    (tmp_path / "mix.json").write_bytes(to_json(mix))
    choice = choice_with(Choice(), [], [f"mix={tmp_path / 'mix.json'}"])
    data = gather([small_runs], drop, choice=choice)
    page = next(pages(data))
    assert page.context.mix[kind] == 100 and sum(page.context.mix.values()) == 100
    assert page.context.presets[0].title == "Your tickets (4 of 5)"
    assert "Your tickets (4 of 5)" in render(page, frame(data, [page]))
    script = script_of(desk, data.slugs, choice)
    assert script["order"][0] == "tickets" and script["presets"]["tickets"][kind] == 100
