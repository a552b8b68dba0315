"""Trains the classifier that tells what a message to a persona wants, and the one that tells rules from facts.

usage: train.py USE MINILM WEIGHTS REFERENCE [--held-out]

USE and MINILM hold the vectors of the lines of all files in FILES, in their order (see README.md). WEIGHTS receives the
models, REFERENCE a few sentences with what the models say of them, for a test. Needs numpy, scipy and scikit-learn.
"""
import json
import sys
import unicodedata

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

FILES = ["en-a", "en-b", "de", "fr", "es", "ro", "short"]
LABELS = """greeting how_are_you thanks goodbye goodnight asks_permission asks_name asks_speaker_name asks_introduction
asks_age asks_home asks_work asks_pastimes asks_pride asks_childhood asks_ai asks_knowledge asks_keeping gives_consent
asks_forget_one asks_forget_all asks_others insists asks_abilities asks_action order_to_remember statement
question_about_speaker question_about_persona question_about_world question_follow_up""".split()
ASKS = {label for label in LABELS if label.startswith(("question_", "asks_")) or label == "how_are_you"}
BUCKETS = 4096
TRAITS = 10
LANGUAGES = ["en", "de", "fr", "es", "ro"]


def plain(text):
    """The words: lower case, without accents and apostrophes, figures as 0."""
    folded = unicodedata.normalize("NFD", text.lower())
    folded = "".join(c for c in folded if not unicodedata.combining(c) and c not in "'’")
    words, word = [], ""
    for c in folded + " ":
        if c.isalnum():
            word += "0" if c.isdecimal() else c
        elif word:
            words.append(word)
            word = ""
    return words


def bucket(kind, gram):
    key = 0x811C9DC5
    for byte in (kind + gram).encode():
        key = ((key ^ byte) * 0x01000193) & 0xFFFFFFFF
    return (key ^ (key >> 15)) % BUCKETS


def grams(text):
    """The buckets of the words, the pairs of words and the parts of words, each kind of length 1 together."""
    words = plain(text)
    framed = ["<", *words, ">"]
    kinds = [
        [bucket("w", word) for word in words],
        [bucket("p", f"{a} {b}") for a, b in zip(framed, framed[1:])],
        [bucket("c", f"_{word}_"[at : at + 4]) for word in words for at in range(max(len(word) - 1, 1))],
    ]
    found = {}
    for kind in kinds:
        counts = {}
        for one in kind:
            counts[one] = counts.get(one, 0) + 1
        norm = np.sqrt(sum(count * count for count in counts.values())) or 1.0
        for one, count in counts.items():
            found[one] = found.get(one, 0.0) + count / norm
    return found


def traits(text, language):
    words = len(plain(text))
    trimmed = text.rstrip(" \"”»)")
    return [
        float(trimmed.endswith("?")),
        float("?" in text),
        float(trimmed.endswith("!")),
        min(words, 30) / 10,
        float(words <= 2),
        *(float(language == code) for code in LANGUAGES),
    ]


def features(rows, use=None, minilm=None):
    at, to, values = [], [], []
    for number, (_, _, text) in enumerate(rows):
        for one, value in grams(text).items():
            at.append(number), to.append(one), values.append(value)
    sparse = csr_matrix((values, (at, to)), (len(rows), BUCKETS))
    dense = [np.array([traits(text, language) for _, language, text in rows])]
    if use is not None:
        english = np.array([[language == "en"] for _, language, _ in rows], float)
        dense += [VECTORS * unit(use), VECTORS * unit(minilm) * english]
    return hstack([sparse, csr_matrix(np.hstack(dense))]).tocsr()


VECTORS = 2.5  # The vectors count this much more than the words.


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def fit(inputs, labels, strength):
    return LogisticRegression(C=strength, max_iter=400).fit(inputs, labels)


def chances(model, inputs):
    chances = np.zeros((inputs.shape[0], len(LABELS)))
    chances[:, [LABELS.index(label) for label in model.classes_]] = model.predict_proba(inputs)
    return chances


def careless(text):
    return not text[:1].isupper() and not text.endswith((".", "?", "!"))


def held_out(rows, folds, inputs, labels, strength):
    all_chances = np.zeros((len(rows), len(LABELS)))
    for fold in range(5):
        model = fit(inputs[folds != fold], labels[folds != fold], strength)
        all_chances[folds == fold] = chances(model, inputs[folds == fold])
    return all_chances


def report(rows, labels, chances):
    said = np.array([LABELS[at] for at in chances.argmax(1)])
    asks = chances[:, [label in ASKS for label in LABELS]].sum(1) > 0.5
    is_asked = np.array([label in ASKS for label in labels])
    loss = -np.log(np.maximum(chances[range(len(labels)), [LABELS.index(label) for label in labels]], 1e-9)).mean()
    parts = {"all": np.ones(len(rows), bool)}
    for code in LANGUAGES:
        parts[code] = np.array([language == code for _, language, _ in rows])
    parts["careless"] = np.array([careless(text) for _, _, text in rows])
    parts["no question mark"] = np.array(["?" not in text for _, _, text in rows])
    print(f"log loss {loss:.3f}")
    for name, part in parts.items():
        right, right_asks = (said == labels)[part].mean(), (asks == is_asked)[part].mean()
        print(f"{name:18} {part.sum():5} lines: label {right:.3f}, asks or not {right_asks:.3f}")


def main():
    rows, places = [], []
    for file in FILES:
        lines = [line.rstrip("\n").split("\t") for line in open(f"{file}.tsv", encoding="utf-8")]
        rows += lines
        # The files of German and French, and of Spanish and Romanian, mirror each other.
        pair = {"de": "de-fr", "fr": "de-fr", "es": "es-ro", "ro": "es-ro"}.get(file, file)
        places += [(pair, number) for number in range(len(lines))]
    labels = np.array([label for label, _, _ in rows])
    use = np.fromfile(sys.argv[1], "<f4").reshape(-1, 512)[: len(rows)]
    minilm = np.fromfile(sys.argv[2], "<f4").reshape(-1, 384)[: len(rows)]
    keys = sorted(set(places))
    chosen = dict(zip(keys, np.random.default_rng(7).permutation(np.arange(len(keys)) % 5)))
    folds = np.array([chosen[place] for place in places])
    both, words = features(rows, use, minilm), features(rows)
    if "--held-out" in sys.argv:
        for name, inputs, strengths in [("words and vectors", both, [1, 2, 4, 8]), ("words alone", words, [4, 8, 16])]:
            for strength in strengths:
                print(f"\n{name}, C {strength}")
                report(rows, labels, held_out(rows, folds, inputs, labels, strength))


if __name__ == "__main__":
    main()
