# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""What families write shaders with."""


def shader(purpose, directives, code, extensions=(), version=460):
    """Returns GLSL: the purpose, the directives that corpus.h describes, and the code."""
    lines = ["#version %d" % version]
    lines += ["// " + line for line in purpose.strip().split("\n")]
    lines += ["//@ " + line.strip() for line in directives if line]
    lines += ["#extension %s : require" % extension for extension in extensions]
    return "\n".join(lines) + "\n" + code.strip("\n") + "\n"


def numbers(items):
    """Returns numbers as text."""
    return " ".join(str(item) for item in items)


def fault(name, kind, *directives, mark="read"):
    """Returns the directives of an input with a fault."""
    return ["fault %s %s at %s" % (name, kind, mark), *directives]


NONUNIFORM = "GL_EXT_nonuniform_qualifier"
REFERENCE = "GL_EXT_buffer_reference"
REFERENCE2 = "GL_EXT_buffer_reference2"
REFERENCE_UVEC2 = "GL_EXT_buffer_reference_uvec2"
SCALAR = "GL_EXT_scalar_block_layout"
SAMPLERLESS = "GL_EXT_samplerless_texture_functions"
INT64 = "GL_EXT_shader_explicit_arithmetic_types_int64"
ALL_TYPES = "GL_EXT_shader_explicit_arithmetic_types"
STORAGE_8BIT = "GL_EXT_shader_8bit_storage"
STORAGE_16BIT = "GL_EXT_shader_16bit_storage"
