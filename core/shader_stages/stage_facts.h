// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SHADER_STAGES_STAGE_FACTS_H_
#define ASSAY_CORE_SHADER_STAGES_STAGE_FACTS_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "dispatch/dispatch.h"
#include "spirv_instrument/ir/constants/specialization.h"
#include "spirv_instrument/ir/module.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// What is wrong with an entry point on a device, and what the rules of its create info ask of it. It is read once for
// an entry point and the values of its specialization constants.
namespace assay::core {

// A rule that the entry point breaks wherever it is used. The text follows the name of the stage.
struct StageFinding {
  vk::VuidIndex vuid;
  std::string text;
  std::string fix;
};

struct SpecializationConstant {
  uint32_t id;
  // Bytes; 4 for a Boolean.
  uint32_t size;
  bool is_boolean;
};

// The execution modes of a tessellation shader; 0 for none. The number of an OpExecutionMode is larger by one here.
struct TessellationModes {
  uint32_t subdivision = 0;
  uint32_t orientation = 0;
  uint32_t spacing = 0;
  bool has_point_mode = false;
  // Vertices of an output patch.
  uint32_t output_vertices = 0;
};

// A rule that the entry point breaks in a pipeline that has a flag, or in one that lacks it.
struct FlagFinding {
  VkPipelineCreateFlags2 flag;
  bool is_needed;
  StageFinding finding;
};

// What other state of a pipeline or a shader object decides about.
struct StageUses {
  bool has_transform_feedback = false;
  // An input with the built-in DrawIndex.
  bool has_draw_index = false;
  // Capabilities of the module.
  bool has_sample_rate_shading = false;
  bool has_enqueue = false;
  // Elements of the output ViewportMaskPerViewNV; 0 without.
  uint64_t viewport_mask_length = 0;
  // Cooperative matrices of these scopes.
  bool has_subgroup_matrices = false;
  bool has_workgroup_matrices = false;
  // The first instruction that reads an attachment of a tile; empty without. One that always runs, for a sample that is
  // constant.
  std::string tile_read;
  std::string tile_read_of_constant_sample;
};

struct StageFacts {
  // False if the words are no SPIR-V that can be read. Then all else is empty.
  bool is_read = false;
  bool has_entry_point = false;
  // Whether the values of specialization constants may decide something of it.
  bool is_specialized = false;
  std::array<uint32_t, 3> local_size = {1, 1, 1};
  TessellationModes tessellation;
  StageUses uses;
  // Of the module.
  std::vector<SpecializationConstant> constants;
  std::vector<StageFinding> findings;
  std::vector<FlagFinding> flag_findings;
};

// Rules that pipelines and shader objects have an id each for.
enum class StageOwner : uint8_t { kPipeline, kShaderObject };

// `module` may be invalid in any way. Linear in the size of the module.
StageFacts ReadStageFacts(const dispatch::Device& device, const spirv_instrument::Module& module, std::string_view name,
                          VkShaderStageFlagBits stage, StageOwner owner,
                          absl::Span<const spirv_instrument::Specialization> specialization);

// ReadStageFacts() for an EntryPointCache.
struct StageFactsReader {
  StageFacts operator()(const spirv_instrument::Module* module, std::string_view name,
                        absl::Span<const spirv_instrument::Specialization> constants) const {
    return module != nullptr ? ReadStageFacts(device, *module, name, stage, owner, constants) : StageFacts();
  }

  const dispatch::Device& device;
  VkShaderStageFlagBits stage;
  StageOwner owner;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SHADER_STAGES_STAGE_FACTS_H_
