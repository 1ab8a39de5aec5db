"""Asks the teacher: one vector for each sentence and for each word piece.

    teach.py MODEL.onnx TOKENIZER.json SENTENCES.txt OUT_DIR [--most N]

Writes `pieces.npy` and then `part-N.npz`, so that it can be stopped at any time: what is there is used.
"""

import argparse
import pathlib
import time

import numpy as np
import onnxruntime
import tokenizers

# Sentences in one file of the answer.
PART = 5_000


def encode(session, rows, batch=64):
    """Returns the CLS vectors of lists of ids, of length one."""
    order = np.argsort([len(row) for row in rows], kind="stable")
    out = np.zeros((len(rows), 384), dtype=np.float16)
    started = time.time()
    for at in range(0, len(order), batch):
        some = order[at : at + batch]
        width = max(len(rows[n]) for n in some)
        ids = np.zeros((len(some), width), dtype=np.int64)
        mask = np.zeros_like(ids)
        for k, n in enumerate(some):
            ids[k, : len(rows[n])] = rows[n]
            mask[k, : len(rows[n])] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        vectors = session.run(None, inputs)[0][:, 0]
        out[some] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        if at // batch % 100 == 0:
            print(at, round(time.time() - started), flush=True)
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("tokenizer")
    parser.add_argument("sentences")
    parser.add_argument("out")
    parser.add_argument("--most", type=int, default=120_000)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = args.threads
    session = onnxruntime.InferenceSession(args.model, options, providers=["CPUExecutionProvider"])
    tokenizer = tokenizers.Tokenizer.from_file(args.tokenizer)
    tokenizer.no_padding()
    tokenizer.enable_truncation(48)
    texts = open(args.sentences, encoding="utf-8").read().split("\n")[: args.most]
    out = pathlib.Path(args.out)
    out.mkdir(exist_ok=True)
    if not (out / "pieces.npy").exists():
        np.save(out / "pieces.npy", encode(session, [[101, n, 102] for n in range(30522)]))
    for part in range(0, len(texts), PART):
        target = out / f"part-{part // PART}.npz"
        if target.exists():
            continue
        rows = [encoding.ids for encoding in tokenizer.encode_batch(texts[part : part + PART])]
        vectors = encode(session, rows)
        ids = np.concatenate([np.array(row[1:-1], dtype=np.int32) for row in rows])
        lengths = np.array([len(row) - 2 for row in rows], dtype=np.int32)
        np.savez(target, vectors=vectors, ids=ids, lengths=lengths)


main()
