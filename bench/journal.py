#!/usr/bin/env python3
"""The journal at its largest: specification 003's table of expected performance, beside SQLite.

1000 core memories (fewer at the start: appends fill them up), 500 learnings and 200 tasks. Each operation runs as a whole process, as an agent's shell would
start it, in turns with the same work done by Python's sqlite3 (WAL, synchronous=FULL, indexed), within one run. Prints
the median of each, the specification's figure, and what starting either program costs alone. `add at 10` is the append
to a journal of ten records: it should cost what it costs at a thousand.

    cargo build --release && bench/journal.py
"""
import argparse, json, os, random, shutil, sqlite3, statistics, subprocess, sys, tempfile, time, uuid

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FILES = {"core": ("core_memories.jsonl", 1000), "learning": ("learnings.jsonl", 500), "task": ("tasks.jsonl", 200)}
STAMP = "2026-05-01T10:00:00Z"
WORDS = "what was said about the build and its tests came of a long talk with everyone who keeps them running".split()


def records(kind, count, chance):
    for n in range(count):
        yield {"id": str(uuid.UUID(int=chance.getrandbits(128), version=4)), "type": kind,
               "content": f"{kind} {n}: " + " ".join(chance.choices(WORDS, k=40)),
               "category": f"category{n % 20}", "created_at": STAMP, "updated_at": STAMP, "accessed_at": STAMP,
               "access_count": n % 7, "tags": [f"tag{chance.randrange(100)}", f"topic{chance.randrange(30)}", "all"],
               "importance": ("high", "medium", "low")[n % 3], "archived": False}


def fill(folder, share=1.0):
    """Writes a journal; returns its records."""
    chance, made = random.Random(1), []
    os.makedirs(folder)
    for kind, (name, count) in FILES.items():
        ours = list(records(kind, max(3, int(count * share)), chance))
        with open(os.path.join(folder, name), "w") as f:
            f.writelines(json.dumps(record, separators=(",", ":")) + "\n" for record in ours)
        made += ours
    return made


def fill_sqlite(path, made):
    base = sqlite3.connect(path)
    base.executescript("""
        PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
        CREATE TABLE memories(id TEXT PRIMARY KEY, type TEXT, content TEXT, category TEXT, created_at TEXT, updated_at TEXT,
            accessed_at TEXT, access_count INTEGER, importance TEXT, archived INTEGER);
        CREATE TABLE tags(tag TEXT, id TEXT, PRIMARY KEY(tag, id)) WITHOUT ROWID;
        CREATE INDEX by_category ON memories(category);""")
    for r in made:
        base.execute("INSERT INTO memories VALUES(?,?,?,?,?,?,?,?,?,?)", [r[k] for k in (
            "id", "type", "content", "category", "created_at", "updated_at", "accessed_at", "access_count", "importance", "archived")])
        base.executemany("INSERT OR IGNORE INTO tags VALUES(?,?)", [(tag, r["id"]) for tag in r["tags"]])
    base.commit()
    base.close()


def sqlite(path, body):
    """The command that does the same with sqlite3."""
    return [sys.executable, "-c", f"import sqlite3,uuid,json;b=sqlite3.connect({path!r});b.execute('PRAGMA synchronous=FULL');{body};b.commit()"]


FOUND = "[b.execute('UPDATE memories SET access_count=access_count+1 WHERE id=?',[r[0]]) for r in rows];print(json.dumps(rows))"


def once(command, env):
    begin = time.perf_counter()
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - begin) * 1000


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--bin", default=os.path.join(HERE, "target/release/memory"))
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--where", help="folder on the disk to measure (default: the system's temporary one)")
    chosen = options.parse_args()
    top = tempfile.mkdtemp(prefix="bench-journal-", dir=chosen.where)
    try:
        run(top, chosen)
    finally:
        shutil.rmtree(top, ignore_errors=True)


def run(top, chosen):
    folder, small, base = (os.path.join(top, name) for name in ("journal", "small", "base.sqlite"))
    FILES["core"] = (FILES["core"][0], 1000 - chosen.rounds - 1)
    made = fill(folder)
    fill(small, 0.003)
    fill_sqlite(base, made)
    env = dict(os.environ, HOME=top, MEMORY_DIR=folder, MEMORY_NOW="2026-05-07T10:00:00Z")
    few = dict(env, MEMORY_DIR=small)
    ours = [chosen.bin, "journal"]
    victims = iter([r["id"] for r in made if r["type"] == "core"])
    insert = ("i=str(uuid.uuid4());b.execute(\"INSERT INTO memories VALUES(?,'core','new','c','','','',0,'low',0)\",[i]);"
              "b.execute('INSERT INTO tags VALUES(?,?)',['all',i]);print(i)")
    by_tag = "rows=b.execute(\"SELECT m.* FROM tags t JOIN memories m ON m.id=t.id WHERE t.tag='tag7' LIMIT 50\").fetchall()"
    by_text = "rows=b.execute(\"SELECT * FROM memories WHERE content LIKE '%core 77%' LIMIT 50\").fetchall()"
    add = ["add", "core", "new", "--tags", "all", "--json"]
    same = made[500]["id"]
    # Ours, SQLite's, and the specification's figure in ms.
    rows = {
        "start alone": (lambda: once([chosen.bin, "--version"], env), lambda: once(sqlite(base, "0"), env), None),
        "append": (lambda: once(ours + add, env), lambda: once(sqlite(base, insert), env), 5),
        "append at 10 records": (lambda: once(ours + add, few), None, 5),
        "query with index": (lambda: once(ours + ["query", "--tags", "tag7", "--json"], env), lambda: once(sqlite(base, f"{by_tag};{FOUND}"), env), 50),
        "query without index": (lambda: once(ours + ["query", "--text", "core 77", "--json"], env), lambda: once(sqlite(base, f"{by_text};{FOUND}"), env), 200),
        "update": (lambda: once(ours + ["update", same, "--importance", "high"], env),
                   lambda: once(sqlite(base, f"b.execute(\"UPDATE memories SET importance='high',updated_at='x' WHERE id='{same}'\")"), env), 100),
        "delete": (lambda: once(ours + ["delete", next(victims)], env),
                   lambda: once(sqlite(base, "b.execute('UPDATE memories SET archived=1 WHERE id=(SELECT id FROM memories WHERE archived=0 LIMIT 1)')"), env), 100),
        "load (stats)": (lambda: once(ours + ["stats", "--json"], env), lambda: once(sqlite(base, "print(b.execute('SELECT type,count(*) FROM memories GROUP BY type').fetchall())"), env), 500),
    }
    print(f"{len(made)} records; median of {chosen.rounds} whole processes in ms, each write synced\n")
    print(f"{'':<22}{'memory':>9}{'sqlite3':>10}{'ratio':>8}{'specified':>12}")
    once(ours + ["stats"], env), once(ours + ["stats"], few)
    for name, (mine, theirs, figure) in rows.items():
        times = ([], [])
        for _ in range(chosen.rounds):
            times[0].append(mine())
            if theirs:
                times[1].append(theirs())
        a, b = statistics.median(times[0]), statistics.median(times[1]) if theirs else None
        beside = f"{b:>10.2f}{b / a:>7.1f}x" if theirs else f"{'':>18}"
        print(f"{name:<22}{a:>9.2f}{beside}{f'< {figure}' if figure else '':>12}", flush=True)


if __name__ == "__main__":
    main()
