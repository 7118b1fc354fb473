"""Sanitize: the layer between a model and the conversation. Words go in as data and come out as a plain
message.

Everything a model puts around its message is removed: reasoning, a label such as "Customer:", quotation marks
around the whole, a code fence, and the stop words that would end the conversation. Words never end a
conversation.
"""

import re
from typing import Any

import msgspec

LAYERS = 4
"""How many labels and quotation marks may be nested."""

THOUGHT = re.compile(
    r"<(think|thinking|thought|reasoning|reflection|analysis|scratchpad)>.*?(?:</\1>|\Z)"
    r"|◁think▷.*?(?:◁/think▷|\Z)|\A.*?(?:</think(?:ing)?>|◁/think▷)",
    re.DOTALL | re.IGNORECASE,
)
"""Reasoning between tags; without an end tag it runs to the end, without a start tag from the start."""

STOP = re.compile(
    r"<{1,2}/?[|\w][^<>\n]{0,40}>{1,2}"  # <END>, <|im_end|>, </s>
    r"|\[{1,2}/?[A-Z][A-Z _/-]{1,30}\]{1,2}"  # [DONE], [/INST]
    r"|\[{1,2}(?i:end|stop|done|eos|exit|over|fin|conversation|chat)\b[^\]\n]{0,30}\]{1,2}"
    r"|([#=*~-])\1{1,20} ?[^\W\d_][\w -]{0,40}?\1{2,}"  # ###STOP###, *** END ***
    r"|\((?i:the )?(?i:end|conversation|chat|dialogue)\b[^)\n]{0,30}\)"
    r"|^[^\w\n]{0,20}(?i:(?:the )?(?:end of (?:the )?)?(?:conversation|chat|dialogue|transcript)"
    r"(?: (?:is )?(?:over|ended|closed))?)[^\w\n]{0,20}$"
    r"|\b(?:TERMINATE|END_OF_\w+|EOS)\b|(?:^|(?<=[.!?] ))(?:STOP|END|DONE|FIN)[^\w\n]{0,20}$",
    re.MULTILINE,
)

_PREAMBLE = re.compile(
    r"\A(?:\W{0,20}(?:reasoning|thoughts?|thinking|analysis|plan|notes?)\W{0,20}:"
    r".*?(?:\n[ \t]{0,20}\n|\n(?=\W{0,20}\w{1,20}\W{0,20}:)|\Z)"
    r"|[^\n]{0,80}\b(?:message|reply|response|wording|draft|text)\b[^\n:]{0,40}:\s*(?:\n|(?=[\"“«「'`])))",
    re.DOTALL | re.IGNORECASE,
)
_LABEL = re.compile(
    r"\A[*_#\s]*(?:final |the )?(?:customer|user|client|buyer|me|message|reply|response|answer|draft)"
    r"(?:'s)?(?: message| reply| response)?[*_]*\s*[:：][*_]*\s*",
    re.IGNORECASE,
)
_FENCE = re.compile(r"\A```\w*\s*|\s{0,20}```\Z")
_QUOTES = {'"': '"', "“": "”", "'": "'", "«": "»", "「": "」", "„": "“", "`": "`"}


def thoughtless(raw: str) -> str:
    """The text without reasoning and without a code fence around it."""
    return _FENCE.sub("", THOUGHT.sub("", raw).strip()).strip()


def relayed(raw: str) -> str:
    """The message alone."""
    text = thoughtless(raw)
    for _ in range(LAYERS):
        text = _LABEL.sub("", _PREAMBLE.sub("", thoughtless(STOP.sub(" ", text)))).strip()
        if len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[0] not in text[1:-1]:
            text = text[1:-1]
    return re.sub(r"[ \t]{2,}", " ", text)


def stop_words(raw: str) -> list[str]:
    """The stop words in a text, outside of its reasoning."""
    return [found[0] for found in STOP.finditer(THOUGHT.sub("", raw))]


def as_data(content: Any) -> str:
    """JSON whose strings hold brackets and bars only as escapes: no markup in them can be taken for ours."""
    text = msgspec.json.encode(content).decode()
    return _STRING.sub(lambda string: _MARKUP.sub(_escaped, string[0]), text)


_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_MARKUP = re.compile(r"[<>\[\]{}|]")


def _escaped(sign: re.Match[str]) -> str:
    return f"\\u{ord(sign[0]):04x}"
