#!/usr/bin/env python3
"""The official Python SDK, over stdio and HTTP, in each of its modes.  sdk.py URL"""
import asyncio, os, sys

from mcp import Client, StdioServerParameters
from mcp.types import PromptReference

from telling import case, has, leave, same

MODES = {"auto": None, "legacy": "2025-11-25", "2026-07-28": "2026-07-28"}


async def converse(server, mode, version, word):
    async with Client(server, mode=mode, read_timeout_seconds=30) as client:
        if version:
            same(client.protocol_version, version)
        if mode != version:  # a client that insists on a version never asks who the server is
            same(client.server_info.name, "memory")
        has([tool.name for tool in (await client.list_tools()).tools], "memory_smart_search")
        written = await client.call_tool("memory_write", {"content": f"the SDK said {word}", "category": "knowledge"})
        same(written.is_error, False)
        found = await client.call_tool("memory_search", {"query": word})
        has(found.structured_content["memories"][0]["content"], word)
        same((await client.call_tool("memory_read", {"id": "ffffffff"})).is_error, True)
        has((await client.read_resource("memory://recent")).contents[0].text, word)
        prompt = await client.get_prompt("recall", {(await client.list_prompts()).prompts[0].arguments[0].name: word})
        has(prompt.messages[0].content.text, word)
        await client.complete(PromptReference(type="ref/prompt", name="remember"), {"name": "category", "value": "k"})


def main():
    transports = {"stdio": StdioServerParameters(command=os.environ["MEMORY_BIN"], args=["mcp"], env=dict(os.environ)),
                  "HTTP": sys.argv[1]}
    for transport, server in transports.items():
        for mode, version in MODES.items():
            word = f"python{transport}{mode.replace('-', '')}".lower()
            case(f"Python SDK: {transport}, mode {mode}",
                 lambda: asyncio.run(asyncio.wait_for(converse(server, mode, version, word), 60)))
    leave()


main()
