#!/usr/bin/env python3
"""How fast recall is, beside what a user would pick instead: `rg -i` over the same files, and SQLite FTS5.

For each size it makes so many notes of thirty words, drawn as often as this project's own sources and documents use them, and
measures in turns within one run, so that a noisy machine is noisy for all:

    index       first `memory index sync` over files that no one has read      FTS5: the same files into a table, synced once
    cold        `memory recall` as a whole process, four words of a note       rg -i for the rarest of them; FTS5: a new
                                                                               connection in a running program, four words
    warm        memory_recall over the socket of `memory serve`                FTS5: the connection stays
    write       `memory write`, synced, as a whole process                     FTS5: an insert, synced, in a running program
    then cold   `memory recall` straight after that write

Ours reads by meaning too (the built-in table). FTS5 has porter stems and ranks by BM25; it does not see a file that a hand
changes, ours does. (Nx) is how many times as fast ours is. Needs a built `memory`, rg, and Linux.

    cargo build --release && bench/recall/speed.py
"""
import argparse, collections, glob, json, os, random, re, shutil, socket, sqlite3, statistics, subprocess, tempfile, time

HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CATEGORIES = ["people", "project", "knowledge", "decisions", "lessons", "habits"]


def vocabulary():
    """The words of the project, the most frequent first, with how often it has them."""
    counts = collections.Counter()
    for pattern in ("*.md", "docs/**/*.md", "crates/**/*.rs", "kinds/**/*.rs"):
        for path in sorted(glob.glob(os.path.join(HERE, pattern), recursive=True)):
            with open(path) as f:
                counts.update(re.findall(r"\b[a-z]{2,}\b", f.read().lower()))
    return zip(*counts.most_common())


def make(top, count):
    """Writes the notes; returns their texts."""
    chance = random.Random(7)
    words, weights = vocabulary()
    all_words = chance.choices(words, weights, k=30 * count)
    texts, now = [], time.time()
    for category in CATEGORIES:
        os.makedirs(os.path.join(top, ".memory/categories", category), mode=0o700)
    os.chmod(os.path.join(top, ".memory"), 0o700)
    for n in range(count):
        text = " ".join(all_words[30 * n:30 * n + 30])
        # Young enough that the daemon does not let them decay meanwhile.
        day = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - n % 20 * 86_400))
        category = CATEGORIES[n % len(CATEGORIES)]
        head = f"---\nphase: organized\ncategory: {category}\ntags: [t{n % 50}]\ncreated_at: {day}\nupdated_at: {day}\n---\n"
        with open(os.path.join(top, ".memory/categories", category, f"note-{n:06}.md"), "w") as f:
            f.write(head + text + "\n")
        texts.append(text)
    rank = {word: n for n, word in enumerate(words)}
    return texts, rank


def questions(texts, rank, count, seed):
    """Four words of one note each, none of which every note has, the rarest first."""
    chance = random.Random(seed)
    telling = lambda text: sorted(word for word in set(text.split()) if rank[word] >= 100)
    picked = (chance.sample(telling(chance.choice(texts)), 4) for _ in range(count))
    return [sorted(words, key=lambda word: -rank[word]) for words in picked]


class Table:
    """The same notes in SQLite."""

    def __init__(self, path):
        self.path = path
        self.base = self.connect()

    def connect(self):
        base = sqlite3.connect(self.path)
        base.execute("PRAGMA synchronous=FULL")
        return base

    def fill(self, top):
        self.base.execute("PRAGMA journal_mode=WAL")
        self.base.execute("CREATE VIRTUAL TABLE notes USING fts5(path UNINDEXED, text, tokenize='porter unicode61')")
        for folder, _, names in os.walk(os.path.join(top, ".memory/categories")):
            for name in names:
                path = os.path.join(folder, name)
                with open(path) as f:
                    self.base.execute("INSERT INTO notes VALUES (?, ?)", (path, f.read()))
        self.base.commit()

    def ask(self, words, base=None):
        found = (base or self.base).execute("SELECT path, text FROM notes WHERE notes MATCH ? ORDER BY rank LIMIT 10", (" OR ".join(words),))
        return found.fetchall()

    def ask_anew(self, words):
        base = self.connect()
        self.ask(words, base)
        base.close()

    def write(self, n):
        self.base.execute("INSERT INTO notes VALUES (?, ?)", (f"new-{n}", f"new note number {n}"))
        self.base.commit()


class Daemon:
    def __init__(self, program, env):
        self.process = subprocess.Popen([program, "serve", "--foreground"], env=env, cwd=env["HOME"], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        path, until = os.path.join(env["HOME"], ".memory/memory.sock"), time.perf_counter() + 30
        while True:
            self.socket = socket.socket(socket.AF_UNIX)
            try:
                self.socket.connect(path)
                break
            except OSError:
                if time.perf_counter() > until:
                    raise
                time.sleep(0.01)
        self.lines = self.socket.makefile("rb")

    def ask(self, words):
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "memory_recall", "params": {"query": " ".join(words)}})
        self.socket.sendall(line.encode() + b"\n")
        answer = json.loads(self.lines.readline())
        if "result" not in answer:
            raise SystemExit(f"memory_recall: {answer}")

    def end(self):
        self.process.terminate()
        self.process.wait(30)


def timed(work, *given):
    begin = time.perf_counter()
    work(*given)
    return (time.perf_counter() - begin) * 1000


def run(command, env=None):
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)


def resident(command, env):
    """The most memory that a command has, in MB."""
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL)
    return os.wait4(process.pid, 0)[2].ru_maxrss / 1024


def point(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def row(name, ours, *others):
    line = f"{name:<22}{ours:>10.2f} ms"
    for label, theirs in others:
        line += f"   {label} {theirs:>10.2f} ms ({theirs / ours:.1f}x)"
    print(line, flush=True)


def measure(program, count, rounds, where):
    top = tempfile.mkdtemp(prefix="bench-recall-", dir=where)
    try:
        texts, rank = make(top, count)
        env = {"HOME": top, "PATH": os.environ["PATH"]}
        folder, table = os.path.join(top, ".memory/categories"), Table(os.path.join(top, "table.sqlite"))
        print(f"\n{count:,} notes")
        ours, theirs = timed(run, [program, "index", "sync"], env), timed(table.fill, top)
        row("index", ours, ("fts5", theirs))
        print(f"{'':<22}{count / ours * 1000:>10,.0f} notes/s")
        cold, grep, fts, warm, warm_fts, writes, inserts, after = ([] for _ in range(8))
        for words in questions(texts, rank, rounds, 1):
            cold.append(timed(run, [program, "recall", *words], env))
            grep.append(timed(run, ["rg", "-i", words[0], folder]))
            fts.append(timed(table.ask_anew, words))
        row("cold", statistics.median(cold), ("rg", statistics.median(grep)), ("fts5", statistics.median(fts)))
        for n, words in enumerate(questions(texts, rank, rounds, 2)):
            writes.append(timed(run, [program, "write", f"new note number {n}"], env))
            after.append(timed(run, [program, "recall", *words], env))
            inserts.append(timed(table.write, n))
        row("write", statistics.median(writes), ("fts5", statistics.median(inserts)))
        row("then cold", statistics.median(after), ("rg", statistics.median(grep)))
        daemon = Daemon(program, env)
        for words in questions(texts, rank, 20, 3):
            daemon.ask(words), table.ask(words)
        for words in questions(texts, rank, 20 * rounds, 4):
            warm.append(timed(daemon.ask, words))
            warm_fts.append(timed(table.ask, words))
        daemon.end()
        row("warm p50", point(warm, 0.5), ("fts5", point(warm_fts, 0.5)))
        row("warm p99", point(warm, 0.99), ("fts5", point(warm_fts, 0.99)))
        size = resident([program, "recall", *words], env)
        print(f"{'memory of cold':<22}{size:>10.1f} MB")
        return {"cold/rg": statistics.median(cold) / statistics.median(grep), "p99": point(warm, 0.99), "write": statistics.median(writes),
                "rate": count / ours * 1000, "MB": size}
    finally:
        shutil.rmtree(top, ignore_errors=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--bin", default=os.path.join(HERE, "target/release/memory"))
    options.add_argument("--sizes", default="1000,10000,100000")
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--where", help="folder on the disk to measure (default: the system's temporary one)")
    chosen = options.parse_args()
    sizes = [int(size) for size in chosen.sizes.split(",")]
    found = {size: measure(chosen.bin, size, chosen.rounds, chosen.where) for size in sizes}
    aims = []
    if 10_000 in found:
        aims.append(("cold at 10,000, of rg's time", found[10_000]["cold/rg"], 2))
    if 100_000 in found:
        last = found[100_000]
        aims += [("cold at 100,000, of rg's time", last["cold/rg"], 1), ("warm p99 at 100,000, ms", last["p99"], 5),
                 ("memory of cold at 100,000, MB", last["MB"], 150), ("10,000 notes indexed in, s", 10_000 / last["rate"], 1)]
    if 1000 in found and 100_000 in found:
        aims.append(("write at 100,000, of that at 1,000", found[100_000]["write"] / found[1000]["write"], 1.2))
    print()
    for name, value, aim in aims:
        print(f"{'met' if value <= aim else 'MISSED':<8}{name:<40}{value:>8.2f}   aim {aim}")


if __name__ == "__main__":
    main()
