"""An agent that writes and calls what would run, if any page let it; for the command to load."""

from collections.abc import Sequence

from supportagentbench.desk import Desk
from supportagentbench.records.transcript import Turn

MARKUP = (
    "</script><script>window.harmed=1</script><img src=x onerror=window.harmed=1>"
    '<a href="javascript:window.harmed=1">x</a>\u2028\u2029<!-- ]]> {{ 7 * 7 }} {% raw %}'
    "'\"><svg onload=window.harmed=1>"
)


class Harmful:
    """Puts markup wherever it can: words, tool names, arguments."""

    def __init__(self, seed: int) -> None: ...

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        desk.call("find_order", {"order": MARKUP})
        desk.call(f"tool{MARKUP}", {MARKUP: MARKUP})
        desk.call("hand_over", {"reason": MARKUP})
        return f"I've sent a replacement, it arrives on 3 March {MARKUP}"
