#!/usr/bin/env python3
"""The specification's examples for socket and stdin, and MCP line by line in both eras.

Needs nothing but Python; MEMORY_BIN names the program.
"""
import json, os, shutil, signal, socket, stat, subprocess, tempfile, time

from telling import case, has, leave, same, skip

MEMORY = os.environ["MEMORY_BIN"]
TOOLS = ["memory_write", "memory_read", "memory_delete", "memory_list", "memory_search", "memory_tag", "memory_smart_search"]
LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
MODERN = "2026-07-28"
# The lines of the specification, letter by letter.
LIST = '{"id":1,"method":"tools/list","params":{}}'
CALL = '{"id":2,"method":"tools/call","params":{"name":"memory_search","params":{"query":"dark mode"}}}'
SHORT = '{"id":3,"method":"memory_list","params":{"category":"knowledge"}}'


def memory(*arguments, stdin=""):
    done = subprocess.run([MEMORY, *arguments], input=stdin, capture_output=True, text=True, timeout=60)
    same(done.returncode, 0)
    return done.stdout


# --- the shell and stdin

def batch():
    answer = json.loads(memory("agent", stdin='[{"name":"memory_write","params":{"content":"hello","category":"knowledge"}}]\n'))
    has(json.dumps(answer), '"category": "knowledge"')
    has(memory("read", "--json", json.dumps(answer).split('"id": "')[1].split('"')[0]), "hello")


def batch_with_a_failure():
    calls = '[{"name":"memory_read","params":{"id":"ffffffff"}},{"name":"memory_list","params":{"category":"knowledge"}}]'
    done = subprocess.run([MEMORY, "agent"], input=calls, capture_output=True, text=True, timeout=60)
    has(done.stdout, "NOT_FOUND")
    has(done.stdout, "hello")


def stdin_cases():
    case("shell: memory write", lambda: memory("write", "user prefers dark mode", "--category", "preferences", "--tags", "ui"))
    case("shell: memory search", lambda: has(memory("search", "dark mode"), "user prefers dark mode"))
    case("stdin: memory agent --list-tools", lambda: [has(memory("agent", "--list-tools"), tool) for tool in TOOLS])
    case("stdin: memory agent, a batch", batch)
    case("stdin: memory agent, one failure hides no other", batch_with_a_failure)
    case("stdin: memory agent --prompt -",
         lambda: has(memory("agent", "--prompt", "-", stdin='{"prompt":"user preferences about UI"}\n'), "dark mode"))
    case("stdin: memory agent --prompt TEXT", lambda: has(memory("agent", "--prompt", "user preferences"), "dark mode"))


# --- the socket

class Connection:
    """One connection, on which lines go back and forth."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")

    def ask(self, line):
        self.socket.sendall(line.encode() + b"\n")
        return json.loads(self.lines.readline())


def start():
    daemon = subprocess.Popen([MEMORY, "serve"], stderr=subprocess.DEVNULL)
    for _ in range(200):
        try:
            Connection(SOCKET).socket.close()
            return daemon
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the daemon does not answer")


def examples(connection):
    listed = connection.ask(LIST)
    same(listed["id"], 1)
    names = [tool["name"] for tool in listed["result"]["tools"]]
    for tool in TOOLS:
        has(names, tool)
    found = connection.ask(CALL)
    same(found["id"], 2)
    has(json.dumps(found["result"]), "user prefers dark mode")
    listed = connection.ask(SHORT)
    same(listed["id"], 3)
    same([note["category"] for note in listed["result"]["memories"]], ["knowledge"])


def survives(connection):
    has(json.dumps(connection.ask("this is no JSON")), "INVALID_JSON")
    has(json.dumps(connection.ask('{"id":"a","method":"nothing"}')), "error")
    too_long = connection.ask('{"id":4,"method":"' + "x" * (1 << 20) + '"}')
    has(json.dumps(too_long), "LIMIT_EXCEEDED")
    same(connection.ask('{"jsonrpc":"2.0","id":"b","method":"memory_list","params":{}}')["jsonrpc"], "2.0")


def socat():
    command = f"printf '%s\\n' '{LIST}' '{CALL}' '{SHORT}' | socat -t 5 - UNIX-CONNECT:$HOME/.memory/memory.sock"
    out = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)
    same(out.returncode, 0)
    same([json.loads(line)["id"] for line in out.stdout.splitlines()], [1, 2, 3])
    has(out.stdout, "user prefers dark mode")


def second_daemon():
    done = subprocess.run([MEMORY, "serve"], capture_output=True, text=True, timeout=30)
    same(done.returncode, 4)
    has(done.stderr, "already running")


def ends(daemon):
    daemon.send_signal(signal.SIGTERM)
    same(daemon.wait(30), 0)
    same(os.path.exists(SOCKET), False)


def killed():
    daemon = start()
    written = Connection(SOCKET).ask('{"id":1,"method":"memory_write","params":{"content":"kept through a kill"}}')
    daemon.kill()
    daemon.wait(30)
    daemon = start()
    try:
        asked = json.dumps({"id": 2, "method": "memory_read", "params": {"id": written["result"]["id"]}})
        has(json.dumps(Connection(SOCKET).ask(asked)), "kept through a kill")
    finally:
        ends(daemon)


def socket_cases():
    daemon = case("socket: memory serve", start)
    if not daemon:
        return
    try:
        case("socket: only the owner may use it", lambda: same(stat.S_IMODE(os.stat(SOCKET).st_mode), 0o600))
        connection = Connection(SOCKET)
        case("socket: the specification's examples on one connection", examples, connection)
        case("socket: bad lines are answered and the connection stays", survives, connection)
        if shutil.which("socat"):
            case("socket: the examples through socat", socat)
        else:
            skip("socket: the examples through socat", "socat is not installed")
        case("socket: a second daemon is refused", second_daemon)
        case("socket: --status", lambda: memory("serve", "--status"))
        case("socket: SIGTERM ends the daemon and takes the socket away", ends, daemon)
        case("socket: what was acknowledged outlives kill -9", killed)
    finally:
        if daemon.poll() is None:
            daemon.kill()


# --- MCP, line by line

class Server:
    """`memory mcp` as a client starts it."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([MEMORY, "mcp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number = 0

    def send(self, method, params=None, **more):
        message = {"jsonrpc": "2.0", "method": method, **more}
        if params is not None:
            message["params"] = params
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, params=None):
        self.number += 1
        self.send(method, params, id=self.number)
        answer = json.loads(self.process.stdout.readline())
        same(answer["id"], self.number)
        return answer

    def raw(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().decode()

    def hello(self, version):
        client = {"name": "plain", "version": "1"}
        answer = self.ask("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": client})["result"]
        self.send("notifications/initialized")
        return answer

    def bye(self):
        self.process.stdin.close()
        same(self.process.wait(30), 0)


def legacy(version, answered):
    server = Server()
    hello = server.hello(version)
    same(hello["protocolVersion"], answered)
    same(hello["serverInfo"]["name"], "memory")
    same(server.ask("ping")["result"], {})
    tools = server.ask("tools/list")["result"]["tools"]
    same([tool["name"] for tool in tools][:7], TOOLS)
    for tool in tools:
        same(len(tool["annotations"]), 4)
        same(tool["inputSchema"]["type"], "object")
    found = server.ask("tools/call", {"name": "memory_search", "arguments": {"query": "dark mode"}})["result"]
    same(found["isError"], False)
    same(json.loads(found["content"][0]["text"]), found["structuredContent"])
    has(found["content"][0]["text"], "user prefers dark mode")
    same(server.ask("tools/call", {"name": "memory_write", "arguments": {}})["result"]["isError"], True)
    same(server.ask("tools/call", {"name": "nothing", "arguments": {}})["error"]["code"], -32602)
    same(server.ask("resources/read", {"uri": "memory://note/ffffffff"})["error"]["code"], -32002)
    same(server.ask("nothing/at-all")["error"]["code"], -32601)
    server.bye()


def modern():
    server = Server()
    key = "io.modelcontextprotocol/"
    meta = {"_meta": {key + "protocolVersion": MODERN, key + "clientCapabilities": {}}}
    told = server.ask("server/discover", meta)["result"]
    has(told["supportedVersions"], MODERN)
    same(told["_meta"][key + "serverInfo"]["name"], "memory")
    listed = server.ask("tools/list", meta)["result"]
    same([listed["resultType"], listed["cacheScope"], "ttlMs" in listed], ["complete", "private", True])
    same([tool["name"] for tool in listed["tools"]][:7], TOOLS)
    found = server.ask("tools/call", {"name": "memory_search", "arguments": {"query": "dark mode"}, **meta})["result"]
    same([found["resultType"], found["isError"]], ["complete", False])
    has(found["content"][0]["text"], "user prefers dark mode")
    has(json.dumps(server.ask("resources/read", {"uri": "memory://recent", **meta})["result"]), "dark mode")
    same(server.ask("resources/read", {"uri": "memory://note/ffffffff", **meta})["error"]["code"], -32602)
    same(server.ask("tools/list", {})["error"]["code"], -32602)
    wrong = {"_meta": {**meta["_meta"], key + "protocolVersion": "1999-01-01"}}
    refused = server.ask("tools/list", wrong)["error"]
    same([refused["code"], refused["data"]["requested"]], [-32022, "1999-01-01"])
    server.bye()


def unreadable():
    server = Server()
    server.hello("2025-06-18")
    call = '{"jsonrpc":"2.0","id":"%s","method":"tools/call","params":{"name":"memory_write","arguments":%s}}'
    for name, arguments in {"cut": '{"content":"cut \\ud83d"}', "deep": "[" * 300 + "]" * 300, "list": '["a"]'}.items():
        answer = json.loads(server.raw(call % (name, arguments)))
        same([answer["id"], answer["result"]["isError"]], [name, True])
    same(json.loads(server.raw("garbage"))["error"]["code"], -32700)
    same(server.ask("ping")["result"], {})
    server.bye()


def digits():
    server = Server("--tools", "banks")
    server.hello("2025-06-18")
    value = '{"z":12345678901234567890123,"y":0.1000000000000000055511151231257827,"x":1e400}'
    call = '{"jsonrpc":"2.0","id":"d","method":"tools/call","params":{"name":"memory_write","arguments":{"bank":"n","key":"b","value":%s}}}'
    same(json.loads(server.raw(call % value))["result"]["isError"], False)
    server.bye()
    same(memory("bank", "read", "n", "b", "--format", "value").replace(" ", "").replace("\n", ""), value)


def mcp_cases():
    for version in LEGACY:
        case(f"MCP stdio: {version}", legacy, version, version)
    case("MCP stdio: an unknown version gets the newest of its era", legacy, "2000-01-01", LEGACY[-1])
    case(f"MCP stdio: {MODERN}", modern)
    case("MCP stdio: what can't be read is answered", unreadable)
    case("MCP stdio: numbers keep their digits", digits)
    case("MCP stdio: the end of stdin before any request", lambda: Server().bye())


if __name__ == "__main__":
    home = tempfile.mkdtemp(prefix="clients-plain-")
    os.environ["HOME"] = home
    os.chdir(home)
    SOCKET = os.path.join(home, ".memory", "memory.sock")
    try:
        stdin_cases()
        socket_cases()
        mcp_cases()
    finally:
        shutil.rmtree(home, ignore_errors=True)
    leave()
