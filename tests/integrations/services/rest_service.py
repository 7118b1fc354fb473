"""REST service: it asks its model itself, and calls the desk's tools over REST."""

import os
from typing import Any

from aiohttp import ClientSession

from integrations.services.serving import MODEL, serve

memory: dict[str, list[Any]] = {}
"""Each conversation so far, as messages."""


async def answer(sent: dict[str, Any]) -> dict[str, Any]:
    """The model's reply, after all the tools that it asks for."""
    messages = memory.setdefault(sent["conversation"], [{"role": "system", "content": sent["instructions"]}])
    messages.append({"role": "user", "content": sent["text"]})
    usage: list[Any] = []
    key = {"Authorization": f"Bearer {os.environ['OPENAI_API_KEY']}"}
    async with ClientSession() as http:
        async with http.get(f"{sent['tools']['rest']}/tools") as found:
            tools = [_tool(tool) for tool in await found.json()]
        while True:
            asked = {"model": MODEL, "messages": messages, "tools": tools}
            place = f"{os.environ['OPENAI_BASE_URL']}/chat/completions"
            async with http.post(place, json=asked, headers=key) as said:
                completion = await said.json()
            usage.append(completion["usage"] | {"model": MODEL})
            message = completion["choices"][0]["message"]
            messages.append(message)
            if not message.get("tool_calls"):
                return {"text": message["content"], "usage": usage}
            for call in message["tool_calls"]:
                place = f"{sent['tools']['rest']}/tools/{call['function']['name']}"
                async with http.post(place, data=call["function"]["arguments"]) as result:
                    text = (await result.json())["text"]
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})


def _tool(tool: dict[str, Any]) -> dict[str, Any]:
    function = {"name": tool["name"], "description": tool["about"], "parameters": tool["schema"]}
    return {"type": "function", "function": function}


if __name__ == "__main__":
    serve(answer)
