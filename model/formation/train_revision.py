"""Trains the comparison that finds the memory which a change takes the place of, and the head that says whether a passage
changes anything.

usage: train_revision.py NAME LESSONS VECTORS WEIGHTS REVISION [--held-out]

NAME.groups, NAME.passages and NAME.pairs are what the example `revisions` wrote of the conversations and of those made by
revision_talks.py; LESSONS and VECTORS what the example `lessons` wrote (see exchanges.py). WEIGHTS receives the head
`changes`, REVISION the trees: a base, then 11 nodes for each of 150 trees, each of five little-endian f32: the number of the
pair that is compared, a threshold, the node for a number up to it, the node for a greater one (0 in a leaf), and the leaf's value.

A new memory is seen beside all earlier ones at once. Trees give each pair its odds, and none has the odds 1;
the share of the best pair in the sum of all is how likely it is meant. How surely a passage changes anything is always
judged by a head that has not seen its conversation. With --held-out it is printed how many changes of conversations that
were not learnt from are found, and how many memories wrongly give way, for several least probabilities.
"""
import json
import sys
import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

FEATURES, NUMBERS = 563, 36
# The place of the head `changes` among those of the weights.
CHANGES = 2
# Where in the numbers of a pair it stands how surely the passage changes something.
CHANGE = 12
HEAD_DECAY, HEAD_THRESHOLD = 0.015, -1.4
TREES, LEAVES = 150, 6
# How much a new memory of a real conversation counts beside one of changes.tsv.
WEIGHT_OF_TALK = 2.0
FOLDS = 6


def holds(fact, memory, any_author=False):
    text = memory["text"].lower()
    values = [value if isinstance(value, list) else [value] for value in fact["values"]]
    is_by = any_author or (fact["by"] == "persona") == memory["persona"]
    return is_by and all(any(word.lower() in text for word in value) for value in values)


def labels(group, conversation):
    """Whether the new memory changes something, and for each known one: 1 if it gives way, 0 if not, -1 if it says the same as
    one that does."""
    new, known = group["new"], group["known"]
    pairs = conversation.get("changes", [])
    if conversation.get("all"):
        return new["turn"] in conversation["changing"], [int([old["turn"], new["turn"]] in pairs) for old in known]
    facts = conversation["facts"]
    changed = [facts[fact["replaces"] - 1] for fact in facts if fact.get("replaces") and fact["turn"] == new["turn"] and holds(fact, new)]

    def label(old):
        if any(holds(fact, old) for fact in changed):
            return 1
        return -1 if any(holds(fact, old, any_author=True) for fact in changed) else 0

    return bool(changed), [label(old) for old in known]


class Data:
    def __init__(self, name):
        self.groups = [json.loads(line) for line in open(f"{name}.groups", encoding="utf-8")]
        self.passages = np.fromfile(f"{name}.passages", "<f4").reshape(len(self.groups), FEATURES)
        self.pairs = np.fromfile(f"{name}.pairs", "<f4").reshape(-1, NUMBERS).astype(float)
        read = {path: json.load(open(path, encoding="utf-8")) for path in {group["conversation"] for group in self.groups}}
        known = [labels(group, read[group["conversation"]]) for group in self.groups]
        self.changes = np.array([changes for changes, _ in known], float)
        self.truth = np.concatenate([np.array(truth, int) for _, truth in known if truth])
        self.owner = np.repeat(np.arange(len(self.groups)), [len(group["known"]) for group in self.groups])
        self.source = np.array([group["conversation"] for group in self.groups])
        self.is_talk = np.array(["/changes-" not in source for source in self.source])
        sources = sorted(set(self.source))
        fold_of = {source: at % FOLDS for at, source in enumerate(sources)}
        self.fold = np.array([fold_of[source] for source in self.source])


def fit_head(inputs, truth, weights, steps=150):
    """Logistic regression by Nesterov's accelerated gradient, with a step of one over the curvature."""
    weights = (weights / weights.sum()).astype(np.float32)
    truth = truth.astype(np.float32)
    direction = np.ones(FEATURES, np.float32)
    scaled = inputs * np.sqrt(weights)[:, None]
    for _ in range(12):
        direction = scaled.T @ (scaled @ direction)
        curvature = np.linalg.norm(direction)
        direction /= curvature
    decays = np.full(FEATURES, HEAD_DECAY, np.float32)
    decays[-1] = 0
    step = 1 / (0.3 * curvature + HEAD_DECAY)
    old = ahead = np.zeros(FEATURES, np.float32)
    momentum = 1.0
    for _ in range(steps):
        predicted = 1 / (1 + np.exp(-np.clip(inputs @ ahead, -30, 30)))
        new = ahead - step * ((weights * (predicted - truth)) @ inputs + decays * ahead)
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = new + (momentum - 1) / following * (new - old)
        old, momentum = new, following
    old[-1] -= HEAD_THRESHOLD
    return old


class Heads:
    """The head `changes`, trained without the conversations of some folds."""

    def __init__(self, data, lessons_path, vectors_path):
        lessons = [json.loads(line) for line in open(lessons_path, encoding="utf-8")]
        vectors = np.fromfile(vectors_path, "<f4").reshape(len(lessons), FEATURES)
        own = [at for at, lesson in enumerate(lessons) if lesson["id"].startswith("sentence") and not lesson["clause"] and not lesson["reply"]]
        self.data = data
        self.inputs = np.concatenate([vectors[own], data.passages])
        self.truth = np.concatenate([[float(lessons[at]["id"].split(":")[3] == "change") for at in own], data.changes])
        self.weights = np.concatenate([np.ones(len(own)), np.where(data.is_talk, 3.0, 1.0)])
        self.fold = np.concatenate([np.full(len(own), -1), data.fold])
        self.known = {}

    def without(self, folds):
        key = frozenset(folds)
        if key not in self.known:
            rows = ~np.isin(self.fold, list(key))
            self.known[key] = fit_head(self.inputs[rows], self.truth[rows], self.weights[rows])
        return self.known[key]

    def pairs(self, held=()):
        """The numbers of all pairs, each with a head that has not seen its conversation nor those of the folds `held`."""
        scores = np.zeros(len(self.data.groups))
        for fold in range(FOLDS):
            own = self.data.fold == fold
            scores[own] = self.data.passages[own] @ self.without({fold, *held})
        pairs = self.data.pairs.copy()
        pairs[:, CHANGE] = np.clip(scores[self.data.owner] / 3, -1, 1)
        return pairs


class Trees:
    """Boosted decision trees: the sum of their leaves is the logarithm of the odds."""

    def __init__(self, inputs, truth, weights):
        self.model = HistGradientBoostingClassifier(
            max_leaf_nodes=LEAVES, learning_rate=0.05, max_iter=TREES, l2_regularization=5, min_samples_leaf=15,
            early_stopping=False, random_state=0)
        self.model.fit(inputs, truth, sample_weight=weights)

    def probabilities(self, inputs, owner, count):
        """How likely each memory is the one that is meant, among all of its group and none."""
        odds = np.exp(np.clip(self.model.decision_function(inputs), -30, 30))
        return odds / (1 + np.bincount(owner, odds, count)[owner])

    def weights(self):
        nodes = np.zeros((TREES, 2 * LEAVES - 1, 5), "<f4")
        for tree, (predictor,) in enumerate(self.model._predictors):
            for at, node in enumerate(predictor.nodes):
                known = [0, 0, 0, 0, node["value"]] if node["is_leaf"] else [node["feature_idx"], node["num_threshold"], node["left"], node["right"], 0]
                nodes[tree, at] = known
        return np.append(self.model._baseline_prediction.ravel(), nodes.ravel())


def trained(data, pairs, rows):
    own = rows[data.owner] & (data.truth >= 0)
    weights = np.where(data.is_talk[data.owner[own]], WEIGHT_OF_TALK, 1.0)
    return Trees(pairs[own], data.truth[own], weights)


def report(data, chances, rows, name):
    """How many new memories that change something find it, at which cost."""
    changes = len({group for group in np.unique(data.owner[data.truth > 0]) if rows[group]})
    print(f"{name}: {changes} changes")
    best = {}
    for at, group in enumerate(data.owner):
        if rows[group] and (group not in best or chances[at] > chances[best[group]]):
            best[group] = at
    for least in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        said = [at for at in best.values() if chances[at] > least]
        counts = {label: sum(data.truth[at] == label for at in said) for label in (1, 0, -1)}
        print(f"  above {least}: {counts[1]} right, {counts[0]} wrong, {counts[-1]} that say the same", flush=True)


def held_out(data, heads):
    chances = np.zeros(len(data.pairs))
    for fold in range(FOLDS):
        pairs = heads.pairs(held={fold})
        trees = trained(data, pairs, data.fold != fold)
        own = data.fold[data.owner] == fold
        # What is held out is judged by the head that saw none of it.
        chances[own] = trees.probabilities(pairs, data.owner, len(data.groups))[own]
    report(data, chances, data.is_talk, "held-out conversations")
    report(data, chances, ~data.is_talk, "held-out lines of changes.tsv")
    return chances


if __name__ == "__main__":
    data = Data(sys.argv[1])
    heads = Heads(data, sys.argv[2], sys.argv[3])
    print(len(data.groups), "memories,", len(data.pairs), "pairs")
    if "--held-out" in sys.argv:
        chances = held_out(data, heads)
        if "--dump" in sys.argv:
            np.save(sys.argv[1] + ".chances.npy", chances)
    models = np.fromfile(sys.argv[4], "<f4").reshape(-1, FEATURES)
    models[CHANGES] = heads.without(())
    models.astype("<f4").tofile(sys.argv[4])
    trained(data, heads.pairs(), np.ones(len(data.groups), bool)).weights().astype("<f4").tofile(sys.argv[5])
