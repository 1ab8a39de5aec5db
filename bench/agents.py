#!/usr/bin/env python3
"""Tool calls as agents make them, beside the official @modelcontextprotocol/server-memory.

One client speaks to all: `memory mcp` and server-memory over stdio, `memory serve` over its socket,
in turns within one run, so that a noisy machine is noisy for all of them. Each has a store of its own
with the same facts. A call is timed from the first byte sent to the last byte read. `write` is
memory_write or create_entities with one entity; `search` asks memory_search or search_nodes for a
word that one fact has; `read` is memory_read, which also counts the access, or open_nodes.

Ours syncs what it writes to the disk before it answers; server-memory rewrites its file and syncs
nothing. --dir says on which disk to measure. (Nx) is how many times as many calls ours answers. On an
ext4 without a journal, new files cost several times as much for a minute after many were removed: runs
that follow each other at once tell less of us.

server-memory is installed by npm into --cache (default: a folder that is removed at the end); without
npm its column stays empty. Needs a built `memory` and Linux's /proc.

    cargo build --release && bench/agents.py
"""
import argparse, json, os, shutil, socket, statistics, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RIVAL = "@modelcontextprotocol/server-memory@2026.8.31"
CHUNK = 10


def fact(n):
    return f"Fact number {n}: the kestrel{n:06} service keeps its queue in the blue cluster, and Ann looks after it on Mondays."


# --- what is spoken to

class Lines:
    """A peer that answers a line with a line; `put` and `get` come with the transport."""
    number = 0

    def ask(self, method, params):
        self.number += 1
        self.put(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}).encode() + b"\n")
        while True:
            line = self.get()
            if not line:
                raise SystemExit(f"{self.name} ended")
            answer = json.loads(line)
            if answer.get("id") == self.number:
                self.size = len(line)
                if "error" in answer or answer["result"].get("isError"):
                    raise SystemExit(f"{self.name}: {line.decode()[:400]}")
                return answer["result"]

    def call(self, tool, arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})


class Stdio(Lines):
    def __init__(self, name, command, env):
        self.name = name
        self.process = subprocess.Popen(command, env=env, cwd=env["HOME"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.get = self.process.stdout.readline
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}})
        self.put(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def put(self, line):
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def end(self):
        self.process.stdin.close()
        self.process.wait(30)


class Socket(Lines):
    def __init__(self, name, command, env):
        self.name = name
        self.process = subprocess.Popen(command, env=env, cwd=env["HOME"], stderr=subprocess.DEVNULL)
        path = os.path.join(env["HOME"], ".memory", "memory.sock")
        until = time.perf_counter() + 30
        while True:
            self.socket = socket.socket(socket.AF_UNIX)
            try:
                self.socket.connect(path)
                break
            except OSError:
                if time.perf_counter() > until:
                    raise
                time.sleep(0.0005)
        self.get, self.put = self.socket.makefile("rb").readline, self.socket.sendall
        self.ask("tools/list", {})

    def end(self):
        self.process.terminate()
        self.process.wait(30)


class Ours:
    """Our tools, whichever way they are reached."""

    def __init__(self, lines):
        self.lines, self.ids = lines, []

    def write(self, n):
        reply = self.lines.call("memory_write", {"content": fact(n), "category": "knowledge"})
        self.ids.append(reply.get("structuredContent", reply)["id"])

    def search(self, n):
        reply = self.lines.call("memory_search", {"query": f"kestrel{n:06}"})
        assert len(reply.get("structuredContent", reply)["memories"]) == 1

    def read(self, n):
        self.lines.call("memory_read", {"id": self.ids[n % len(self.ids)]})


class Theirs:
    def __init__(self, lines):
        self.lines = lines

    def entity(self, n):
        return {"name": f"fact-{n}", "entityType": "knowledge", "observations": [fact(n)]}

    def write(self, n):
        self.lines.call("create_entities", {"entities": [self.entity(n)]})

    def search(self, n):
        assert len(self.lines.call("search_nodes", {"query": f"kestrel{n:06}"})["structuredContent"]["entities"]) == 1

    def read(self, n):
        self.lines.call("open_nodes", {"names": [f"fact-{n}"]})


# --- stores

class Place:
    """A home for one run, and the commands of everyone who may live in it."""

    def __init__(self, top, memory, rival):
        self.home = tempfile.mkdtemp(dir=top)
        self.memory, self.rival = memory, rival
        self.env = {"PATH": os.environ["PATH"], "HOME": self.home, "MEMORY_FILE_PATH": os.path.join(self.home, "memory.jsonl")}

    def fill(self, count):
        lines = "".join(json.dumps({"id": f"{n:08x}-0000-4000-8000-000000000000", "content": fact(n), "category": "knowledge",
                                    "phase": "organized"}) + "\n" for n in range(count))
        subprocess.run([self.memory, "import"], input=lines.encode(), env=self.env, stdout=subprocess.DEVNULL, check=True)

    def mcp(self):
        return Stdio("memory mcp", [self.memory, "mcp"], self.env)

    def serve(self):
        return Socket("memory serve", [self.memory, "serve"], self.env)

    def theirs(self):
        return Stdio("server-memory", self.rival, self.env)


def contenders(top, memory, rival, count):
    found = {}
    for name, way in (("mcp", Place.mcp), ("socket", Place.serve)):
        place = Place(top, memory, rival)
        if count:
            place.fill(count)
        found[name] = Ours(way(place))
    if rival:
        place = Place(top, memory, rival)
        peer = Theirs(place.theirs())
        if count:
            peer.lines.call("create_entities", {"entities": [peer.entity(n) for n in range(count)]})
        found["theirs"] = peer
    return found


# --- measures

def turns(peers, work, numbers):
    """Lets all peers do the same calls, some each in turn; returns the times of each in ms."""
    times = {name: [] for name in peers}
    for at in range(0, len(numbers), CHUNK):
        for name, peer in peers.items():
            for n in numbers[at:at + CHUNK]:
                begin = time.perf_counter()
                getattr(peer, work)(n)
                times[name].append((time.perf_counter() - begin) * 1000)
    return times


def told(times):
    ordered = sorted(times)
    return (len(times) / sum(times) * 1000, statistics.median(times), ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)])


def calls(top, memory, rival, count, rounds):
    peers = contenders(top, memory, rival, count)
    ratios = {}
    for work in ("write", "search", "read"):
        # What was just written is asked for again, in another order.
        numbers = [count + (n if work == "write" else n * 7 % rounds) for n in range(rounds)]
        found = {name: told(times) for name, times in turns(peers, work, numbers).items()}
        cells = [f"{name:>6} {rate:8.0f}/s  p50 {p50:7.2f}  p99 {p99:7.2f} ms" for name, (rate, p50, p99) in found.items()]
        if rival:
            ratios[work] = {name: found[name][0] / found["theirs"][0] for name in ("mcp", "socket")}
            cells.append("  ".join(f"{name} {ratio:.1f}x" for name, ratio in ratios[work].items()))
        print(f"{work:<7}at {count:>5,}  " + "   ".join(cells), flush=True)
    kept = {name: memory_kb(peer.lines.process.pid) for name, peer in peers.items()}
    print(f"{'MB resident':<15}  " + "   ".join(f"{name:>6} {kb / 1000:6.1f}" for name, kb in kept.items()), flush=True)
    for peer in peers.values():
        peer.lines.end()
    return ratios


def start_up(top, memory, rival, count, rounds):
    """Time from starting a process until its first answer is read."""
    ways = {"mcp": Place.mcp, "socket": Place.serve} | ({"theirs": Place.theirs} if rival else {})
    places = {name: Place(top, memory, rival) for name in ways}
    for name, place in places.items():
        if name != "theirs":
            place.fill(count)
        else:
            peer = Theirs(place.theirs())
            peer.lines.call("create_entities", {"entities": [peer.entity(n) for n in range(count)]})
            peer.lines.end()
    times = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            begin = time.perf_counter()
            peer = way(places[name])
            times[name].append((time.perf_counter() - begin) * 1000)
            peer.end()
    medians = {name: statistics.median(found) for name, found in times.items()}
    cells = [f"{name:>6} {median:7.1f} ms" for name, median in medians.items()]
    ratio = medians["theirs"] / medians["mcp"] if rival else None
    print(f"start-up at {count:>5,}  " + "   ".join(cells) + (f"   mcp {ratio:.1f}x" if ratio else ""), flush=True)
    return ratio


def list_size(top, memory, rival):
    place = Place(top, memory, rival)
    sizes = {}
    for name, way in {"mcp": Place.mcp, **({"theirs": Place.theirs} if rival else {})}.items():
        peer = way(place)
        peer.ask("tools/list", {})
        sizes[name] = peer.size
        peer.end()
    print("tools/list        " + "   ".join(f"{name:>6} {size:,} bytes" for name, size in sizes.items()), flush=True)
    return sizes["mcp"]


def memory_kb(pid):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def cpu_ms(pid):
    """The CPU time of a process so far, threads that have ended included.

    Coarse (10 ms), but it never runs backwards, as a sum over the threads that live does."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def quiet(top, memory, rival, count, seconds):
    """A daemon and a server that nobody asks anything, after each has answered a search."""
    place = Place(top, memory, rival)
    place.fill(count)
    peers = {"mcp": Ours(place.mcp()), "serve": Ours(place.serve())}
    for peer in peers.values():
        peer.search(count // 2)
    time.sleep(5)  # the first upkeep and the writing of the index
    began = {name: cpu_ms(peer.lines.process.pid) for name, peer in peers.items()}
    time.sleep(seconds)
    shares, kept = {}, {}
    for name, peer in peers.items():
        pid = peer.lines.process.pid
        shares[name] = (cpu_ms(pid) - began[name]) / (seconds * 1000) * 100
        kept[name] = memory_kb(pid) / 1000
        print(f"{name:>6} with {count:,} notes: {kept[name]:.1f} MB resident, {shares[name]:.3f} % CPU in {seconds} idle seconds", flush=True)
    time.sleep(max(0, 65 - seconds - 5))
    pid = peers["serve"].lines.process.pid
    minute = cpu_ms(pid) - began["serve"]
    print(f"{'serve':>6} with {count:,} notes: {minute:.0f} ms CPU in its first minute, upkeep included; {memory_kb(pid) / 1000:.1f} MB resident after it")
    for peer in peers.values():
        peer.lines.end()
    return max(kept.values()), max(shares.values())


def rival_command(cache):
    npm, node = shutil.which("npm"), shutil.which("node")
    if not npm or not node:
        return None
    package = os.path.join(cache, "node_modules", "@modelcontextprotocol", "server-memory")
    if not os.path.isdir(package):
        os.makedirs(cache, exist_ok=True)
        with open(os.path.join(cache, "package.json"), "w") as file:
            file.write('{"private": true}')
        env = dict(os.environ, HOME=cache, npm_config_cache=os.path.join(cache, ".npm"))
        subprocess.run([npm, "--prefix", cache, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error", RIVAL],
                       env=env, cwd=cache, check=True, stdout=subprocess.DEVNULL)
    return [node, os.path.join(package, "dist", "index.js")]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--bin", default=os.path.join(HERE, "target/release/memory"))
    options.add_argument("--rounds", type=int, default=300, help="calls of each kind")
    options.add_argument("--memories", type=int, default=3000)
    options.add_argument("--notes", type=int, default=10_000, help="notes of the quiet daemon; 0 leaves it out")
    options.add_argument("--idle", type=int, default=30, help="seconds")
    options.add_argument("--dir", help="folder in which to measure")
    options.add_argument("--cache", help="folder in which server-memory is, or into which it is installed")
    chosen = options.parse_args()
    memory = os.path.abspath(chosen.bin)
    top = tempfile.mkdtemp(prefix="bench-agents-", dir=chosen.dir)
    aims = []
    try:
        rival = rival_command(os.path.abspath(chosen.cache or os.path.join(top, "npm")))
        print(f"{chosen.rounds} calls of each kind; (Nx) = so many times as many calls a second as server-memory\n")
        for count in (0, chosen.memories):
            ratios = calls(top, memory, rival, count, chosen.rounds)
        ratio = start_up(top, memory, rival, 0, 15)
        ratio_full = start_up(top, memory, rival, chosen.memories, 15)
        size = list_size(top, memory, rival)
        if rival:
            for name in ("mcp", "socket"):
                aims.append((f"writes at {chosen.memories:,} by {name}, synced", f"{ratios['write'][name]:.1f}x", "10x", ratios["write"][name] >= 10))
            aims.append(("start-up, nothing stored", f"{ratio:.1f}x", "20x", ratio >= 20))
            aims.append((f"start-up at {chosen.memories:,}", f"{ratio_full:.1f}x", "20x", ratio_full >= 20))
        aims.append(("tools/list", f"{size:,} bytes", "< 6,000", size < 6000))
        if chosen.notes:
            kept, share = quiet(top, memory, rival, chosen.notes, chosen.idle)
            aims.append(("resident", f"{kept:.1f} MB", "< 40", kept < 40))
            aims.append(("idle", f"{share:.3f} % CPU", "< 0.1", share < 0.1))
    finally:
        shutil.rmtree(top, ignore_errors=True)
    print()
    for what, found, aim, is_met in aims:
        print(f"{'met   ' if is_met else 'MISSED'}  {what:<32} {found:>14}   aim {aim}")
    sys.exit(0 if all(is_met for *_, is_met in aims) else 1)


if __name__ == "__main__":
    main()
