"""Writes the weights file that crates/encoders reads (crates/encoders/src/weights.rs), and quantises matrices for it.

Layout, all numbers little-endian:
  0  8 bytes   magic "SLFHDENC"
  8  u32       version of the layout, 1
 12  u32       number of sections
 16  u64       length of the whole file
 24  u32       CRC-32 of everything after the header
 28  36 bytes  name of the encoder, filled up with zeros
 64  sections  each 16 bytes of name, u64 offset, u64 length
then the sections themselves, each starting at a multiple of 64.
"""
import importlib.metadata
import struct
import zlib

import numpy as np

HEADER, ALIGNMENT, BLOCK, GROUP = 64, 64, 16, 4


def package_file(distribution, suffix):
    """A file of an installed PyPI package, without importing the package."""
    package = importlib.metadata.distribution(distribution)
    [found] = [f for f in package.files if str(f).endswith(suffix)]
    return str(package.locate_file(found)), package.version


def write(path, name, sections):
    table, body = b"", b""
    start = HEADER + 32 * len(sections)
    parts = []
    offset = start
    for section, content in sections:
        padding = -offset % ALIGNMENT
        offset += padding
        table += struct.pack("<16sQQ", section.encode(), offset, len(content))
        parts += [bytes(padding), content]
        offset += len(content)
    body = table + b"".join(parts)
    header = struct.pack("<8sIIQI36s", b"SLFHDENC", 1, len(sections), HEADER + len(body), zlib.crc32(body), name.encode())
    with open(path, "wb") as file:
        file.write(header + body)
    print(f"{path}: {HEADER + len(body):,} bytes, {len(sections)} sections, crc {zlib.crc32(body):08x}")


def floats(array):
    return np.ascontiguousarray(array, dtype="<f4").tobytes()


def rows_in_bytes(matrix):
    """Each row as int8 between -127 and 127, and the value of one step of it."""
    scales = np.abs(matrix).max(axis=1) / 127
    scales[scales == 0] = 1
    return np.round(matrix / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def matrix(name, weights, bias=None, factor=1.0):
    """The two sections of a linear layer; weights are [outputs, inputs].

    The codes lie as the kernels read them: blocks of 16 outputs, in each block groups of 4 inputs, in each
    group the 4 codes of every output. Beside them, per output: scale, bias, sum of the codes.
    """
    outputs, inputs = weights.shape
    assert outputs % BLOCK == 0 and inputs % GROUP == 0, (name, weights.shape)
    codes, scales = rows_in_bytes(weights)
    packed = codes.reshape(outputs // BLOCK, BLOCK, inputs // GROUP, GROUP).transpose(0, 2, 1, 3)
    bias = np.zeros(outputs, np.float32) if bias is None else bias
    sums = codes.astype(np.int32).sum(axis=1).astype("<i4")
    beside = floats(scales * factor) + floats(bias * factor) + sums.tobytes()
    return [(name, np.ascontiguousarray(packed).tobytes()), (name + ".out", beside)]
