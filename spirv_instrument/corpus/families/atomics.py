# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Atomics: each operation, on each type, in each kind of memory."""

import dataclasses

from spirv_instrument.corpus.families import glsl

MEMORY_SCOPES = "GL_KHR_memory_scope_semantics"

# The function's name without "atomic", and what becomes of the old value `a` with the operand `b`.
OPERATIONS = {
    "Add": lambda a, b: a + b,
    "Min": min,
    "Max": max,
    "And": lambda a, b: a & b,
    "Or": lambda a, b: a | b,
    "Xor": lambda a, b: a ^ b,
    "Exchange": lambda a, b: b,
    "CompSwap": lambda a, b: b,
    "Load": lambda a, b: a,
    "Store": lambda a, b: b,
}


@dataclasses.dataclass
class Type:
    """A type with the old value and the operand of its atomics."""
    name: str
    glsl: str
    size: int
    old: object
    operand: object
    extensions: tuple = ()


TYPES = {
    "u32": Type("u32", "uint", 4, 12, 10),
    "i32": Type("i32", "int", 4, -5, 3),
    "u64": Type("u64", "uint64_t", 8, (1 << 40) + 12, (1 << 41) + 10, (glsl.INT64, "GL_EXT_shader_atomic_int64")),
    "i64": Type("i64", "int64_t", 8, -(1 << 40), 3, (glsl.INT64, "GL_EXT_shader_atomic_int64")),
    "f32": Type("f32", "float", 4, 1.5, 0.25, ("GL_EXT_shader_atomic_float", "GL_EXT_shader_atomic_float2")),
}

_ALL = tuple(OPERATIONS)
_SOME = ("Add", "Max", "Exchange", "CompSwap", "Store")
_FLOAT = ("Add", "Min", "Max", "Exchange")

# Which operations of a type there are in a kind of memory.
COVERED = {
    ("storage", "u32"): _ALL,
    ("storage", "i32"): ("Add", "Min", "Max", "CompSwap"),
    ("storage", "u64"): ("Add", "Min", "Xor", "Exchange", "CompSwap", "Load"),
    ("storage", "i64"): ("Min", "Max"),
    ("storage", "f32"): _FLOAT,
    ("address", "u32"): _ALL,
    ("address", "u64"): ("Add", "CompSwap"),
    ("address", "f32"): ("Add",),
    ("shared", "u32"): _SOME,
    ("shared", "u64"): ("Add",),
    ("shared", "f32"): ("Add", "Max"),
    ("image", "u32"): _ALL,
    ("image", "i32"): ("Min", "Max"),
    ("image", "f32"): ("Add", "Exchange"),
    ("texel", "u32"): _SOME,
    ("texel", "i32"): ("Min",),
}

# Declarations of the memory, with its element {n}, and the coordinates behind an image.
DECLARATIONS = {
    "storage": "layout(set = 0, binding = 0, std430) buffer Data { TYPE values[]; } data;\n",
    "address": "layout(buffer_reference, std430, buffer_reference_align = ALIGN) buffer Data { TYPE value; };\n"
               "layout(push_constant) uniform Push { uint n; uint unused; Data data; };\n",
    "shared": "shared TYPE values[4];\n",
    "image": "layout(set = 0, binding = 0, FORMAT) uniform Iimage2D data;\n",
    "texel": "layout(set = 0, binding = 0, FORMAT) uniform IimageBuffer data;\n",
}
TARGETS = {
    "storage": "data.values[n]",
    "address": "data[n].value",
    "shared": "values[n & 3]",
    "image": "data, ivec2(n, 1)",
    "texel": "data, int(n)",
}


def _call(memory, operation, operand):
    function = ("imageAtomic" if memory in ("image", "texel") else "atomic") + operation
    target = TARGETS[memory]
    scopes = ", gl_ScopeDevice, %s, %s" % (
        "gl_StorageSemanticsImage" if memory in ("image", "texel") else
        "gl_StorageSemanticsShared" if memory == "shared" else "gl_StorageSemanticsBuffer",
        "gl_SemanticsAcquire" if operation == "Load" else "gl_SemanticsRelease")
    if operation == "Load":
        return "result[0] = %s(%s%s);" % (function, target, scopes)
    if operation == "Store":
        return "%s(%s, %s%s);" % (function, target, operand, scopes)
    if operation == "CompSwap":
        return "result[0] = %s(%s, old, %s);" % (function, target, operand)
    return "result[0] = %s(%s, %s);" % (function, target, operand)


def _resources(memory, kind):
    """Directives: element 2 of the memory holds the old value."""
    values = "%s 0 0 %s 0" % (kind.name, kind.old)
    if memory == "image":
        return ["image data 2d r%s 4x2 : %s 0*4 0 0 %s 0" % (_format(kind), kind.name, kind.old),
                "bind 0.0 image data"]
    if memory == "texel":
        return ["buffer data 16 : " + values, "bind 0.0 storage_texel data/r%s" % _format(kind)]
    directives = ["buffer data %d : %s" % (4 * kind.size, values)]
    if memory == "storage":
        directives.append("bind 0.0 storage data")
    return directives


def _format(kind):
    return {"u32": "32ui", "i32": "32i", "f32": "32f"}[kind.name]


def _faults(memory, kind):
    if memory == "storage":
        return glsl.fault("past-the-end", "buffer-bounds", "push u32 4")
    if memory == "address":
        return [*glsl.fault("past-the-end", "address-range", "push u32 4 0 u64 &data"),
                *glsl.fault("before-the-start", "address-range", "push u32 0 0 u64 &data-%d" % kind.size),
                *glsl.fault("misaligned", "address-alignment", "push u32 0 0 u64 &data+2")]
    if memory == "image":
        return [*glsl.fault("past-the-width", "image-coordinate", "push u32 4"),
                *glsl.fault("negative", "image-coordinate", "push u32 0xffffffff")]
    if memory == "texel":
        return glsl.fault("past-the-end", "buffer-bounds", "push u32 4")
    return []


def _shader(memory, kind, operation):
    new = OPERATIONS[operation](kind.old, kind.operand)
    place = {"image": 6, "shared": 2}.get(memory, 2) * kind.size
    memory_name = "data" if memory != "shared" else "copy"
    directives = _resources(memory, kind)
    if memory == "shared":
        directives = ["buffer copy %d" % (4 * kind.size), "bind 0.0 storage copy"]
    directives += ["buffer out %d" % kind.size, "bind 0.1 storage out"]
    directives.append("push u32 2 0 u64 &data" if memory == "address" else "push u32 2")
    directives.append("expect %s %d : %s %s" % (memory_name, place, kind.name, new))
    if operation != "Store":
        directives.append("expect out 0 : %s %s" % (kind.name, kind.old))
    declaration = DECLARATIONS[memory].replace("TYPE", kind.glsl).replace("ALIGN", str(kind.size))
    if memory in ("image", "texel"):
        declaration = declaration.replace("FORMAT", "r" + _format(kind)).replace(
            "Iimage", {"u32": "uimage", "i32": "iimage", "f32": "image"}[kind.name])
    if memory == "shared":
        declaration += "layout(set = 0, binding = 0) buffer Copy { %s copied[4]; };\n" % kind.glsl
    if memory != "address":
        declaration += "layout(push_constant) uniform Push { uint n; };\n"
    body = ["const %s old = %s(%s%s);" % (kind.glsl, kind.glsl, kind.old, "ul" if kind.name == "u64" else
                                          "l" if kind.name == "i64" else "")]
    if memory == "shared":
        body += ["values[n & 3] = old;", "barrier();"]
    operand = "%s(%s%s)" % (kind.glsl, kind.operand, "ul" if kind.name == "u64" else "l" if kind.name == "i64" else "")
    body.append(_call(memory, operation, operand) + "  //@ read")
    if memory == "shared":
        body += ["barrier();", "copied[n & 3] = values[n & 3];"]
    code = "%slayout(set = 0, binding = 1) buffer Out { %s result[]; };\n\nvoid main() {\n%s\n}\n" % (
        declaration, kind.glsl, "\n".join("  " + line for line in body))
    extensions = list(kind.extensions)
    if operation in ("Load", "Store"):
        extensions.append(MEMORY_SCOPES)
    if memory == "address":
        extensions += [glsl.REFERENCE, glsl.REFERENCE2]
    names = {"storage": "a storage buffer", "address": "memory behind a device address", "shared": "shared memory",
             "image": "an image", "texel": "a storage texel buffer"}
    purpose = "Atomic %s of %s in %s." % (operation.lower(), kind.glsl, names[memory])
    directives += _faults(memory, kind)
    return glsl.shader(purpose, directives, code, extensions)


def shaders():
    """Yields (file name, GLSL)."""
    for (memory, name), operations in COVERED.items():
        for operation in operations:
            yield "atomic_%s_%s_%s.comp" % (memory, name, operation.lower()), _shader(memory, TYPES[name], operation)
