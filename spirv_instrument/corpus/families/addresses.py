# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Device addresses: loads and stores of every type, past either end of a buffer, misaligned, and where nothing is."""

from spirv_instrument.corpus.families import glsl
from spirv_instrument.corpus.families import types

EXTENSIONS = (glsl.REFERENCE, glsl.REFERENCE2, glsl.ALL_TYPES, glsl.SCALAR)

LOAD = """
layout(buffer_reference, scalar, buffer_reference_align = {align}) readonly buffer Data {{ {type} value; }};
layout(set = 0, binding = 0, scalar) writeonly buffer Out {{ {type} result[]; }};
layout(push_constant) uniform Push {{ Data data; }};

void main() {{
  result[0] = data.value;  //@ read
  result[1] = data[1].value;  //@ next
}}
"""

STORE = """
layout(buffer_reference, scalar, buffer_reference_align = {align}) writeonly buffer Data {{ {type} value; }};
layout(set = 0, binding = 0, scalar) readonly buffer In {{ {type} values[]; }};
layout(push_constant) uniform Push {{ Data data; }};

void main() {{
  data.value = values[0];  //@ read
  data[1].value = values[1];  //@ next
}}
"""


def _faults(size, align):
    directives = [
        *glsl.fault("last-past-the-end", "address-range", "push u64 &data+%d" % size, mark="next"),
        *glsl.fault("past-the-end", "address-range", "push u64 &data+%d" % (2 * size)),
        "also address-range at next",
        *glsl.fault("before-the-start", "address-range", "push u64 &data-%d" % size),
        *glsl.fault("null", "address-range", "push u64 0"),
        "also address-range at next",
        *glsl.fault("nothing-there", "address-range", "push u64 0x100000"),
        "also address-range at next",
    ]
    # Across the end: the first bytes are inside.
    if size > align:
        directives += glsl.fault("across-the-end", "address-range", "push u64 &data+%d" % (2 * size - align))
        directives.append("also address-range at next")
    if align > 1:
        directives += glsl.fault("misaligned", "address-alignment", "push u64 &data+%d" % (align // 2))
        directives.append("also address-alignment at next")
        directives.append("also address-range at next")
    return directives


def _shader(scalar, components, stores):
    size = scalar.size * components
    name = types.type_name(scalar, components)
    values = list(range(1, 2 * components + 1))
    content = "%s %s" % (scalar.values, glsl.numbers(values))
    source, target = ("in", "data") if stores else ("data", "out")
    directives = [
        "buffer %s %d : %s" % (source, 2 * size, content),
        "buffer %s %d" % (target, 2 * size),
        "bind 0.0 storage %s" % ("in" if stores else "out"),
        "push u64 &data",
        "expect %s 0 : %s" % (target, content),
        *_faults(size, scalar.size),
    ]
    code = (STORE if stores else LOAD).format(type=name, align=scalar.size)
    purpose = "%s of %s by device address." % ("Stores" if stores else "Loads", name)
    return glsl.shader(purpose, directives, code, EXTENSIONS)


def shaders():
    """Yields (file name, GLSL)."""
    for scalar in types.SCALARS:
        # Vectors of three are of a size that is no power of two.
        yield "address_load_%s.comp" % scalar.values, _shader(scalar, 1, False)
        yield "address_store_%sx3.comp" % scalar.values, _shader(scalar, 3, True)
    yield "address_load_f32x4.comp", _shader(types.FLOAT, 4, False)
    yield "address_store_f64x2.comp", _shader(types.DOUBLE, 2, True)
