"""Headers, conversations and judgements from strangers: the code's own opinion stands, and no traceback.

Attack → before → now:

- Judgements on file in the name of the rule judge (board, site) → they replaced its own → ignored, and said.
- A pattern in a header or a label that needs years to match (board, show, site build, site verify) → the
  command never ended → one sentence that names the conversation and the pattern.
- A pattern that is none, a tool's name that is a pattern (all of them) → traceback, or never ended → one
  sentence; a tool's name is a name.
- A label with an act or a rule that the header does not have, a time in the year 10^290, a number of goods
  that is "", and other edits that the reader accepted (board, show, site build) → traceback → refused on
  reading, or one sentence. `mutations.py` edits every field so; `bench/fuzz.py` tries many more of them.
- An agent of one's own under the name of one that ships with the package → ranked under it → refused.
- A conversation that takes forever to score for any other reason → the command never ended → one sentence.
"""

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from commands import sab
from filed import FEW, failed, file_run, solved
from mutations import COMMANDS, MutatedRun, sample
from supportagentbench.records.judgement import RULE_JUDGE, Judgement, Opinion
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.results import load
from supportagentbench.results.load import load_run
from supportagentbench.storage.archive import read_judgements
from supportagentbench.storage.transcripts import Filed


def in_the_name_of_the_rule_judge(filed: Filed) -> tuple[Judgement, ...]:
    """Everything was kept, says a stranger, under two versions, each with more lines than conversations."""
    kept = tuple(Opinion(rule, True) for rule in ("resolution", "sentiment", "A1", "D1", "P1"))
    return tuple(
        Judgement(filed.digest, RULE_JUDGE, version, kept, sample)
        for version in ("forged", "")
        for sample in range(3)
    )


@pytest.fixture
def forged(tmp_path: Path) -> Path:
    return file_run(tmp_path / "runs", "steady", 1, map(failed, FEW), in_the_name_of_the_rule_judge)


def test_the_rule_judge_is_never_read_from_a_file(forged: Path, tmp_path: Path) -> None:
    genuine = file_run(tmp_path / "genuine", "steady", 1, map(failed, FEW))
    assert (forged / "judgements.jsonl").read_bytes().count(b"\n") == 6 * len(FEW)
    assert read_judgements(forged) == []
    assert load_run(forged).judgements == load_run(genuine).judgements


@pytest.mark.parametrize("command", ["board", "site"])
def test_judgements_in_its_name_are_reported_once(forged: Path, tmp_path: Path, command: str) -> None:
    site = tmp_path / "site"
    done = sab("board", forged) if command == "board" else sab("site", "build", forged, "-o", site)
    assert done.returncode == 0
    assert done.stderr.count(f"{6 * len(FEW)} judgements in the name of the rule judge ignored") == 1


Edit = Callable[[Any], None]


def edited(folder: Path, header: Edit | None = None, transcripts: Edit | None = None) -> Path:
    """A run whose header and conversations somebody edited; digests fit."""
    path, lines = folder / "run.json", folder / "transcripts.jsonl"
    content = json.loads(path.read_bytes())
    if header:
        header(content)
    path.write_text(json.dumps(content))
    if transcripts:
        found = [json.loads(line) for line in lines.read_bytes().splitlines()]
        for one in found:
            transcripts(one["transcript"])
            one["digest"] = digest(json.dumps(one["transcript"], separators=(",", ":")).encode())
        lines.write_text("".join(json.dumps(one, separators=(",", ":")) + "\n" for one in found))
    return folder


def heard_by_verb(wording: str) -> Edit:
    return lambda header: header["vocabulary"]["verbs"][0]["heard"].update(en=[wording])


def told(wording: str) -> Edit:
    statement = {"about": "anything", "says": ["fine"], "denies": [wording]}
    return lambda transcript: transcript["label"].update(
        outcomes=[{"tells": [statement]}], bans=[], handover="forbidden"
    )


NEVER_ENDS, NO_PATTERN = r"(\w+\w+)+!", r"\w+("


@pytest.mark.parametrize("wording", [NEVER_ENDS, NO_PATTERN])
@pytest.mark.parametrize("place", [heard_by_verb, told])
def test_a_pattern_that_never_ends_is_refused(
    tmp_path: Path, place: Callable[[str], Edit], wording: str
) -> None:
    run = file_run(tmp_path / "runs", "steady", 1, map(solved, FEW))
    edit = place(wording)
    edited(run, None, edit) if place is told else edited(run, edit)
    started = time.process_time()
    with pytest.raises(
        Problem, match=r"damaged_no_proof-1 cannot be scored: the wording .* cannot be used"
    ) as one:
        load_run(run)
    assert (one.value.place, one.value.line) == (run / "transcripts.jsonl", 1)
    assert time.process_time() - started < 5
    site, shown = sab("site", "build", run, "-o", tmp_path / "site"), sab("show", run, "tracking-1")
    assert (site.returncode, shown.returncode) == (2, 2)
    assert "Traceback" not in site.stderr + shown.stderr


@pytest.mark.parametrize("name", ["(x+x+)+y_", "x_("])
def test_a_tool_is_no_pattern(tmp_path: Path, name: str) -> None:
    run = file_run(tmp_path / "runs", "steady", 1, map(solved, FEW))
    edited(run, lambda header: header["vocabulary"]["lookups"].append(name))
    started = time.process_time()
    assert len(load_run(run).verdicts) == len(FEW)
    assert time.process_time() - started < 5


def test_no_conversation_takes_forever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(filed: Filed, header: object) -> None:
        while filed:
            pass

    run = file_run(tmp_path / "runs", "steady", 1, map(solved, FEW))
    monkeypatch.setattr(load, "LONGEST_SCORING", 0.2)
    monkeypatch.setattr(load, "score_conversation", endless)
    with pytest.raises(Problem, match=r"more than 0\.2 s"):
        load_run(run)


FIELDS: dict[str, tuple[Edit | None, Edit | None]] = {
    "no look-up decides": (
        None,
        lambda talk: talk["label"].update(beyond=[{"act": "cancel_order", "lookups": ["nothing"]}]),
    ),
    "nothing is decided": (
        None,
        lambda talk: talk["label"].update(beyond=[{"act": "nothing", "lookups": []}]),
    ),
    "a ban on no act": (None, lambda talk: talk["label"].update(bans=[{"act": "nothing", "rules": []}])),
    "a ban by no rule": (
        None,
        lambda talk: talk["label"].update(bans=[{"act": "cancel_order", "rules": ["Z99"]}]),
    ),
    "a temptation to no act": (None, lambda talk: talk["label"].update(temptation="nothing")),
    "no turns": (None, lambda talk: talk.update(turns=[])),
    "a mood of 9": (None, lambda talk: talk["turns"][0].update(conduct={"moves": [], "mood": 9})),
    "minus one token": (
        None,
        lambda talk: talk["turns"][1].update(usage=[{"model": "m", "input": -1}]),
    ),
    "a refused call in turn 99": (
        None,
        lambda talk: talk.update(refused=[{"turn": 99, "tool": "x", "arguments": {}, "why": "late"}]),
    ),
    "no verbs": (lambda header: header["vocabulary"].update(verbs=[]), None),
    "no rules": (lambda header: header.update(rules=[]), None),
    "a rule that requires no act": (
        lambda header: header["rules"][0].update(requires=["nothing"]),
        None,
    ),
    "an act equivalent to none": (
        lambda header: header["vocabulary"]["verbs"][0].update(kin=["nothing"]),
        None,
    ),
    "a case twice": (lambda header: header["cases"].append(header["cases"][0]), None),
    "the name of a dummy": (lambda header: header.update(agent="silent", version={"prompt": "1"}), None),
    "a mix of no tickets": (
        lambda header: header["vocabulary"]["mixes"][0].update(shares={"adversarial": 0, "resolvable": 0}),
        None,
    ),
    "a mix of almost none": (
        lambda header: header["vocabulary"]["mixes"][0].update(raised={"tracking": 5e-324}),
        None,
    ),
    "endless harm": (lambda header: header["vocabulary"]["harms"][0].update(dollars=1e300), None),
}


@pytest.mark.parametrize("field", FIELDS)
def test_what_does_not_fit_is_refused_when_it_is_read(tmp_path: Path, field: str) -> None:
    run = edited(file_run(tmp_path / "runs", "steady", 1, map(failed, FEW)), *FIELDS[field])
    with pytest.raises(Problem) as refused:
        load_run(run)
    assert refused.value.place in (run / "run.json", run / "transcripts.jsonl")
    assert "hold together" not in refused.value.sentence


def test_a_time_beyond_all_calendars_is_refused(tmp_path: Path) -> None:
    run = file_run(tmp_path / "runs", "steady", 1, map(failed, FEW))
    path = run / "transcripts.jsonl"
    whole = path.read_bytes()
    path.write_bytes(re.sub(rb'"started":[\d.]+', b'"started":1e300', whole, count=1))
    assert path.read_bytes() != whole
    with pytest.raises(Problem, match="started") as refused:
        load_run(run)
    assert (refused.value.place, refused.value.line) == (path, 1)


def test_no_edit_of_a_field_ends_in_a_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few of the edits that `bench/fuzz.py` makes by the thousand, before a few of the commands."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    run = MutatedRun(tmp_path)
    records, random, accepted = run.records(), Random(5), 0
    for name, mutation in sample(run, random, 120):
        run.put(name, mutation.of(records[name]))
        if run.is_accepted():
            accepted += 1
            assert [*run.tracebacks(random.sample(sorted(COMMANDS), 2))] == [], f"{name}: {mutation}"
    assert accepted > 20
