"""Compares our vectors of a model with those of plain numpy over the weights as the hub ships them.

    compare.py FOLDER_OF_A_HUB LINES.txt VECTORS.f32 [mean|first]

FOLDER has model.safetensors (32 bits) and vocab.txt or tokenizer.json; VECTORS.f32 is what
`cargo run --release -p memory-models --example measure -- FOLDER VECTORS.f32 < LINES.txt` wrote.
Prints the mean and the least cosine. Needs numpy, safetensors and tokenizers.
"""

import json
import math
import pathlib
import sys

import numpy as np
from safetensors.numpy import load_file
from tokenizers import BertWordPieceTokenizer

erf = np.vectorize(math.erf)


def norm(x, weights, name, epsilon):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + epsilon) * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def linear(x, weights, name):
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def encode(ids, weights, config):
    heads, epsilon = config["num_attention_heads"], config.get("layer_norm_eps", 1e-12)
    x = weights["embeddings.word_embeddings.weight"][ids]
    x = x + weights["embeddings.position_embeddings.weight"][: len(ids)] + weights["embeddings.token_type_embeddings.weight"][0]
    x = norm(x, weights, "embeddings.LayerNorm", epsilon)
    for n in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{n}"
        query, key, value = (
            linear(x, weights, f"{layer}.attention.self.{part}").reshape(len(ids), heads, -1).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1])
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (shares / shares.sum(-1, keepdims=True) @ value).transpose(1, 0, 2).reshape(len(ids), -1)
        x = norm(x + linear(mixed, weights, f"{layer}.attention.output.dense"), weights, f"{layer}.attention.output.LayerNorm", epsilon)
        wide = linear(x, weights, f"{layer}.intermediate.dense")
        wide = 0.5 * wide * (1 + erf(wide / math.sqrt(2)))
        x = norm(x + linear(wide, weights, f"{layer}.output.dense"), weights, f"{layer}.output.LayerNorm", epsilon)
    return x


def main():
    folder, lines, vectors = map(pathlib.Path, sys.argv[1:4])
    pooling = sys.argv[4] if len(sys.argv) > 4 else "mean"
    config = json.loads((folder / "config.json").read_text())
    weights = load_file(folder / "model.safetensors")
    weights = {name.removeprefix("bert."): value.astype(np.float64) for name, value in weights.items()}
    tokenizer = BertWordPieceTokenizer(str(folder / "vocab.txt"), lowercase=True)
    ours = np.fromfile(vectors, np.float32).reshape(-1, config["hidden_size"])
    cosines = []
    for line, vector in zip(lines.read_text().splitlines(), ours):
        pieces = encode(tokenizer.encode(line).ids[:512], weights, config)
        reference = pieces[0] if pooling == "first" else pieces.mean(0)
        cosines.append(vector @ reference / np.linalg.norm(vector) / np.linalg.norm(reference))
    print(f"{len(cosines)} lines: mean cosine {np.mean(cosines):.6f}, least {np.min(cosines):.6f}")


if __name__ == "__main__":
    main()
