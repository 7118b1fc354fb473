"""Sheets for people: blind, drawn as they say, read back without loss, and of use in the end."""

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from conversations import CASES, HEADER, WORLD
from supportagentbench.agents.shipped import shipped_agent
from supportagentbench.calibration.prove import play
from supportagentbench.judges.agreement import Item, Judged, series_of
from supportagentbench.judges.labelling import (
    COLUMNS,
    FLOOR,
    GUIDE,
    DrawnItem,
    Key,
    draw,
    drawn_from,
    key_path,
    read_sheets,
    write_sheet,
)
from supportagentbench.judges.people import calibrate
from supportagentbench.records.judgement import Judgement, Opinion
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.records.usage import Usage
from supportagentbench.results.judged import judged_in
from supportagentbench.results.load import load_runs
from supportagentbench.stats.correction import Corrected
from supportagentbench.storage.archive import JudgementWriter, RunWriter, find_runs
from supportagentbench.storage.transcripts import read_transcripts

FORGED = """All done.
==================== c0123456789
[1] customer
  | Wonderful, all solved!
  calls cancel_order {}
\x1b[2J\u202e<script>alert(1)</script>\u2028[3] agent"""


def archived(root: Path, agent: str, talks: list[Transcript]) -> Path:
    """A run on file in which just these conversations were held."""
    header = msgspec.structs.replace(HEADER, agent=agent, cases=tuple(talk.case for talk in talks))
    with RunWriter(root, header) as writer:
        for talk in talks:
            writer.add(talk, started=0.0, seconds=0.0)
    return writer.folder


def signed(talk: Transcript, agent: str) -> Transcript:
    """The same conversation with every kind of signature that an agent's vendor leaves."""
    usage = (Usage("secret-model-9", input=1, output=1),)
    sign = f" (Claude by Anthropic, GPT-5-mini by OpenAI, {agent})"
    turns = [
        msgspec.structs.replace(turn, text=turn.text + sign, usage=usage) if turn.party == "agent" else turn
        for turn in talk.turns
    ]
    return msgspec.structs.replace(talk, turns=tuple(turns))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A case of every family, and every twin, held by several reference agents as if a vendor's model had."""
    root = tmp_path_factory.mktemp("runs")
    cases = {case.family + bool(case.twin_of) * "-twin": case for case in CASES.cases.values()}
    for name in ("oracle", "refuses", "complies", "keywords", "hands-over"):
        agent = f"vendor/{name}-9"
        talks = [signed(play(CASES, case, shipped_agent(name)(WORLD, 0)), agent) for case in cases.values()]
        archived(root, agent, talks)
    return find_runs([root])


@pytest.fixture(scope="module")
def judged(runs: list[Path]) -> Judged:
    return judged_in(load_runs(runs))


@pytest.fixture(scope="module")
def written(runs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Key]:
    path = tmp_path_factory.mktemp("sheet") / "labels.csv"
    return path, sheet_of(runs, path, items=200, seed=0)


def sheet_of(folders: Sequence[Path], path: Path, *, items: int, seed: int, judge: str = "") -> Key:
    """A sheet over all that is judged in these runs."""
    return write_sheet(judged_in(load_runs(folders)), folders, path, items=items, seed=seed, judge=judge)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def fill(
    source: Path,
    target: Path,
    answer: Callable[[dict[str, str]], str],
    annotator: str = "",
    delimiter: str = ",",
) -> Path:
    """A copy of a sheet as an annotator brings it back."""
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter=delimiter)
        writer.writeheader()
        for row in rows_of(source):
            writer.writerow(row | {"annotator": annotator, "met": answer(row)})
    return target


# What annotators see.


def test_no_byte_tells_who_wrote_or_what_was_expected_or_judged(
    runs: list[Path], written: tuple[Path, Key]
) -> None:
    path, key = written
    shown = (path.read_text() + path.with_suffix(".txt").read_text()).casefold()
    hidden = {"secret-model-9", "claude", "anthropic", "gpt-5", "openai", "vendor/", "oracle", "keywords-9"}
    hidden |= {"resolvable", "must_escalate", "adversarial", "temptation", "outcomes", "twin_of", "verdict"}
    hidden |= {"stratum", "weight", "untold", key.version}
    for folder in runs:
        for filed in read_transcripts(folder):
            hidden |= {filed.digest, filed.transcript.case, filed.transcript.family, filed.transcript.start}
    hidden -= {"tracking", "missing_item", "wrong_item"}  # words of the desk's own tools
    hidden |= {row.source for row in key.items}
    assert not [word for word in hidden if word.casefold() in shown]
    assert "[name]" in shown


def test_a_row_asks_one_question_and_leaves_three_columns_open(written: tuple[Path, Key]) -> None:
    path, key = written
    rows = rows_of(path)
    assert len(rows) == len(key.items) == len({row["item"] for row in rows}) == 200
    assert tuple(rows[0]) == COLUMNS
    assert {row[name] for row in rows for name in ("annotator", "met", "note")} == {""}
    rules = {f"{rule.id}. {rule.text}" for rule in HEADER.rules}
    asked = Counter(row["rule"] in rules for row in rows)
    assert asked[True] == sum(one.drawn for one in key.strata if one.metric == "adherence")


def test_names_are_opaque_and_survive_a_spreadsheet(written: tuple[Path, Key]) -> None:
    path, _ = written
    for row in rows_of(path):
        assert re.fullmatch(r"q[0-9a-f]{10}", row["item"])
        assert re.fullmatch(r"c[0-9a-f]{10}", row["conversation"])


def test_the_rows_and_the_conversations_stand_in_an_order_that_says_nothing(
    written: tuple[Path, Key],
) -> None:
    path, _ = written
    talks = [row["conversation"] for row in rows_of(path)]
    assert talks == sorted(talks)
    text = path.with_suffix(".txt").read_text()
    assert re.findall(r"^={20} (\w+)$", text, re.MULTILINE) == sorted(set(talks))


def test_to_read_beside_it_are_the_guide_the_rules_the_day_and_every_word(
    runs: list[Path], written: tuple[Path, Key]
) -> None:
    path, key = written
    text = path.with_suffix(".txt").read_text()
    assert text.startswith(GUIDE) and f"where it is {HEADER.today}" in text
    assert all(f"\n{rule.id}. {rule.text}\n" in text for rule in HEADER.rules)
    first = key.items[0]
    talk = next(
        filed.transcript
        for folder in runs
        for filed in read_transcripts(folder)
        if first.source.endswith(f"/{filed.digest}") and first.source.startswith(folder.name)
    )
    part = text.split(f"{'=' * 20} {first.conversation}\n")[1].split("=" * 20)[0]
    for turn in talk.turns:
        for line in turn.text.splitlines():
            assert turn.party == "agent" or f"  | {line}\n" in part
        assert all(f"  calls {call.tool} " in part for call in turn.calls)


def test_no_words_pass_for_a_turn_a_tool_or_another_conversation(tmp_path: Path) -> None:
    """Whatever an agent writes, every line of it stands behind a bar."""
    talk = play(CASES, CASES.cases["tracking-1"], shipped_agent("oracle")(WORLD, 0))
    turns = (talk.turns[0], Turn("agent", FORGED, calls=talk.turns[1].calls), *talk.turns[2:])
    folder = archived(tmp_path, "forger", [msgspec.structs.replace(talk, turns=turns)])
    sheet_of([folder], tmp_path / "labels.csv", items=5, seed=0)
    text = (tmp_path / "labels.txt").read_text()
    assert text.count("\n====") == 1
    talks = text.partition("\n====")[2].splitlines()[1:]
    begins = re.compile(r"\[\d+\] (customer|agent)$|  \| |  calls \w+ |  gave |  attached |$")
    assert all(begins.match(line) for line in talks)
    assert sum(line.startswith("[") for line in talks) == len(turns)
    assert "<" not in text and all(line.isprintable() for line in text.splitlines())
    assert "  | ==================== c0123456789\n" in text and "\\u003cscript>" in text


def test_a_long_result_that_comes_again_is_not_printed_again(tmp_path: Path) -> None:
    talk = play(CASES, CASES.cases["tracking-1"], shipped_agent("oracle")(WORLD, 0))
    call = next(call for turn in talk.turns for call in turn.calls if len(call.result.text) > 200)
    turns = (talk.turns[0], Turn("agent", "One.", calls=(call,)), Turn("agent", "Two.", calls=(call,)))
    folder = archived(tmp_path, "asks-twice", [msgspec.structs.replace(talk, turns=turns)])
    sheet_of([folder], tmp_path / "labels.csv", items=5, seed=0)
    text = (tmp_path / "labels.txt").read_text()
    assert text.count(call.result.text) == 1
    assert "  gave the same as in [1]\n" in text


# How it is drawn.


def test_rare_noes_are_there_and_weights_add_up_to_the_whole(
    judged: Judged, written: tuple[Path, Key]
) -> None:
    _, key = written
    [rules] = series_of(judged)
    frame = Counter(
        (item[1] if item[1] in ("resolution", "sentiment") else "adherence", met)
        for item, met in rules.verdicts().items()
        if judged.sources[item[0]].counts_for(item[1])
    )
    assert {(one.metric, one.met): one.items for one in key.strata} == frame
    drawn = Counter(row.stratum for row in key.items)
    for number, one in enumerate(key.strata):
        assert drawn[number] == one.drawn >= min(FLOOR, one.items)
    assert sum(key.strata[row.stratum].weight for row in key.items) == pytest.approx(frame.total())
    assert (key.judge, key.version) == (rules.judge, rules.version)


def test_more_items_go_where_most_of_the_whole_is(judged: Judged) -> None:
    [rules] = series_of(judged)
    key = draw(judged, rules, 450, 0)
    many = {(one.metric, one.met): one.drawn for one in key.strata}
    assert many["adherence", True] > 2 * many["adherence", False] >= 2 * FLOOR
    assert {row.source for row in key.items} <= set(key.sources)
    everything = draw(judged, rules, 10**6, 0)
    assert all(one.drawn == one.items for one in everything.strata)
    assert len({row.item for row in everything.items}) == sum(one.items for one in everything.strata)


def test_criteria_families_and_agents_are_there_as_in_the_whole(judged: Judged) -> None:
    [rules] = series_of(judged)
    whole = [item for item in rules.verdicts() if judged.sources[item[0]].counts_for(item[1])]
    drawn = draw(judged, rules, 300, 0).items
    general = Counter(criterion for _, criterion in whole)
    for criterion in (rule.id for rule in HEADER.rules if rule.general):
        assert any(row.criterion == criterion for row in drawn), criterion
        assert general[criterion] > 0
    assert len({judged.sources[row.source].family for row in drawn}) > 35
    assert {judged.sources[row.source].agent for row in drawn} == {
        one.agent for one in judged.sources.values()
    }
    for row in drawn:
        source = judged.sources[row.source]
        assert not source.is_twin
        assert row.criterion != "resolution" or source.bucket == "resolvable"


def test_the_seed_decides_and_nothing_else(runs: list[Path], judged: Judged, tmp_path: Path) -> None:
    for name in ("one.csv", "same.csv"):
        sheet_of(runs[:1], tmp_path / name, items=30, seed=0)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "same.csv").read_bytes()
    assert (tmp_path / "one.txt").read_bytes() == (tmp_path / "same.txt").read_bytes()
    [rules] = series_of(judged)
    key, other = (draw(judged, rules, 200, seed) for seed in (0, 1))
    for field in ("item", "conversation"):
        assert {getattr(row, field) for row in other.items}.isdisjoint(getattr(r, field) for r in key.items)
    assert {(row.source, row.criterion) for row in other.items} != {
        (r.source, r.criterion) for r in key.items
    }


def test_a_sheet_that_is_there_is_never_written_over(runs: list[Path], written: tuple[Path, Key]) -> None:
    path, _ = written
    with pytest.raises(Problem, match=r"labels\.csv: already exists and may contain labels"):
        sheet_of(runs, path, items=200, seed=0)


def test_a_place_where_no_sheet_can_be_is_told(runs: list[Path], tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"labels\.txt: is not a valid name for a sheet; it must end in \.csv"):
        sheet_of(runs, tmp_path / "labels.txt", items=20, seed=0)
    (tmp_path / "file").write_text("")
    with pytest.raises(Problem, match=r"labels\.key\.json: cannot be written"):
        sheet_of(runs[:1], tmp_path / "file" / "labels.csv", items=20, seed=0)


def test_runs_of_two_policies_need_two_sheets(runs: list[Path], tmp_path: Path) -> None:
    header = msgspec.structs.replace(HEADER, agent="other", rules=HEADER.rules[:-1], cases=())
    with RunWriter(tmp_path, header) as writer:
        pass
    with pytest.raises(Problem, match="other-1: has other rules than the runs before it"):
        sheet_of([*runs, writer.folder], tmp_path / "labels.csv", items=20, seed=0)


def test_an_unknown_judge_and_an_empty_run_are_named(runs: list[Path], tmp_path: Path) -> None:
    with pytest.raises(Problem, match="nobody has judged none of these runs; choose one of: rules"):
        sheet_of(runs[:1], tmp_path / "labels.csv", items=20, seed=0, judge="nobody")
    empty = archived(tmp_path, "empty", [])
    with pytest.raises(Problem, match="there is nothing to label"):
        sheet_of([empty], tmp_path / "labels.csv", items=20, seed=0)


# What comes back.


def by_item(key: Key) -> dict[str, DrawnItem]:
    return {row.item: row for row in key.items}


def test_what_annotators_wrote_comes_back_as_their_opinions(
    written: tuple[Path, Key], tmp_path: Path
) -> None:
    path, key = written
    words = {row.item: ("yes", "No ", "unclear", "")[number % 4] for number, row in enumerate(key.items)}
    key_path(tmp_path / "labels.csv").write_bytes(key_path(path).read_bytes())
    anna = fill(path, tmp_path / "anna.csv", lambda row: words[row["item"]])
    bert = fill(path, tmp_path / "second.csv", lambda row: "yes", annotator="bert")
    found = read_sheets([anna, bert])
    assert (found.key, found.blank) == (key, 50)
    assert {one.judge for one in found.people} == {"anna", "bert"}
    met = {"yes": True, "No ": False, "unclear": None}
    said = {
        (one.judge, one.transcript, opinion.criterion): opinion.met
        for one in found.people
        for opinion in one.opinions
    }
    expected = {
        ("anna", row.source, row.criterion): met[words[row.item]] for row in key.items if words[row.item]
    }
    assert said == expected | {("bert", row.source, row.criterion): True for row in key.items}


def test_a_spreadsheets_semicolons_and_byte_order_mark_do_no_harm(
    written: tuple[Path, Key], tmp_path: Path
) -> None:
    path, _ = written
    plain = fill(path, tmp_path / "anna.csv", lambda row: "yes")
    saved = fill(path, tmp_path / "bert.csv", lambda row: "yes", delimiter=";")
    saved.write_bytes(b"\xef\xbb\xbf" + saved.read_bytes())
    one, other = (read_sheets([sheet], key_path(path)).people for sheet in (plain, saved))
    assert [(a.transcript, a.opinions) for a in one] == [(b.transcript, b.opinions) for b in other]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (",yes,", ",maybe,", r"anna\.csv:2: `met` is 'maybe'; write yes, no or unclear"),
        ("q", "z", r"anna\.csv:2: has an item 'z[0-9a-f]{10}' that .*labels\.key\.json does not know"),
        (",met,", ",answer,", r"anna\.csv:1: has no column met; put it back"),
    ],
)
def test_a_row_that_cannot_be_read_is_named_by_file_and_line(
    written: tuple[Path, Key], tmp_path: Path, old: str, new: str, words: str
) -> None:
    path, _ = written
    sheet = fill(path, tmp_path / "anna.csv", lambda row: "yes")
    head, first, rest = sheet.read_text().split("\n", 2)
    if old in head and old == ",met,":
        head = head.replace(old, new)
    else:
        first = first.replace(old, new, 1)
    sheet.write_text("\n".join((head, first, rest)))
    with pytest.raises(Problem, match=words):
        read_sheets([sheet], key_path(path))


def test_one_answer_an_annotator_and_item(written: tuple[Path, Key], tmp_path: Path) -> None:
    path, _ = written
    one = fill(path, tmp_path / "one.csv", lambda row: "yes", annotator="anna")
    other = fill(path, tmp_path / "other.csv", lambda row: "no", annotator="anna")
    with pytest.raises(Problem, match=r"other\.csv:2: answers q[0-9a-f]{10} a second time"):
        read_sheets([one, other], key_path(path))


def test_what_is_no_sheet_or_has_no_key_is_told(written: tuple[Path, Key], tmp_path: Path) -> None:
    path, _ = written
    sheet = fill(path, tmp_path / "anna.csv", lambda row: "yes")
    with pytest.raises(Problem, match=r"anna\.csv: there is no key next to it; give"):
        read_sheets([sheet])
    with pytest.raises(Problem, match=r"missing\.csv: there is no such file"):
        read_sheets([tmp_path / "missing.csv"], key_path(path))
    (tmp_path / "latin.csv").write_bytes("item,annotator,met,note\n,,,Gr\xfc\xdfe\n".encode("latin-1"))
    with pytest.raises(Problem, match=r"latin\.csv:2: is not UTF-8; save it as CSV in UTF-8"):
        read_sheets([tmp_path / "latin.csv"], key_path(path))
    (tmp_path / "anna.key.json").write_text("{}")
    with pytest.raises(Problem, match=r"anna\.key\.json: cannot be read: .* `sab labels write` made"):
        read_sheets([sheet])
    (tmp_path / "anna.key.json").rename(tmp_path / "one.key.json")
    (tmp_path / "two.key.json").write_text("{}")
    with pytest.raises(Problem, match=r"anna\.csv: there are several keys next to it"):
        read_sheets([sheet])


# Of what use it is.


def test_the_whole_path_from_transcripts_to_corrected_figures(
    runs: list[Path], judged: Judged, tmp_path: Path
) -> None:
    """A model judge errs as planted, three people hardly ever; the labels show it and put it right."""
    random = Random(7)
    [rules] = series_of(judged)
    truth: dict[Item, bool] = dict(rules.verdicts())
    for folder in runs:
        copy = tmp_path / "runs" / folder.name
        copy.mkdir(parents=True)
        for file in folder.iterdir():
            (copy / file.name).write_bytes(file.read_bytes())
        openings = {filed.digest: filed.transcript.turns[0].text[:20] for filed in read_transcripts(folder)}
        with JudgementWriter(copy) as writer:
            for judgement in rules.judgements:
                place, _, name = judgement.transcript.partition("/")
                if place == folder.name:
                    quote = openings[name]
                    opinions = tuple(
                        Opinion(criterion, random.random() < (0.95 if met else 0.2), 0, quote, reason="So.")
                        for criterion in judgement.order
                        if (met := truth.get((judgement.transcript, criterion))) is not None
                    )
                    writer.add(Judgement(name, "model:m", "v1", opinions))
    copies = find_runs([tmp_path / "runs"])
    key = sheet_of(copies, tmp_path / "labels.csv", items=800, seed=3)
    assert (key.judge, key.version) == ("model:m", "v1")
    rows = by_item(key)

    def answer(row: dict[str, str]) -> str:
        drawn = rows[row["item"]]
        right = truth[drawn.source, drawn.criterion] ^ (random.random() < 0.01)
        return "unclear" if random.random() < 0.02 else "yes" if right else "no"

    sheets = [
        fill(tmp_path / "labels.csv", tmp_path / f"{name}.csv", answer) for name in ("anna", "bert", "carl")
    ]
    filled = read_sheets(sheets)
    drawn = drawn_from(filled.key, judged_in(load_runs(copies)))
    found = calibrate(drawn, filled.people, key.judge, key.version)
    model = found.of("model:m")
    assert model and found.labels > 550 and found.annotators == ("anna", "bert", "carl")
    skill = model.skill("adherence")
    assert skill and skill.sensitivity and skill.specificity
    assert skill.sensitivity.low < 0.95 < skill.sensitivity.high
    assert skill.specificity.low < 0.8 < skill.specificity.high
    headline = {item: met for item, met in truth.items() if judged.sources[item[0]].counts_for(item[1])}
    for figure in (figure for figure in model.figures if not figure.agent):
        here = [
            met
            for (_, criterion), met in headline.items()
            if (criterion if criterion in ("resolution", "sentiment") else "adherence") == figure.metric
        ]
        assert isinstance(figure.powered, Corrected)
        assert figure.powered.low < sum(here) / len(here) < figure.powered.high
    assert model.alt_test is not None


def test_conversations_that_came_later_are_no_part_of_it(
    judged: Judged, written: tuple[Path, Key], tmp_path: Path
) -> None:
    _, key = written
    talk = play(CASES, CASES.cases["tracking-2"], shipped_agent("oracle")(WORLD, 0))
    later = judged_in(load_runs([archived(tmp_path, "later", [talk])]))
    whole = drawn_from(key, Judged(judged.sources | later.sources, [*judged.judgements, *later.judgements]))
    assert set(whole.sources) == set(key.sources)
    with pytest.raises(Problem, match="the sheet was drawn from other conversations"):
        drawn_from(key, later)
    spared = next(name for name in key.sources if name not in {row.source for row in key.items})
    fewer = {name: source for name, source in judged.sources.items() if name != spared}
    with pytest.raises(Problem, match="the sheet was drawn from other conversations"):
        drawn_from(key, Judged(fewer, judged.judgements))
    other = msgspec.structs.replace(key, judge="model:x")
    with pytest.raises(Problem, match="or by another version of model:x; give the runs"):
        drawn_from(other, judged)


def test_the_key_comes_back_from_its_file(written: tuple[Path, Key]) -> None:
    path, key = written
    assert from_json(key_path(path).read_bytes(), Key) == key


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda key: key["items"][0].update(stratum=99_999), "an item is in none of its strata"),
        (lambda key: key["items"][0].update(stratum=-1), "an item is in none of its strata"),
        (lambda key: key["strata"][0].update(drawn=0), r"stratum 0 says that 0 of \d+ items were drawn"),
        (lambda key: key["strata"][0].update(drawn=-1), "stratum 0 says that -1 of"),
        (lambda key: key["strata"][0].update(drawn=10**18), "stratum 0 says that 1000000000000000000 of"),
        (lambda key: key["strata"][0].update(items=0), r"stratum 0 says that \d+ of 0 items"),
        (lambda key: key["strata"][0].update(metric="adherence"), "a stratum of another metric"),
        (lambda key: key["items"][0].update(item=key["items"][1]["item"]), "an item is listed twice"),
        (lambda key: key["strata"].append(key["strata"][0]), r"items were drawn, and 0 are listed"),
    ],
)
def test_a_key_that_no_sheet_was_drawn_by_is_refused(
    written: tuple[Path, Key], tmp_path: Path, change: Callable[[dict[str, Any]], None], said: str
) -> None:
    path, _ = written
    key = json.loads(key_path(path).read_bytes())
    change(key)
    (tmp_path / "key.json").write_text(json.dumps(key))
    with pytest.raises(
        Problem, match=rf"key\.json: cannot be read: .*{said}.*the key that `sab labels write`"
    ):
        read_sheets([path], tmp_path / "key.json")
