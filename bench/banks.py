#!/usr/bin/env python3
"""Banks beside what a user would pick instead: jq on the same file, and a Python one-liner.

Every program runs as a whole process, as an agent's shell would start it, in turns within one run,
so that a noisy machine is noisy for all of them. Prints the median of each and how many times
longer than `memory-cli` the others take. Needs jq; builds nothing.

    cargo build --release && bench/banks.py
"""
import argparse, json, os, random, shutil, statistics, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SIZES = {"10 KB": 10_000, "1 MB": 1_000_000, "10 MB": 9_300_000}


def bank(path, size):
    """Writes a bank of about `size` bytes; returns a key from its last tenth."""
    chance, entries, used = random.Random(1), {}, 0
    stamp = "2024-01-15T10:30:00Z"
    while used < size and len(entries) < 9_999:
        n = len(entries)
        value = {"title": f"entry {n}", "tags": ["a", "b"], "count": n, "share": chance.random(),
                 "body": "what was said, and what came of it; " * max(4, size // 400_000)}
        entries[f"key{n:05}"] = {"value": value, "created_at": stamp, "updated_at": stamp, "ttl": None}
        used += len(json.dumps(entries[f"key{n:05}"])) + 20
    meta = {"version": 1, "created_at": stamp, "updated_at": stamp, "schema": None}
    with open(path, "w") as f:
        json.dump({"_meta": meta, "entries": entries}, f)
    return list(entries)[len(entries) * 9 // 10]


def once(command, cwd, env):
    begin = time.perf_counter()
    subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - begin) * 1000


def compare(title, rivals, cwd, env, rounds):
    """Runs all rivals in turns; the first is ours."""
    times = {name: [] for name in rivals}
    for name, command in rivals.items():
        once(command, cwd, env)
    for _ in range(rounds):
        for name, command in rivals.items():
            times[name].append(once(command, cwd, env))
    medians = {name: statistics.median(found) for name, found in times.items()}
    ours = next(iter(medians.values()))
    cells = [f"{name} {median:8.2f} ms" + ("" if median == ours else f" ({median / ours:5.1f}x)")
             for name, median in medians.items()]
    print(f"{title:<22}" + "   ".join(cells), flush=True)
    return medians


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--bin", default=os.path.join(HERE, "target/release/memory-cli"))
    options.add_argument("--rounds", type=int, default=15)
    chosen = options.parse_args()
    if not shutil.which("jq"):
        sys.exit("jq is needed to compare with")
    top = tempfile.mkdtemp(prefix="bench-banks-")
    store = os.path.join(top, ".slop-mcp", "memory")
    os.makedirs(store)
    env = dict(os.environ, HOME=top)
    python, ours = sys.executable, chosen.bin
    print(f"median of {chosen.rounds} whole processes; (Nx) = so many times longer than memory-cli\n")
    try:
        compare("nothing at all", {"memory-cli": [ours, "--version"], "true": ["true"], "jq -n": ["jq", "-n", "0"],
                                   "python": [python, "-c", "0"]}, top, env, chosen.rounds)
        for label, size in SIZES.items():
            path = os.path.join(store, "bank.json")
            key = bank(path, size)
            subprocess.run([ours, "update", "bank", key, ".count += 0"], cwd=top, env=env, check=True, stdout=subprocess.DEVNULL)
            load = f"import json;d=json.load(open({path!r}))"
            field = f".entries.{key}.value"
            compare(f"read    {label}", {
                "memory-cli": [ours, "read", "bank", key],
                "jq": ["jq", field, path],
                "python": [python, "-c", f"{load};print(json.dumps(d['entries'][{key!r}]['value']))"],
            }, top, env, chosen.rounds)
            compare(f"query   {label}", {
                "memory-cli": [ours, "query", "bank", ".entries | map(.value.count) | add"],
                "jq": ["jq", ".entries | map(.value.count) | add", path],
                "python": [python, "-c", f"{load};print(sum(e['value']['count'] for e in d['entries'].values()))"],
            }, top, env, chosen.rounds)
            compare(f"query k {label}", {
                "memory-cli": [ours, "query", "bank", key, ".count"],
                "jq": ["jq", f"{field}.count", path],
                "python": [python, "-c", f"{load};print(d['entries'][{key!r}]['value']['count'])"],
            }, top, env, chosen.rounds)
            copy, spare = os.path.join(top, "copy.json"), os.path.join(top, "spare.json")
            shutil.copy(path, copy)
            compare(f"update  {label}", {
                "memory-cli (fsync)": [ours, "update", "bank", key, ".count += 1"],
                "jq + mv": ["sh", "-c", f"jq '{field}.count += 1' {copy} > {spare} && mv {spare} {copy}"],
                "python": [python, "-c", f"import os;{load.replace(path, copy)};d['entries'][{key!r}]['value']['count']+=1;"
                                         f"json.dump(d,open({spare!r},'w'));os.rename({spare!r},{copy!r})"],
            }, top, env, chosen.rounds)
    finally:
        shutil.rmtree(top, ignore_errors=True)


if __name__ == "__main__":
    main()
