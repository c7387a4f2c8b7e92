# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Members of blocks: every scalar type and vectors of it, in each layout, by constant and dynamic indices.

Each block has a scalar, a vector of two and of three, an array of an array of vectors of two and, last, an array of
vectors of three, that is a runtime array in storage buffers. The shader reads one component of each.
"""

from spirv_instrument.corpus.families import glsl
from spirv_instrument.corpus.families import types

# (name, layout, storage of the block)
BLOCKS = [
    ("uniform_std140", "std140", "uniform"),
    ("uniform_scalar", "scalar", "uniform"),
    ("storage_std430", "std430", "storage"),
    ("storage_scalar", "scalar", "storage"),
]
# Elements of the last array that there are, in uniform buffers of a larger array.
LENGTH = 4
DECLARED = 8

EXTENSIONS = (glsl.ALL_TYPES, glsl.STORAGE_8BIT, glsl.STORAGE_16BIT, glsl.SCALAR)


class Block:
    """Where the members of a block are, and what they hold."""

    def __init__(self, scalar, layout):
        self.scalar, self.layout = scalar, layout
        self.bytes = types.Bytes()
        self.next_value = 1
        self.one = self._add(1)
        self.two = self._add(2)
        self.three = self._add(3)
        self.grid = self._add_grid()
        self.last = self._align(self._array_alignment(3))
        self.stride = types.array_stride(scalar, 3, layout)
        self.elements = [self._place(self.last + i * self.stride, 3) for i in range(LENGTH)]
        # The range ends with the last component, so that one more element is too much.
        self.range = len(self.bytes.content)
        self.size = types.round_up(self.range, 4)

    def _align(self, alignment):
        return types.round_up(len(self.bytes.content), alignment)

    def _array_alignment(self, components):
        alignment = types.vector_alignment(self.scalar, components, self.layout)
        return types.round_up(alignment, 16) if self.layout == "std140" else alignment

    def _place(self, offset, components):
        values = list(range(self.next_value, self.next_value + components))
        self.next_value += components
        self.bytes.place(offset, self.scalar, *values)
        return values

    def _add(self, components):
        return self._place(self._align(types.vector_alignment(self.scalar, components, self.layout)), components)

    def _add_grid(self):
        """An array of two arrays of three vectors of two."""
        start = self._align(self._array_alignment(2))
        stride = types.array_stride(self.scalar, 2, self.layout)
        grid = [[self._place(start + (3 * i + j) * stride, 2) for j in range(3)] for i in range(2)]
        self.bytes.grow(start + 6 * stride)
        return grid


CODE = """
layout(set = 0, binding = 0, {layout}) {qualifier} Data {{
  {one} one;
  {two} two;
  {three} three;
  {two} grid[2][3];
  {three} last[{length}];
}} data;
layout(set = 0, binding = 1, std430) writeonly buffer Out {{ {wide} result[]; }};
layout(push_constant) uniform Push {{ uint i; }};

void main() {{
  result[0] = {wide}(data.one);
  result[1] = {wide}(data.two.y);
  result[2] = {wide}(data.three[i % 3]);
  result[3] = {wide}(data.grid[1][i % 3].x);
  {three} whole = data.last[i];  //@ whole
  result[4] = {wide}(whole.x + whole.z);
  result[5] = {wide}(data.last[i + 1].y);  //@ read
}}
"""


def _shader(scalar, name, layout, storage):
    block = Block(scalar, layout)
    i = 1
    results = [block.one[0], block.two[1], block.three[i], block.grid[1][i][0],
               block.elements[i][0] + block.elements[i][2], block.elements[i + 1][1]]
    wide = "double" if scalar.is_float and scalar.size == 8 else "float" if scalar.is_float else (
        "uint64_t" if scalar.size == 8 else "uint")
    out = {"double": "f64", "float": "f32", "uint64_t": "u64", "uint": "u32"}[wide]
    directives = [
        "buffer in %d : %s" % (block.size, block.bytes.directive()),
        "buffer out 48",
        "bind 0.0 %s in+0:%d" % (storage, block.range),
        "bind 0.1 storage out",
        "push u32 %d" % i,
        "expect out 0 : %s %s" % (out, glsl.numbers(results)),
        *glsl.fault("one-past-the-end", "buffer-bounds", "push u32 %d" % (LENGTH - 1)),
        *glsl.fault("far-past-the-end", "buffer-bounds", "push u32 %d" % (DECLARED - 2), mark="whole"),
        "also buffer-bounds at read",
    ]
    code = CODE.format(
        layout=layout, qualifier="uniform" if storage == "uniform" else "readonly buffer",
        one=types.type_name(scalar, 1), two=types.type_name(scalar, 2), three=types.type_name(scalar, 3),
        length=DECLARED if storage == "uniform" else "", wide=wide)
    purpose = "Members of %s in a %s block with layout %s, by constant and dynamic indices." % (
        scalar.glsl, storage, layout)
    return glsl.shader(purpose, directives, code, EXTENSIONS)


def shaders():
    """Yields (file name, GLSL)."""
    for name, layout, storage in BLOCKS:
        for scalar in types.SCALARS:
            yield "members_%s_%s.comp" % (name, scalar.values), _shader(scalar, name, layout, storage)
