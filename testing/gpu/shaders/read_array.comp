#version 460
#extension GL_EXT_nonuniform_qualifier : require
// Reads a buffer of an array of descriptors.
layout(set = 0, binding = 0) uniform Where { uint index; } where;
layout(set = 0, binding = 1) buffer Data { uint values[4]; } data[];
layout(set = 1, binding = 0) buffer Out { uint value; } result;
void main() {
  result.value = data[nonuniformEXT(where.index)].values[0];
}
