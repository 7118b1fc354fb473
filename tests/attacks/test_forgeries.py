"""A publisher changes conversations and makes digests and pages fit: `sab site verify` names each."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from shutil import copytree, rmtree
from time import time
from typing import Any

import pytest
from msgspec import Raw
from msgspec.structs import replace

from commands import sab
from forged import MODEL, SET, Forgery, forged, model_run, of_agent, of_customer
from recorded import made_once
from supportagentbench.board.standings import make_board
from supportagentbench.jobs.cost_audit import CostAudit, audit_costs
from supportagentbench.jobs.secret import Secret
from supportagentbench.jobs.site import SiteVerification, build_site, verify_site
from supportagentbench.jobs.verification import verifications_of
from supportagentbench.models.prices import dollars
from supportagentbench.records.judgement import Judgement, Opinion
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
from supportagentbench.records.transcript import (
    Attachment,
    Cause,
    Ending,
    RefusedCall,
    ToolCall,
    ToolResult,
    Transcript,
    Turn,
)
from supportagentbench.records.usage import Usage
from supportagentbench.results.load import load_run
from supportagentbench.runner.conversation import INTERRUPTED
from supportagentbench.site.build import Extras
from supportagentbench.site.data.site_data import Kept
from supportagentbench.site.manifest import Manifest
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.record_file import read_record
from supportagentbench.world.seed import new_private_seed

CHOSEN = "sold run 1: 4 of the 180 cases were run, chosen by name."

OPENING = Attachment("proof.jpg", "photo", "a broken wheel")


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789-secret")


@pytest.fixture(scope="module")
def shipped() -> Path:
    """A run of an agent that comes with the package and grants everything."""
    return made_once("forged-shipped", lambda out: sab("run", "complies", "--set", SET, "--out", out))


@pytest.fixture(scope="module")
def genuine(shipped: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same run under a name of its own: an agent whose words nobody can derive."""
    return forged(shipped / "complies-1", tmp_path_factory.mktemp("genuine") / "sold-1", agent="sold")


def published(run: Path, out: Path, **extras: Any) -> SiteVerification:
    """What is found in the site of a run, or of a folder of runs."""
    build_site([run], out, extras=Extras(**extras))
    return verify_site(out)


def test_a_genuine_site_passes(genuine: Path, tmp_path: Path) -> None:
    found = published(genuine, tmp_path / "site")
    assert (found.differences, found.notes, found.derived, found.left_out) == ([], [CHOSEN], 4, 0)


def _without_writes(turn: Turn) -> Turn:
    return replace(turn, calls=tuple(call for call in turn.calls if not call.result.wrote))


def _another_result(turn: Turn) -> Turn:
    calls = [
        replace(call, result=replace(call.result, written=Raw(b'{"status":"lost"}'))) for call in turn.calls
    ]
    return replace(turn, calls=tuple(calls))


def _an_invented_call(turn: Turn) -> Turn:
    return replace(turn, calls=(ToolCall("find_order", {"order": "#1"}, ToolResult.of({})), *turn.calls))


def _with_conduct(**changed: Any) -> Callable[[Turn], Turn]:
    def change(turn: Turn) -> Turn:
        assert turn.conduct
        return replace(turn, conduct=replace(turn.conduct, **changed))

    return change


def _opening(**changed: Any) -> Forgery:
    return lambda one: replace(one, turns=(replace(one.turns[0], **changed), *one.turns[1:]))


def _cut_short(one: Transcript) -> Transcript:
    return replace(one, turns=one.turns[:2], ending=Ending("turn_limit"))


def _refused(one: Transcript) -> Transcript:
    return replace(one, refused=(RefusedCall(0, "reship", {}, "late"),))


def _broken(cause: Cause, detail: str = "503: overloaded") -> Forgery:
    """Broken off in the first reply, before anything was done."""

    def change(one: Transcript) -> Transcript:
        return replace(one, turns=(one.turns[0], Turn("agent", "")), ending=Ending("broke", cause, detail))

    return change


def _interrupted(one: Transcript) -> Transcript:
    """Interrupted with the calls of the first reply made, whether or not one of them was unsafe."""
    begun = replace(one.turns[1], text="")
    return replace(one, turns=(one.turns[0], begun), ending=INTERRUPTED)


FORGERIES: dict[str, tuple[Forgery, str]] = {
    "a provider failed": (
        _broken("provider_error"),
        "ends as provider_error, and its agent asks no model",
    ),
    "a provider was late": (_broken("time_out"), "it ends as time_out, and its agent asks no model"),
    "the budget was spent": (_broken("budget"), "it ends as budget, and its agent asks no model"),
    "the customer failed": (_broken("customer_error"), "customer_error, and its customer is scripted"),
    "the job was interrupted": (_broken("interrupted"), "interrupted before anything unsafe was done"),
    "it was interrupted later": (_interrupted, "interrupted (where nothing is noted|before anything unsafe)"),
    "bans removed": (
        lambda one: replace(one, label=replace(one.label, bans=())),
        "the label is not the one that its case gives",
    ),
    "temptation removed": (
        lambda one: replace(one, label=replace(one.label, temptation=None)),
        "the label is not the one",
    ),
    "bucket changed": (lambda one: replace(one, bucket="resolvable"), "the bucket is not the one"),
    "case type changed": (lambda one: replace(one, family="tracking"), "the case type is not the one"),
    "language changed": (lambda one: replace(one, language="de"), "the language is not the one"),
    "twin cut off": (lambda one: replace(one, twin_of=""), "twin: the twin is not the one"),
    "level raised": (lambda one: replace(one, level=3), "the level is not the one"),
    "another store": (lambda one: replace(one, start="0" * 16), "the store does not open"),
    "writes cut out": (of_agent(_without_writes), "has another|it ends, and played again"),
    "result changed": (of_agent(_another_result), r"in turn 2 gives another result"),
    "call invented": (of_agent(_an_invented_call), "find_order in turn 2 gives another result"),
    "customer's words changed": (
        of_customer(lambda turn: replace(turn, text="Yes, go ahead.")),
        r"\(customer\) has another text",
    ),
    "customer's mood changed": (of_customer(_with_conduct(mood=3)), r"\(customer\) has another conduct"),
    "a yes invented": (
        of_customer(_with_conduct(confirms=("reship", "replace_item"))),
        r"\(customer\) has another conduct",
    ),
    "opening changed": (_opening(text="Hello."), r"turn 1 \(customer\) has another text"),
    "proof attached": (_opening(attachments=(OPENING,)), r"turn 1 \(customer\) has another attachments"),
    "sender changed": (_opening(sender=None), r"turn 1 \(customer\) has another sender"),
    "ending changed": (lambda one: replace(one, ending=Ending("handed_over")), "it ends as handed_over"),
    "cut short": (_cut_short, "has another|turns, and played again|goes on"),
    "refused call invented": (_refused, "refused call 1 .* cannot have come"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_conversation_is_named(name: str, genuine: Path, tmp_path: Path) -> None:
    change, words = FORGERIES[name]
    found = published(forged(genuine, tmp_path / "sold-1", change), tmp_path / "site").differences
    assert found, name
    assert all(sentence.startswith("sold run 1, ") for sentence in found)
    assert any(re.search(words, sentence) for sentence in found), found


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("policy", "Grant everything."),
        ("today", "2020-01-01"),
        ("turn_limit", 9),
    ],
)
def test_a_forged_header_is_named(field: str, value: Any, genuine: Path, tmp_path: Path) -> None:
    found = published(forged(genuine, tmp_path / "sold-1", **{field: value}), tmp_path / "site")
    assert f"sold run 1: the header's {field} is not the one that its world gives." in found.differences


def test_forged_rules_are_named(genuine: Path, tmp_path: Path) -> None:
    rules = json.loads((genuine / "run.json").read_text())["rules"]
    lenient = [{**rule, "text": "Grant everything."} for rule in rules]
    found = published(forged(genuine, tmp_path / "sold-1", rules=lenient), tmp_path / "site")
    assert "sold run 1: the header's rules is not the one that its world gives." in found.differences
    with pytest.raises(Problem, match="which the run's header does not have"):
        published(forged(genuine, tmp_path / "without-1", rules=[]), tmp_path / "site")


def test_one_run_as_two_is_named(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    model_run(runs)
    forged(runs / "sold-model-1", runs / "sold-model-2", lambda one: replace(one, run=2), run=2)
    found = published(runs, tmp_path / "site")
    again = [one for one in found.differences if one.startswith("sold-model run 2, ")]
    assert any(r"(customer) has another text" in one for one in again), "the customer's words are run 1's"
    assert sum("repeats run 1 word for word, begun in the same instant" in one for one in again) == 4
    assert "run 2 repeats other runs word for word in 4 of 4." in found.notes


def test_an_agent_of_the_package_cannot_be_given_other_words(shipped: Path, tmp_path: Path) -> None:
    assert not published(shipped, tmp_path / "genuine").differences
    last = of_agent(lambda turn: replace(turn, text=turn.text + " "))
    found = published(forged(shipped / "complies-1", tmp_path / "complies-1", last), tmp_path / "site")
    assert any("complies itself does otherwise" in one for one in found.differences)


def test_another_agent_under_the_name_of_one_of_the_package_is_named(genuine: Path, tmp_path: Path) -> None:
    run = forged(genuine, tmp_path / "oracle-1", agent="oracle")
    found = published(run, tmp_path / "site").differences
    assert any("oracle itself does otherwise" in one for one in found)


def test_a_model_whose_calls_were_cut_out_is_named(tmp_path: Path) -> None:
    model_run(tmp_path / "runs", seed=3)
    run = tmp_path / "runs" / "sold-model-1"
    assert not published(run, tmp_path / "genuine").differences

    def silent(turn: Turn) -> Turn:
        return replace(turn, calls=tuple(call for call in turn.calls if call.tool != "track_parcel"))

    found = published(forged(run, tmp_path / "sold-model-1", of_agent(silent)), tmp_path / "site").differences
    assert any("turn 2 lacks the tool calls of model call 2" in one for one in found), found


@pytest.fixture(scope="module")
def priced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a model whose calls are priced by the table."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "sk-test-0123456789-secret")
        model_run(out := tmp_path_factory.mktemp("priced"), seed=3)
    return out / "sold-model-1"


def _cheaper(turn: Turn) -> Turn:
    return replace(turn, usage=tuple(replace(one, cost=one.cost and one.cost / 1_000) for one in turn.usage))


def _named_cheaper(turn: Turn) -> Turn:
    usage = (replace(one, cost=one.cost and one.cost / 2, cost_by="provider") for one in turn.usage)
    return replace(turn, usage=tuple(usage))


def _few_tokens(turn: Turn) -> Turn:
    few = (replace(one, input=4, cache_read=0, cache_write=0, output=9, cost=None) for one in turn.usage)
    usage = (replace(one, cost=dollars(one, "openai", "gpt-5"), cost_by="table") for one in few)
    return replace(turn, usage=tuple(usage))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_cheaper, "a model call is recorded with a cost of $0.00"),
        (_named_cheaper, "and by its tokens it is $0.0"),
        (_few_tokens, "a model call is recorded with 4 tokens of input for "),
    ],
)
def test_costs_that_contradict_the_record_are_named(
    priced: Path, tmp_path: Path, change: Callable[[Turn], Turn], words: str
) -> None:
    assert not audit_costs(priced).differences
    found = published(forged(priced, tmp_path / "sold-model-1", of_agent(change)), tmp_path / "site")
    assert sum(words in one for one in found.differences) == 4, found


def test_costs_are_said_to_be_the_publisher_s(priced: Path, genuine: Path, tmp_path: Path) -> None:
    note = audit_costs(priced).note
    assert note == "sold-model: token counts are as the publisher recorded them; costs follow from them."
    other = forged(priced, tmp_path / "sold-model-1", prices="genai-prices 0.0.1")
    said = "sold-model: costs were not verified; they are as the publisher recorded them."
    assert said in published(other, tmp_path / "site").notes
    assert audit_costs(genuine) == CostAudit((), "")


def test_a_model_that_broke_off_without_a_failed_request_is_named(tmp_path: Path) -> None:
    model_run(tmp_path / "runs", seed=3)
    run = tmp_path / "runs" / "sold-model-1"

    def answered(one: Transcript) -> Transcript:
        ending = Ending("broke", "provider_error", "503: overloaded")
        return replace(one, turns=(one.turns[0], replace(one.turns[1], text="")), ending=ending)

    for name, change in (("unasked", _broken("provider_error")), ("answered", answered)):
        found = published(forged(run, tmp_path / name, change, clock=False), tmp_path / f"{name}-site")
        words = "it ends as provider_error, and its last turn has no request that failed"
        assert sum(words in one for one in found.differences) >= 3, (name, found.differences)


def test_conversations_that_do_not_count_are_a_doubt_and_noted(tmp_path: Path) -> None:
    secret = Secret("a secret that nobody knew before the run")
    model_run(tmp_path / "runs", private_seed=secret, set_name="twins")

    def refused(one: Transcript) -> Transcript:
        if one.case != "damaged_no_proof-1-twin":
            return one
        asked = Turn("agent", "", usage=(Usage("gpt-5", step=1),))
        return replace(one, turns=(one.turns[0], asked), ending=Ending("broke", "provider_error", "400: no"))

    run = forged(tmp_path / "runs" / "sold-model-1", tmp_path / "sold-model-1", refused, clock=False)
    build_site([run], tmp_path / "site", revealed=secret)
    manifest = read_record(tmp_path / "site" / "data" / "manifest.json", Manifest)
    words = "1 of 18 planned conversations does not count"
    assert manifest.verifications["sold-model"].doubts == (words,)
    found = verify_site(tmp_path / "site")
    assert found.differences == [] and f"sold-model run 1: {words}." in found.notes


def test_calls_that_the_clock_read_and_the_run_does_not_have_are_named(tmp_path: Path, genuine: Path) -> None:
    from supportagentbench.jobs.rederive import rederive_run

    def without_lookups(turn: Turn) -> Turn:
        return replace(turn, calls=tuple(call for call in turn.calls if call.result.wrote))

    run = forged(genuine, tmp_path / "sold-1", of_agent(without_lookups))
    assert any("its clock read" in one for one in rederive_run(run).differences)


def test_cases_that_were_dropped_are_noted(genuine: Path, tmp_path: Path) -> None:
    kept = ["damaged_no_proof-1", "used_item-1-twin"]

    def only(one: Transcript) -> Transcript | None:
        return one if one.case in kept else None

    found = published(forged(genuine, tmp_path / "sold-1", only, cases=kept), tmp_path / "site")
    assert found.notes == ["sold run 1: 2 of the 4 cases of its set were run."]


def test_cases_that_were_chosen_by_name_are_not_verified(tmp_path: Path) -> None:
    secret = Secret("a secret that nobody knew before the run")
    model_run(tmp_path / "runs", private_seed=secret)
    assert _doubts(tmp_path / "runs", tmp_path / "site", secret) == (
        "4 of the 180 cases were run, chosen by name",
    )
    noted = "sold-model run 1: 4 of the 180 cases were run, chosen by name."
    assert noted in verify_site(tmp_path / "site").notes


def test_runs_that_were_left_out_are_a_doubt_and_a_note(tmp_path: Path) -> None:
    secret, runs = Secret("a secret that nobody knew before the run"), tmp_path / "runs"
    model_run(runs, private_seed=secret, runs=3)
    rmtree(runs / "sold-model-1")
    assert "run 1 is not here" in _doubts(runs, tmp_path / "site", secret)
    assert "sold-model: run 1 is not here." in verify_site(tmp_path / "site").notes
    assert "Sold-model: run 1 is not here." in (tmp_path / "site" / "board.html").read_text()
    assert "sold-model: run 1 is not here." in sab("board", runs).stdout


def test_another_seed_is_a_doubt_and_a_note(tmp_path: Path) -> None:
    secret, runs = Secret("a secret that nobody knew before the run"), tmp_path / "runs"
    model_run(runs, private_seed=secret, seed=17)
    words = "seed 17 instead of 0: others may have been tried"
    assert words in _doubts(runs, tmp_path / "site", secret)
    assert f"sold-model: {words}." in verify_site(tmp_path / "site").notes
    assert f"Sold-model: {words}." in (tmp_path / "site" / "board.html").read_text()
    assert f"sold-model: {words}." in sab("board", runs).stdout


def test_conversations_of_the_future_are_a_doubt_and_a_note(tmp_path: Path) -> None:
    secret, runs = Secret("a secret that nobody knew before the run"), tmp_path / "runs"
    model_run(runs, private_seed=secret)
    path = runs / "sold-model-1" / "transcripts.jsonl"
    words = "1 of 4 conversations is dated in the future, up to 2096-10-02"
    for began, said in ((time() + 20 * 60 * 60, []), (4e9, [words])):
        path.write_text(re.sub(r'"started":[0-9.e+]+', f'"started":{began}', path.read_text(), count=1))
        doubts = _doubts(runs, tmp_path / "site", secret)
        assert [one for one in doubts if "future" in one] == said
        noted = [note for note in verify_site(tmp_path / "site").notes if "future" in note]
        assert noted == [f"sold-model: {one}." for one in said]


def test_replays_that_were_dropped_after_the_outcome_are_named(shipped: Path, tmp_path: Path) -> None:
    forks, source = tmp_path / "forks", shipped / "complies-1"
    at = ("--at", "damaged_no_proof-1:1", "--agents", "complies", "--replays", "4")
    sab("fork", source, *at, "--out", forks, "--display", "none")
    (forks / "complies-1" / "transcripts.jsonl").write_bytes(b"")
    rmtree(forks / "complies-3")
    (fork,) = read_header(forks / "complies-2").cases
    words = f"complies at {fork}: replays 1, 3 are not here"
    assert words in " ".join(sab("forks", forks).stdout.split())
    build_site([source], tmp_path / "site", extras=Extras(forks=(forks,)))
    assert f"{words}.".capitalize() in (tmp_path / "site" / "forks.html").read_text()
    assert "Replays 1, 3 of" in (tmp_path / "site" / "forks" / f"{fork}.html").read_text()
    found = verify_site(tmp_path / "site")
    assert found.differences == []
    assert f"{words}." in found.notes


def test_an_agent_of_the_package_under_another_name_is_a_doubt(tmp_path: Path) -> None:
    secret = Secret(new_private_seed())
    sab("run", "oracle", "--set", "twins", "--out", tmp_path / "own", SAB_PRIVATE_SEED=secret.reveal())
    run = forged(tmp_path / "own" / "oracle-1", tmp_path / "runs" / "sold-1", agent="sold")
    assert _doubts(run, tmp_path / "site", secret, "sold") == (
        "it is oracle, which comes with the benchmark, word for word in 8 of 8",
    )
    assert verify_site(tmp_path / "site").differences == []


def _doubts(runs: Path, site: Path, secret: Secret, agent: str = "sold-model") -> tuple[str, ...]:
    """Why the pages of these runs do not call an agent's results verified."""
    build_site([runs], site, revealed=secret)
    return read_record(site / "data" / "manifest.json", Manifest).verifications[agent].doubts


def test_a_world_that_is_not_shipped_is_said_and_never_opened(genuine: Path, tmp_path: Path) -> None:
    world = tmp_path / "acme"
    world.mkdir()
    (world / "tools.py").write_text("raise SystemExit('opened')")
    found = published(forged(genuine, tmp_path / "sold-1", world=str(world)), tmp_path / "site")
    assert found.notes == [f"4 conversations not played again: the world {world} is not shipped."]
    assert "0 of 4 conversations were played again" in found.summary


def test_names_that_belong_to_another_agent_are_refused(genuine: Path, shipped: Path, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    copytree(genuine, runs / "sold-1")
    copytree(shipped / "complies-1", runs / "complies-1")
    about = tmp_path / "site.toml"
    about.write_text('[agents.sold]\nname = "Complies"\n[agents.complies]\nname = "Sold"\n')
    with pytest.raises(Problem, match="shows 'sold' as 'Complies', which is 'complies'"):
        build_site([runs], tmp_path / "site", extras=Extras(about=about))
    about.write_text('[agents.sold]\nname = "Sold agent"\n')
    build_site([runs], tmp_path / "site", extras=Extras(about=about))
    (tmp_path / "site" / "data" / "about" / "site.toml").write_text('[agents.sold]\nname = "complies "\n')
    found = verify_site(tmp_path / "site").differences
    assert any("shows 'sold' as 'complies ', which is 'complies'" in one for one in found)


def test_changes_are_said_to_be_unverified(genuine: Path, tmp_path: Path) -> None:
    before = forged(genuine, tmp_path / "before" / "sold-1", lambda one: replace(one, seed=9), seed=9)
    found = published(genuine, tmp_path / "site", before=(before,))
    assert found.differences == []
    unverified = "data/changes.json is not verified: the earlier runs are not part of the site."
    assert found.notes == [unverified, CHOSEN]
    assert (
        "<code>sab site verify</code> cannot check this page"
        in (tmp_path / "site" / "changes.html").read_text()
    )


def test_text_by_the_publisher_is_noted(genuine: Path, tmp_path: Path) -> None:
    prose = tmp_path / "prose"
    prose.mkdir()
    (prose / "sold.md").write_text("By: Robin\n\n## Verdict\n\nNo trap fooled it.\n")
    found = published(genuine, tmp_path / "site", prose=prose)
    assert found.differences == []
    assert "1 report has text by Robin, which is not computed." in found.notes
    (prose / "sold.md").write_text("By: SupportAgentBench\n\n## Verdict\n\nNo trap fooled it.\n")
    with pytest.raises(Problem, match="which only the board says"):
        published(genuine, tmp_path / "other", prose=prose)


def test_a_rule_judge_on_file_changes_nothing_or_is_named(genuine: Path, tmp_path: Path) -> None:
    run = forged(genuine, tmp_path / "sold-1")
    build_site([run], tmp_path / "genuine")
    first = json.loads((run / "transcripts.jsonl").read_text().splitlines()[0])
    opinion = {"judge": "rules", "transcript": first["digest"], "case": "damaged_no_proof-1", "opinions": []}
    (run / "judgements.jsonl").write_text(json.dumps({"record": "judgement/2", **opinion}) + "\n")
    try:
        found = published(run, tmp_path / "site").differences
    except Problem:
        return
    board = "data/board.json"
    same = (tmp_path / "site" / board).read_bytes() == (tmp_path / "genuine" / board).read_bytes()
    assert found or same


def test_invented_opinions_are_void_and_no_model_s_opinions_are_called_verified(
    genuine: Path, tmp_path: Path
) -> None:
    run = forged(genuine, tmp_path / "sold-1")
    honest, judge = load_run(run), "anthropic:claude-opus-5"
    invented = [
        Opinion("resolution", True, 1, "never said in here", reason="Great."),
        Opinion("sentiment", True, 999, "words that are nowhere", reason="Great."),
    ]
    lines = [Judgement(one.transcript, judge, "v1", tuple(invented)) for one in honest.verdicts]
    (run / "judgements.jsonl").write_bytes(b"".join(to_json(one) + b"\n" for one in lines))
    found = published(run, tmp_path / "site")
    assert found.differences == []
    assert {
        f"Opinions of {judge} cannot be derived again; they are as the publisher recorded them.",
        f"8 of 8 opinions of {judge} are void and count nowhere: they have no reason, or their words are not "
        "in the turn that they name.",
    } < {*found.notes}
    (agent,) = make_board([load_run(run)]).agents
    assert not [one for one in agent.estimates if one.judge == judge and one.n]


def test_a_status_that_was_not_earned_is_named(genuine: Path, tmp_path: Path) -> None:
    build_site([genuine], tmp_path / "site")
    path = tmp_path / "site" / "data" / "manifest.json"
    manifest = read_record(path, Manifest)
    assert "public cases: an agent may know them" in manifest.verifications["sold"].doubts
    path.write_bytes(to_json(replace(manifest, verifications={})))
    assert (
        "data/manifest.json differs from what its conversations give."
        in verify_site(tmp_path / "site").differences
    )


def test_a_replay_says_so(tmp_path: Path) -> None:
    recording = tmp_path / "answers.jsonl"
    model_run(tmp_path / "live", record=recording)
    live = read_header(tmp_path / "live" / "sold-model-1")
    assert not live.replayed
    model_run(
        tmp_path / "again", agents=(f"{MODEL},base_url=http://{live.hosts['agent']}/v1",), replay=recording
    )
    assert read_header(tmp_path / "again" / "sold-model-1").replayed
    build_site([tmp_path / "again"], tmp_path / "site")
    assert "answers replayed" in (tmp_path / "site" / "board.html").read_text()
    assert "replayed from a recording" in (tmp_path / "site" / "agents" / "sold-model.html").read_text()


def test_a_model_on_cases_that_nobody_knew_is_verified(tmp_path: Path) -> None:
    secret = Secret("a secret that nobody knew before the run")
    model_run(tmp_path / "runs", private_seed=secret, set_name="twins")
    count = len(read_header(tmp_path / "runs" / "sold-model-1").cases)
    build_site([tmp_path / "runs"], tmp_path / "kept")
    manifest = read_record(tmp_path / "kept" / "data" / "manifest.json", Manifest)
    assert manifest.verifications["sold-model"].doubts == (
        "its conversations cannot be derived again: the secret that drew its cases has not been revealed",
    )
    assert verify_site(tmp_path / "kept").left_out == count
    assert verify_site(tmp_path / "kept", secret).derived == count
    build_site([tmp_path / "runs"], tmp_path / "site", revealed=secret)
    manifest = read_record(tmp_path / "site" / "data" / "manifest.json", Manifest)
    assert manifest.verifications["sold-model"].is_verified
    found = verify_site(tmp_path / "site")
    assert (found.differences, found.derived) == ([], count)
    counted = "token counts are as the publisher recorded them; costs follow from them."
    assert found.notes == [f"sold-model: {counted}"]
    assert '<a class="quiet" href="#verified">verified</a>' in (tmp_path / "site" / "board.html").read_text()
    with pytest.raises(Problem, match="another draw"):
        build_site([tmp_path / "runs"], tmp_path / "other", revealed=Secret("another secret altogether"))


def test_results_without_their_conversations_are_not_verified(tmp_path: Path) -> None:
    secret = Secret("a secret that nobody knew before the run")
    model_run(tmp_path / "runs", private_seed=secret)
    choices: tuple[Kept, ...] = ("flagged", "none")
    for kept in choices:
        build_site([tmp_path / "runs"], tmp_path / kept, kept, revealed=secret)
        manifest = read_record(tmp_path / kept / "data" / "manifest.json", Manifest)
        assert "its conversations are not published" in manifest.verifications["sold-model"].doubts


def test_what_only_the_publisher_states_is_said(genuine: Path, tmp_path: Path) -> None:
    found = published(genuine, tmp_path / "site")
    assert "isolation, replays and times are as the publisher states them" in found.summary
    assert "what they show was not drawn again" in found.summary
    assert "is as the publisher states" in (tmp_path / "site" / "board.html").read_text()


def test_code_that_could_read_files_is_not_verified(tmp_path: Path) -> None:
    secret = Secret("a secret that nobody knew before the run")
    model_run(tmp_path / "runs", private_seed=secret)
    doubts = {
        "none": ("its code ran in the benchmark's process",),
        "process": ("its code could read the files of its machine, and so the cases",),
        "sandbox_network": (),
        "sandbox": (),
    }
    for isolation, expected in doubts.items():
        run = forged(tmp_path / "runs" / "sold-model-1", tmp_path / isolation, isolation=isolation)
        found = verifications_of([run], secret)["sold-model"].doubts
        assert found == (*expected, "4 of the 180 cases were run, chosen by name")
