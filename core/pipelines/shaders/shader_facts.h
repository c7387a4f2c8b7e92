// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_PIPELINES_SHADERS_SHADER_FACTS_H_
#define ASSAY_CORE_PIPELINES_SHADERS_SHADER_FACTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/module.h"
#include "state/shader/entry_point_cache.h"
#include "state/shader/shader_code.h"
#include "vk/vulkan.h"

// What the rules of pipelines and draws ask of shaders' code.
namespace assay::core {

// What few shaders do, as bits. Most rules of shaders' code are about one of these.
enum ShaderTrait : uint32_t {
  kCapturesOutputs = 1 << 0,
  kWritesShadingRate = 1 << 1,
  kHasLayer = 1 << 2,
  kTestsEarly = 1 << 3,
  kShadesSamples = 1 << 4,
  kReadsAttachments = 1 << 5,
  kEnqueues = 1 << 6,
  kHasBlockArrays = 1 << 7,
  kReplacesDepth = 1 << 8,
};

// What an entry point declares and does, whatever its specialization constants are.
struct ShaderFacts {
  bool Has(spv::ExecutionMode mode) const { return modes.contains(mode); }
  bool Declares(spv::Capability capability) const { return capabilities.contains(capability); }
  bool Writes(spv::BuiltIn built_in) const { return written.contains(built_in); }

  // Bits of ShaderTrait, from what follows.
  uint32_t traits = 0;
  spv::ExecutionModel model;
  std::set<spv::ExecutionMode> modes;
  // Vertices of an output patch; 0 without the mode.
  uint32_t output_vertices = 0;
  // Of the module.
  std::set<spv::Capability> capabilities;
  // Built-ins of the interface's variables, and of the members of its blocks.
  std::set<spv::BuiltIn> inputs;
  std::set<spv::BuiltIn> outputs;
  // Inputs that an instruction loads, and outputs that one stores, each by its own pointer, in a function that the
  // entry point may call.
  std::set<spv::BuiltIn> read;
  std::set<spv::BuiltIn> written;
  // Outputs that may be written: those with a pointer that other instructions use, too.
  std::set<spv::BuiltIn> maybe_written;
  // The vertex streams of outputs that are built-ins; 0 without the decoration.
  std::vector<std::pair<spv::BuiltIn, uint32_t>> streams;
  // Whether an input that is used has the decoration Sample.
  bool has_sample_input = false;
  bool interpolates_at_sample = false;
  // By VK_EXT_shader_tile_image.
  bool reads_depth_attachment = false;
  bool reads_stencil_attachment = false;
  // Set and binding of uniform blocks that are arrays.
  std::vector<std::pair<uint32_t, uint32_t>> block_arrays;
};

// Nothing if there is no such entry point.
std::optional<ShaderFacts> ReadShaderFacts(const spirv_instrument::Module& module, std::string_view name,
                                           VkShaderStageFlagBits stage);

// Reads the code of a stage once. Safe to use from several threads.
class ShaderFactsCache {
 public:
  // `codes` has the code of modules that are part of a create info. It must outlive the cache.
  explicit ShaderFactsCache(state::ShaderCodes& codes) : codes_(codes), cache_(codes) {}

  // Null also for a stage without code.
  std::shared_ptr<const ShaderFacts> Get(const VkPipelineShaderStageCreateInfo& stage) const;

 private:
  state::ShaderCodes& codes_;
  mutable state::EntryPointCache<std::optional<ShaderFacts>> cache_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_PIPELINES_SHADERS_SHADER_FACTS_H_
