"""Opinion notes: what nobody can verify about the opinions of models, and which of them are void."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from supportagentbench.records.counts import counted
from supportagentbench.results.load import opinions_in


def opinion_notes(folders: Iterable[Path]) -> Iterator[str]:
    """One sentence for every judge on file, and one more if some of its opinions are void."""
    given: Counter[str] = Counter()
    void: Counter[str] = Counter()
    for folder in folders:
        for one in opinions_in(folder):
            given[one.judge] += len(one.opinions) + len(one.findings)
            void[one.judge] += one.void - one.unasked
    for judge, count in sorted(given.items()):
        yield f"Opinions of {judge} cannot be derived again; they are as the publisher recorded them."
        if void[judge]:
            yield (
                f"{void[judge]} of {counted(count, 'opinion')} of {judge} are void and count nowhere: they "
                "have no reason, or their words are not in the turn that they name."
            )
