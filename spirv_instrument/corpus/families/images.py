# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Images of every dimension: fetch, read and write, with coordinates, layers, levels and samples past the end."""

import dataclasses

from spirv_instrument.corpus.families import glsl


@dataclasses.dataclass
class Dimension:
    """A kind of image. `extent` counts layers and faces, too, as the last coordinate."""
    name: str
    # What follows "sampler" or "image" in GLSL.
    suffix: str
    type: str
    extent: tuple
    is_arrayed: bool = False
    is_cube: bool = False
    has_samples: bool = False

    def coordinates(self):
        """The expression of the texel's place, from the pushed numbers."""
        return {1: "c.x", 2: "c.xy", 3: "c.xyz"}[len(self.extent)]

    def directive(self, levels):
        """The image, whose texels hold 1, 2, 3, …; all of them 7, where there are samples."""
        size, layers = self.extent, 1
        if self.is_arrayed or self.is_cube:
            size, layers = self.extent[:-1], self.extent[-1]
        text = "image data %s r32ui %s" % (self.type, "x".join(str(side) for side in size))
        if layers > 1:
            text += " layers=%d" % layers
        if self.has_samples:
            return text + " samples=4 : u32 7"
        if levels > 1:
            text += " levels=%d" % levels
        return text + " : u32 1..%d" % self.texels(levels)

    def _level_extent(self, level):
        shrunk = [max(side >> level, 1) for side in self.extent]
        if self.is_arrayed or self.is_cube:
            shrunk[-1] = self.extent[-1]
        return shrunk

    def texels(self, levels):
        """The number of texels of the first levels."""
        total = 0
        for level in range(levels):
            count = 1
            for side in self._level_extent(level):
                count *= side
            total += count
        return total

    def index(self, place, level=0):
        """Which texel, in the order of the contents, a place is."""
        index, stride = 0, 1
        for coordinate, side in zip(place, self._level_extent(level)):
            index += coordinate * stride
            stride *= side
        return self.texels(level) + index


DIMENSIONS = [
    Dimension("1d", "1D", "1d", (4,)),
    Dimension("2d", "2D", "2d", (4, 3)),
    Dimension("3d", "3D", "3d", (4, 3, 2)),
    Dimension("1d_array", "1DArray", "1d_array", (4, 3), is_arrayed=True),
    Dimension("2d_array", "2DArray", "2d_array", (4, 3, 2), is_arrayed=True),
    Dimension("cube", "Cube", "cube", (4, 4, 6), is_cube=True),
    Dimension("cube_array", "CubeArray", "cube_array", (4, 4, 12), is_arrayed=True, is_cube=True),
    Dimension("2d_samples", "2DMS", "2d", (4, 4), has_samples=True),
    Dimension("2d_array_samples", "2DMSArray", "2d_array", (4, 4, 2), is_arrayed=True, has_samples=True),
]

PUSH = "layout(push_constant) uniform Push { ivec3 c; int last; };"


def _push(place, last):
    return "push i32 " + glsl.numbers(list(place) + [0] * (3 - len(place)) + [last])


def _coordinate_faults(dimension, place, last):
    """Each coordinate at the end of its side, and one that is negative."""
    names = ["x", "y", "z"]
    if dimension.is_arrayed or dimension.is_cube:
        names[len(dimension.extent) - 1] = "layer"
    for axis, side in enumerate(dimension.extent):
        outside = list(place)
        outside[axis] = side
        yield from glsl.fault("past-" + names[axis], "image-coordinate", _push(outside, last))
    yield from glsl.fault("negative", "image-coordinate", _push([-1, *place[1:]], last))


def _place(dimension):
    return [side - 1 for side in dimension.extent]


def _read(dimension):
    place = _place(dimension)
    value = 7 if dimension.has_samples else dimension.index(place) + 1
    sample = ", last" if dimension.has_samples else ""
    directives = [dimension.directive(1), "buffer out 4", "bind 0.0 image data", "bind 0.1 storage out",
                  _push(place, 3 if dimension.has_samples else 0), "expect out 0 : u32 %d" % value,
                  *_coordinate_faults(dimension, place, 0)]
    if dimension.has_samples:
        directives += glsl.fault("past-samples", "image-coordinate", _push(place, 4))
    code = """
layout(set = 0, binding = 0, r32ui) uniform readonly uimage%s data;
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
%s

void main() {
  result[0] = imageLoad(data, %s%s).x;  //@ read
}
""" % (dimension.suffix, PUSH, dimension.coordinates(), sample)
    return glsl.shader("Reads of a %s image." % dimension.suffix, directives, code)


def _write(dimension):
    place = _place(dimension)
    sample = ", last" if dimension.has_samples else ""
    directives = [dimension.directive(1), "buffer out 4", "bind 0.0 image data", "bind 0.1 storage out",
                  _push(place, 2 if dimension.has_samples else 0), "expect out 0 : u32 123"]
    if not dimension.has_samples:
        directives.append("expect data %d : u32 123" % (4 * dimension.index(place)))
    faults = list(_coordinate_faults(dimension, place, 0))
    if dimension.has_samples:
        faults += glsl.fault("past-samples", "image-coordinate", _push(place, 4))
    for line in faults:
        # So is the place that is read back.
        directives += [line, "dominated image-coordinate at readback"] if line.startswith("fault") else [line]
    code = """
layout(set = 0, binding = 0, r32ui) uniform uimage%s data;
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
%s

void main() {
  imageStore(data, %s%s, uvec4(123));  //@ read
  result[0] = imageLoad(data, %s%s).x;  //@ readback
}
""" % (dimension.suffix, PUSH, dimension.coordinates(), sample, dimension.coordinates(), sample)
    return glsl.shader("Writes of a %s image, read back." % dimension.suffix, directives, code)


def _fetch(dimension):
    place = _place(dimension)
    level_place = [max(side // 2, 1) - 1 for side in dimension.extent]
    if dimension.is_arrayed:
        level_place[-1] = dimension.extent[-1] - 1
    levels = 1 if dimension.has_samples else 2
    value = 7 if dimension.has_samples else dimension.index(place) + 1
    directives = [dimension.directive(levels), "sampler smp", "buffer out 4", "bind 0.0 combined data|smp",
                  "bind 0.1 storage out", _push(place, 0), "expect out 0 : u32 %d" % value]
    if dimension.has_samples:
        directives += ["input last-sample", _push(place, 3), "expect out 0 : u32 7"]
    else:
        directives += ["input level", _push(level_place, 1),
                       "expect out 0 : u32 %d" % (dimension.index(level_place, 1) + 1)]
    directives += _coordinate_faults(dimension, place, 0)
    if dimension.has_samples:
        directives += glsl.fault("past-samples", "image-coordinate", _push(place, 4))
    else:
        directives += glsl.fault("past-levels", "image-coordinate", _push([0] * len(place), 2))
        directives += glsl.fault("negative-level", "image-coordinate", _push([0] * len(place), -1))
        directives += glsl.fault("past-x-of-level", "image-coordinate", _push([2, *level_place[1:]], 1))
    code = """
layout(set = 0, binding = 0) uniform usampler%s data;
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
%s

void main() {
  result[0] = texelFetch(data, %s, last).x;  //@ read
}
""" % (dimension.suffix, PUSH, dimension.coordinates())
    return glsl.shader("Fetches of a %s image, of its %s." % (
        dimension.suffix, "samples" if dimension.has_samples else "levels"), directives, code)


# (format, prefix of GLSL's types, the scalar type and values of a texel in the directives)
FORMATS = [
    ("rgba8", "", "u8 0 64 128 255"),
    ("rgba8_snorm", "", "i8 0 64 -127 127"),
    ("rgba8ui", "u", "u8 1 2 3 4"),
    ("rgba16f", "", "f16 0.5 -2 1024 0.25"),
    ("rgba16i", "i", "i16 -1 2 -3 4"),
    ("rg32f", "", "f32 1.5 -0.25"),
    ("rgba32ui", "u", "u32 1 2 3 4000000000"),
    ("r16ui", "u", "u16 65535 7"),
    ("r8", "", "u8 1 2 3 4"),
    ("rgb10_a2", "", "u32 0xc0300c03"),
    ("r11f_g11f_b10f", "", "u32 0x781e03c0"),
]


def _copy(name, prefix, texel, with_format):
    layout = ", " + name if with_format else ""
    directives = ["image data 2d %s 4x4 : %s" % (name, texel), "image copy 2d %s 4x4" % name, "bind 0.0 image data",
                  "bind 0.1 image copy", "push u32 0", "dispatch 4 4", "expect copy 0 : %s" % texel,
                  *glsl.fault("past-the-end", "image-coordinate", "push u32 1"),
                  "also image-coordinate at write"]
    code = """
layout(set = 0, binding = 0%s) uniform readonly %simage2D data;
layout(set = 0, binding = 1%s) uniform writeonly %simage2D copy;
layout(push_constant) uniform Push { int shift; };

void main() {
  ivec2 place = ivec2(gl_GlobalInvocationID.xy) + shift;
  %svec4 texel = imageLoad(data, place);  //@ read
  imageStore(copy, place, texel);  //@ write
}
""" % (layout, prefix, layout, prefix, prefix)
    extensions = ["GL_EXT_shader_image_load_formatted"] if not with_format else []
    purpose = "Copies an image of format %s, which the shader %s." % (name, "knows" if with_format else "does not know")
    return glsl.shader(purpose, directives, code, extensions)


def shaders():
    """Yields (file name, GLSL)."""
    for dimension in DIMENSIONS:
        yield "image_read_%s.comp" % dimension.name, _read(dimension)
        yield "image_write_%s.comp" % dimension.name, _write(dimension)
        if not dimension.is_cube:
            yield "image_fetch_%s.comp" % dimension.name, _fetch(dimension)
    for name, prefix, texel in FORMATS:
        yield "image_copy_%s.comp" % name, _copy(name, prefix, texel, True)
    # One of each kind of component.
    for name, prefix, texel in FORMATS[0:6:2]:
        yield "image_copy_%s_unknown.comp" % name, _copy(name, prefix, texel, False)
