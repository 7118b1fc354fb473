"""Service process: an agent behind HTTP in a process of its own, given a port and a version.

It looks its customer up over REST, answers in words that depend on what it found, and names its version.
"""

import sys
from typing import Any

from aiohttp import ClientSession, web

WORDS = (
    "I have found your order. Could you tell me what is wrong with it?",
    "Thank you. I cannot change anything about it, I am sorry.",
    "There is nothing more that I can do. Goodbye.",
)


async def reply(request: web.Request) -> web.Response:
    sent: Any = await request.json()
    place, asked = f"{sent['tools']['rest']}/tools/find_order", {"email": sent["sender"]["email"]}
    async with ClientSession() as http, http.post(place, json=asked) as answer:
        found = await answer.json()
    text = WORDS[min(sent["turn"], len(WORDS)) - 1] if found["ok"] else "Which order is it?"
    usage = {"model": "gpt-5.4-mini", "input_tokens": 900 + sent["turn"], "output_tokens": 30}
    return web.json_response({"text": text, "usage": usage, "version": sys.argv[2]})


async def version(request: web.Request) -> web.Response:
    return web.json_response({"version": sys.argv[2]} if sys.argv[2] else {})


async def say(request: web.Request) -> web.Response:
    """For an agent that uses none of our tools."""
    return web.json_response({"text": "I have sent you a new one."})


def main() -> None:
    app = web.Application()
    app.add_routes([web.post("/reply", reply), web.get("/reply", version), web.post("/say", say)])
    web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=lambda words: print("up", flush=True))


if __name__ == "__main__":
    main()
