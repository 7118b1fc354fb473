"""Lint: checks the texts of a set for grounding, leaks, near-duplicates, readability and coverage.

`prove` plays the cases; `lint` reads them together with their books. `books.py` checks whether the two agree;
every other check is a function here that yields places and complaints.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from supportagentbench.calibration.books import Complaints, customer_texts, grounding, strings_in
from supportagentbench.calibration.handbook import handbook, handbook_texts
from supportagentbench.calibration.openings import openings, other_openings
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.calibration.prove import ScriptPlayer, play
from supportagentbench.calibration.words import numbers_in, words_of
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.case import Case
from supportagentbench.records.record import to_json
from supportagentbench.storage.yaml_file import locate
from supportagentbench.world.drawn_cases import DrawnCases
from supportagentbench.world.policy import read_policy_document
from supportagentbench.world.seed import PUBLIC

HARNESS_WORDS = {
    *("resolvable", "must_escalate", "must-escalate", "adversarial", "temptation", "over_escalated"),
    *("satisfied_by", "agrees_to", "takes_no", "discloses", "twin_of", "canary", "benchmark"),
}
"""Words from labels, briefs and buckets that no one at a support desk would use."""

A_PATH = re.compile(
    r"(?<![\w/:.])(?:~|\.{1,2})?/(?:[\w.-]+/)+[\w.-]+|\b\w+\.(?:ya?ml|py|jsonl?)\b|\b[A-Z]:\\\w"
)

MOST_ALIKE = 0.25
SAME_SENTENCE = 8
SAME_LINE = 7
"""The fewest words of a sentence that two cases may not share, or of a line that two families may not."""

POLICY_WORDS = 1900
POLICY_SENTENCE = 24
POLICY_GRADE = 10
OPENING_WORDS = range(4, 221)

MAIL = re.compile(r"[\w.+-]+@([\w-]+(?:\.[\w-]+)+)")
HOST = re.compile(
    r"https?://([^\s/\"')]+)|(?<![@\w.-])((?:[a-z0-9-]+\.)+(?:com|net|org|io|co|uk|ca|de|shop|example))\b",
    re.IGNORECASE,
)
PHONE = re.compile(
    r"(?<![\w-])(?:[+(\d][\d ()]{0,8}[ .-])?\d{3}[.-]\d{4}(?![\w-])"
    r"|(?<![\w-])0\d{2,4} \d{3,4} ?\d{3,4}(?![\w-])|\+\d[\d -]{7,}\d"
)
INVENTED_MAIL = ("example.com", "example.net", "example.org")
INVENTED_HOST = ".example"
INVENTED_PHONE = re.compile(r"555-01\d\d")

MOST_WITH_NUMBER, FEWEST_WITH_NUMBER = 0.95, 0.40
MANNERS = 3


class LintComplaint(NamedTuple):
    """One thing that is wrong with a set."""

    check: str
    place: str
    """A case's id if the fault is in one case, otherwise a family or a part of the world."""
    words: str


def lint(cases: DrawnCases) -> Iterator[LintComplaint]:
    """Every complaint about a generated set; a set that is fit to publish has none."""
    for check in CHECKS:
        for place, words in check(cases):
            yield LintComplaint(check.__name__, place, words)


def isolation(cases: DrawnCases) -> Complaints:
    """Neither agent nor customer sees anything that reveals a test, or that identifies the case."""
    folder, kit = cases.world.folder, cases.world.kit
    secrets = {*HARNESS_WORDS, *cases.cases}
    arguments = {name for tool in cases.tools.values() for name in tool.schema["properties"]}
    families = {form for family in cases.world.families for form in _forms(family.name)}
    # A family named like a request or an argument of the desk gives nothing away.
    secrets |= families - {*kit.requests, *arguments}
    for path in sorted(folder.rglob("*.yaml")):
        canaries = re.findall(r"^# canary: (\S+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        secrets.update(canaries)
        if not canaries:
            yield path.name, "carries no canary line"
    tools = [to_json(tool.spec).decode() for tool in cases.tools.values()]
    yield from _leaks("the desk", [cases.world.instructions("email"), *tools], secrets)
    yield from _leaks("the handbook", list(handbook_texts(cases)), secrets)
    ids = re.compile(rf"\b(?:{'|'.join(rule.id for rule in cases.world.policy.rules)})\b")
    for case in cases.cases.values():
        said = list(customer_texts(case))
        yield from _leaks(case.id, [*said, *_shown(cases, case)], secrets)
        yield from ((case.id, f"the customer names rule {found}") for found in ids.findall(" ".join(said)))


def _forms(family: str) -> set[str]:
    return {family, family.replace("_", "-")}


def _leaks(place: str, texts: Sequence[str], secrets: set[str]) -> Complaints:
    text = "\n".join(dict.fromkeys(texts))
    folded = text.casefold()
    yield from ((place, f"{secret!r} is shown") for secret in sorted(secrets) if secret.casefold() in folded)
    yield from ((place, f"the path {found[0]!r} is shown") for found in A_PATH.finditer(text))


def _shown(cases: DrawnCases, case: Case) -> Iterator[str]:
    """Everything that the oracle and the case's own solution get to see in this conversation."""
    for agent in (Oracle(cases.world, 0), ScriptPlayer(case.solution)):
        for turn in play(cases, case, agent).turns:
            if turn.party == "customer":
                yield from strings_in([turn.text, turn.attachments])
            yield from (text for call in turn.calls for text in strings_in(call.result))


def near_duplicates(cases: DrawnCases) -> Complaints:
    """No two openings, and no lines of two families, differ only in names."""
    core = _core(cases)
    fives = [
        (case.id, _fives(_masked(cases, case, text)))
        for case in core
        for text in (case.opening, *other_openings(cases, case.id))
    ]
    for (one, first), (other, second) in combinations(fives, 2):
        shared = len(first & second)
        if shared and shared / len(first | second) > MOST_ALIKE:
            yield other, f"its opening is nearly the same as that of {one}"
    sentences: dict[tuple[str, ...], str] = {}
    lines: dict[str, Case] = {}
    for case in core:
        for sentence in re.split(r"[.!?。！？\n]+", case.opening):
            masked = tuple(_masked(cases, case, sentence))
            if len(masked) >= SAME_SENTENCE and sentences.setdefault(masked, case.id) != case.id:
                yield case.id, f"shares a sentence with {sentences[masked]}: {sentence.strip()!r}"
        pressure = (one.says for one in case.brief.pressure)
        for line in (*pressure, case.brief.satisfied, case.brief.disappointed):
            same = lines.setdefault(line.casefold(), case)
            if same.family != case.family and len(words_of(line)) >= SAME_LINE:
                yield case.id, f"says what {same.id} says: {line!r}"


def _fives(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[i : i + 5]) for i in range(len(words) - 4)}


def _masked(cases: DrawnCases, case: Case, text: str) -> list[str]:
    """The words of a text, with a blank for each word that was drawn for the case's record."""
    drawn = set(words_of(" ".join(cases.drawn[case.id].words.values())))
    return ["_" if word in drawn or word[0].isdigit() else word for word in words_of(text)]


def reading_level(cases: DrawnCases) -> Complaints:
    """The policy can be read in five minutes; openings are neither too short nor too long."""
    text = re.sub(r"^(?:#.*|[A-Z]\d+\. )", "", cases.world.policy.text, flags=re.MULTILINE)
    words = words_of(text)
    sentences = [one for one in re.split(r"[.!?](?=\s|$)|\n", text) if words_of(one)]
    average, grade = len(words) / len(sentences), grade_of(words, len(sentences))
    for found, most, what in (
        (len(words), POLICY_WORDS, "words"),
        (average, POLICY_SENTENCE, "words in a sentence"),
        (grade, POLICY_GRADE, "as its Flesch-Kincaid grade"),
    ):
        if found > most:
            yield "the policy", f"has {found:.4g} {what}, more than {most}"
    for case in cases.cases.values():
        for text in (case.opening, *other_openings(cases, case.id)):
            if (length := len(words_of(text))) not in OPENING_WORDS:
                yield case.id, f"its opening has {length} words"


def grade_of(words: list[str], sentences: int) -> float:
    """Flesch-Kincaid grade: years of school needed to read this."""
    syllables = sum(map(_syllables, words))
    return 0.39 * len(words) / sentences + 11.8 * syllables / len(words) - 15.59


def _syllables(word: str) -> int:
    groups = len(re.findall(r"[aeiouyäöü]+", word))
    silent = bool(re.search(r"[^aeiouyl]e$|[^aeiouydt]ed$", word))
    return max(1, groups - silent)


def invented(cases: DrawnCases) -> Complaints:
    """No address, link or phone number can belong to a real person."""
    places: dict[str, Any] = {
        "the desk": cases.world.instructions("email"),
        **cases.cases,
        **{f"the record of {name}": drawn.rows for name, drawn in cases.drawn.items()},
    }
    places["store.yaml"] = cases.world.catalogue
    places["the handbook"] = list(handbook_texts(cases))
    listed = set(strings_in(cases.world.cast))
    for place, content in places.items():
        text = "\n".join(strings_in(content))
        for found in MAIL.finditer(text):
            if found[1].casefold() not in INVENTED_MAIL:
                yield place, f"{found[0]} may be a real address"
        for found in HOST.finditer(text):
            if not f".{found[1] or found[2]}".endswith(INVENTED_HOST):
                yield place, f"{found[0]} may be a real site"
        for found in PHONE.finditer(text):
            if not INVENTED_PHONE.fullmatch(found[0]) and found[0] not in listed:
                yield place, f"{found[0]} may be a real phone number"


def bare_numbers(cases: DrawnCases) -> Complaints:
    """Every number in a rule is a measure, because a number typed into a text would not bind any label."""
    path = cases.world.folder / "policy.yaml"
    content = read_policy_document(path, cases.world.kit)
    ids = {rule.id for section in content.sections for rule in section.rules}
    for s, section in enumerate(content.sections):
        for r, rule in enumerate(section.rules):
            texts = (
                rule.text,
                rule.say,
                *rule.say_in.values(),
                *(text for one in rule.tell for text in (one.about, *one.says.values())),
            )
            found = dict.fromkeys(one for text in texts for one in numbers_in(text, ids, content.measures))
            if found:
                line = locate(path, f".sections[{s}].rules[{r}]")
                what = ", ".join(map(repr, found))
                yield (
                    f"{path.name}:{line}",
                    f"rule {rule.id} has {what}; name it in `measures:` and print that",
                )


def rule_coverage(cases: DrawnCases) -> Complaints:
    """Every rule decides some case, or is measured by a finding."""
    deciding: set[str] = set()
    for case in cases.cases.values():
        deciding.update(case.label.rules, *(ban.rules for ban in case.label.bans))
        deciding.update(_on_handover(cases, case))
    for rule in cases.world.policy.rules:
        only_words = not (rule.when or rule.otherwise_forbid or rule.until_settled)
        for check in set(rule.checked_by) - CATALOGUE.keys():
            yield f"rule {rule.id}", f"is checked by {check!r}, which is not a finding"
        if only_words and not rule.checked_by:
            yield f"rule {rule.id}", "is measured by no finding"
        elif not only_words and rule.id not in deciding:
            yield f"rule {rule.id}", "decides no case"


def _on_handover(cases: DrawnCases, case: Case) -> Iterator[str]:
    """The rules that say whether this case may be handed over; the label only stores their result."""
    record, full = cases.record_of(case.id).showing(case.brief), case.brief.disclosed_in_full()
    for wish in case.brief.standing:
        ruling = record.rule(wish, full).acts["hand_over"]
        yield from ruling.rules if ruling.verdict == case.label.handover else ()


def variety(cases: DrawnCases) -> Complaints:
    """The customers of a family differ in length of opening, first word and manner."""
    core = _core(cases)
    for name, family in _families(core).items():
        if len(family) == 1:
            continue
        if len({len(words_of(case.opening)).bit_length() for case in family}) < 2:
            yield name, "all its openings are of about the same length"
        firsts = Counter(_masked(cases, case, case.opening)[0] for case in family)
        most = 1 if cases.seed == PUBLIC else len(family) // 2  # They may share a first word by chance.
        yield from ((name, f"{n} openings begin with {word!r}") for word, n in firsts.items() if n > most)
        manners = sorted({case.brief.manner for case in family})
        if cases.seed == PUBLIC and len(manners) < min(MANNERS, len(family)):
            yield name, f"its customers are only {' and '.join(manners)}"
    share = sum(case.subject.strip("#") in case.opening for case in core) / len(core)
    if not FEWEST_WITH_NUMBER <= share <= MOST_WITH_NUMBER:
        yield "the set", f"{share:.0%} of its openings give the number they are about"


def levels(cases: DrawnCases) -> Complaints:
    """No author sets the level of a trap: it is derived from what the case demands."""
    for family in cases.world.families:
        content = family.content
        is_written = bool(content.level) or any(template.level for template in content.cases)
        if content.bucket == "adversarial" and is_written:
            yield family.name, "has a `level:`, which is derived for traps; leave it out"


CHECKS: tuple[Callable[[DrawnCases], Complaints], ...] = (
    grounding,
    isolation,
    near_duplicates,
    openings,
    reading_level,
    invented,
    rule_coverage,
    bare_numbers,
    handbook,
    variety,
    levels,
)


def _core(cases: DrawnCases) -> list[Case]:
    return [case for case in cases.cases.values() if not case.twin_of]


def _families(cases: list[Case]) -> dict[str, list[Case]]:
    families: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        families[case.family].append(case)
    return families
