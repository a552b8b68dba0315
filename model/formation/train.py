"""Trains the linear models that decide what of a conversation is noted, and how.

usage: train.py LESSONS VECTORS WEIGHTS [--held-out] [--heads worth,special]

LESSONS and VECTORS are what the example `lessons` wrote (see exchanges.py). WEIGHTS receives, for each of the ten heads
in the order of `Head` in crates/formation/src/judgement.rs (`special` is no longer read there: train_special.py), one little-endian f32 for each feature; the last is the bias,
moved so that a head says yes above 0. With --heads only these are trained, and the others of WEIGHTS stay. With --held-out each conversation is also judged by models that never
saw it, and precision and recall at the chosen thresholds are printed. Plain logistic regression, full batches.
"""
import glob
import json
import sys
import numpy as np

FEATURES = 563
HEADS = ["worth", "promise", "changes", "episodic", "procedural", "special", "non-pii", "staff-pii", "commercial-confidential", "worth-in-talk"]
# The logit from which a head says yes. Wrong notes are worse than missed ones, and so is a change that is none; a special
# category is refused in doubt, and in doubt something lasts: what fades too early can't be recalled.
THRESHOLDS = {"worth": 0.85, "promise": 1.2, "changes": -1.4, "episodic": 0.3, "procedural": 0.5, "special": -0.66,
              "non-pii": 0.0, "staff-pii": 0.1, "commercial-confidential": 0.1, "worth-in-talk": 0.05}
# How strongly weights are drawn to zero. Few examples change something, so more than elsewhere; what a special
# category is has many words, so less.
DECAYS = {"worth": 0.006, "worth-in-talk": 0.003, "changes": 0.015, "special": 0.0015}
DECAY = 0.003
# How much an example of each source counts: the conversations are what the models are for.
SOURCES = {"talk": 3.0, "sentence": 1.0, "turn": 1.0, "kind": 1.0, "telling": 0.2, "class": 0.3}

lessons = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
inputs = np.fromfile(sys.argv[2], "<f4").reshape(len(lessons), FEATURES)
sources = np.array([lesson["id"].split(":")[0] for lesson in lessons])
is_clause = np.array([lesson["clause"] for lesson in lessons])
groups = np.array([lesson["id"].split(":")[1] if lesson["id"].startswith("talk") else "" for lesson in lessons])
weights = np.array([SOURCES[source] for source in sources])
labels = {head: np.full(len(lessons), np.nan) for head in HEADS}


def held(text, values):
    text = text.lower()
    return sum(any(word.lower() in text for word in (value if isinstance(value, list) else [value])) for value in values)


def put(at, **known):
    for head, value in known.items():
        labels[head.replace("_", "-")][at] = value


def put_class(at, name):
    for head in HEADS[6:9]:
        labels[head][at] = name == head


def conversations():
    """Those to learn from: all but the blind ones."""
    return glob.glob("../../crates/formation/tests/conversations/[du]*.json") + glob.glob("talks/*.json")


def label_conversations():
    by_turn, clauses_of = {}, {}
    for at, lesson in enumerate(lessons):
        (clauses_of if lesson["clause"] else by_turn).setdefault(lesson["id"], []).append(at)
    for path in sorted(conversations()):
        conversation = json.load(open(path, encoding="utf-8"))
        name = "-".join(path.split("/")[-2:]).removesuffix(".json")
        for turn in range(1, len(conversation["turns"]) + 1):
            own = by_turn.get(f"talk:{name}:{turn}", [])
            forbidden = [word for one in conversation["notToKeep"] if one["turn"] == turn for word in one["words"]]
            for at in clauses_of.get(f"talk:{name}:{turn}", []):
                put(at, special=held(lessons[at]["text"], [forbidden]) > 0)
            label_turn([at for at in own if not lessons[at]["reply"]], [at for at in own if lessons[at]["reply"]], conversation, turn)


def is_part(lesson, conversation, turn):
    """Whether some of the words of a fact of this turn stand in a passage."""
    text = (lesson["asked"] or "") + " " + lesson["text"]
    facts = [fact for fact in conversation["facts"] if fact["turn"] == turn and fact["by"] == "speaker"]
    return any(held(text, fact["values"]) for fact in facts)


def label_turn(said, replied, conversation, turn):
    for at in said:
        forbidden = [word for one in conversation["notToKeep"] if one["turn"] == turn for word in one["words"]]
        is_special = held(lessons[at]["text"], [forbidden]) > 0
        put(at, changes=0, special=is_special)
        # Nobody has said whether a host would note what may not be kept, nor which half of a divided fact.
        if not is_special and not is_part(lessons[at], conversation, turn):
            put(at, worth=0)
    for at in replied:
        put(at, promise=0, changes=0)
    for fact in conversation["facts"]:
        pool = said if fact["by"] == "speaker" else replied
        if fact["turn"] != turn or not pool:
            continue
        at = max(pool, key=lambda at: held((lessons[at]["asked"] or "") + " " + lessons[at]["text"], fact["values"]))
        if held((lessons[at]["asked"] or "") + " " + lessons[at]["text"], fact["values"]) == 0:
            continue
        put(at, **{"worth" if fact["by"] == "speaker" else "promise": 1})
        put(at, episodic=fact["kind"] == "episodic", procedural=fact["kind"] == "procedural")
        put_class(at, fact["class"])
        if fact.get("replaces"):
            put(at, changes=1)
        if fact["class"] == "sensitive-pii":
            put(at, special=1)


def label_others():
    for at, lesson in enumerate(lessons):
        known = lesson["id"].split(":")
        if lesson["clause"]:
            # Which clause of a special passage tells it, nobody has said.
            if known[0] == "sentence" and known[3] != "sensitive":
                put(at, special=0)
        elif lesson["reply"]:
            if known[0] == "sentence":
                put(at, promise=known[3] == "promise")
        elif known[0] == "sentence":
            put(at, worth=known[3] != "none", special=known[3] == "sensitive", changes=known[3] == "change")
            if known[3] in ("episodic", "procedural", "semantic"):
                put(at, episodic=known[3] == "episodic", procedural=known[3] == "procedural")
        elif known[0] == "telling":
            put(at, worth=known[3] != "idle", special=lesson["special"])
        elif known[0] == "class":
            put(at, worth=1, special=lesson["special"])
            put_class(at, known[3])
        elif known[0] == "kind":
            put(at, worth=1, special=0, episodic=known[3] == "episodic", procedural=known[3] == "procedural")
        elif known[0] == "turn":
            put(at, worth=known[3] != "nothing", special=known[3] == "refused")
            if known[4] != "None":
                put_class(at, known[4])
            if known[5] != "None" and known[3] == "remember":
                put(at, episodic=known[5] == "episodic", procedural=known[5] == "procedural")


def fit(inputs, labels, weights, decay, steps=150):
    """Nesterov's accelerated gradient, with a step of one over the curvature."""
    weights = (weights / weights.sum()).astype(np.float32)
    labels = labels.astype(np.float32)
    scaled = inputs * np.sqrt(weights)[:, None]
    direction = np.ones(FEATURES, np.float32)
    for _ in range(12):
        direction = scaled.T @ (scaled @ direction)
        curvature = np.linalg.norm(direction)
        direction /= curvature
    decays = np.full(FEATURES, decay, np.float32)
    decays[-1] = 0
    step = 1 / (0.3 * curvature + decay)
    old = ahead = np.zeros(FEATURES, np.float32)
    momentum = 1.0
    for _ in range(steps):
        predicted = 1 / (1 + np.exp(-np.clip(inputs @ ahead, -30, 30)))
        new = ahead - step * ((weights * (predicted - labels)) @ inputs + decays * ahead)
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = new + (momentum - 1) / following * (new - old)
        old, momentum = new, following
    return old


def trained(head, rows):
    rows = rows & ~np.isnan(labels[head])
    # The conversations of the crate's tests count more within conversations: there are few of them, and their floors hold.
    own = np.char.startswith(groups, "conversations-") & (head == "worth-in-talk")
    return fit(inputs[rows], labels[head][rows], (weights * np.where(own, 3.0, 1.0))[rows], DECAYS.get(head, DECAY))


def held_out(head):
    scores = np.full(len(lessons), np.nan)
    for group in sorted(set(groups) - {""}):
        scores[groups == group] = inputs[groups == group] @ trained(head, groups != group)
    known = (sources == "talk") & ~np.isnan(labels[head]) & ~is_clause
    truth, score = labels[head][known] > 0, scores[known]
    print(f"{head}: {truth.sum()} of {len(truth)}", end="")
    for threshold in sorted({THRESHOLDS[head], -2.5, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5}):
        said = score > threshold
        mark = "*" if threshold == THRESHOLDS[head] else " "
        print(f" {mark}{threshold}: {truth[said].mean() if said.any() else 1:.2f}/{(truth & said).sum() / max(1, truth.sum()):.2f}", end="")
    print(flush=True)


label_conversations()
# What is worth noting within a conversation is learnt from conversations alone.
labels["worth-in-talk"] = labels["worth"].copy()
label_others()
if "--held-out" in sys.argv:
    for head in HEADS[:6] + HEADS[9:]:
        held_out(head)
everything = np.ones(len(lessons), bool)
heads = sys.argv[sys.argv.index("--heads") + 1].split(",") if "--heads" in sys.argv else HEADS
models = np.zeros((len(HEADS), FEATURES), "<f4")
if heads != HEADS:
    old = np.fromfile(sys.argv[3], "<f4").reshape(-1, FEATURES)
    models[:len(old)] = old
for head in heads:
    model = trained(head, everything)
    model[-1] -= THRESHOLDS[head]
    models[HEADS.index(head)] = model
models.astype("<f4").tofile(sys.argv[3])
