// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_SHADERS_H_
#define ASSAY_TESTING_SHADERS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// SPIR-V at run time, for tests whose shaders are small or vary. GLSL shaders are compiled at build time: see
// shaders.bzl.
namespace assay::test {

// Assembles SPIR-V text for Vulkan 1.3. An error fails the test, with the assembler's message.
std::vector<uint32_t> AssembleSpirv(std::string_view text);

// The accesses of a compute shader to storage buffers of one uint each. The numbers are bindings of set 0.
struct StorageAccesses {
  std::vector<uint32_t> reads;
  std::vector<uint32_t> writes;
};
// The text of a compute shader main() with a workgroup of 1. It adds the values that it reads, and writes the sum to
// each buffer that it writes.
std::string ComputeShader(const StorageAccesses& accesses);

// A vertex shader main() that reads the attributes 0 to `attributes` - 1, which are vec4. It writes their sum to
// gl_Position.
std::string VertexShader(uint32_t attributes);
// A fragment shader main() that writes white to the color attachments 0 to `attachments` - 1.
std::string FragmentShader(uint32_t attachments);

}  // namespace assay::test

#endif  // ASSAY_TESTING_SHADERS_H_
