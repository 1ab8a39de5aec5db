#!/usr/bin/env python3
"""Which users of this machine are answered over HTTP at a loopback address.

Starts `memory mcp --http` and `memory proxy`, and asks them as the user who runs them and as another one.
Only root can become another user; without root that part is skipped. Needs nothing but Python; MEMORY_BIN
names the program.
"""
import http.server, json, os, re, signal, subprocess, tempfile, threading, urllib.error, urllib.request

from telling import case, has, leave, same, skip

MEMORY = os.environ["MEMORY_BIN"]
ANOTHER = 54321
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}
CHAT = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
keys = []


class Upstream(http.server.BaseHTTPRequestHandler):
    """Answers every chat, and keeps the key that came with it."""

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        keys.append(self.headers["authorization"])
        body = json.dumps({"choices": [{"index": 0, "message": {"role": "assistant", "content": "hello"}}]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def start(pattern, *arguments, **env):
    process = subprocess.Popen([MEMORY, *arguments], stderr=subprocess.PIPE, text=True, env={**os.environ, **env})
    for line in process.stderr:
        if found := re.search(pattern, line):
            threading.Thread(target=process.stderr.read, daemon=True).start()
            return process, found[0]
    raise SystemExit(f"{arguments} did not begin")


def ask(url, body, headers=None):
    """Sends a request and returns its status and what was answered."""
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream", **(headers or {})}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode()


def ask_as_another(*arguments):
    """Asks in a process of another user."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(ANOTHER)
            os.setuid(ANOTHER)
            os.write(writer, json.dumps(ask(*arguments)).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return json.loads(text)


def own(mcp, chats):
    same(ask(mcp, INITIALIZE)[0], 200)
    same(ask(chats, CHAT)[0], 200)
    same(keys[-1], "Bearer sk-own")


def another_is_refused(mcp, chats):
    before = len(keys)
    for url, body in [(mcp, INITIALIZE), (chats, CHAT)]:
        for headers in [{}, {"authorization": "Bearer wrong"}]:
            status, text = ask_as_another(url, body, headers)
            same(status, 401)
            has(text, ".mcp-token")
    same(len(keys), before)


def another_with_the_token(mcp, chats, token):
    same(ask_as_another(mcp, INITIALIZE, {"authorization": f"Bearer {token}"})[0], 200)
    for headers in [{"authorization": f"Bearer {token}"}, {"api-key": token}]:
        same(ask_as_another(chats, CHAT, headers)[0], 200)
        same(keys[-1], "Bearer sk-own")


def main():
    upstream = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    root = tempfile.mkdtemp()
    env = {"MEMORY_ROOT": root, "OPENAI_API_KEY": "sk-own"}
    servers = []
    try:
        process, mcp = start(r"http://127\.0\.0\.1:\d+/mcp", "mcp", "--http", "127.0.0.1:0", **env)
        servers.append(process)
        process, base = start(r"http://127\.0\.0\.1:\d+/v1", "proxy", "--port", "0", "--no-llm", "--memory-path", f"{root}/db",
                              "--openai-base-url", f"http://127.0.0.1:{upstream.server_port}/v1", **env)
        servers.append(process)
        chats = base + "/chat/completions"
        case("users: the own user needs no token", own, mcp, chats)
        if os.geteuid() != 0:
            skip("users: another user", "only root can ask as another user")
            return
        with open(f"{root}/.mcp-token") as file:
            token = file.read().strip()
        case("users: another user is refused", another_is_refused, mcp, chats)
        case("users: another user with the token is answered", another_with_the_token, mcp, chats, token)
    finally:
        for process in servers:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


main()
leave()
