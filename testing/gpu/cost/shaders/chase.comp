#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// 32 steps along a list, each to the address that the last one loaded.
layout(local_size_x = 256) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Node {
  Node next;
  uint value;
};
layout(set = 0, binding = 0) buffer Sums { uint sums[]; };
layout(push_constant) uniform Push {
  uint64_t nodes;
  uint last;
};
void main() {
  uint i = gl_GlobalInvocationID.x;
  Node node = Node(nodes + 16 * ((i * 2654435761u) & last));
  uint sum = 0;
  for (uint step = 0; step < 32; ++step) {
    sum += node.value;
    node = node.next;
  }
  sums[i] = sum;
}
