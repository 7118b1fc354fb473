"""Sections: the sentences of each section of a report."""

from collections import Counter
from collections.abc import Iterable, Iterator

from supportagentbench.board.cost_notes import cost_notes
from supportagentbench.board.metrics import METRICS
from supportagentbench.board.servers import judge_server_notes
from supportagentbench.board.unobservable import HIDDEN_ACTS
from supportagentbench.judges.people import calibration_note
from supportagentbench.records.board import Slice
from supportagentbench.records.counts import counted
from supportagentbench.records.judgement import RULE_JUDGE
from supportagentbench.site import number
from supportagentbench.site.answers.danger_tone import danger_tone
from supportagentbench.site.answers.more_figures import (
    every_time_sentence,
    handovers_sentence,
    unchecked_sentence,
)
from supportagentbench.site.answers.prose.summary import serious_kinds, suspected_words, unsafe_sentence
from supportagentbench.site.answers.prose.words import bound, intervals, judge_words, listed, of, reach
from supportagentbench.site.data.agent_cases import CaseTypeResult
from supportagentbench.site.data.agent_stats import ACTIONS, CLAIMS, STYLE, AgentStats
from supportagentbench.site.data.issue import ISSUES
from supportagentbench.site.data.site_data import ConversationRow


def handover(stats: AgentStats) -> list[str]:
    """How tickets ended, both solvable ones and those that needed a human."""
    said: list[str] = []
    if rows := stats.in_bucket("resolvable"):
        said += _ended(stats, rows)
    if resolution := stats.of("resolution"):
        solved = number.percent(resolution.value, resolution.n)
        said.append(f"Solved: {solved}; {bound(resolution)}.")
        said += _settled(stats, resolution.undecided)
    if over := stats.of("over_escalation"):
        said.append(f"Needless handovers: {of(over)}; {bound(over)}.")
    if must := stats.of("escalation"):
        missed = sorted(stats.slices("escalation"), key=lambda one: (one.k - one.n, one.family))
        kinds = [_missed(one, stats) for one in missed if one.k < one.n]
        said.append(f"Missed escalations: {listed(kinds) if kinds else f'none of {must.n}'}.")
        said.append(f"The share escalated is {number.percent(must.value, must.n)}; {bound(must)}.")
    if words := handovers_sentence(stats.results):
        said.append(words)
    if (late := stats.of("late_handover")) and late.k:
        said.append(f"A policy violation came before the handover in {of(late, 'conversations')}.")
    return said


def _ended(stats: AgentStats, rows: list[ConversationRow]) -> Iterator[str]:
    """How every routine ticket ended: the parts add up to all of them."""
    if stats.results.hides_acts:
        yield f"How {counted(len(rows), 'routine ticket')} ended cannot be observed."
        return
    solved = stats.solved
    unsafe = sum(row.outcome.name == "unsafe" for row in solved)
    on_the_way = f", {unsafe} of them with an unsafe action on the way" if unsafe else ""
    yield f"Of {counted(len(rows), 'routine ticket')} it solved {len(solved) or 'none'}{on_the_way}."
    if left := Counter(row.outcome for row in rows if row not in solved):
        parts = [f"{outcome.words} {count}" for outcome, count in left.most_common()]
        yield f"The other {left.total()}: {listed(parts)}."


def _settled(stats: AgentStats, undecided: int) -> Iterable[str]:
    """What a judge says about tickets that code cannot decide, and how often it agrees on the others."""
    if undecided:
        tickets = f"{counted(undecided, 'routine ticket')} {'is' if undecided == 1 else 'are'}"
        unclear = f"{tickets} undecided, and neither solved nor unsolved in the share"
        yield f"{unclear}: the answer may be there in words that code does not read."
    if not (judge := next((one for one in stats.judges if one != RULE_JUDGE), "")):
        return
    if (settled := stats.results.of("settled_resolution", judge)) and undecided:
        yield f"Settled by {judge_words(judge)}, resolution is {of(settled)}."
    if agreed := stats.results.of("resolution_agreement", judge):
        yield f"On the tickets that both decide, this judge agrees with the record in {of(agreed)}."


def _missed(one: Slice, stats: AgentStats) -> str:
    return f"{one.n - one.k} of {one.n} in “{stats.data.case_type(one.family)}”"


def adherence(stats: AgentStats) -> list[str]:
    """How well the policy was followed, judge by judge."""
    if not stats.judge:
        return ["No judge has read these conversations, so there is no figure for policy adherence."]
    said = []
    for judge in stats.judges:
        if estimate := stats.results.of("adherence", judge):
            said.append(
                f"According to {judge_words(judge)}, {number.percent(estimate.value, estimate.n)} of the "
                f"rules that applied were kept, conversation by conversation ({estimate.n} of them); "
                f"{intervals(estimate)}. "
                f"This judge is {calibration_note(None, judge, 'adherence')}."
            )
            said += [f"It was {words}." for words in judge_server_notes(stats.data.board, judge)]
    broken = [rule for rule in stats.rules if rule.broken(stats.judge)]
    if broken:
        worst = broken[0].by_judge[stats.judge]
        said.append(
            f"{len(broken)} of {len(stats.header.rules)} rules were broken at least once; {broken[0].id} in "
            f"{worst.broken} of the {worst.decided} conversations in which it could be decided."
        )
    elif stats.rules:
        said.append(f"None of {len(stats.header.rules)} rules was broken.")
    return said


def safety(stats: AgentStats) -> list[str]:
    """What it did in traps, when, and the word for it."""
    unsafe = stats.of("unsafe")
    said = [unsafe_sentence(stats)]
    if unsafe is None:
        return said
    turns = sorted(stats.unsafe_turns.items())
    if later := [f"{count} after message {turn}" for turn, count in turns if turn > 1]:
        said.append(f"Later in the conversation: {listed(later)}.")
    if safety := stats.results.safety:
        said.append(
            f"Traps that worked, in a word: {number.safety_text(safety, unsafe.n)}; {intervals(unsafe)}."
        )
    said += _by_level(stats)
    if engaged := stats.of("engaged"):
        said.append(f"It looked up the deciding facts and answered in {of(engaged, 'traps')}.")
    if pairs := stats.of("pairs"):
        said.append(
            f"It handled both the trap and its honest twin correctly in {of(pairs, 'pairs')}; {bound(pairs)}."
        )
    return said


def _by_level(stats: AgentStats) -> Iterator[str]:
    """How often it did nothing unsafe at each level of difficulty, if there are levels."""
    if levels := stats.results.levels:
        held = [f"{number.percent(one.held / one.of, one.of)} at level {one.level}" for one in levels]
        counts = [f"{one.held} of {one.of}" for one in levels]
        yield f"Held, by level of difficulty: {listed(held)} ({listed(counts)})."


def tools(stats: AgentStats) -> list[str]:
    """How it used its tools, and which of its statements have no evidence."""
    said, agent = _issues(stats), stats.usage()
    if agent:
        mean = number.plain(agent.calls / max(1, stats.results.conversations))
        said.append(f"It made {mean} model calls per conversation ({number.whole(agent.calls)} in total).")
    forbidden, unrequested = (_hits(stats, f"attempted_{check}") for check in ("forbidden", "unrequested"))
    if forbidden or unrequested:
        said.append(
            f"Its tools refused a forbidden action in {counted(forbidden, 'conversation')} and an "
            f"unrequested change in {unrequested}."
        )
    if words := unchecked_sentence(stats.results):
        said.append(words)
    said += _to_check(stats, (*ACTIONS, *CLAIMS))
    said += _never(stats, (*ACTIONS, *CLAIMS))
    return said


def _issues(stats: AgentStats) -> list[str]:
    """How many conversations were without an issue, and how many had a serious one."""
    if stats.results.hides_acts:
        return [f"{HIDDEN_ACTS[0].upper()}{HIDDEN_ACTS[1:]}."]
    said = [
        f"In {stats.clean} of {len(stats.rows)} conversations nothing was found or suspected{_rest(stats)}."
    ]
    if stats.serious:
        said.append(f"{len(stats.serious)} had a serious issue: {serious_kinds(stats)}.")
    if unconfirmed := stats.of("unconfirmed"):
        said.append(f"It changed something without confirmation in {of(unconfirmed, 'conversations')}.")
    return said


def _rest(stats: AgentStats) -> str:
    """What was found or is suspected in the others; one conversation may have several."""
    counts = Counter(check for row in stats.rows for check in {*row.issues} - {"unconfirmed_strict"})
    found = [f"{ISSUES[check].words} in {count}" for check, count in counts.most_common(NAMED)]
    more = ", and more" if len(counts) > NAMED else ""
    left = len(stats.rows) - stats.clean
    return f"; in the other {left}: {listed(found)}{more}" if found else ""


NAMED = 3
"""The most kinds of issues that the sentence on all of them names."""


def _hits(stats: AgentStats, metric: str) -> int:
    estimate = stats.of(metric)
    return estimate.k or 0 if estimate else 0


def _to_check(stats: AgentStats, metrics: Iterable[str]) -> list[str]:
    """What code found and no judge has settled: no figure counts it, and it is never listed as not found."""
    if not (found := stats.to_check(metrics)):
        return []
    return [f"Found by code, not yet confirmed, and in no figure: {listed(map(suspected_words, found))}."]


def _never(stats: AgentStats, metrics: Iterable[str]) -> list[str]:
    """What was checked for and never found."""
    unseen = stats.unseen(metrics)
    if not unseen:
        return []
    few = min((one.estimate for one in unseen if one.estimate), key=lambda one: one.n)
    return [
        f"Never found: {listed(one.title.casefold() for one in unseen)}. Each was looked for in at least "
        f"{few.n} conversations; none in {few.n} leaves possible: {reach(few)}."
    ]


def experience(stats: AgentStats) -> list[str]:
    """How the conversations went for the customer."""
    said = []
    for judge in stats.judges:
        if mood := stats.results.of("sentiment", judge):
            who = "the simulated customer's own state" if judge == RULE_JUDGE else judge
            said.append(
                f"The customer's mood was at least as good at the end as at the start in {of(mood)}, "
                f"according to {who}; {intervals(mood)}."
            )
    for metric in ("messages", "words"):
        if estimate := stats.of(metric):
            said.append(
                f"It wrote {number.value_text(estimate)} {metric} per conversation ({intervals(estimate)})."
            )
    foreign = [row for row in stats.rows if stats.data.cases[row.case].language != "en"]
    if foreign:
        wrong = sum("wrong_language" in row.issues for row in foreign)
        said.append(f"It answered {wrong} of {len(foreign)} non-English conversations in the wrong language.")
    said += danger_tone(stats).sentences
    said += _to_check(stats, STYLE)
    said += _never(stats, STYLE)
    return said or ["Its style was not checked."]


def stability(stats: AgentStats) -> list[str]:
    """How consistent its runs are."""
    if stats.results.runs == 1:
        return ["There is only one run, so consistency between runs is unknown."]
    said = [f"The grade changed between runs in {len(stats.changed_cases)} of {stats.repeated} cases."]
    if words := every_time_sentence(stats.results):
        said.append(words)
    beyond = [(one.title, one.claim) for one in stats.stability if one.claim and one.claim.holds]
    said += [
        f"On {title.casefold()} its runs differ beyond what chance explains ({number.chance(claim.value)} "
        "after correction)."
        for title, claim in beyond
    ]
    if not stats.is_ranked:
        said.append("No claims are made about agents that are not ranked.")
    elif not beyond:
        said.append("On no metric do its runs differ beyond what chance explains, after correction.")
    return said


def comparison(stats: AgentStats) -> list[str]:
    """How many agents it differs from significantly, and which cost less with no significant difference."""
    peers = stats.peers
    if not stats.is_ranked:
        return ["Agents that are not ranked are not compared."]
    if not peers.others:
        return ["It is the only ranked agent, so there is nothing to compare it with."]
    if not peers.compared:
        return ["It shares no metric with another ranked agent, so nothing was compared."]
    others = counted(len(peers.others), "other agent")
    phrases = {metric.name: metric.phrase for metric in METRICS}
    parts = [f"{peers.differing(one)} of {others} on {phrases[one]}" for one in peers.compared]
    comparisons = number.whole(stats.data.board.comparisons)
    said = [
        f"Significantly different from {listed(parts)}.",
        f"Corrected for {comparisons} comparisons. No difference found does not mean equal.",
    ]
    if peers.cheaper:
        names = listed(one.name for one in peers.cheaper)
        said.append(f"No significant difference, in a tier that costs less: {names}.")
    return said


def cost(stats: AgentStats) -> list[str]:
    """What it costs, and how much it writes."""
    said, agent, estimate = [], stats.usage(), stats.of("cost")
    if agent is None:
        said.append("No model call of the agent is on record, so its cost is unknown.")
    elif estimate is None:
        said.append("Its cost is unknown: some model calls have no price.")
    else:
        said.append(
            f"1,000 conversations cost {number.value_text(estimate)} for the agent's own model calls, tier "
            f"{stats.results.tier} ({intervals(estimate)})."
        )
    said += cost_notes(stats.results)
    if agent and agent.reasoning:
        thought = number.percent(agent.reasoning / agent.output)
        said.append(f"{thought} of its {number.whole(agent.output)} output tokens were hidden reasoning.")
    if agent and agent.lost:
        said.append(f"{counted(agent.lost, 'attempt')} returned nothing but may still be billed.")
    words, messages = stats.of("words"), stats.of("messages")
    if words and messages:
        said.append(
            f"It wrote {number.value_text(words)} words in {number.value_text(messages)} messages per "
            "conversation. Latency depends on the provider and is not reported."
        )
    return [*said, *_relations(stats)]


def _relations(stats: AgentStats) -> list[str]:
    """Whether length goes with quality over the ranked agents, if that was tested."""
    tested = [one for one in stats.data.board.claims if one.kind == "correlates"]
    if held := [one.sentence for one in tested if one.holds]:
        return held
    agents = len(stats.peers.others) + stats.is_ranked
    if tested:
        return [f"Over the {agents} ranked agents no test shows that more messages go with tickets solved."]
    if agents < 2:
        return []
    return [f"{agents} ranked agents are too few to test whether more messages go with tickets solved."]


def found_in(case_type: CaseTypeResult) -> str:
    """The issues found in a case type, the most frequent first."""
    duties = ("resolved", "escalated")
    specific = [item for item in case_type.issues if item[0] not in duties]
    rest = [item for item in case_type.issues if item[0] in duties]
    found = (specific or rest)[:2]
    return "; ".join(f"{ISSUES[check].words} {count}" for check, count in found) or "no issues"
