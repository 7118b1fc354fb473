"""How far findings may be believed: adverse findings on the corpus beside the faults that readers found.

python bench/findings.py [PART] [list]
"""

import sys
from collections import Counter
from collections.abc import Iterator

from corpus import LabelledConversation, part_of, read_corpus
from supportagentbench.checks import score_transcript
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.records.finding import Finding
from supportagentbench.records.record import digest
from supportagentbench.runner.run import header_of
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import read_world

Found = tuple[LabelledConversation, Finding, bool]
"""A finding, and whether a reader marked a fault in one of its turns."""


def adverse(part: str) -> Iterator[Found]:
    """Every finding against an agent, and every verdict on resolution."""
    header = header_of(generate(read_world("northline")), "all", "corpus", ScriptedVoice(), 1, 0)
    for one in read_corpus(part):
        transcript = one.transcript
        marked = {turn for reader in one.faults for turn, _, _ in reader}
        for finding in score_transcript(transcript, digest(transcript), header).findings:
            check = CATALOGUE.get(finding.check)
            is_fault = check and not check.duty and finding.value and finding.checked
            if is_fault or finding.check == "resolved" or (finding.check == "engaged" and not finding.value):
                yield one, finding, not marked.isdisjoint(finding.turns)


def main() -> None:
    """Counts by check, counted ones first; then resolution against the readers."""
    part = part_of(sys.argv)
    found: Counter[tuple[bool, str]] = Counter()
    agreed: Counter[tuple[bool, str]] = Counter()
    resolved: Counter[tuple[str, bool | None]] = Counter()
    for one, finding, is_marked in adverse(part):
        if finding.check == "resolved":
            resolved[one.resolved[0], finding.value] += 1
            continue
        key = finding.to_check, finding.check
        found[key] += 1
        agreed[key] += is_marked
        if "list" in sys.argv:
            print(f"{one.id} turn {finding.turns} {finding.check}: {finding.reason} [{is_marked}]")
    for to_check, check in sorted(found):
        state = "to check" if to_check else "counted"
        print(
            f"{state:9} {check:22} {found[to_check, check]:3}, marked by a reader {agreed[to_check, check]:3}"
        )
    for (readers, code), number in sorted(resolved.items(), key=str):
        print(f"resolved: readers {readers}, code {code}: {number}")


if __name__ == "__main__":
    main()
