#!/usr/bin/env python3
"""Measures recall on data sets, beside the baselines that are known for them.

    bench/recall/run.py DATA_FOLDER SCORER [--sets a,b] [--model FOLDER] [--keep FOLDER]

DATA_FOLDER has one folder a set with corpus.jsonl, queries.jsonl and qrels.tsv, plain or .gz; SCORER is the script that
scores runs (eval_runs.py). Each set is asked by words alone, with the built-in table and, if --model names the folder of
an embedding model as hubs ship it, with that and with its late interaction. One set of defaults for everything.
--keep keeps the indexes, so that a model reads each text only once.
"""
import argparse, gzip, json, pathlib, shutil, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# measure, and the best figure known for it: words alone, with word vectors, with a small transformer
MEASURES = {
    "locomo": ("recall@10", "57.0 / 66.3 / 69.4"),
    "lme_s500": ("hit@5", "93.6 / 97.3 / 96.3"),
    "lme_turn": ("recall@10", "62.9 / 66.2 / 65.4"),
    "scifact": ("ndcg@10", "68.7 / – / 73.0"),
    "cmrc_zh": ("recall@10", "99.8 / – / –"),
}


def unpack(source, target):
    target.mkdir(parents=True, exist_ok=True)
    for name in ("corpus.jsonl", "queries.jsonl", "qrels.tsv"):
        plain = source / name
        with (open(plain, "rb") if plain.exists() else gzip.open(f"{plain}.gz")) as read, open(target / name, "wb") as out:
            shutil.copyfileobj(read, out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("scorer")
    parser.add_argument("--sets", default=",".join(MEASURES))
    parser.add_argument("--model")
    parser.add_argument("--keep", type=pathlib.Path)
    wishes = parser.parse_args()
    subprocess.run(["cargo", "build", "--release", "-q", "-p", "memory-index", "--example", "recall"], cwd=ROOT, check=True)
    program = ROOT / "target/release/examples/recall"
    metadata = subprocess.run(["cargo", "metadata", "--format-version", "1", "--no-deps"], cwd=ROOT, capture_output=True, text=True)
    if metadata.returncode == 0:
        program = pathlib.Path(json.loads(metadata.stdout)["target_directory"]) / "release/examples/recall"
    ways = [("none", ["--model", "none"]), ("built-in", [])]
    if wishes.model:
        ways += [("model", ["--model", wishes.model]), ("model+late", ["--model", wishes.model, "--late"])]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in wishes.sets.split(","):
            measure, known = MEASURES.get(name, ("recall@10", "–"))
            unpack(wishes.data / name, folder / name)
            for label, flags in ways:
                home = (wishes.keep or folder) / f"{name}-{label.split('+')[0]}"
                run = folder / f"{name}.{label}"
                ask = [str(program), str(folder / name), str(run), *flags, "--home", str(home)]
                told = subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip().splitlines()[-1]
                score = [sys.executable, wishes.scorer, str(folder / name), str(run), "--exclude", "adversarial", "--json"]
                scored = json.loads(subprocess.run(score, check=True, capture_output=True, text=True).stdout)
                print(f"{name:10} {label:11} {measure} {100 * scored[measure]:5.1f}   known {known}   {told}", flush=True)


if __name__ == "__main__":
    main()
