#!/usr/bin/env python3
"""What `memory proxy` adds to a chat, beside `agent-cli memory proxy`, on the same scripted upstream in one run.

Both proxies have a store of their own with the same facts, as files of specification 002. One client asks the upstream directly,
through ours and through theirs in turns, so that a noisy machine is noisy for all of them; what a proxy adds is its time less the
median of the direct way. CPU is all that the proxy's process used per chat, what it does after the reply included.

Theirs needs an embedding endpoint, which the upstream serves, and a cross-encoder from a model hub, which is replaced by one that
costs nothing: that flatters it. Both ask the upstream's model for facts and are told that there are none. Ours syncs both turns to
the disk before it answers; theirs does not. --dir says on which disk to measure.

agent-cli is installed by pip into --cache (default: a folder that is removed at the end). Needs a built `memory` and Linux's /proc.

    cargo build --release && bench/proxy.py
"""
import argparse, http.client, json, os, re, shutil, statistics, subprocess, sys, tempfile, time, urllib.parse, venv

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RIVAL = "agent-cli[memory]==0.112.0"
CHUNK = 10
# agent-cli with a cross-encoder that costs nothing, since its own comes from a model hub.
WRAPPED = """
import sys, agent_cli.core.reranker as reranker
class Free:
    def predict(self, pairs, batch_size=32):
        return [5.0] * len(pairs)
reranker.get_reranker_model = lambda *a, **k: Free()
from agent_cli.cli import app
sys.argv[0] = "agent-cli"
app()
"""


def fact(n):
    return f"The user's kestrel{n:05} project keeps its queue in the blue cluster, and Ann looks after it on Mondays."


def question(n):
    return f"Who looks after the kestrel{n:05} project?"


def fill(store, count):
    folder = os.path.join(store, "entries", "bench", "facts")
    os.makedirs(folder)
    for n in range(count):
        at = f"2026-0{1 + n % 9}-{1 + n % 28:02}T{n % 24:02}:{n % 60:02}:{n // 600 % 60:02}.{n % 1000:03}Z"
        name = f"{n:08x}-0000-4000-8000-000000000000"
        head = f"id: {name}\nrole: memory\nconversation_id: bench\ncreated_at: '{at}'\n"
        with open(os.path.join(folder, f"{at.replace(':', '-')}__{name}.md"), "w") as file:
            file.write(f"---\n{head}---\n\n{fact(n)}\n")


class Server:
    """A process that answers chats."""

    def __init__(self, name, url, process=None):
        self.name, self.process, self.times = name, process, []
        self.place = urllib.parse.urlparse(url)
        self.connect()

    def connect(self):
        self.connection = http.client.HTTPConnection(self.place.hostname, self.place.port, timeout=120)

    def chat(self, n):
        body = json.dumps({"model": "echo", "messages": [{"role": "user", "content": question(n)}], "memory_id": "bench"})
        began = time.perf_counter()
        for attempt in (1, 2):
            try:
                self.connection.request("POST", "/v1/chat/completions", body, {"Content-Type": "application/json"})
                answer = self.connection.getresponse()
                reply = answer.read()
                break
            except (http.client.HTTPException, ConnectionError):
                if attempt == 2:
                    raise
                self.connect()
        took = (time.perf_counter() - began) * 1000
        assert answer.status == 200, reply[:300]
        return took, reply

    def cpu(self):
        """The milliseconds that the process and its threads have used."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")

    def rss(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) / 1024

    def end(self):
        if self.process:
            self.process.terminate()
            self.process.wait(60)


def begin(name, command, port, env, log):
    process = subprocess.Popen(command, env=env, stdout=log, stderr=log)
    began = time.perf_counter()
    while True:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/health")
            connection.getresponse().read()
            return Server(name, f"http://127.0.0.1:{port}", process), time.perf_counter() - began
        except OSError:
            if process.poll() is not None or time.perf_counter() - began > 1800:
                raise SystemExit(f"{name} did not begin; see {log.name}")
            time.sleep(0.05)


def free_port():
    import socket
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def percentile(times, part):
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def measure(top, memory, rival, count, rounds, pause):
    upstream = subprocess.Popen([sys.executable, os.path.join(HERE, "tests", "clients", "upstream.py")], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, text=True)
    base = upstream.stdout.readline().strip()
    home = tempfile.mkdtemp(dir=top)
    env = {"PATH": os.environ["PATH"], "HOME": home, "OPENAI_API_KEY": "bench", "ANONYMIZED_TELEMETRY": "False", "HF_HUB_OFFLINE": "1"}
    direct, servers, log = Server("direct", base), [], open(os.path.join(home, "log"), "w")
    ways = [("ours", [memory, "proxy", "--log-level", "warn"])]
    if rival:
        ways.append(("theirs", [rival, "-c", WRAPPED, "memory", "proxy", "--host", "127.0.0.1", "--no-git-versioning",
                                "--log-level", "warning"]))
    for name, command in ways:
        store, port = os.path.join(home, name), free_port()
        fill(store, count)
        command += ["--memory-path", store, "--openai-base-url", base, "--port", str(port), "--max-entries", "1000000"]
        server, took = begin(name, command, port, env, log)
        print(f"{name:>8} at {count:>6,}: ready after {took:.2f} s", flush=True)
        servers.append(server)
    for n in range(CHUNK):
        for server in [direct, *servers]:
            server.chat(n)
    before = {server.name: server.cpu() for server in servers}
    for at in range(0, rounds, CHUNK):
        for server in [direct, *servers]:
            for n in range(at, at + CHUNK):
                took, reply = server.chat((n * 7919) % count)
                server.times.append(took)
                if server is not direct:
                    server.hits = server.__dict__.get("hits", 0) + len(json.loads(reply).get("memory_hits", []))
                    time.sleep(pause)
    time.sleep(2)
    floor, found = statistics.median(direct.times), {}
    for server in servers:
        cpu = (server.cpu() - before[server.name]) / rounds
        added = [took - floor for took in server.times]
        found[server.name] = (statistics.median(added), percentile(added, 0.99), cpu)
        print(f"{server.name:>8} at {count:>6,}: adds p50 {found[server.name][0]:8.2f} ms  p99 {found[server.name][1]:8.2f} ms   "
              f"CPU {cpu:7.2f} ms a chat   {server.hits / rounds:.1f} hits   {server.rss():5.0f} MB", flush=True)
    if rival:
        ratios = [theirs / max(ours, 0.001) for ours, theirs in zip(found["ours"], found["theirs"])]
        print(f"   ratio at {count:>6,}: p50 {ratios[0]:.1f}x  p99 {ratios[1]:.1f}x  CPU {ratios[2]:.1f}x   (direct p50 {floor:.2f} ms)", flush=True)
    for server in servers:
        server.end()
    upstream.stdin.close()
    upstream.wait(10)


def installed(cache):
    """A Python that has agent-cli."""
    folder = os.path.join(cache, "agent-cli")
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(os.path.join(folder, "bin", "agent-cli")):
        venv.create(folder, with_pip=True)
        if subprocess.run([python, "-m", "pip", "install", "--quiet", RIVAL]).returncode:
            print("agent-cli could not be installed; its lines stay out", file=sys.stderr)
            return None
    return python


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--memory", default=os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(HERE, "target")), "release", "memory"))
    words.add_argument("--counts", default="500,10000")
    words.add_argument("--rounds", type=int, default=200)
    words.add_argument("--pause", type=float, default=0.05, help="seconds after a chat, as a user would make")
    words.add_argument("--dir")
    words.add_argument("--cache")
    words.add_argument("--rival", help="a Python that has agent-cli already; 'none' leaves it out")
    given = words.parse_args()
    top = tempfile.mkdtemp(dir=given.dir)
    try:
        rival = given.rival or installed(given.cache or top)
        for count in map(int, given.counts.split(",")):
            measure(top, given.memory, None if rival == "none" else rival, count, given.rounds, given.pause)
    finally:
        shutil.rmtree(top, ignore_errors=True)


main()
