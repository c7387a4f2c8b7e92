# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Subgroup operations: their results choose what is read, and what was read goes into them.

The workgroups have four invocations, so that they are one subgroup on every device with subgroups of at least four.
"""

from spirv_instrument.corpus.families import glsl

CODE = """
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer Data {{ uint values[]; }};
layout(set = 0, binding = 1) writeonly buffer Out {{ uint result[]; }};
layout(push_constant) uniform Push {{ uint shift; }};

void main() {{
  uint i = gl_LocalInvocationIndex;
  uint value = values[i + shift];  //@ read
  result[i] = {expression};
}}
"""

# (name, extension's suffix, expression, results for the values 5 6 7 8)
OPERATIONS = [
    ("add", "arithmetic", "subgroupAdd(value)", (26, 26, 26, 26)),
    ("multiply", "arithmetic", "subgroupMul(value)", (1680, 1680, 1680, 1680)),
    ("min", "arithmetic", "subgroupMin(value)", (5, 5, 5, 5)),
    ("inclusive_add", "arithmetic", "subgroupInclusiveAdd(value)", (5, 11, 18, 26)),
    ("exclusive_add", "arithmetic", "subgroupExclusiveAdd(value)", (0, 5, 11, 18)),
    ("all", "vote", "subgroupAll(value > 4) ? 1 : 0", (1, 1, 1, 1)),
    ("any", "vote", "subgroupAny(value == 7) ? 1 : 0", (1, 1, 1, 1)),
    ("all_equal", "vote", "subgroupAllEqual(value) ? 1 : 0", (0, 0, 0, 0)),
    ("ballot", "ballot", "subgroupBallot((value & 1) == 0).x", (10, 10, 10, 10)),
    ("broadcast", "ballot", "subgroupBroadcast(value, 2)", (7, 7, 7, 7)),
    ("broadcast_first", "ballot", "subgroupBroadcastFirst(value)", (5, 5, 5, 5)),
    ("bit_count", "ballot", "subgroupBallotBitCount(subgroupBallot(value > 6))", (2, 2, 2, 2)),
    ("shuffle", "shuffle", "subgroupShuffle(value, 3 - i)", (8, 7, 6, 5)),
    ("shuffle_xor", "shuffle", "subgroupShuffleXor(value, 1)", (6, 5, 8, 7)),
    ("shuffle_index_read", "shuffle", "values[subgroupShuffle(i, 3 - i)]", (8, 7, 6, 5)),
    ("quad_swap", "quad", "subgroupQuadSwapHorizontal(value)", (6, 5, 8, 7)),
    ("quad_broadcast", "quad", "subgroupQuadBroadcast(value, 1)", (6, 6, 6, 6)),
    ("rotate", "rotate", "subgroupClusteredRotate(value, 1, 4)", (6, 7, 8, 5)),
    ("clustered", "clustered", "subgroupClusteredAdd(value, 2)", (11, 11, 15, 15)),
]


def shaders():
    """Yields (file name, GLSL)."""
    for name, suffix, expression, results in OPERATIONS:
        directives = ["buffer data 16 : u32 5 6 7 8", "buffer out 16", "bind 0.0 storage data", "bind 0.1 storage out",
                      "push u32 0", "expect out 0 : u32 " + glsl.numbers(results),
                      *glsl.fault("past-the-end", "buffer-bounds", "push u32 1")]
        yield "subgroup_%s.comp" % name, glsl.shader(
            "A value that was read goes into %s." % expression, directives, CODE.format(expression=expression),
            ["GL_KHR_shader_subgroup_" + suffix, "GL_KHR_shader_subgroup_basic"])
