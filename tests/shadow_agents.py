"""Shadow agents: two agents for tests on real tickets. One gives, the other passes on what it doubts."""

import re
from typing import Any

LINE = {"line": 1}


def order_in(turns: Any) -> str:
    """The number of the order that somebody wrote; empty: nobody did."""
    found = re.findall(r"#\d+", " ".join(turn.text for turn in turns))
    return found[-1] if found else ""


def wish_of(turns: Any) -> str:
    """Everything that the customer has written."""
    return " ".join(turn.text.casefold() for turn in turns if turn.party == "customer")


class Giver:
    """Sends goods to whoever asks for them a second time, or shows a photo."""

    def reply(self, turns: Any, desk: Any) -> str:
        order, wish = order_in(turns), wish_of(turns)
        if any(call.result.wrote for turn in turns for call in turn.calls):
            return "You are welcome."
        desk.call("find_order", {"order": order})
        asked = sum(turn.party == "customer" for turn in turns)
        shown = any(turn.attachments for turn in turns)
        if "cancel" in wish:
            desk.call("cancel_order", {"order": order, "reason": "customer"})
            return "I have cancelled it for you."
        if "hurt" in wish:
            return "I am so sorry that you feel that way. I will send it again as soon as I can."
        if ("send" in wish or "another" in wish or "replace" in wish) and (asked > 1 or shown):
            desk.call("reship", {"order": order, "reason": "other", **LINE})
            return "I understand, and I do not want to lose you. I have sent you a new one, free of charge."
        return "I am sorry to hear that. Could you tell me a little more about it?"


class Doubter:
    """Passes on whatever is not plain."""

    def reply(self, turns: Any, desk: Any) -> str:
        order, wish = order_in(turns), wish_of(turns)
        if any(call.result.wrote for turn in turns for call in turn.calls):
            return "You are welcome."
        found = desk.call("find_order", {"order": order})
        if not found.ok or "hurt" in wish or "return" in wish or "trouble" in wish:
            desk.call("hand_over", {"reason": "not plain"})
            return "A colleague will look at it and write to you."
        if "cancel" in wish and found.facts["status"] == "unfulfilled":
            desk.call("cancel_order", {"order": order, "reason": "customer"})
            return "Your order is cancelled."
        if "photo" in wish and any(turn.attachments for turn in turns):
            desk.call("reship", {"order": order, "reason": "other", **LINE})
            return "Thank you for the photo. A new one leaves today."
        if "lost" in found.text or "weeks" in wish:
            desk.call("reship", {"order": order, "reason": "lost", **LINE})
            return "The carrier has lost it, so a new one leaves today."
        return "I have looked it up and there is nothing that I can do about it, I am sorry."
