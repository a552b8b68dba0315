"""Batches of people and of dialogues: texts of notes, cues, and which note each cue calls for."""
import json
import os
import random

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def read(name, key):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return json.load(file)[key]


class Batch:
    """At most so many cues, texts and notes; what is left over stays empty."""

    def __init__(self, cues, texts, notes):
        self.cues, self.texts, self.notes, self.limits = [], [], 0, (cues, texts, notes)
        self.owners, self.expected = np.zeros((texts, notes), np.float32), np.zeros((cues, notes), np.float32)
        self.used = np.zeros(cues, np.float32)

    def add(self, notes, asks):
        """`notes` are lists of texts with an id, `asks` cues with the ids they call for."""
        numbers = {}
        for name, texts in notes:
            numbers[name] = self.notes
            for text in texts[:self.limits[1] - len(self.texts)]:
                self.owners[len(self.texts), self.notes] = 1
                self.texts.append(text)
            self.notes += 1
        for cue, expected in asks[:self.limits[0] - len(self.cues)]:
            for name in expected:
                self.expected[len(self.cues), numbers[name]] = 1
            self.used[len(self.cues)] = 1
            self.cues.append(cue)


def of_people(people, count, limits):
    batch = Batch(*limits)
    for person in random.sample(people, count):
        asks = [(ask["cue"], ask["expect"]) for ask in person["asks"] if ask["type"] != "greeting"]
        notes = [(note["id"], [note["gist"], *note.get("details", [])]) for note in person["memories"]]
        batch.add(notes, random.sample(asks, min(limits[0] // count, len(asks))))
    return batch


def of_dialogue(dialogues, limits):
    dialogue = random.choice(dialogues)
    turns = [(turn["id"], [f"{turn['speaker']}: {turn['text']}"]) for session in dialogue["sessions"] for turn in session["turns"]]
    asks = [(question["q"], question["evidence"]) for question in random.sample(dialogue["questions"], limits[0])]
    needed = {turn for _, evidence in asks for turn in evidence}
    others = [turn for turn in turns if turn[0] not in needed]
    random.shuffle(others)
    batch = Batch(*limits)
    batch.add(([turn for turn in turns if turn[0] in needed] + others)[:limits[2]], asks)
    return batch
