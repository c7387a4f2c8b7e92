# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Matrices of every size, by row and by column: whole, a column, an element; loaded and stored."""

from spirv_instrument.corpus.families import glsl
from spirv_instrument.corpus.families import types

CODE = """
layout(set = 0, binding = 0, {layout}, {order}) {qualifier} Data {{ {matrix} matrices[{length}]; }} data;
layout(set = 0, binding = 1, std430, {order}) buffer Out {{ {matrix} copies[]; }} copy;
layout(set = 0, binding = 2, std430) writeonly buffer Picked {{ {scalar} result[]; }};
layout(push_constant) uniform Push {{ uint which; uint column; uint row; }};

void main() {{
  copy.copies[0] = data.matrices[which];  //@ whole
  {vector} picked = data.matrices[1][column];  //@ column
  result[0] = picked.x;
  result[1] = data.matrices[1][column][row];  //@ element
  copy.copies[1][column] = {vector}(7);
  copy.copies[1][1][row] = {scalar}(9);  //@ store
}}
"""


def _value(which, column, row):
    return 16 * which + 4 * column + row + 1


def _stride(scalar, columns, rows, layout, order):
    """The stride between the vectors that the matrix is stored as, and their number."""
    length, count = (rows, columns) if order == "column_major" else (columns, rows)
    return types.array_stride(scalar, length, layout), count


def _place(content, start, scalar, shape, layout, order, which):
    columns, rows = shape
    stride, count = _stride(scalar, columns, rows, layout, order)
    for column in range(columns):
        for row in range(rows):
            major, minor = (column, row) if order == "column_major" else (row, column)
            content.place(start + major * stride + minor * scalar.size, scalar, _value(which, column, row))
    return stride * count


def _expected_store(scalar, shape, order):
    """The second matrix after its column 1 has become sevens, and one of them a nine: row 0."""
    columns, rows = shape
    stride, count = _stride(scalar, columns, rows, "std430", order)
    content = types.Bytes()
    for row in range(rows):
        major, minor = (1, row) if order == "column_major" else (row, 1)
        content.place(major * stride + minor * scalar.size, scalar, 9 if row == 0 else 7)
    content.grow(stride * count)
    return content, stride * count


def _shader(scalar, shape, layout, storage, order):
    columns, rows = shape
    content = types.Bytes()
    size = 0
    for which in range(2):
        size += _place(content, size, scalar, shape, layout, order, which)
    content.grow(size)
    stored, copy_size = _expected_store(scalar, shape, order)
    prefix = "d" if scalar.values == "f64" else ""
    directives = [
        "buffer in %d : %s" % (size, content.directive()),
        "buffer out %d" % (2 * copy_size),
        "buffer picked 16",
        "bind 0.0 %s in" % storage,
        "bind 0.1 storage out",
        "bind 0.2 storage picked",
        "push u32 1 1 0",
        "expect picked 0 : %s %d %d" % (scalar.values, _value(1, 1, 0), _value(1, 1, 0)),
        "expect out %d : %s" % (copy_size, stored.directive()),
        *glsl.fault("whole-past-the-end", "buffer-bounds", "push u32 2 1 0", mark="whole"),
        *glsl.fault("store-past-the-end", "buffer-bounds", "bind 0.1 storage out+0:%d" % copy_size, mark="store"),
    ]
    directives.append("also buffer-bounds at store_column")
    code = CODE.format(layout=layout, order=order, qualifier="uniform" if storage == "uniform" else "readonly buffer",
                       matrix="%smat%dx%d" % (prefix, columns, rows), length=4 if storage == "uniform" else "",
                       scalar=scalar.glsl, vector=types.type_name(scalar, rows))
    code = code.replace("(7);", "(7);  //@ store_column")
    purpose = "Matrices of %d columns and %d rows of %s, %s, in a %s block with layout %s." % (
        columns, rows, scalar.glsl, order, storage, layout)
    return glsl.shader(purpose, directives, code)


def shaders():
    """Yields (file name, GLSL)."""
    shapes = [(columns, rows) for columns in (2, 3, 4) for rows in (2, 3, 4)]
    for order in ("column_major", "row_major"):
        for columns, rows in shapes:
            # Every size in storage buffers, every other one in uniform buffers.
            storages = [("storage", "std430")]
            if (columns + rows) % 2 == 0:
                storages.append(("uniform", "std140"))
            for storage, layout in storages:
                name = "matrix_%dx%d_%s_%s.comp" % (columns, rows, order.split("_", maxsplit=1)[0], storage)
                yield name, _shader(types.FLOAT, (columns, rows), layout, storage, order)
        name = "matrix_4x3_%s_double.comp" % order.split("_", maxsplit=1)[0]
        yield name, _shader(types.DOUBLE, (4, 3), "std430", "storage", order)
