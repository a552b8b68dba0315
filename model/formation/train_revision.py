"""Trains the comparison that finds the memory which a change takes the place of.

usage: train_revision.py talks FOLDER            writes conversations made of changes.tsv, to be read by `revisions`
       train_revision.py train PAIRS NUMBERS WEIGHTS   trains on what the example `revisions` wrote

changes.tsv holds in each line a language, a statement, another one about something near to it, and a third that changes the first.
WEIGHTS receives one little-endian f32 for each number of a pair, in the order of `Revision::features` in
crates/formation/src/revision.rs. How many changes are found in conversations that were not learnt from is printed.
"""
import datetime
import json
import random
import sys
import numpy as np

# Few pairs are changes, and a wrong one loses a memory.
WEIGHT_OF_CHANGE = 8.0
THRESHOLD = 0.0
DECAY = 0.0005
MINUTES = [2, 5, 60, 600, 3000]


def write_talks(folder):
    rows = [line.rstrip("\n").split("\t") for line in open("changes.tsv", encoding="utf-8")]
    chance = random.Random(7)
    for language in sorted({row[0] for row in rows}):
        own = [row[1:] for row in rows if row[0] == language]
        for first in range(0, len(own), 5):
            with open(f"{folder}/changes-{language}-{first}.json", "w", encoding="utf-8") as out:
                json.dump(talk(language, own[first:first + 5], chance), out)


def talk(language, block, chance):
    """What is known in any order, and days later what changed."""
    at, turns, place, changes = datetime.datetime(2026, 2, 2, 9), [], {}, []

    def say(words, after):
        nonlocal at
        turns.append(dict(at=at.strftime("%Y-%m-%dT%H:%M:%S+00:00"), user=words, reply="Ok."))
        at += datetime.timedelta(minutes=after)

    known = [(number, part) for number in range(len(block)) for part in (0, 1)]
    chance.shuffle(known)
    for number, part in known:
        say(block[number][part], chance.choice(MINUTES))
        place[number, part] = len(turns)
    at += datetime.timedelta(days=chance.choice([0, 1, 5, 20]))
    for number in chance.sample(range(len(block)), len(block)):
        say(block[number][2], chance.choice(MINUTES))
        changes.append([place[number, 0], len(turns)])
    return dict(language=language, speaker="Kim", facts=[], changes=changes, turns=turns)


def holds(fact, memory):
    text = memory["text"].lower()
    values = [value if isinstance(value, list) else [value] for value in fact["values"]]
    return (fact["by"] == "persona") == memory["persona"] and all(any(word.lower() in text for word in value) for value in values)


def is_change(pair, conversation):
    if [pair["old"]["turn"], pair["new"]["turn"]] in conversation.get("changes", []):
        return True
    facts = conversation["facts"]
    changed = [fact for fact in facts if fact.get("replaces") and fact["turn"] == pair["new"]["turn"] and holds(fact, pair["new"])]
    return any(holds(facts[fact["replaces"] - 1], pair["old"]) for fact in changed)


def fit(inputs, labels, steps=400):
    """Nesterov's accelerated gradient, with a step of one over the curvature."""
    weights = np.where(labels > 0, WEIGHT_OF_CHANGE, 1.0)
    weights /= weights.sum()
    decays = np.full(inputs.shape[1], DECAY)
    decays[-1] = 0
    step = 1 / (np.linalg.norm(inputs * np.sqrt(weights)[:, None], 2) ** 2 / 4 + DECAY)
    old = ahead = np.zeros(inputs.shape[1])
    momentum = 1.0
    for _ in range(steps):
        predicted = 1 / (1 + np.exp(-(inputs @ ahead)))
        new = ahead - step * (inputs.T @ (weights * (predicted - labels)) + decays * ahead)
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = new + (momentum - 1) / following * (new - old)
        old, momentum = new, following
    return old


def held_out(pairs, inputs, labels, sources):
    scores = np.zeros(len(pairs))
    for source in sorted(set(sources)):
        own = sources == source
        scores[own] = inputs[own] @ fit(inputs[~own], labels[~own]) - THRESHOLD
    by_memory = {}
    for at, pair in enumerate(pairs):
        if "/changes-" not in pair["conversation"]:
            by_memory.setdefault((pair["conversation"], pair["new"]["turn"], pair["new"]["text"]), []).append(at)
    changes = right = wrong = 0
    for own in by_memory.values():
        best = max(own, key=lambda at: scores[at])
        changes += labels[own].any()
        right += scores[best] > 0 and labels[best] > 0
        wrong += scores[best] > 0 and labels[best] == 0
    print(f"held out: {right} of {changes} changes found, {wrong} memories wrongly replaced")


def train(pairs_path, numbers_path, weights_path):
    pairs = [json.loads(line) for line in open(pairs_path, encoding="utf-8")]
    inputs = np.fromfile(numbers_path, "<f4").reshape(len(pairs), -1).astype(float)
    read = {path: json.load(open(path, encoding="utf-8")) for path in {pair["conversation"] for pair in pairs}}
    labels = np.array([float(is_change(pair, read[pair["conversation"]])) for pair in pairs])
    held_out(pairs, inputs, labels, np.array([pair["conversation"] for pair in pairs]))
    weights = fit(inputs, labels)
    weights[-1] -= THRESHOLD
    weights.astype("<f4").tofile(weights_path)


if __name__ == "__main__":
    write_talks(sys.argv[2]) if sys.argv[1] == "talks" else train(*sys.argv[2:5])
