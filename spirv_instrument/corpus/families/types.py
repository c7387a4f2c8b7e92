# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Types of GLSL, and where a layout puts their values."""

import dataclasses
import struct


@dataclasses.dataclass(frozen=True)
class Scalar:
    """A scalar type: its names in GLSL and in directives, its size, and how vectors of it are called."""
    glsl: str
    values: str
    size: int
    vector: str
    pack: str
    # The type whose bits it is written as, where results are compared.
    is_float: bool = False
    is_signed: bool = False


SCALARS = [
    Scalar("uint8_t", "u8", 1, "u8vec", "B"),
    Scalar("int8_t", "i8", 1, "i8vec", "b", is_signed=True),
    Scalar("uint16_t", "u16", 2, "u16vec", "H"),
    Scalar("int16_t", "i16", 2, "i16vec", "h", is_signed=True),
    Scalar("float16_t", "f16", 2, "f16vec", "e", is_float=True),
    Scalar("uint", "u32", 4, "uvec", "I"),
    Scalar("int", "i32", 4, "ivec", "i", is_signed=True),
    Scalar("float", "f32", 4, "vec", "f", is_float=True),
    Scalar("uint64_t", "u64", 8, "u64vec", "Q"),
    Scalar("int64_t", "i64", 8, "i64vec", "q", is_signed=True),
    Scalar("double", "f64", 8, "dvec", "d", is_float=True),
]

FLOAT = next(scalar for scalar in SCALARS if scalar.values == "f32")
DOUBLE = next(scalar for scalar in SCALARS if scalar.values == "f64")


def type_name(scalar, components):
    """The name of a scalar or vector."""
    return scalar.glsl if components == 1 else "%s%d" % (scalar.vector, components)


def round_up(number, multiple):
    """The next multiple."""
    return (number + multiple - 1) // multiple * multiple


def vector_alignment(scalar, components, layout):
    """The alignment of a scalar or vector in a layout: std140, std430 or scalar."""
    if layout == "scalar" or components == 1:
        return scalar.size
    return scalar.size * (2 if components == 2 else 4)


def array_stride(scalar, components, layout):
    """The stride of an array of scalars or vectors."""
    alignment = vector_alignment(scalar, components, layout)
    stride = round_up(scalar.size * components, alignment)
    return round_up(stride, 16) if layout == "std140" else stride


class Bytes:
    """Contents that grow as values are placed in them."""

    def __init__(self):
        self.content = bytearray()

    def place(self, offset, scalar, *values):
        """Puts values of a scalar type at an offset, one after another."""
        end = offset + scalar.size * len(values)
        self.content.extend(bytes(max(0, end - len(self.content))))
        self.content[offset:end] = struct.pack("<%d%s" % (len(values), scalar.pack), *values)

    def grow(self, size):
        """Fills up to a size with zeros."""
        self.content.extend(bytes(max(0, size - len(self.content))))

    def directive(self):
        """VALUES of a directive."""
        self.grow(round_up(len(self.content), 4))
        words = struct.unpack("<%dI" % (len(self.content) // 4), self.content)
        return "u32 " + " ".join(str(word) for word in words)
