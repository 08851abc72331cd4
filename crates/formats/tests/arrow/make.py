"""Writes the files of this folder with pyarrow, so that what reads them is tested against another's writer.

    pip install pyarrow==26.0.1 && python3 make.py
"""

import math
import random
import struct

import pyarrow as pa
from pyarrow import ipc


def write(name, batches, stream=False, **options):
    make = ipc.new_stream if stream else ipc.new_file
    with make(name, batches[0].schema, options=ipc.IpcWriteOptions(**options)) as writer:
        for batch in batches:
            writer.write_batch(batch)


def types():
    columns = {
        "text": pa.array(["é", "NA", None, " x"]),
        "large": pa.array(["1", "2", "3", ""], pa.large_string()),
        "view": pa.array(["a text of more than twelve bytes", "y", "y", "z"], pa.string_view()),
        "words": pa.array(["b", None, "a", "b"]).dictionary_encode().cast(pa.dictionary(pa.int8(), pa.string())),
        "no words": pa.array([None] * 4, pa.dictionary(pa.int32(), pa.string())),
        "bool": pa.array([True, False, None, True]),
        "i8": pa.array([-128, None, 0, 7], pa.int8()),
        "i64": pa.array([-(2**63), 2**63 - 1, None, 0], pa.int64()),
        "u16": pa.array([65535, 0, 1, 2], pa.uint16()),
        "u64": pa.array([2**64 - 1, 0, 1, 2], pa.uint64()),
        "f16": pa.array([0.5, -2.0, 65504.0, math.inf], pa.float16()),
        "f32": pa.array([0.1, -0.0, 3.4028235e38, math.nan], pa.float32()),
        "f64": pa.array([1.0, 0.1 + 0.2, 1e-300, -math.inf]),
        "null": pa.nulls(4),
    }
    return pa.RecordBatch.from_pydict(columns)


def nested():
    numbers = pa.array([1, None, 3], pa.int32())
    parts = [numbers, pa.array(["x", "y", "z"]), pa.array(["a", "b", "a"]).dictionary_encode()]
    kinds = pa.array([0, 1, 0], pa.int8())
    long = b"more than twelve bytes of nothing"
    others = [
        pa.array([[1, None], None, []], pa.list_(pa.int32())),
        pa.array([["a", None], None, []], pa.large_list(pa.string())),
        pa.array([None, [1], None], pa.list_(pa.int32(), 1)),
        pa.array([[1, None], None, []], pa.list_view(pa.int32())),
        pa.array([[("k", 1)], None, []], pa.map_(pa.string(), pa.int32())),
        pa.StructArray.from_arrays(parts, names=["a", "b", "c"]),
        pa.RunEndEncodedArray.from_arrays(pa.array([1, 3], pa.int32()), pa.array(["x", "y"])),
        pa.UnionArray.from_sparse(kinds, [numbers, numbers]),
        pa.UnionArray.from_dense(kinds, pa.array([0, 1, 2], pa.int32()), [numbers, numbers]),
        pa.array([long, None, long]),
        pa.array([long, None, long], pa.large_binary()),
        pa.array([long, None, long], pa.binary_view()),
        pa.array([b"abc", None, b"def"], pa.binary(3)),
        pa.array([1, None, 3], pa.date32()),
        pa.array([1, None, 3], pa.time64("us")),
        pa.array([1, None, 3], pa.timestamp("ms", "UTC")),
        pa.array([1, None, 3], pa.duration("s")),
        pa.array([1, None, 3], pa.decimal128(5)),
        pa.array([(1, 2, 3), None, (4, 5, 6)], pa.month_day_nano_interval()),
    ]
    names, columns = [], []
    for place, other in enumerate(others):
        names += [f"passed {place}", f"x {place}"]
        columns += [other, numbers]
    return pa.RecordBatch.from_arrays(columns, names=names)


def words(keys, values):
    column = pa.DictionaryArray.from_arrays(pa.array(keys, pa.int32()), pa.array(values))
    return pa.RecordBatch.from_arrays([column], names=["word"])


def numbers():
    """A hundred floats of any bits, beside their bits as whole numbers."""
    bits = [b for b in (random.getrandbits(64) for _ in range(110)) if not math.isnan(float_of(b))][:100]
    columns = {
        "number": pa.array([None if b % 11 == 0 else float_of(b) for b in bits]),
        "bits": pa.array(bits, pa.uint64()),
        "text": pa.array([None if b % 7 == 0 else "ä" * (b % 23) + f"{b:x}" for b in bits]),
        "hex": pa.array(["ä" * (b % 23) + f"{b:x}" for b in bits]).dictionary_encode(),
    }
    return pa.RecordBatch.from_pydict(columns)


def float_of(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def survey():
    columns = {
        "x": pa.array([None if i % 6 == 5 else i * i / 7.0 for i in range(20)]),
        "n": pa.array([i * 3 % 11 for i in range(20)], pa.int32()),
        "word": pa.array(["yes" if i % 3 == 0 else "no" for i in range(20)]),
    }
    return pa.RecordBatch.from_pydict(columns)


random.seed(1)
write("types.arrow", [types(), types()])
write("types-lz4.arrow", [types(), types()], compression="lz4")
write("types-zstd.arrow", [types(), types()], compression="zstd")
write("types.arrows", [types(), types()], stream=True)
write("types-v4.arrows", [types(), types()], stream=True, metadata_version=ipc.MetadataVersion.V4)
write("nested.arrow", [nested()])
write("nested-lz4.arrow", [nested()], compression="lz4")
growing = [words([0, 1], ["a", "b"]), words([2, 0], ["a", "b", "c"])]
write("growing.arrows", growing, stream=True, emit_dictionary_deltas=True)
write("replaced.arrows", [*growing, words([0], ["z"])], stream=True)
batch = numbers()
write("numbers.arrow", [batch.slice(0, 37), batch.slice(37)], unify_dictionaries=True)
write("numbers-zstd.arrow", [batch.slice(0, 37), batch.slice(37)], compression="zstd", unify_dictionaries=True)
write("survey.arrow", [survey()])
