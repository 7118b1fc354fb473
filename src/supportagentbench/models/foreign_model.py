"""Foreign model: one served by a user's Python code. Its answers are checked before they are used."""

import msgspec

from supportagentbench.models import Completion, Model, ModelError, ModelRequest
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import read_back, readable
from supportagentbench.records.transcript import CAUSES, EXTERNAL_CAUSES, Cause
from supportagentbench.records.usage import checked_usage


class ForeignModel:
    """A model whose answers can be stored and read back, or are refused in one sentence."""

    def __init__(self, model: Model, place: str, role: str) -> None:
        self.model = model
        self.role = role
        self.place = place
        """Where it was found, as `package.module:factory`."""
        self.name = getattr(model, "name", None) or place
        if not isinstance(self.name, str) or not self.name.isprintable():
            raise Problem(f"the model {place!r} has no printable name; give it one as `name`.")

    async def complete(self, request: ModelRequest) -> Completion:
        try:
            completion = await self.model.complete(request)
        except ModelError as error:
            # Its author is the agent's author in the agent's seat, and there excuses nobody.
            is_agent = self.role == "agent"
            believed = [one for one in CAUSES if not (is_agent and one in EXTERNAL_CAUSES)]
            known = next((one for one in believed if one == error.cause), None)
            words = readable(f"{error.detail}" if known else f"{error.cause}: {error.detail}")
            other: Cause = "agent_error" if is_agent else "provider_error"
            raise ModelError(known or other, words, checked_usage(error.usage)) from None
        try:
            return read_back(completion, Completion)
        except msgspec.MsgspecError as error:
            raise Problem(
                f"the model {self.place!r} gave an answer that cannot be stored ({error}); "
                "let it return a supportagentbench.models.Completion."
            ) from None
