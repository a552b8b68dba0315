"""Trains the classifier that tells cues with a topic from greetings and small talk.

usage: train.py VECTORS WEIGHTS

VECTORS holds the USE-multilingual vectors of the lines of examples.tsv in their order, 512 little-endian
f32 each (`cargo run -p encoders --release --example encode < lines > VECTORS`). WEIGHTS receives 513
little-endian f32: a weight for each dimension, then the bias. Plain logistic regression, full batches.
"""
import sys
import numpy as np

rows = [line.rstrip("\n").split("\t") for line in open("examples.tsv", encoding="utf-8")]
has_topic = np.array([label == "topic" for label, _, _ in rows], float)
vectors = np.fromfile(sys.argv[1], "<f4").reshape(len(rows), 512).astype(float)
inputs = np.c_[vectors, np.ones(len(rows))]
decay = np.r_[np.full(512, 0.0005), 0.0]


def fit(inputs, labels):
    weights = np.zeros(513)
    for _ in range(800):
        predicted = 1 / (1 + np.exp(-inputs @ weights))
        weights += 2.0 * (inputs.T @ (labels - predicted) / len(labels) - decay * weights)
    return weights


folds = np.arange(len(rows)) % 5
np.random.default_rng(0).shuffle(folds)
right = [((inputs[folds == k] @ fit(inputs[folds != k], has_topic[folds != k]) > 0) == has_topic[folds == k]) for k in range(5)]
print(f"right on held-out lines: {np.concatenate(right).mean():.3f} of {len(rows)}")
fit(inputs, has_topic).astype("<f4").tofile(sys.argv[2])
