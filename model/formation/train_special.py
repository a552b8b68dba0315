"""Trains the kernel that tells how surely a text is about a special category of personal data.

usage: train_special.py --prepare FOLDER
       train_special.py FOLDER special.bin

The first writes FOLDER/MESSAGES, every labelled message of `lines.tsv`, `lines-further.tsv` and `sentences.tsv`, sentences of
the conversations and the examples of the crate (written for this purpose, most by people who had seen neither code nor
models; README.md), for the example `special` of the crate `formation`, which writes FOLDER/NUMBERS (the vectors of both
encoders and whether the word lists find a category) and FOLDER/LINES (which message or clause each row is). The second
trains, measures, and writes special.bin. Needs numpy and scipy.

Kernel ridge regression: target 1 for a special message and -1 for another one, special ones count SPECIAL_COUNTS times. Of
two texts the likeness is exp(-GAMMA d²) over 128 components of the vectors in bytes, and LISTED_COUNTS more if the word lists
find a category in both. Every message is measured by the weights that all others give (closed form), and so is each of
its clauses.

special.bin, little-endian: f32 step of a byte of the projection, f32 step of a component, the projection (128 rows of 896
bytes), then a row for each message: f32 weight, a byte that is 1 if it is listed, 128 bytes of components.
"""
import glob
import json
import re
import sys
import numpy as np
from scipy.linalg import lapack

# Trained on and not counted: they are shorter and plainer than what people send.
UNCOUNTED = "sentences.tsv"
FILES = ["lines.tsv", UNCOUNTED, "lines-further.tsv"]
TALK, EXAMPLES, UNSURE = "talks", "examples", "classes"
CRATE = "../../crates/formation"
VECTORS, COMPONENTS = 896, 128
# Of the sentences of conversations that tell nothing worth a note, one of so many is learnt from.
IDLE = 8
# The weight of a message that is not learnt from.
NOTHING = 1e-4
GAMMA, RIDGE, SPECIAL_COUNTS, LISTED_COUNTS = 0.7, 0.2, 1.5, 0.1


def messages():
    """Where it is from, label, language and words of each."""
    rows = [[name] + line.rstrip("\n").split("\t")[:3] for name in FILES for line in open(name, encoding="utf-8")]
    return [row for row in rows if row[1] not in ("promise", "comment")] + spoken() + examples()


def spoken():
    """Sentences of the conversations: the special ones, those that tell a fact, and a part of the others."""
    rows, idle = [], 0
    for path in sorted(glob.glob(f"{CRATE}/tests/conversations/[du]*.json") + glob.glob("talks/*.json")):
        conversation = json.load(open(path, encoding="utf-8"))
        for number, turn in enumerate(conversation["turns"], 1):
            special = [word for one in conversation["notToKeep"] if one["turn"] == number for word in one["words"]]
            own = [fact for fact in conversation["facts"] if fact["turn"] == number and fact["by"] == "speaker" and fact["class"] != "sensitive-pii"]
            values = [value for fact in own for value in fact["values"]]
            for sentence in filter(str.strip, re.split(r"(?<=[.!?…])\s+", turn["user"])):
                label = "sensitive" if held(sentence, [special]) else "fact" if held(sentence, values) else "none"
                idle += label == "none"
                if label != "none" or idle % IDLE == 0:
                    rows.append([TALK, label, conversation["language"], sentence])
    return rows


def examples():
    """The examples of the crate that its other models learn from. Nobody has said of those of classes whether they are
    special; where the word lists find nothing, they are not."""
    rows = []
    for name in ("turns", "turns-further", "turns-second"):
        for turn in json.load(open(f"{CRATE}/tests/{name}.json", encoding="utf-8")):
            rows.append([EXAMPLES, "sensitive" if turn["expect"]["outcome"] == "refused" else "fact", turn["language"], turn["said"]])
    for example in json.load(open(f"{CRATE}/tests/kinds.json", encoding="utf-8")):
        rows.append([EXAMPLES, "fact", example["language"], example["said"]])
    for example in json.load(open(f"{CRATE}/tests/classes-development.json", encoding="utf-8")):
        rows.append([UNSURE, "fact", example["language"], example["said"]])
    lines = [line.rstrip("\n").split(": ", 1)[1] for line in open(f"{CRATE}/src/class/examples/en.txt", encoding="utf-8")]
    return rows + [[UNSURE, "fact", "en", said] for said in lines[::2]]


def held(text, values):
    """Whether one of the values stands in a text; a value may be a list of words of which one is enough."""
    text = text.lower()
    return any(word.lower() in text for value in values for word in (value if isinstance(value, list) else [value]))


def in_bytes(numbers):
    step = np.abs(numbers).max() / 127
    return np.round(numbers / step).astype(np.int8), np.float32(step)


def likeness(one, other, one_listed, other_listed, step):
    """Of every text of `one` to every text of `other`."""
    one, other = one.astype(np.float32) * step, other.astype(np.float32) * step
    squares = (one**2).sum(1)[:, None] + (other**2).sum(1)[None, :] - 2 * one @ other.T
    return np.exp(-GAMMA * np.maximum(squares, 0)) + LISTED_COUNTS * np.outer(one_listed, other_listed).astype(np.float32)


def solved(kernel, target, weight):
    """The weight of each message, and the inverse of the kernel with the ridge."""
    kernel = kernel.astype(np.float32)
    kernel[np.diag_indices(len(target))] += RIDGE / weight
    inverse, _ = lapack.spotri(lapack.spotrf(kernel, lower=1)[0], lower=1)
    inverse = np.tril(inverse) + np.tril(inverse, -1).T
    return (inverse @ target).astype("<f4"), inverse


def report(name, scores, rows, listed, thresholds):
    source, label, language = (np.array([row[at] for row in rows]) for at in (0, 1, 2))
    is_line = ~np.isin(source, [TALK, EXAMPLES, UNSURE, UNCOUNTED])
    groups = [("English", (language == "en") & is_line), ("others", (language != "en") & is_line), ("conversations", source == TALK), ("examples", np.isin(source, [EXAMPLES, UNSURE]))]
    for group, chosen in groups:
        special = chosen & (label == "sensitive")
        harmless = chosen & (label != "sensitive") & (label != "none")
        for kind, of_kind in (("listed", listed > 0), ("not listed", listed == 0)):
            own, other = scores[special & of_kind], scores[harmless & of_kind]
            print(name, group, kind, len(own), len(other), "; ".join(f"{least:+.1f}: {(own > least).mean():.3f} found {(other > least).mean():.3f} refused" for least in thresholds), flush=True)


def main(folder, path):
    rows = messages()
    lines = [json.loads(line) for line in open(f"{folder}/LINES", encoding="utf-8")]
    numbers = np.fromfile(f"{folder}/NUMBERS", "<f4").reshape(len(lines), VECTORS + 1)
    is_clause = np.array([line["clause"] for line in lines])
    vectors, listed = numbers[:, :VECTORS], numbers[:, VECTORS]
    whole = vectors[~is_clause]
    # A third of the messages is enough to find the directions in which they differ.
    basis, basis_step = in_bytes(np.linalg.svd(whole[::3], full_matrices=False)[2][:COMPONENTS])
    components, step = in_bytes(vectors @ (basis.astype(np.float32) * basis_step).T)
    own, own_listed = components[~is_clause], listed[~is_clause]
    target = np.array([1 if row[1] == "sensitive" else -1 for row in rows], np.float32)
    weight = np.where(target > 0, SPECIAL_COUNTS, 1).astype(np.float32)
    is_unsure = np.array([row[0] == UNSURE for row in rows]) & (own_listed > 0)
    weight[is_unsure] = NOTHING
    weights, inverse = solved(likeness(own, own, own_listed, own_listed, step), target, weight)
    left_out = target - weights / np.diag(inverse)
    report("messages,", left_out, rows, own_listed, (-0.6, -0.5, -0.4, -0.3, -0.2, -0.1, 0.0, 0.1))
    measure_clauses(rows, lines, (is_clause, own_listed), (components, listed, step), (weights, inverse), left_out)
    with open(path, "wb") as out:
        out.write(np.array([basis_step, step], "<f4").tobytes() + basis.tobytes())
        for at in range(len(rows)):
            out.write(weights[at].tobytes() + bytes([int(own_listed[at])]) + own[at].tobytes())


def measure_clauses(rows, lines, kinds, text, model, left_out):
    """How many messages are refused for the whole or for a clause, for several thresholds of clauses."""
    (is_clause, own_listed), (components, listed, step), (weights, inverse) = kinds, text, model
    owner = np.array([line["id"] for line in lines])[is_clause]
    near = likeness(components[is_clause], components[~is_clause], listed[is_clause], listed[~is_clause], step)
    # What the message itself adds to its clause, by the weights that all others give.
    of_itself = (inverse[owner] * near).sum(1) * weights[owner] / np.diag(inverse)[owner]
    highest = np.full(len(rows), -9.0)
    np.maximum.at(highest, owner, near @ weights - of_itself)
    for least in (-0.4, -0.3, -0.2):
        both = np.where(left_out > least, 9.0, highest)
        report(f"whole above {least} or a clause,", both, rows, own_listed, (0.0, 0.2, 0.4, 0.6, 8.0))


if sys.argv[1] == "--prepare":
    with open(f"{sys.argv[2]}/MESSAGES", "w", encoding="utf-8") as out:
        for at, (_, _, language, message) in enumerate(messages()):
            print(json.dumps(dict(id=at, language=language, said=message)), file=out)
else:
    main(*sys.argv[1:3])
