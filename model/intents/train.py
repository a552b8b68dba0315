"""Trains the classifier that tells what a message to a persona wants, and the one that tells rules from facts.

usage: train.py USE MINILM CONDUCT [--held-out]

USE and MINILM hold the vectors of the lines of all files in FILES, in their order, and CONDUCT those of conduct.tsv by
USE (see README.md). Writes weights.bin, and reference.json: a few lines with what the models say of them, for a test.
With --held-out it prints how good five models are on the lines they have not seen. Needs numpy, scipy, scikit-learn.
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
STRENGTH = {"both": 4, "words": 8, "conduct": 4}  # Both and words: the least held-out loss.
LANGUAGES = ["en", "de", "fr", "es", "ro"]


def plain(text):
    """The words: lower case, without accents and apostrophes, figures as 0."""
    folded = unicodedata.normalize("NFD", text.lower())
    folded = "".join(c for c in folded if not unicodedata.combining(c) and c not in "'’")
    words, word = [], ""
    for c in folded + " ":
        if c.isalnum():
            word += "0" if c in "0123456789" else c
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
        dense += [VECTORS * unit(use)]
        dense += [VECTORS * unit(minilm) * english] if minilm is not None else []
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


def held_out(folds, inputs, labels, strength):
    all_chances = np.zeros((len(folds), len(LABELS)))
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
        lines = read(file)
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
    conduct = read("conduct")
    vectors = np.fromfile(sys.argv[3], "<f4").reshape(-1, 512)
    inputs = {"both": features(rows, use, minilm), "words": features(rows), "conduct": features(conduct, vectors)}
    if "--held-out" in sys.argv:
        for name in ["both", "words"]:
            print(f"\n{name}")
            report(rows, labels, held_out(folds, inputs[name], labels, STRENGTH[name]))
        report_conduct(conduct, inputs["conduct"])
    models = {name: fit(inputs[name], labels, STRENGTH[name]) for name in ["both", "words"]}
    rules = np.array([label == "rule" for label, _, _ in conduct])
    models["conduct"] = fit(inputs["conduct"], rules, STRENGTH["conduct"])
    with open("weights.bin", "wb") as file:
        for name, model in models.items():
            order = [list(model.classes_).index(label) for label in LABELS] if name != "conduct" else [0]
            for at in order:
                file.write(row(model, at))
    reference(rows, inputs, conduct, models)


def read(name):
    return [line.rstrip("\n").split("\t") for line in open(f"{name}.tsv", encoding="utf-8")]


def row(model, at):
    """One class: the step, the bias, and each weight as a number of steps in a signed byte. The model keeps what was written."""
    weights = model.coef_[at]
    step = np.float32(np.abs(weights).max() / 127)
    codes = np.clip(np.round(weights / step), -127, 127).astype("i1")
    model.coef_[at] = codes * step
    return step.tobytes() + np.float32(model.intercept_[at]).tobytes() + codes.tobytes()


def report_conduct(conduct, inputs):
    rules = np.array([label == "rule" for label, _, _ in conduct])
    folds = np.random.default_rng(7).permutation(np.arange(len(conduct)) % 5)
    found = np.zeros(len(conduct), bool)
    for fold in range(5):
        found[folds == fold] = fit(inputs[folds != fold], rules[folds != fold], STRENGTH["conduct"]).predict(inputs[folds == fold])
    print(f"\nrules found {(found & rules).sum()} of {rules.sum()}, facts taken for rules {(found & ~rules).sum()} of {(~rules).sum()}")
    for (label, _, text), is_found in zip(conduct, found):
        if is_found != (label == "rule"):
            print("  ", label, text)


def reference(rows, inputs, conduct, models):
    """What the models say of some lines."""
    def best(model, input):
        chances = model.predict_proba(input)[0]
        return [model.classes_[chances.argmax()], round(float(chances.max()), 4)]
    lines = [
        {"language": rows[at][1], "text": rows[at][2], **{name: best(models[name], inputs[name][at]) for name in ["both", "words"]}}
        for at in range(5, len(rows), 397)
    ]
    rules = [
        {"language": conduct[at][1], "text": conduct[at][2],
         "rule": round(float(models["conduct"].predict_proba(inputs["conduct"][at])[0][1]), 4)}
        for at in range(3, len(conduct), 45)
    ]
    with open("reference.json", "w", encoding="utf-8") as file:
        json.dump({"messages": lines, "conduct": rules}, file, ensure_ascii=False, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
