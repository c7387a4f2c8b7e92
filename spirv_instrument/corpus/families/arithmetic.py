# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Arithmetic whose result is undefined for some operands: division, remainder, shifts, and what makes NaN."""

from spirv_instrument.corpus.families import glsl

CODE = """
layout(set = 0, binding = 0) readonly buffer In {{ {type} values[]; }};
layout(set = 0, binding = 1) writeonly buffer Out {{ {type} result[]; }};

void main() {{
  {type} a = values[0];
  {type} b = values[1];
  result[0] = {expression};  //@ read
}}
"""

VECTOR_CODE = """
layout(set = 0, binding = 0) readonly buffer In {{ {type} values[]; }};
layout(set = 0, binding = 1) writeonly buffer Out {{ {type} result[]; }};

void main() {{
  {vector} a = {vector}(values[0]);
  {vector} b = {vector}(values[1], {type}(1), {type}(2));
  result[0] = ({expression}).x;  //@ read
}}
"""

# (name, type in GLSL, type in directives, expression, operands, result, kind of the fault, operands of the fault)
CASES = [
    ("divide_int", "int", "i32", "a / b", "7 -2", "-3", "division", "7 0"),
    ("divide_uint", "uint", "u32", "a / b", "7 2", "3", "division", "7 0"),
    ("divide_int64", "int64_t", "i64", "a / b", "7 -2", "-3", "division", "7 0"),
    ("divide_uint64", "uint64_t", "u64", "a / b", "7 2", "3", "division", "7 0"),
    ("divide_int16", "int16_t", "i16", "a / b", "7 2", "3", "division", "7 0"),
    ("divide_uint8", "uint8_t", "u8", "a / b", "7 2", "3", "division", "7 0"),
    ("remainder_int", "int", "i32", "a % b", "7 4", "3", "division", "7 0"),
    ("remainder_uint", "uint", "u32", "a % b", "7 4", "3", "division", "7 0"),
    ("remainder_uint64", "uint64_t", "u64", "a % b", "7 4", "3", "division", "7 0"),
    ("shift_left", "uint", "u32", "a << b", "3 4", "48", "shift", "3 32"),
    ("shift_right", "uint", "u32", "a >> b", "48 4", "3", "shift", "48 32"),
    ("shift_right_signed", "int", "i32", "a >> b", "-48 4", "-3", "shift", "-48 -1"),
    ("shift_left_uint64", "uint64_t", "u64", "a << b", "3 40", "3298534883328", "shift", "3 64"),
    ("shift_left_uint16", "uint16_t", "u16", "a << b", "3 4", "48", "shift", "3 16"),
    ("divide_float", "float", "f32", "a / b", "7 2", "3.5", "not-a-number", "0 0"),
    ("subtract_float", "float", "f32", "a - b", "7 2", "5", "not-a-number", "inf inf"),
    ("multiply_float", "float", "f32", "a * b", "7 2", "14", "not-a-number", "0 inf"),
    ("square_root", "float", "f32", "sqrt(a) + b", "4 2", "4", "not-a-number", "-4 2"),
    ("logarithm", "float", "f32", "log2(a) + b", "8 2", "5", "not-a-number", "-8 2"),
    ("inverse_square_root", "float", "f32", "inversesqrt(a) + b", "4 2", "2.5", "not-a-number", "-4 2"),
    ("arc_cosine", "float", "f32", "acos(a) + b", "1 2", "2", "not-a-number", "2 2"),
    ("power", "float", "f32", "pow(a, b)", "2 3", "8", "not-a-number", "-2 3"),
    ("normalize", "float", "f32", "normalize(vec3(a, b, 0)).x", "2 0", "1", "not-a-number", "0 0"),
    ("divide_double", "double", "f64", "a / b", "7 2", "3.5", "not-a-number", "0 0"),
    ("modulo_float", "float", "f32", "mod(a, b)", "7 2", "1", "not-a-number", "7 0"),
]

# The same of vectors: one component is enough.
VECTOR_CASES = [
    ("divide_ivec3", "int", "ivec3", "i32", "a / b", "7 -2", "-3", "division", "7 0"),
    ("remainder_uvec3", "uint", "uvec3", "u32", "a % b", "7 4", "3", "division", "7 0"),
    ("shift_uvec3", "uint", "uvec3", "u32", "a << b", "3 4", "48", "shift", "3 33"),
    ("divide_vec3", "float", "vec3", "f32", "a / b", "7 2", "3.5", "not-a-number", "0 0"),
]

SIZES = {"8": 1, "16": 2, "32": 4, "64": 8}


def _directives(values, operands, result, kind, bad):
    size = SIZES[values[1:]]
    return ["buffer in %d : %s %s" % (2 * size, values, operands), "buffer out %d" % size, "bind 0.0 storage in",
            "bind 0.1 storage out", "expect out 0 : %s %s" % (values, result),
            *glsl.fault("bad-operands", kind, "write in 0 : %s %s" % (values, bad)),
            *(_overflow(values) if kind == "division" and values in ("i32", "i64") else [])]


def _overflow(values):
    """The quotient is one more than the largest number."""
    smallest = -2**(int(values[1:]) - 1)
    return glsl.fault("overflow", "division", "write in 0 : %s %d -1" % (values, smallest))


def shaders():
    """Yields (file name, GLSL)."""
    extensions = [glsl.ALL_TYPES, glsl.STORAGE_8BIT, glsl.STORAGE_16BIT]
    for name, glsl_type, values, expression, operands, result, kind, bad in CASES:
        narrow = "%s(%s)" % (glsl_type, expression) if values in ("u8", "i16", "u16") else expression
        text = CODE.format(type=glsl_type, expression=narrow)
        yield "arithmetic_%s.comp" % name, glsl.shader(
            "%s of %s." % (expression, glsl_type), _directives(values, operands, result, kind, bad), text, extensions)
    for name, glsl_type, vector, values, expression, operands, result, kind, bad in VECTOR_CASES:
        text = VECTOR_CODE.format(type=glsl_type, vector=vector, expression=expression)
        yield "arithmetic_%s.comp" % name, glsl.shader(
            "%s of %s." % (expression, vector), _directives(values, operands, result, kind, bad), text)
