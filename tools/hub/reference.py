"""Writes what a small model of random weights answers, for the test of our forward pass.

    reference.py FIXTURES_OF_THE_TOKENIZER OUT.json

The weights come from a linear congruence that the test repeats; the arithmetic is plain numpy in 64 bits. Needs numpy.
"""

import json
import math
import pathlib
import sys

import numpy as np

LAYERS, HIDDEN, HEADS, WIDE, POSITIONS, TYPES = 2, 32, 4, 64, 48, 2
erf = np.vectorize(math.erf)


class Weights:
    def __init__(self):
        self.seed = 7

    def draw(self, *shape):
        count = int(np.prod(shape))
        values = np.empty(count)
        for n in range(count):
            self.seed = (self.seed * 1664525 + 1013904223) % 2**32
            values[n] = np.float32((self.seed >> 8) / 2**24 - 0.5)
        return values.reshape(shape)


def norm(x, gain, shift):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-12) * gain + shift


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def tensors(vocabulary):
    """Names and shapes in the order in which the test draws them."""
    yield "embeddings.word_embeddings.weight", (vocabulary, HIDDEN)
    yield "embeddings.position_embeddings.weight", (POSITIONS, HIDDEN)
    yield "embeddings.token_type_embeddings.weight", (TYPES, HIDDEN)
    yield "embeddings.LayerNorm.weight", (HIDDEN,)
    yield "embeddings.LayerNorm.bias", (HIDDEN,)
    for n in range(LAYERS):
        at = f"encoder.layer.{n}"
        for name, out, into in [
            ("attention.self.query", HIDDEN, HIDDEN),
            ("attention.self.key", HIDDEN, HIDDEN),
            ("attention.self.value", HIDDEN, HIDDEN),
            ("attention.output.dense", HIDDEN, HIDDEN),
            ("intermediate.dense", WIDE, HIDDEN),
            ("output.dense", HIDDEN, WIDE),
        ]:
            yield f"{at}.{name}.weight", (out, into)
            yield f"{at}.{name}.bias", (out,)
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            yield f"{at}.{name}.weight", (HIDDEN,)
            yield f"{at}.{name}.bias", (HIDDEN,)
    yield "pooler.dense.weight", (HIDDEN, HIDDEN)
    yield "pooler.dense.bias", (HIDDEN,)
    yield "classifier.weight", (1, HIDDEN)
    yield "classifier.bias", (1,)


def forward(w, ids, types):
    linear = lambda x, name: x @ w[f"{name}.weight"].T + w[f"{name}.bias"]
    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][: len(ids)]
    x = x + w["embeddings.token_type_embeddings.weight"][types]
    x = norm(x, w["embeddings.LayerNorm.weight"], w["embeddings.LayerNorm.bias"])
    for n in range(LAYERS):
        at = f"encoder.layer.{n}"
        split = lambda y: y.reshape(len(ids), HEADS, -1).transpose(1, 0, 2)
        q, k, v = (split(linear(x, f"{at}.attention.self.{part}")) for part in ("query", "key", "value"))
        shares = softmax(q @ k.transpose(0, 2, 1) / math.sqrt(HIDDEN // HEADS))
        mixed = (shares @ v).transpose(1, 0, 2).reshape(len(ids), HIDDEN)
        name = f"{at}.attention.output"
        x = norm(x + linear(mixed, f"{name}.dense"), w[f"{name}.LayerNorm.weight"], w[f"{name}.LayerNorm.bias"])
        wide = linear(x, f"{at}.intermediate.dense")
        wide = 0.5 * wide * (1 + erf(wide / math.sqrt(2)))
        name = f"{at}.output"
        x = norm(x + linear(wide, f"{name}.dense"), w[f"{name}.LayerNorm.weight"], w[f"{name}.LayerNorm.bias"])
    return x


def unit(x):
    return [round(float(v), 6) for v in x / np.linalg.norm(x)]


def main():
    fixtures = pathlib.Path(sys.argv[1])
    pieces = (fixtures / "vocabulary.txt").read_text(encoding="utf-8").splitlines()
    cases = json.loads((fixtures / "expected.json").read_text(encoding="utf-8"))
    cases = [(text, ids) for text, ids in cases if 0 < len(ids) < 30][:6]
    source = Weights()
    w = {name: source.draw(*shape) for name, shape in tensors(len(pieces))}
    begin, end = pieces.index("[CLS]"), pieces.index("[SEP]")
    question = cases[0][1][:20]
    out = []
    for text, ids in cases:
        vectors = forward(w, [begin, *ids, end], 0)
        pair = [begin, *question, end, *ids[: POSITIONS - len(question) - 3], end]
        types = np.array([0] * (len(question) + 2) + [1] * (len(pair) - len(question) - 2))
        first = forward(w, pair, types)[0]
        pooled = np.tanh(first @ w["pooler.dense.weight"].T + w["pooler.dense.bias"])
        logit = float((pooled @ w["classifier.weight"].T + w["classifier.bias"])[0])
        out.append({"text": text, "first": unit(vectors[0]), "mean": unit(vectors.mean(0)), "logit": round(logit, 6)})
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in out)
    pathlib.Path(sys.argv[2]).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


main()
