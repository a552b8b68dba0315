"""Measures a kernel model that tells special categories from what resembles them. It writes no weights.

usage: try_kernel.py --prepare FOLDER
       try_kernel.py FOLDER

The first writes the messages for both encoders and for the word lists, the second measures; README.md has the commands
between them. Kernel ridge regression; each message is judged by the weights that all others give (closed form). Needs
numpy and scipy.
"""
import json
import sys
import numpy as np
from scipy.linalg import lapack

# Trained on and not counted: they are shorter and plainer than what people send.
UNCOUNTED = "sentences.tsv"
FILES = ["lines.tsv", UNCOUNTED, "lines-further.tsv"]
GAMMA, SPECIAL_COUNTS, LISTED_COUNTS = 0.7, 1.5, 0.1

folder = sys.argv[-1]
rows = [[name] + line.rstrip("\n").split("\t")[:3] for name in FILES for line in open(name, encoding="utf-8")]
rows = [row for row in rows if row[1] not in ("promise", "comment")]
if "--prepare" in sys.argv:
    with open(f"{folder}/TEXTS", "w", encoding="utf-8") as texts, open(f"{folder}/EXCHANGES", "w", encoding="utf-8") as exchanges:
        for at, (_, _, language, message) in enumerate(rows):
            print(message, file=texts)
            print(json.dumps(dict(id=at, language=language, said=message)), file=exchanges)
    sys.exit()

source, label, language = (np.array([row[at] for row in rows]) for at in (0, 1, 2))
listed = np.zeros(len(rows), np.float32)
for line in open(f"{folder}/LESSONS", encoding="utf-8"):
    lesson = json.loads(line)
    if lesson.get("special"):
        listed[lesson["id"]] = 1


def unit(name, length):
    vectors = np.fromfile(f"{folder}/{name}", "<f4").reshape(len(rows), length)
    return vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9)


minilm = unit("MINILM", 384)
minilm[language != "en"] = 0
vectors = np.hstack([unit("USE", 512), minilm])
target = np.where(label == "sensitive", 1, -1).astype(np.float32)
weight = np.where(label == "sensitive", SPECIAL_COUNTS, 1).astype(np.float32)


def radial(vectors):
    products = vectors @ vectors.T
    squares = np.diag(products)
    return np.exp(-GAMMA * (squares[:, None] + squares[None, :] - 2 * products))


def left_out(kernel, ridge):
    """The score of each message without itself."""
    kernel = kernel.astype(np.float32)
    kernel[np.diag_indices(len(rows))] += ridge / weight
    inverse, _ = lapack.spotri(lapack.spotrf(kernel, lower=1)[0], lower=1)
    inverse = np.tril(inverse) + np.tril(inverse, -1).T
    return target - inverse @ target / np.diag(inverse)


def report(name, scores):
    for group, chosen in (("English", language == "en"), ("others", language != "en")):
        counted = chosen & (source != UNCOUNTED)
        special = scores[counted & (label == "sensitive")]
        harmless = scores[counted & (label != "sensitive") & (label != "none")]
        shares = [(harmless >= np.quantile(special, 1 - found)).mean() for found in (0.85, 0.9, 0.95)]
        print(name, group, *(f"{share:.3f}" for share in shares), flush=True)


def in_bytes(vectors, count):
    """The first components, of a third of the messages, rounded to bytes."""
    basis = np.linalg.svd(vectors[::3], full_matrices=False)[2][:count]
    components = vectors @ basis.T
    step = np.abs(components).max() / 127
    return np.round(components / step) * step


report("both vectors, ridge 0.5:", left_out(radial(vectors), 0.5))
report("192 components and the lists, ridge 0.2:", left_out(radial(in_bytes(vectors, 192)) + LISTED_COUNTS * np.outer(listed, listed), 0.2))
