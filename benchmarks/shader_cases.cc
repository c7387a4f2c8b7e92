// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Shader modules: those that no layer has seen before, and those that it has.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "benchmarks/recording_case.h"
#include "benchmarks/shading_shader.h"
#include "spirv/unified1/spirv.hpp11"

namespace assay::benchmarks {
namespace {

constexpr uint32_t kModules = 20;

class CreateModules : public Case {
 public:
  explicit CreateModules(test::TestDevice& device)
      : device_(device.device), vk(device.vk), words_(std::begin(kShadingShader), std::end(kShadingShader)) {}

  bool MakeInvalidCall() override {
    Create(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    return true;
  }
  // It declares Kernel in the place of Shader.
  bool MakeInvalidUse() override {
    words_[kCapability] = static_cast<uint32_t>(spv::Capability::Kernel);
    Create();
    words_[kCapability] = static_cast<uint32_t>(spv::Capability::Shader);
    return true;
  }

 protected:
  void Create(VkStructureType type = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO) {
    const VkShaderModuleCreateInfo info = {
        .sType = type, .codeSize = words_.size() * sizeof(uint32_t), .pCode = words_.data()};
    VkShaderModule module = VK_NULL_HANDLE;
    vk.CreateShaderModule(device_, &info, nullptr, &module);
    vk.DestroyShaderModule(device_, module, nullptr);
  }
  // The generator in the module's header, which no rule is about, so that no module is like another one, of any run.
  void Change() { words_[2] = next_++; }

 private:
  // The word of the first OpCapability, behind the header.
  static constexpr size_t kCapability = 6;

  VkDevice device_;
  const test::Functions& vk;
  std::vector<uint32_t> words_;
  uint32_t next_ = static_cast<uint32_t>(std::chrono::steady_clock::now().time_since_epoch().count());
};

class NewModules : public CreateModules {
 public:
  using CreateModules::CreateModules;

  void Run() override {
    for (uint32_t i = 0; i < kModules; ++i) {
      Change();
      Create();
    }
  }
};

class KnownModules : public CreateModules {
 public:
  explicit KnownModules(test::TestDevice& device) : CreateModules(device) { Create(); }

  void Run() override {
    for (uint32_t i = 0; i < kModules; ++i) Create();
  }
};

}  // namespace

std::vector<CaseInfo> ShaderCases() {
  return {
      {"create_new_module", kModules, &Make<NewModules>},
      {"create_known_module", kModules, &Make<KnownModules>},
  };
}

}  // namespace assay::benchmarks
