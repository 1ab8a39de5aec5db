#!/usr/bin/env python3
"""Measures recall on data sets, beside the baselines that are known for them.

    bench/recall/run.py DATA_FOLDER SCORER [--sets a,b] [--model FOLDER] [--keep FOLDER]

DATA_FOLDER has one folder a set with corpus.jsonl, queries.jsonl and qrels.tsv, plain or .gz; SCORER is the script that
scores runs (eval_runs.py). Each set is asked by words alone, with the built-in table and, if --model names the folder of
an embedding model as hubs ship it, with that and with its late interaction. One set of defaults for everything.
--keep keeps the indexes, so that a model reads each text only once.

False recall: the share of questions without an answer for which something is shown all the same, of the set's own (the
adversarial, the abstentions) and of foreign ones (each asked of another group). AUROC: how often the best hit of a question
that has an answer scores higher than that of a foreign one.
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


def best_scores(run):
    """The score of the best hit of each question that has one."""
    best = {}
    for line in run.read_text().splitlines():
        question, _, _, rank, score, _ = line.split("\t")
        if rank == "1":
            best[question] = float(score)
    return best


def false_recall(folder, own, foreign):
    questions = [json.loads(line) for line in open(folder / "queries.jsonl")]
    answered = {line.split("\t")[0] for line in open(folder / "qrels.tsv").readlines()[1:]}
    told = []
    is_open = lambda question: question["_id"] not in answered or question.get("category") == "adversarial"
    opened = [question["_id"] for question in questions if is_open(question)]
    if opened:
        told.append(f"own {100 * sum(name in own for name in opened) / len(opened):.0f}% of {len(opened)}")
    if foreign is not None:
        names = [question["_id"] for question in questions]
        good = [own.get(question["_id"], 0.0) for question in questions if not is_open(question)]
        bad = [foreign.get(name, 0.0) for name in names]
        wins = sum((a > b) + 0.5 * (a == b) for a in good for b in bad) / (len(good) * len(bad))
        told.append(f"foreign {100 * len(foreign) / len(names):.0f}% of {len(names)}, AUROC {wins:.3f}")
    return "; ".join(told)


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
                groups = {json.loads(line)["group"] for line in open(folder / name / "corpus.jsonl")}
                foreign = None
                if len(groups) > 1:
                    elsewhere = folder / f"{name}.{label}.elsewhere"
                    subprocess.run([*ask[:2], str(elsewhere), *ask[3:], "--elsewhere"], check=True, capture_output=True)
                    foreign = best_scores(elsewhere)
                wrong = false_recall(folder / name, best_scores(run), foreign)
                if wrong:
                    print(f"{'':22} false recall: {wrong}", flush=True)


if __name__ == "__main__":
    main()
