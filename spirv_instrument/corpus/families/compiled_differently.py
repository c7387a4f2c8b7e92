# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The same shader for each version of SPIR-V, and with each kind of debug information.

Versions differ in how they say things: SPIR-V 1.0 has storage buffers in the storage class Uniform, SPIR-V 1.4 all
variables in the interface of the entry point. The options of glslang decide what the module knows of its source.
"""

from spirv_instrument.corpus.families import glsl

CODE = """
struct Item { uint x; uint y[2]; };
layout(set = 0, binding = 0) readonly buffer Data { Item items[]; } data[2];
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint which; uint index; };

uint Sum(uint which_one, uint i) {
  Item item = data[which_one].items[i];  //@ read
  uint sum = item.x;
  for (uint k = 0; k < 2; ++k) sum += item.y[k];
  return sum;
}

void main() {
  result[0] = Sum(which, index);
  result[1] = data[0].items[index].y[1];  //@ second
}
"""

OPTIONS = {
    "spirv10": "--target-env vulkan1.0",
    "spirv13": "--target-env vulkan1.1",
    "spirv14": "--target-env vulkan1.1 --target-env spirv1.4",
    "spirv15": "--target-env vulkan1.2",
    "spirv16": "--target-env vulkan1.3",
    "spirv10_without_lines": "-g0 --target-env vulkan1.0",
    "without_lines": "-g0",
    "debug_info": "-gVS",
    "debug_info_spirv15": "-gVS --target-env vulkan1.2",
    "vulkan_memory_model": "--target-env vulkan1.3",
}


def shaders():
    """Yields (file name, GLSL)."""
    for name, options in OPTIONS.items():
        directives = ["compile " + options, "buffer a 24 : u32 1..6", "buffer b 24 : u32 11..16", "buffer out 8",
                      "bind 0.0 storage[2] a b", "bind 0.1 storage out", "push u32 1 1", "expect out 0 : u32 45 6"]
        if "without_lines" not in name:
            directives += glsl.fault("past-the-array", "descriptor-index", "push u32 2 1")
            directives += [*glsl.fault("past-the-end", "buffer-bounds", "push u32 1 2"),
                           "also buffer-bounds at second"]
        code, purpose = CODE, "Compiled with %s." % options
        if name == "vulkan_memory_model":
            code = "#pragma use_vulkan_memory_model" + CODE
            purpose = "Compiled for the Vulkan memory model."
        yield "compiled_%s.comp" % name, glsl.shader(purpose, directives, code)
