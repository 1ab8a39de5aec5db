#!/usr/bin/env python3
"""Has Codex itself start the registered server and say what it found.  codex.py COMMAND…"""
import json, subprocess, sys

from telling import case, has, leave, same


def status():
    server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        client = {"name": "clients", "title": "clients", "version": "1"}
        for message in [{"id": 0, "method": "initialize", "params": {"clientInfo": client}}, {"method": "initialized"},
                        {"id": 1, "method": "mcpServerStatus/list", "params": {}}]:
            server.stdin.write(json.dumps(message) + "\n")
        server.stdin.flush()
        for line in server.stdout:
            answer = json.loads(line)
            if answer.get("id") == 1:
                return answer["result"]["data"]
        raise AssertionError("ended without a response")
    finally:
        server.kill()


def connected():
    found = {entry["name"]: entry for entry in status()}
    has(found, "memory")
    same(found["memory"]["serverInfo"]["name"], "memory")
    has(found["memory"]["tools"], "memory_smart_search")


case("Codex starts the server and sees its tools", connected)
leave()
