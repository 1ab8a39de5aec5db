#!/usr/bin/env python3
"""Many agents at once, a daemon that is killed, and clients that mean no good.

Needs nothing but Python; MEMORY_BIN names the program. Each part ends by itself.
"""
import json, os, shutil, signal, socket, subprocess, tempfile, threading, time

from telling import case, leave, same

MEMORY = os.environ["MEMORY_BIN"]
WRITERS, WRITES = 16, 25


def memory(*arguments):
    done = subprocess.run([MEMORY, *arguments], capture_output=True, text=True, timeout=120)
    same(done.returncode, 0)
    return done.stdout


def kept():
    return {note["content"] for note in json.loads(memory("list", "--limit", "1000000", "--json"))["memories"]}


class Daemon:
    def __init__(self):
        self.process = subprocess.Popen([MEMORY, "serve"], stderr=subprocess.DEVNULL)
        for _ in range(400):
            try:
                self.connect().close()
                return
            except OSError:
                time.sleep(0.02)
        raise AssertionError("the daemon does not answer")

    def connect(self):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(60)
        client.connect(SOCKET)
        return client

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        return self.process.wait(60)


def write(number, content):
    call = {"name": "memory_write", "arguments": {"content": content, "category": "knowledge"}}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call}).encode() + b"\n"


def by_socket(daemon, name, told):
    """Writes notes one after the other until all are there or nobody answers; notes what was acknowledged."""
    try:
        client = daemon.connect()
        lines = client.makefile("rb")
        for number in range(WRITES):
            content = f"{name} says {number}"
            client.sendall(write(number, content))
            answer = json.loads(lines.readline() or "{}")
            if "result" in answer:
                told.append(content)
    except OSError:
        pass


def by_mcp(name, told):
    server = subprocess.Popen([MEMORY, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": name, "version": "1"}}
    begin = json.dumps({"jsonrpc": "2.0", "id": "begin", "method": "initialize", "params": hello})
    server.stdin.write(begin.encode() + b"\n")
    server.stdin.flush()
    server.stdout.readline()
    for number in range(WRITES):
        content = f"{name} says {number}"
        server.stdin.write(write(number, content))
        server.stdin.flush()
        if json.loads(server.stdout.readline())["result"]["isError"] is False:
            told.append(content)
    server.stdin.close()
    same(server.wait(60), 0)


def at_once(works):
    threads = [threading.Thread(target=work, args=arguments) for work, *arguments in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    same(any(thread.is_alive() for thread in threads), False)


def nothing_is_lost():
    daemon, told = Daemon(), []
    at_once([(by_socket, daemon, f"socket {n}", told) for n in range(WRITERS)] + [(by_mcp, f"mcp {n}", told) for n in range(WRITERS)])
    same(len(told), 2 * WRITERS * WRITES)
    same(set(told) - kept(), set())
    same(daemon.end(), 0)


def killed_under_load():
    for round in range(3):
        daemon, told = Daemon(), []
        killer = threading.Timer(0.15 + 0.2 * round, lambda: daemon.end(signal.SIGKILL))
        killer.start()
        at_once([(by_socket, daemon, f"round {round} of {n}", told) for n in range(WRITERS)])
        killer.join()
        same(set(told) - kept(), set())
    same(Daemon().end(), 0)


def hostile():
    daemon = Daemon()
    crowd = []
    garbage, endless, half, deaf = (daemon.connect() for _ in range(4))
    garbage.sendall(b"\x00\xff{[garbage\n" * 100)
    half.sendall(b'{"id":1,')

    def send_endless():
        try:
            for _ in range(64):
                endless.sendall(b"x" * (1 << 20))
        except OSError:
            pass

    def send_deaf():
        deaf.settimeout(5)
        try:
            deaf.sendall(b'{"id":1,"method":"tools/list"}\n' * 20_000)
        except OSError:
            pass

    def connect_all():
        for _ in range(1_000):
            try:
                crowd.append(daemon.connect())
            except OSError:
                return

    told = []
    at_once([(send_endless,), (send_deaf,), (connect_all,)] + [(by_socket, daemon, f"good {n}", told) for n in range(4)])
    same(len(told), 4 * WRITES)
    same(set(told) - kept(), set())
    for client in crowd + [garbage, endless, half, deaf]:
        client.close()
    same(daemon.end(), 0)


if __name__ == "__main__":
    home = tempfile.mkdtemp(prefix="crowd-")
    os.environ["HOME"] = home
    os.chdir(home)
    SOCKET = os.path.join(home, ".memory", "memory.sock")
    try:
        case(f"crowd: {WRITERS} MCP servers and {WRITERS} clients of the socket write at once, nothing is lost", nothing_is_lost)
        case("crowd: a daemon that is killed under load loses nothing acknowledged, and starts again", killed_under_load)
        case("crowd: garbage, 64 MB on a line, half a line, a deaf client and 1,000 connections hurt no one", hostile)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    leave()
