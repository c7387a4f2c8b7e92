# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Every way to sample an image: each is an instruction of its own. The texture is one of an array.

Texel x, y of the texture holds 10 * y + x in its four columns and two rows; of a texture of depths, which are between 0
and 1, a sixteenth of that.
"""

from spirv_instrument.corpus.families import glsl

CODE = """
layout(set = 0, binding = 0) uniform {sampler} textures[2];
layout(set = 0, binding = 1) writeonly buffer Out {{ float result[4]; }};
layout(push_constant) uniform Push {{ uint which; }};

void main() {{
  vec2 place = vec2(2.5 / 4.0, 1.5 / 2.0);
  vec4 texel = vec4({expression});  //@ read
  result = float[4](texel.x, texel.y, texel.z, texel.w);
}}
"""

TEXTURE = "textures[which]"
ONE = (12, 0, 0, 1)
# What the four texels around the corner of texel (2, 1) and its neighbours are, in the order of textureGather.
GATHERED = (12, 13, 3, 2)

# (name, expression, results)
WAYS = [
    ("lod", "textureLod(%s, place, 0.0)", ONE),
    ("lod_offset", "textureLodOffset(%s, place, 0.0, ivec2(-1, 0))", (11, 0, 0, 1)),
    ("grad", "textureGrad(%s, place, vec2(0), vec2(0))", ONE),
    ("grad_offset", "textureGradOffset(%s, place, vec2(0), vec2(0), ivec2(0, -1))", (2, 0, 0, 1)),
    ("projected", "textureProjLod(%s, vec3(place * 2.0, 2.0), 0.0)", ONE),
    ("projected_grad", "textureProjGrad(%s, vec3(place * 2.0, 2.0), vec2(0), vec2(0))", ONE),
    ("implicit", "texture(%s, place)", ONE),
    ("gather", "textureGather(%s, vec2(3.0 / 4.0, 0.5), 0)", GATHERED),
    ("gather_offset", "textureGatherOffset(%s, vec2(2.0 / 4.0, 0.5), ivec2(1, 0), 0)", GATHERED),
    ("fetch_offset", "texelFetchOffset(%s, ivec2(1, 1), 0, ivec2(1, 0))", ONE),
]

SHADOW_WAYS = [
    ("shadow_lod", "textureLod(%s, vec3(place, 11.5 / 16.0), 0.0)", (1, 1, 1, 1)),
    ("shadow_gather", "textureGather(%s, vec2(3.0 / 4.0, 0.5), 10.0 / 16.0)", (1, 1, 0, 0)),
]


def _directives(image, sampler, results):
    return [image, sampler, "buffer out 16", "bind 0.0 combined[2] image|smp image|smp", "bind 0.1 storage out",
            "push u32 1", "expect out 0 : f32 " + glsl.numbers(results),
            *glsl.fault("past-the-array", "descriptor-index", "push u32 2"),
            *glsl.fault("unwritten", "descriptor-unwritten", "bind 0.0 combined[2] image|smp")]


def shaders():
    """Yields (file name, GLSL)."""
    texels = [10 * y + x for y in range(2) for x in range(4)]
    for name, expression, results in WAYS:
        directives = _directives("image image 2d r32f 4x2 : f32 " + glsl.numbers(texels), "sampler smp", results)
        yield "sample_%s.comp" % name, glsl.shader(
            "Samples with %s." % (expression % "texture"), directives,
            CODE.format(sampler="sampler2D", expression=expression % TEXTURE))
    for name, expression, results in SHADOW_WAYS:
        depths = glsl.numbers([texel / 16 for texel in texels])
        directives = _directives("image image 2d d32f 4x2 : f32 " + depths, "sampler smp compare", results)
        yield "sample_%s.comp" % name, glsl.shader(
            "Samples with %s, compared." % (expression % "texture"), directives,
            CODE.format(sampler="sampler2DShadow", expression=expression % TEXTURE))
