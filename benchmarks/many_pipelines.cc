// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// many_pipelines SALT: makes 300 graphics pipelines, each of shader modules of its own, and prints how long that took.
// The modules are the same in each run with the same salt. cache_between_runs_test.py runs it twice.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "benchmarks/shading_shader.h"
#include "benchmarks/shading_vertex_shader.h"
#include "testing/message_log.h"
#include "testing/system_loader.h"
#include "testing/test_device.h"

namespace assay::benchmarks {
namespace {

constexpr uint32_t kPipelines = 300;

class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  double& seconds_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

int Main(uint32_t salt) {
  test::SystemLoader loader;
  test::MessageLog log;
  test::TestDevice device(loader, log);
  device.Create({.api_version = VK_API_VERSION_1_3});
  const VkDescriptorSetLayout frame = device.MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
                                                            {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                                            {2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}});
  const VkDescriptorSetLayout material = device.MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                                                               {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                                                               {2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                                                               {3, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}});
  const VkPipelineLayout layout = device.MakePipelineLayout({frame, material}, 96);
  std::vector<uint32_t> vertex(std::begin(kShadingVertexShader), std::end(kShadingVertexShader));
  std::vector<uint32_t> fragment(std::begin(kShadingShader), std::end(kShadingShader));
  double modules = 0, pipelines = 0;
  for (uint32_t i = 0; i < kPipelines; ++i) {
    // The generator in the header, which no rule is about.
    vertex[2] = fragment[2] = salt * kPipelines + i;
    test::GraphicsOptions options = {.vertex_bindings = 1};
    {
      const Stopwatch watch(modules);
      options.vertex = device.MakeShader(vertex);
      options.fragment = device.MakeShader(fragment);
    }
    const Stopwatch watch(pipelines);
    device.MakeGraphicsPipeline(layout, options);
  }
  device.Destroy();
  for (const test::Message& message : log.Take()) {
    if ((message.types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT) == 0) continue;
    std::printf("%s\n", message.text.c_str());
    return 1;
  }
  std::printf("modules %.0f us\npipelines %.0f us\n", modules * 1e6, pipelines * 1e6);
  return 0;
}

}  // namespace
}  // namespace assay::benchmarks

int main(int argc, char** argv) {
  return assay::benchmarks::Main(argc > 1 ? static_cast<uint32_t>(std::atoi(argv[1])) : 1);
}
