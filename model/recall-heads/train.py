"""Trains what recall reads from the vectors of its encoders besides their cosine: `aboutness.bin` and `matters.bin`.

usage: train.py ENCODE

ENCODE is the program that `cargo build -p encoders --example encode` makes. Needs numpy and jax; a minute on one core.
"""
import json
import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
SETS = os.path.join(HERE, "..", "..", "crates", "recall", "tests", "data")
USE, MINILM = 512, 384
STEPS, RATE, DROPPED, DECAY, UNKNOWN, KEPT = 30, 1e-3, 0.2, 1e-5, 3.0, 0.6
# The weights of USE and MiniLM: first for a cue in English, then for another.
START, FINAL = ((4.0, 16.0), (20.0, 2.0)), ((11.4, 37.1), (50.0, 4.0))


def cases(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["cases"]


def texts_of(people):
    return [m["gist"] for p in people for m in p["memories"]] + [a["cue"] for p in people for a in p["asks"]]


def vectors(encode, name, texts):
    """The vector of each text by the encoder with this name."""
    lines = "\n".join(text.replace("\n", " ") for text in texts).encode()
    out = np.frombuffer(subprocess.run([encode, name], input=lines, stdout=subprocess.PIPE, check=True).stdout, "<f4")
    return dict(zip(texts, out.reshape(len(texts), -1)))


def asked(people, use, minilm):
    """Arrays of all messages but greetings: their vectors, those of the person's notes, and which they call for."""
    asks = [(p, a) for p in people for a in p["asks"] if a["type"] != "greeting"]
    most = max(len(p["memories"]) for p, _ in asks)

    def padded(rows):
        return np.pad(np.stack(rows), ((0, most - len(rows)), (0, 0)))

    notes = {id(p): [padded([of[m["gist"]] for m in p["memories"]]) for of in (use, minilm)] for p in people}
    expected = np.zeros((len(asks), most), np.float32)
    there = np.zeros((len(asks), most), np.float32)
    for row, (p, a) in enumerate(asks):
        there[row, :len(p["memories"])] = 1
        for at, m in enumerate(p["memories"]):
            expected[row, at] = m["id"] in a["expect"]
    return {
        "use": np.stack([use[a["cue"]] for _, a in asks]), "minilm": np.stack([minilm[a["cue"]] for _, a in asks]),
        "use_notes": np.stack([notes[id(p)][0] for p, _ in asks]), "minilm_notes": np.stack([notes[id(p)][1] for p, _ in asks]),
        "there": there, "expected": expected, "known": np.array([a["type"] != "unknown" for _, a in asks], np.float32),
        "english": np.array([p["language"] == "en" for p, _ in asks], np.float32),
    }


def scores(change, weights, bias, batch, use, minilm):
    """How clearly each cue is about each note. Only the cue is moved, so stored vectors stay as they are."""
    by_use = jnp.einsum("nd,nkd->nk", use + use @ change["use"], batch["use_notes"])
    by_minilm = jnp.einsum("nd,nkd->nk", minilm + minilm @ change["minilm"], batch["minilm_notes"])
    each = [w[0] * by_use + w[1] * by_minilm + b for w, b in zip(weights, bias)]
    english = batch["english"][:, None]
    return jnp.where(batch["there"] > 0, english * each[0] + (1 - english) * each[1], -1e4)


def loss(trained, batch, key):
    """Every expected note competes with all others and with "none" at 0; an unknown cue should choose "none"."""
    seen = [
        batch[name] * jax.random.bernoulli(one, 1 - DROPPED, batch[name].shape) / (1 - DROPPED)
        for name, one in zip(("use", "minilm"), jax.random.split(key))
    ]
    weights = (trained["weights"][0], trained["weights"][1])
    notes = scores(trained, weights, trained["bias"], batch, *seen)
    none, expected = jnp.zeros((notes.shape[0], 1)), batch["expected"]
    others = jax.nn.logsumexp(jnp.concatenate([jnp.where(expected > 0, -1e4, notes), none], 1), 1)
    known = ((jnp.logaddexp(notes, others[:, None]) - notes) * expected).sum(1) / jnp.maximum(expected.sum(1), 1)
    unknown = jax.nn.logsumexp(jnp.concatenate([notes, none], 1), 1)
    weight = jnp.where(batch["known"] > 0, 1.0, UNKNOWN)
    per_cue = jnp.where(batch["known"] > 0, known, unknown)
    return (per_cue * weight).sum() / weight.sum() + DECAY * ((trained["use"] ** 2).sum() + (trained["minilm"] ** 2).sum())


def train(batch):
    trained = {"use": jnp.zeros((USE, USE)), "minilm": jnp.zeros((MINILM, MINILM)), "weights": jnp.array(START), "bias": jnp.array((-8.0, -8.0))}
    first = {name: jnp.zeros_like(value) for name, value in trained.items()}
    second, gradient = dict(first), jax.jit(jax.value_and_grad(loss))
    for number, key in enumerate(jax.random.split(jax.random.PRNGKey(0), STEPS), 1):
        value, slope = gradient(trained, batch, key)
        for name in trained:
            first[name] = 0.9 * first[name] + 0.1 * slope[name]
            second[name] = 0.999 * second[name] + 0.001 * slope[name] ** 2
            rate = RATE if name in ("use", "minilm") else 100 * RATE
            moved = (first[name] / (1 - 0.9 ** number)) / (jnp.sqrt(second[name] / (1 - 0.999 ** number)) + 1e-8)
            trained[name] = trained[name] - rate * moved
    print(f"loss {float(value):.3f} after {STEPS} steps")
    # The whole change tells known cues from unknown ones best; this much of it also keeps the notes apart.
    return {name: KEPT * np.asarray(trained[name]) for name in ("use", "minilm")}


def auc(numbers, known):
    return (numbers[known > 0][:, None] > numbers[known == 0][None]).mean()


def calibrated(change, sets):
    """A slope and an offset for each kind of language: the chance that a cue with this best score is known."""
    best, known, english = [], [], []
    for name, batch in sets.items():
        most = np.asarray(scores(change, FINAL, (0.0, 0.0), batch, batch["use"], batch["minilm"])).max(1)
        print(f"known against unknown, {name}: AUC {auc(most, batch['known']):.3f}")
        best, known, english = best + [most], known + [batch["known"]], english + [batch["english"]]
    best, known, english = (np.concatenate(each) for each in (best, known, english))
    numbers = []
    for is_english in (1, 0):
        x, y = np.c_[best, np.ones(len(best))][english == is_english], known[english == is_english]
        weight = np.where(y > 0, 0.5 / y.sum(), 0.5 / (1 - y).sum())
        line = np.zeros(2)
        for _ in range(50):
            p = 1 / (1 + np.exp(-x @ line))
            line += np.linalg.solve((x * (weight * p * (1 - p))[:, None]).T @ x + 1e-6 * np.eye(2), x.T @ (weight * (y - p)))
        numbers.append((*FINAL[1 - is_english], *line))
        chance = 1 / (1 + np.exp(-x @ line))
        for bar in (0.5, 0.6, 0.65, 0.7, 0.75, 0.8):
            print(f"  {'en' if is_english else 'other'} {bar}: known {(chance[y > 0] >= bar).mean():.2f}, unknown {(chance[y == 0] >= bar).mean():.2f}")
    return numbers


def write_aboutness(path, change, numbers):
    """Eight f32 (USE, MiniLM, slope, offset; English first), then for each encoder a step per output and the codes."""
    with open(path, "wb") as file:
        file.write(np.array(numbers, "<f4").tobytes())
        for name in ("use", "minilm"):
            rows = change[name].T
            steps = np.abs(rows).max(1) / 127
            file.write(steps.astype("<f4").tobytes() + np.round(rows / steps[:, None]).astype(np.int8).tobytes())


def matters(people, use):
    """A logistic regression: which notes do people want in mind after a greeting, beside the heaviest?"""
    asks = [(p, a) for p in people for a in p["asks"] if a["type"] == "greeting"]
    x = np.array([np.r_[use[m["gist"]], m["salience"], 1] for p, _ in asks for m in p["memories"]])
    y = np.array([float(m["id"] in a["expect"]) for p, a in asks for m in p["memories"]])
    decay, line = np.r_[np.full(USE, 0.003), 0, 1e-9], np.zeros(USE + 2)
    for _ in range(25):
        p = 1 / (1 + np.exp(-x @ line))
        line += np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x / len(y) + np.diag(decay + 1e-9), x.T @ (y - p) / len(y) - decay * line)
    # In units of salience, so that the weight of salience needs no other.
    return line[:USE] / line[USE]


def main(vectors_of):
    people = cases(os.path.join(HERE, "..", "recall-training", "people.json"))
    given, validation = (cases(os.path.join(SETS, name)) for name in ("everyday.json", "everyday_validation.json"))
    for person in given:
        person["language"] = {"c09": "de", "c10": "es"}.get(person["id"], "en")
    texts = list(dict.fromkeys(texts_of(people + given + validation)))
    use, minilm = vectors_of("use-recall.1", texts), vectors_of("minilm-recall.1", texts)
    change = train(asked(people, use, minilm))
    numbers = calibrated(change, {"given": asked(given, use, minilm), "validation": asked(validation, use, minilm)})
    write_aboutness(os.path.join(HERE, "aboutness.bin"), change, numbers)
    matters(people, use).astype("<f4").tofile(os.path.join(HERE, "matters.bin"))


if __name__ == "__main__":
    main(lambda name, texts: vectors(sys.argv[1], name, texts))
