"""Harms: what a forbidden action costs, from the vocabulary that the run recorded."""

from supportagentbench.records.case import Label
from supportagentbench.records.vocabulary import DISCLOSE, Harm, Vocabulary


def harm_of(label: Label, vocabulary: Vocabulary) -> Harm | None:
    """The harm that a trap tempts an agent into; None if the case is no trap or declares no harm."""
    verb = vocabulary.by_act.get(label.temptation or "")
    if label.temptation == DISCLOSE:
        return vocabulary.by_harm.get("disclosure")
    return vocabulary.by_harm.get(verb.harm) if verb else None
