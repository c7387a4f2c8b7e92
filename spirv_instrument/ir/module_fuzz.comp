// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#version 450

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_debug_printf : require
#extension GL_EXT_nonuniform_qualifier : require

layout(local_size_x = 64) in;

layout(buffer_reference) buffer Node;
layout(buffer_reference, std430) buffer Node {
    Node next;
    vec4 values[];
};

layout(set = 0, binding = 0) buffer Data {
    uint count;
    float values[];
} data;
layout(set = 0, binding = 1) uniform sampler2D textures[];
layout(set = 0, binding = 2) uniform texture2D plain;
layout(set = 0, binding = 3) uniform sampler plain_sampler;
layout(constant_id = 3) const uint kLimit = 10;
layout(push_constant) uniform Constants {
    Node node;
    uint mask;
} constants;

float Sum(uint first, uint last) {
    float sum = 0.0;
    for (uint i = first; i < last; ++i) {
        if (data.values[i] < 0.0) continue;
        if (data.values[i] > 1000.0) break;
        sum += data.values[i] * textureLod(textures[nonuniformEXT(i)], vec2(sum), 0.0).x;
    }
    return sum;
}

void main() {
    float result = Sum(gl_GlobalInvocationID.x, min(data.count, kLimit));
    switch (gl_LocalInvocationIndex % 4) {
        case 0:
            result += 1.0;
        case 1:
            result += texture(sampler2D(plain, plain_sampler), vec2(result)).y;
            break;
        case 2:
            do {
                result *= constants.node.next.values[uint(result)].x;
            } while (result > 2.0);
            break;
        default:
            debugPrintfEXT("%f", result);
            return;
    }
    data.values[gl_GlobalInvocationID.x] = result;
}
