"""The same conversations as an Inspect task: its OpenAI provider, its tool calls, its log."""

from collections.abc import Sequence
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, execute_tools, get_model
from inspect_ai.solver import Generate, TaskState, solver
from inspect_ai.tool import ToolDef, ToolParams
from side import MODEL, Said, Tell, Work, said_in, talk_of

from supportagentbench.desk import Desk
from supportagentbench.desk.message_text import message_text
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.transcript import Turn


def run_work(work: Work) -> Tell:
    """Evaluate the task; the log goes where the work's records go."""
    held: Said = {}
    task = Task(
        dataset=[Sample(id=case.id, input=case.opening) for case in work.cases.named(work.set_name)],
        solver=at_the_desk(work, held),
    )
    (log,) = eval(
        task,
        model=f"openai/{MODEL}",
        model_base_url=f"{work.url}/v1",
        model_args={"responses_api": False},
        epochs=work.runs,
        max_samples=work.concurrency,
        max_connections=work.concurrency,
        log_dir=str(work.out),
        display="none",
        score=False,
    )
    if log.status != "success":
        raise RuntimeError(f"Inspect ended with {log.status}: {log.error}")
    return lambda: held


@solver
def at_the_desk(work: Work, held: Said) -> Any:
    """A customer and a model at the desk, in turns."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        case = work.cases.cases[str(state.sample_id)]
        transcript = await talk_of(work, case, state.epoch, InspectAgent(state))
        held[f"{state.epoch} {case.id}"] = said_in(transcript)
        return state

    return solve


class InspectAgent:
    """One model in one conversation, whose messages are those of a sample."""

    def __init__(self, state: TaskState) -> None:
        self.state = state
        self.state.messages = []
        self.tools: list[ToolDef] = []
        self.desk: Desk

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        """Ask until it answers with text."""
        state, self.desk = self.state, desk
        if not state.messages:
            state.messages.append(ChatMessageSystem(content=desk.instructions))
            self.tools = [_tool(tool, self) for tool in desk.tools.values()]
        state.messages.append(ChatMessageUser(content=message_text(turns[-1])))
        while True:
            state.output = await get_model().generate(state.messages, self.tools)
            message = state.output.message
            state.messages.append(message)
            if not message.tool_calls:
                return str(message.text).strip()
            state.messages += (await execute_tools(state.messages, self.tools)).messages


def _tool(tool: ToolSpec, agent: InspectAgent) -> ToolDef:
    async def execute(**arguments: Any) -> str:
        return agent.desk.call(tool.name, arguments).text

    return ToolDef(execute, tool.name, tool.about, ToolParams.model_validate(tool.schema))
