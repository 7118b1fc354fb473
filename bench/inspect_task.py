"""The same conversations as an Inspect task: its OpenAI provider, its tool calls, its log."""

from typing import Any

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, execute_tools, get_model
from inspect_ai.solver import Generate, TaskState, solver
from inspect_ai.tool import ToolDef, ToolParams
from side import MODEL, Said, Tell, Work, customer_for, with_files

from supportagentbench.desk import Desk
from supportagentbench.desk.session import DeskSession
from supportagentbench.records.record import to_json
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.runner.conversation import TURN_LIMIT


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
        customer = customer_for(case, state.epoch, work.reader)
        session = DeskSession(work.cases.desk_for(case))
        desk = session.open_turn()
        tools = [_tool(tool, desk) for tool in desk.tools.values()]
        state.messages = [ChatMessageSystem(content=desk.instructions)]
        turn = customer.open(case.opening)
        said = [turn.text]
        for number in range(1, TURN_LIMIT + 1):
            session.receive(turn.attachments)
            state.messages.append(ChatMessageUser(content=with_files(turn)))
            words = await _answer(state, tools, said)
            if session.ticket != "open" or number == TURN_LIMIT:
                break
            turn = await customer.answer(words)
            said.append(turn.text)
            if turn.conduct and turn.conduct.leaves:
                break
        held[f"{state.epoch} {case.id}"] = said
        return state

    return solve


async def _answer(state: TaskState, tools: list[ToolDef], said: list[str]) -> str:
    """Ask until it answers with text."""
    while True:
        state.output = await get_model().generate(state.messages, tools)
        message = state.output.message
        state.messages.append(message)
        if not message.tool_calls:
            said.append(message.text.strip())
            return said[-1]
        said += [f"{call.function} {to_json(call.arguments).decode()}" for call in message.tool_calls]
        state.messages += (await execute_tools(state.messages, tools)).messages


def _tool(tool: ToolSpec, desk: Desk) -> ToolDef:
    async def execute(**arguments: Any) -> str:
        return desk.call(tool.name, arguments).text

    return ToolDef(execute, tool.name, tool.about, ToolParams.model_validate(tool.schema))
