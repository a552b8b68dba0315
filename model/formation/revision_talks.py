"""Writes conversations made of changes.tsv, to be read by the example `revisions` of the crate `formation`.

usage: revision_talks.py FOLDER

Each line of changes.tsv is: `change` or `beside`, a language, a statement, another one near to it, and what is said later.
What is said later changes the first statement (`change`) or neither (`beside`). "P: " begins what the persona says.
In every conversation some changes are said whose first statement never was: there is nothing to give way.
"""
import datetime
import json
import random
import sys

MINUTES = [2, 2, 5, 60, 600, 3000]
# So many lines make one conversation.
BLOCK = 8
# Of a hundred changes so many are said although what they change never was.
UNKNOWN = 25
# The people of whom some lines speak in the third person, as memories that a model wrote do. Their conversations hold nothing
# else, and are written several times in other orders.
PEOPLE = ("Ida", "Rashid", "Wanda")
TIMES_NAMED = 4
# What the other one says.
FILLER = "Ok."


def main(folder):
    rows = [line.rstrip("\n").split("\t") for line in open("changes.tsv", encoding="utf-8")]
    chance = random.Random(7)
    for language in sorted({row[1] for row in rows}):
        own = [(row[0], row[2:]) for row in rows if row[1] == language]
        named = [row for row in own if row[1][0].startswith(PEOPLE)]
        write(folder, language, [row for row in own if row not in named], chance)
        for again in range(TIMES_NAMED):
            write(folder, f"{language}-named-{again}", named, chance)


def write(folder, name, rows, chance):
    chance.shuffle(rows)
    for first in range(0, len(rows), BLOCK):
        with open(f"{folder}/changes-{name}-{first}.json", "w", encoding="utf-8") as out:
            json.dump(talk(name.split("-")[0], rows[first:first + BLOCK], chance), out)


def talk(language, block, chance):
    """What is known in any order, and days later what is said of it."""
    at, turns, place, changes = datetime.datetime(2026, 2, 2, 9), [], {}, []

    def say(words, after):
        nonlocal at
        is_reply = words.startswith("P: ")
        user, reply = (FILLER, words[3:]) if is_reply else (words, FILLER)
        turns.append(dict(at=at.strftime("%Y-%m-%dT%H:%M:%S+00:00"), user=user, reply=reply))
        at += datetime.timedelta(minutes=after)

    is_known = [label == "beside" or chance.randrange(100) >= UNKNOWN for label, _ in block]
    known = [(number, part) for number in range(len(block)) for part in (0, 1) if part or is_known[number]]
    chance.shuffle(known)
    for number, part in known:
        say(block[number][1][part], chance.choice(MINUTES))
        place[number, part] = len(turns)
    at += datetime.timedelta(days=chance.choice([0, 0, 1, 5, 20]))
    changing = []
    for number in chance.sample(range(len(block)), len(block)):
        say(block[number][1][2], chance.choice(MINUTES))
        if block[number][0] == "change":
            changing.append(len(turns))
            changes += [[place[number, 0], len(turns)]] if is_known[number] else []
    return dict(language=language, speaker="Kim", all=True, facts=[], changes=changes, changing=changing, turns=turns)


if __name__ == "__main__":
    main(sys.argv[1])
