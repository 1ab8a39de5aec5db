"""Fits the built-in table to what the teacher said, and writes it.

    distil.py TEACH_DIR VOCAB.txt OUT.safetensors

Each sentence's vector, centred and brought to 128 dimensions half-way to white, shall be the mean of its pieces' rows:
ridge regression by conjugate gradients, starting from each piece's own vector weighted by how rare it
is. What training text did not show so keeps a row of its own.
"""

import argparse
import glob
import json
import pathlib
import struct

import numpy as np
import scipy.sparse

DIMENSIONS = 128
RIDGE = 0.4
ITERATIONS = 20
# The whole file, vocabulary included.
BYTES = 4_000_000


def teach(folder):
    parts = [np.load(path) for path in sorted(glob.glob(f"{folder}/part-*.npz"))]
    vectors = np.concatenate([part["vectors"] for part in parts]).astype(np.float32)
    ids = np.concatenate([part["ids"] for part in parts])
    lengths = np.concatenate([part["lengths"] for part in parts])
    return vectors, ids, lengths


def principal(vectors):
    mean = vectors.mean(0)
    sizes, axes = np.linalg.eigh((vectors - mean).T @ (vectors - mean))
    sizes, axes = sizes[::-1][:DIMENSIONS], axes[:, ::-1][:, :DIMENSIONS]
    # Half-way to white: small directions tell more apart than their size says.
    return mean, axes * (sizes / sizes[0]) ** -0.25


def conjugate_gradients(matrix, target):
    """Solves (MᵀM + ridge) X = Mᵀ target."""
    transposed = matrix.T.tocsr()
    solution = np.zeros((matrix.shape[1], target.shape[1]), np.float32)
    residual = transposed @ target
    direction = residual.copy()
    size = (residual**2).sum(0)
    for _ in range(ITERATIONS):
        image = transposed @ (matrix @ direction) + RIDGE * direction
        step = size / ((direction * image).sum(0) + 1e-20)
        solution += step * direction
        residual -= step * image
        following = (residual**2).sum(0)
        direction = residual + following / (size + 1e-20) * direction
        size = following
    return solution


def fit(pieces, vectors, ids, lengths):
    rows = np.repeat(np.arange(len(lengths)), lengths)
    shares = np.repeat(1 / np.maximum(lengths, 1), lengths).astype(np.float32)
    matrix = scipy.sparse.csr_matrix((shares, (rows, ids)), shape=(len(lengths), len(pieces)))
    mean, axes = principal(vectors)
    target = (vectors - mean) @ axes
    frequency = np.bincount(ids, minlength=len(pieces)) / len(ids)
    base = (pieces - pieces.mean(0)) @ axes * (1e-3 / (1e-3 + frequency))[:, None]
    image = matrix @ base
    base *= (image * target).sum() / (image**2).sum()
    table = base + conjugate_gradients(matrix, target - matrix @ base)
    left = ((matrix @ table - target) ** 2).sum() / (target**2).sum()
    print(f"{len(lengths)} sentences, {left:.3f} of their variance is left")
    # Rare pieces have high numbers; they say more than the teacher's vector of a sentence lets them.
    return table * np.log(1 + np.arange(len(pieces)))[:, None]


def is_reachable(piece):
    """Says whether lower-cased ASCII text can be cut into this piece."""
    body = piece.removeprefix("##")
    inside = body != piece and body != ""
    return piece.isascii() and not piece.startswith("[unused") and (
        body.isalnum() or (len(piece) == 1 and not inside))


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return (value >> 32) ^ value


def slots(pieces):
    count = 1
    while count < len(pieces) * 3 // 2 + 1:
        count *= 2
    table = np.zeros(count, np.uint16)
    for number, piece in enumerate(pieces, 1):
        slot = fnv(piece.encode()) % count
        while table[slot]:
            slot = (slot + 1) % count
        table[slot] = number
    return table


def quantise(table):
    """Eight bits a number; the step of each row as the upper half of a 32-bit float."""
    steps = (np.abs(table).max(1) / 127).astype(np.float32)
    # Rounded up, so that no number leaves its range.
    upper = ((steps.view(np.uint32) + 0xFFFF) >> 16).astype(np.uint16)
    exact = (upper.astype(np.uint32) << 16).view(np.float32)
    rows = np.round(table / np.maximum(exact, 1e-20)[:, None]).astype(np.int8)
    return rows, upper


def safetensors(tensors, about):
    """Lays tensors out as safetensors: the wider types first, so that each is aligned."""
    header, at = {"__metadata__": about}, 0
    for name, (dtype, array) in tensors.items():
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + b"".join(array.tobytes() for _, array in tensors.values())


def write(pieces, table, out):
    text = "".join(pieces).encode()
    ends = np.cumsum([len(piece.encode()) for piece in pieces]).astype(np.uint32)
    rows, steps = quantise(table)
    tensors = {
        "pieces.ends": ("U32", ends),
        "scales": ("BF16", steps),
        "pieces.slots": ("U16", slots(pieces)),
        "pieces.text": ("U8", np.frombuffer(text, np.uint8)),
        "rows": ("I8", rows),
    }
    about = {"source": "Snowflake/snowflake-arctic-embed-s", "license": "Apache-2.0"}
    data = safetensors(tensors, about)
    pathlib.Path(out).write_bytes(data)
    return len(data)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("teach")
    parser.add_argument("vocabulary")
    parser.add_argument("out")
    args = parser.parse_args()
    vocabulary = pathlib.Path(args.vocabulary).read_text(encoding="utf-8").splitlines()
    pieces = np.load(f"{args.teach}/pieces.npy").astype(np.float32)
    table = fit(pieces, *teach(args.teach))
    kept = [n for n, piece in enumerate(vocabulary) if is_reachable(piece)]
    # Rare pieces come last: what does not fit is cut into smaller ones.
    while write([vocabulary[n] for n in kept], table[kept], args.out) > BYTES:
        kept = kept[:-64]
    print(f"{len(kept)} pieces, {pathlib.Path(args.out).stat().st_size} bytes")


main()
