"""Ticket talk: the turns of a real ticket, or of an agent on it, as bubbles: whole, or in a few."""

from collections.abc import Iterator, Mapping, Sequence

from supportagentbench.language.customer import SENTENCE
from supportagentbench.records.counts import counted
from supportagentbench.records.shadow import ActsJudged, plain_act
from supportagentbench.records.transcript import Turn
from supportagentbench.records.vocabulary import CLOSE_TICKET
from supportagentbench.site.answers.short_chat import Bubble, BubbleKind

LONGEST = 240
"""The most characters of a bubble in a short talk."""

NOTHING = "(no words)"


def whole_talk(
    turns: Sequence[Turn], titles: Mapping[str, str], harm: int | None = None
) -> tuple[Bubble, ...]:
    """Every message, and what was done with it. `harm`: the place of the turn that breaks a rule."""
    return tuple(
        bubble for place, turn in enumerate(turns) for bubble in _turn(turn, titles, is_harm=place == harm)
    )


def short_talk(turns: Sequence[Turn], judged: ActsJudged, titles: Mapping[str, str]) -> tuple[Bubble, ...]:
    """The first answer, and the turn that decides with the message before it; the rest is counted."""
    kept = _deciding(turns, judged, titles)
    bubbles: list[Bubble] = []
    last = -1
    for place in kept:
        if left := place - last - 1:
            bubbles.append(Bubble("gap", f"{counted(left, 'message')} left out"))
        is_harm = judged.right is False and place == judged.turn
        bubbles += (_cut(one) for one in _turn(turns[place], titles, is_harm=is_harm))
        last = place
    if left := len(turns) - last - 1:
        bubbles.append(Bubble("gap", f"{counted(left, 'more message')}"))
    return tuple(bubbles)


def _deciding(turns: Sequence[Turn], judged: ActsJudged, titles: Mapping[str, str]) -> list[int]:
    """The places of the turns to show: at most three, in order. What was only said again shows nothing."""
    answers = [place for place, turn in enumerate(turns) if turn.party == "agent"]
    if not answers:
        return list(range(min(len(turns), 2)))
    first = answers[0]
    acted = [place for place in answers if any(call.tool in titles for call in turns[place].calls)]
    new = [place for place in answers if turns[place].text.strip() != turns[first].text.strip()]
    deciding = judged.turn if judged.turn is not None else (acted[:1] or new[-1:] or [first])[0]
    found = {first, deciding, *([deciding - 1] if deciding > first else [])}
    return sorted(place for place in found if 0 <= place < len(turns))


def _turn(turn: Turn, titles: Mapping[str, str], *, is_harm: bool) -> Iterator[Bubble]:
    kind: BubbleKind = "agent" if turn.party == "agent" else "customer"
    if words := turn.text.strip():
        yield Bubble(kind, words, is_harm)
    for file in turn.attachments:
        yield Bubble(kind, f"File: {file.name}")
    yield from _done(turn, titles, is_harm=is_harm)
    if not words and not turn.attachments and not any(call.tool in titles for call in turn.calls):
        yield Bubble(kind, NOTHING)


def _done(turn: Turn, titles: Mapping[str, str], *, is_harm: bool) -> Iterator[Bubble]:
    """What was carried out, and what the desk refused; look-ups and closing the ticket are left out."""
    for call in turn.calls:
        if call.tool in titles and call.tool != CLOSE_TICKET:
            did = plain_act(call.tool, dict(titles))
            yield Bubble("did", f"→ {did}" if call.result.ok else f"→ {did}: the desk refused", is_harm)


def _cut(bubble: Bubble) -> Bubble:
    """The bubble with whole sentences from its start, as many as there is room for."""
    if len(bubble.text) <= LONGEST:
        return bubble
    ends = [found.start() for found in SENTENCE.finditer(bubble.text)]
    end = max((one for one in ends if one <= LONGEST), default=LONGEST)
    return bubble._replace(text=f"{bubble.text[:end].rstrip()} …")
