"""Writes every exchange the models are trained on, one JSON object a line, for the example `lessons` of the crate
`formation`:

    python3 exchanges.py > EXCHANGES
    cargo run -p formation --release --example lessons VECTORS < EXCHANGES > LESSONS
    python3 train.py LESSONS VECTORS weights.bin

The identifier of an exchange says where it is from and what is known of it.
"""
import glob
import json

CRATE = "../../crates/formation/"


def put(identifier, **exchange):
    print(json.dumps(dict(id=identifier, **exchange), ensure_ascii=False))


for path in sorted(glob.glob(CRATE + "tests/conversations/[du]*.json") + glob.glob("talks/*.json")):
    conversation = json.load(open(path, encoding="utf-8"))
    before = None
    for number, turn in enumerate(conversation["turns"], 1):
        name = "-".join(path.split("/")[-2:]).removesuffix(".json")
        put(f"talk:{name}:{number}", language=conversation["language"], said=turn["user"], reply=turn["reply"], before=before)
        before = turn["reply"]

for number, line in enumerate(open("sentences.tsv", encoding="utf-8")):
    label, language, said = line.rstrip("\n").split("\t")[:3]
    words = dict(said="Ok.", reply=said) if label in ("promise", "comment") else dict(said=said)
    put(f"sentence:{language}:{number}:{label}", language=language, **words)

for language in ["en", "de", "fr", "es", "ro"]:
    step = 12 if language == "en" else 5
    for number, line in enumerate(open(CRATE + f"src/highlight/examples/{language}.txt", encoding="utf-8")):
        label, said = line.rstrip("\n").split(": ", 1)
        if number % step == 0:
            put(f"telling:{language}:{number}:{label}", language=language, said=said)

for number, line in enumerate(open(CRATE + "src/class/examples/en.txt", encoding="utf-8")):
    label, said = line.rstrip("\n").split(": ", 1)
    if number % 2 == 0:
        put(f"class:en:{number}:{label}", language="en", said=said)
for number, example in enumerate(json.load(open(CRATE + "tests/classes-development.json", encoding="utf-8"))):
    put(f"class:{example['language']}:{number}:{example['class']}", language=example["language"], said=example["said"])

for number, example in enumerate(json.load(open(CRATE + "tests/kinds.json", encoding="utf-8"))):
    put(f"kind:{example['language']}:{number}:{example['kind']}", language=example["language"], said=example["said"])

for name in ["turns", "turns-further", "turns-second"]:
    for turn in json.load(open(CRATE + f"tests/{name}.json", encoding="utf-8")):
        expected = turn["expect"]
        put(f"turn:{name}:{turn['id']}:{expected['outcome']}:{expected.get('class')}:{expected.get('kind')}", language=turn["language"], said=turn["said"])
