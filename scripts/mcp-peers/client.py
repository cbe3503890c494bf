"""Calls the server `laws` with the Python SDK, 1.x or 2.x, and saves the result in its three forms: PREFIX-FORM.json."""

import asyncio
import json
import os
import sys

from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client

PREFIX = sys.argv[1]
SERVER = StdioServerParameters(command=os.environ["LAWS"], args=[], env=dict(os.environ))


def save(form, text):
    with open(f"{PREFIX}-{form}.json", "w", encoding="utf-8") as file:
        file.write(text)


async def call():
    arguments = ("article", {"article": 2})
    try:
        from mcp import Client

        async with Client(stdio_client(SERVER)) as client:
            return await client.call_tool(*arguments)
    except ImportError:
        from mcp import ClientSession

        async with stdio_client(SERVER) as (read, write):
            async with ClientSession(read, write) as session:
                await session.initialize()
                return await session.call_tool(*arguments)


result = asyncio.run(call())
save("default", result.model_dump_json())
save("alias", result.model_dump_json(by_alias=True, exclude_none=True))
save("plain", json.dumps(result.model_dump(mode="json")))
