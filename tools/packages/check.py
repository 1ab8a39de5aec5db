"""What every installed package must do, in an empty home and with a clean environment."""

import json
import subprocess

from project import VERSION

SENTENCE = "The user prefers dark mode in every editor"
QUESTION = "which colour theme does the user like?"


def first_memory(start):
    """Writes a memory and finds it again."""
    expect("Remembered as", start(["memory", "write", SENTENCE, "--category", "preferences"]))
    expect("dark mode", start(["memory", "recall", QUESTION]))


def everything_else(start, server):
    """Checks the version, the demo, banks, and the MCP server that the words of `server` start."""
    expect(VERSION, start(["memory", "--version"]))
    expect("memory connect", start(["memory", "demo"]))
    start(["memory-cli", "write", "state", "answer", "42"])
    expect("42", start(["memory-cli", "read", "state", "answer"]))
    handshake(lambda requests: start(server, input=requests))


def handshake(talk):
    """Speaks MCP over standard input and output as a client does."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "packages", "version": "1"}}
    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    lines = talk("".join(json.dumps(request) + "\n" for request in requests)).splitlines()
    replies = {reply["id"]: reply["result"] for reply in map(json.loads, lines) if "id" in reply}
    server = replies[1]["serverInfo"]
    if (server["name"], server["version"]) != ("memory", VERSION):
        raise Failure(f"The server is {server}")
    if len(replies[2]["tools"]) < 5:
        raise Failure(f"The server has only the tools {replies[2]['tools']}")


class Failure(Exception):
    """A package does not do what it must."""


def starter(environment, prefix=(), folder=None):
    """Returns a function that runs a command with only these variables and returns its standard output."""
    def start(words, input=""):
        words = [*prefix, *words]
        done = subprocess.run(words, env=environment, cwd=folder, input=input, text=True, capture_output=True,
                              timeout=300)
        if done.returncode:
            raise Failure(f"{' '.join(words)} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout
    return start


def expect(text, found):
    if text not in found:
        raise Failure(f"expected {text!r}, found {found!r}")
