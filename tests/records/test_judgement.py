"""Judgements on file: what a share is a share of, and how steady a judge is."""

import tracemalloc

from supportagentbench.records.judgement import FindingOpinion, Judgement, Opinion, flip_rate, joined
from supportagentbench.records.record import from_json, to_json


def judgement(*opinions: Opinion, judge: str = "j", version: str = "v", sample: int = 0) -> Judgement:
    return Judgement("t1", judge, version, opinions, sample=sample)


def test_it_comes_back_from_a_file_as_it_was() -> None:
    one = judgement(Opinion("A1", None, turn=3, quote="“Sure.” \u2028", void="not_found"), sample=2)
    assert from_json(to_json(one), Judgement) == one


def test_adherence_is_the_share_of_rules_kept_of_those_that_could_be_told() -> None:
    others = Opinion("resolution", False), Opinion("sentiment", False)
    found = judgement(Opinion("A1", True), Opinion("A2", False), Opinion("A3", None), *others)
    assert found.adherence == 0.5
    assert judgement(Opinion("A1", None, void="twice"), *others).adherence is None


def test_void_answers_are_counted_and_what_could_not_be_told_is_none_of_them() -> None:
    found = Judgement("t", "j", "v", (Opinion("A1", None, void="twice"), Opinion("A2", None)), unasked=2)
    assert found.void == 3


def test_a_flip_is_two_judgings_of_one_criterion_that_differ() -> None:
    yes, no, void = Opinion("A1", True), Opinion("A1", False), Opinion("A1", None, void="not_found")
    found = flip_rate(judgement(one, sample=sample) for sample, one in enumerate((yes, no, yes, void)))
    assert (found.flips, found.pairs, found.questions) == (2, 3, 1)


def test_flips_of_many_judgings_are_counted_without_a_list_of_all_pairs() -> None:
    judgings = [judgement(Opinion("A1", bool(sample % 4)), sample=sample) for sample in range(20_000)]
    tracemalloc.start()
    try:
        found = flip_rate(judgings)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()
    assert (found.flips, found.pairs, found.questions) == (5_000 * 15_000, 19_999 * 10_000, 1)


def test_two_judges_or_two_versions_are_never_held_against_each_other() -> None:
    yes, no = Opinion("A1", True), Opinion("A1", False)
    found = flip_rate([judgement(yes), judgement(no, judge="k"), judgement(no, version="w")])
    assert (found.pairs, found.rate) == (0, None)


def test_answers_to_later_questions_are_added_to_the_judgement_they_belong_to() -> None:
    first = judgement(Opinion("A1", True))
    later = Judgement("t1", "j", "v", (), findings=(FindingOpinion("dumped:1", "drop"),))
    other = judgement(Opinion("A1", False), sample=1)
    both, kept = joined([first, other, later])
    assert (both.opinions, both.findings) == (first.opinions, later.findings)
    assert kept == other
    assert joined([first, later, later]) == [both], "said twice counts once"
