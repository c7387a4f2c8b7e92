# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays of descriptors: every type of descriptor, fixed, runtime and variable arrays, every kind of index.

Item `item` of the resource behind descriptor `index` holds 100 * index + item.
"""

import dataclasses

from spirv_instrument.corpus.families.glsl import NONUNIFORM
from spirv_instrument.corpus.families.glsl import SAMPLERLESS
from spirv_instrument.corpus.families.glsl import fault
from spirv_instrument.corpus.families.glsl import numbers
from spirv_instrument.corpus.families.glsl import shader

# Loops stop before the last descriptor: a driver may execute a loop's body once more than the loop asks for, with all
# invocations masked out, and read the descriptor then.
DESCRIPTORS = 4
ITEMS = 4


@dataclasses.dataclass
class Descriptor:
    """A type of descriptor: how it is bound and declared, and how an item is read."""
    name: str
    type: str
    # With {array} for the brackets.
    declaration: str
    # With {index} for the descriptor's index and {item} for the item's.
    read: str
    # The directive that makes resource r0, r1, …, from its number.
    resource: object
    # With {n} for the number of the resource.
    element: str = "r{n}"
    extensions: tuple = ()
    more: tuple = ()
    arrays: tuple = ("fixed", "runtime", "variable")


def _buffer_directive(stride):
    """A buffer with an item at each multiple of `stride` words."""

    def directive(index):
        words = []
        for item in range(ITEMS):
            words += [100 * index + item] + [0] * (stride - 1)
        return "buffer r%d %d : u32 %s" % (index, 4 * len(words), numbers(words))

    return directive


def _image_directive(index):
    return "image r%d 2d r32ui 4x1 : u32 %s" % (index, numbers(100 * index + item for item in range(ITEMS)))


DESCRIPTORS_BY_TYPE = [
    Descriptor("uniform", "uniform", "uniform Data { uvec4 values[4]; } data{array};", "data[{index}].values[{item}].x",
               _buffer_directive(4)),
    Descriptor("storage", "storage", "readonly buffer Data { uint values[]; } data{array};",
               "data[{index}].values[{item}]", _buffer_directive(1)),
    Descriptor("uniform_dynamic", "uniform_dynamic", "uniform Data { uvec4 values[4]; } data{array};",
               "data[{index}].values[{item}].x", _buffer_directive(4), element="r{n}+0:64@0", arrays=("fixed",)),
    Descriptor("storage_dynamic", "storage_dynamic", "readonly buffer Data { uint values[]; } data{array};",
               "data[{index}].values[{item}]", _buffer_directive(1), element="r{n}+0:16@0", arrays=("fixed",)),
    Descriptor("uniform_texel", "uniform_texel", "uniform usamplerBuffer data{array};",
               "texelFetch(data[{index}], int({item})).x", _buffer_directive(1), element="r{n}/r32ui"),
    Descriptor("texture_buffer", "uniform_texel", "uniform utextureBuffer data{array};",
               "texelFetch(data[{index}], int({item})).x", _buffer_directive(1), element="r{n}/r32ui",
               extensions=(SAMPLERLESS,), arrays=("fixed",)),
    Descriptor("storage_texel", "storage_texel", "uniform readonly uimageBuffer data{array};",
               "imageLoad(data[{index}], int({item})).x", _buffer_directive(1), element="r{n}/r32ui"),
    Descriptor("combined", "combined", "uniform usampler2D data{array};",
               "texelFetch(data[{index}], ivec2({item}, 0), 0).x", _image_directive, element="r{n}|smp",
               more=("sampler smp",)),
    Descriptor("sampled", "sampled", "uniform utexture2D data{array};",
               "texture(usampler2D(data[{index}], smp), vec2(({item} + 0.5) / 4.0, 0.5)).x", _image_directive,
               more=("sampler smp", "bind 1.0 sampler smp")),
    Descriptor("sampler", "sampler", "uniform sampler data{array};",
               "uint(texture(sampler2D(tex, data[{index}]), vec2(0.5, 0.5)).x) + {item}",
               lambda index: "sampler r%d%s" % (index, " linear" if index == 1 else ""),
               more=("image tex 2d r32f 2x1 : f32 0 8", "bind 1.0 sampled tex")),
    Descriptor("image", "image", "uniform readonly uimage2D data{array};",
               "imageLoad(data[{index}], ivec2({item}, 0)).x", _image_directive),
]

QUALIFIERS = {"storage_texel": "r32ui, ", "image": "r32ui, "}
SEPARATE = {
    "sampled": "layout(set = 1, binding = 0) uniform sampler smp;\n",
    "sampler": "layout(set = 1, binding = 0) uniform texture2D tex;\n",
}
INDEX_TEXT = {
    "constant": "a constant index",
    "uniform": "a dynamic index that is the same in all invocations",
    "nonuniform": "an index that differs between invocations",
    "loop": "the index of a loop",
}


def _value(descriptor, index, item):
    if descriptor.name == "sampler":
        return (4 if index == 1 else 8) + item
    return 100 * index + item


def _elements(descriptor, count):
    return " ".join(descriptor.element.format(n=n) for n in range(count))


def _binding(descriptor, array, count):
    brackets = {"fixed": "[4]", "runtime": "[5]", "variable": "[variable 8]"}[array]
    return "bind 0.0 %s%s %s" % (descriptor.type, brackets, _elements(descriptor, count))


def _push(index, last):
    """The pushed number with which the last descriptor that is read is `last`."""
    return "push u32 %d" % {"constant": 0, "uniform": last, "nonuniform": last - 2, "loop": last + 1}[index]


def _faults(descriptor, array, index):
    """An index past the descriptors, and one of a descriptor that is not written."""
    directives = []
    if array == "variable" and index == "constant" and descriptor.type == "uniform":
        # lavapipe loads such a descriptor whether the access is executed or not, and there is no other index to take.
        pass
    elif array == "variable" and index == "constant":
        directives += fault("past-the-array", "descriptor-index", _binding(descriptor, array, 2))
    elif index != "constant":
        outside = {"fixed": 4, "runtime": 5, "variable": 4}[array]
        every = _binding(descriptor, array, DESCRIPTORS)
        if array == "runtime":
            every += " " + descriptor.element.format(n=0)
        directives += fault("past-the-array", "descriptor-index", every, _push(index, outside))
    unwritten = _binding(descriptor, array, 2) + (" none" if array == "variable" else "")
    return directives + fault("unwritten", "descriptor-unwritten", unwritten, _push(index, 2))


def _body(descriptor, index):
    """(statements, pushed number, invocations, expected results)."""
    read = descriptor.read.format(index={
        "constant": "2",
        "uniform": "number",
        "nonuniform": "nonuniformEXT(i + number)",
        "loop": "k",
    }[index], item="1u" if index == "nonuniform" else "i")
    if index == "loop":
        code = "  uint sum = 0;\n  for (uint k = 0; k < number; ++k) sum += %s;  //@ read\n  result[i] = sum;" % read
        sums = [sum(_value(descriptor, k, item) for k in range(DESCRIPTORS - 1)) for item in range(ITEMS)]
        return code, DESCRIPTORS - 1, ITEMS, sums
    code = "  result[i] = %s;  //@ read" % read
    if index == "nonuniform":
        return code, 0, 3, [_value(descriptor, n, 1) for n in range(3)]
    chosen = 2 if index == "constant" else 1
    return code, chosen, ITEMS, [_value(descriptor, chosen, item) for item in range(ITEMS)]


def _shader(descriptor, array, index):
    code, push, invocations, expected = _body(descriptor, index)
    directives = [descriptor.resource(n) for n in range(DESCRIPTORS)]
    directives += [*descriptor.more, "buffer out 16", _binding(descriptor, array, DESCRIPTORS), "bind 2.0 storage out"]
    directives += ["push u32 %d" % push, "dispatch %d" % invocations, "expect out 0 : u32 " + numbers(expected)]
    directives += _faults(descriptor, array, index)
    declaration = descriptor.declaration.replace("{array}", "[4]" if array == "fixed" else "[]")
    text = """
layout(%sset = 0, binding = 0) %s
%slayout(set = 2, binding = 0) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint number; };

void main() {
  uint i = gl_GlobalInvocationID.x;
%s
}
""" % (QUALIFIERS.get(descriptor.name, ""), declaration, SEPARATE.get(descriptor.name, ""), code)
    purpose = "A %s array of descriptors (%s), with %s." % (array, descriptor.name, INDEX_TEXT[index])
    extensions = [*descriptor.extensions, NONUNIFORM] if array != "fixed" or index == "nonuniform" else (
        descriptor.extensions)
    return shader(purpose, directives, text, extensions)


def shaders():
    """Yields (file name, GLSL)."""
    for descriptor in DESCRIPTORS_BY_TYPE:
        for array in descriptor.arrays:
            for index in INDEX_TEXT:
                if descriptor.type.endswith("dynamic") and index == "nonuniform":
                    continue
                yield "array_%s_%s_%s.comp" % (descriptor.name, array, index), _shader(descriptor, array, index)
