// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_PIPELINES_PIPELINE_RULE_H_
#define ASSAY_CORE_PIPELINES_PIPELINE_RULE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/pipelines/graphics_view.h"
#include "core/set_layouts/handle_map.h"
#include "messages/messages.h"
#include "vk/commands.h"
#include "vk/enum_to_string.h"
#include "vk/vuid.h"

// Private to the package: rules of a graphics pipeline's create info as rows of tables.
namespace assay::core {

class VertexFormats;

// What a rule says about a wrong create info.
struct Finding {
  // Continues the location (messages::Report::Error).
  std::string text;
  std::string fix;
  // Of the element that PipelineRule::where leads through.
  uint32_t index = 0;
};
// Nothing if the rule holds.
using Result = std::optional<Finding>;
inline constexpr std::nullopt_t kFine = std::nullopt;

inline Result Wrong(std::string text, std::string fix = {}, uint32_t index = 0) {
  return Finding{std::move(text), std::move(fix), index};
}

// "(4) is not ...", "(VK_FORMAT_...) is not ...".
template <class T>
std::string Value(const T& value, std::string_view text) {
  if constexpr (std::is_enum_v<T>) {
    return absl::StrCat("(", vk::ToString(value), ") ", text);
  } else {
    return absl::StrCat("(", value, ") ", text);
  }
}

// "needs the feature x, which is not enabled."
inline std::string NeedsFeature(vk::FeatureId feature) {
  return absl::StrCat("needs the feature ", vk::FeatureName(feature), ", which is not enabled.");
}

struct PipelineRule {
  vk::VuidIndex id;
  // From the create info: "pColorBlendState.pAttachments[].blendEnable", "pNext<VkPipelineRenderingCreateInfo>".
  // Empty for the create info as a whole.
  std::string_view where;
  Result (*check)(const GraphicsView& view);
  // Only pipelines with one of these stages break the rule; 0 for any pipeline.
  VkShaderStageFlags stages = 0;
  // The same for shaders: bits of ShaderTrait, of which one needs one.
  uint32_t traits = 0;
};

// Whether pMultisampleState is NULL, and not all of it is dynamic.
bool LacksMultisample(const GraphicsView& view);

// Tables, by what the rules are about.
absl::Span<const PipelineRule> StageRules();
absl::Span<const PipelineRule> VertexInputRules();
absl::Span<const PipelineRule> ViewportRules();
absl::Span<const PipelineRule> RasterizationRules();
absl::Span<const PipelineRule> MultisampleRules();
absl::Span<const PipelineRule> DepthStencilRules();
absl::Span<const PipelineRule> BlendRules();
absl::Span<const PipelineRule> DynamicStateRules();
absl::Span<const PipelineRule> ShadingRateRules();
absl::Span<const PipelineRule> TargetRules();
absl::Span<const PipelineRule> PartRules();
absl::Span<const PipelineRule> LibraryRules();
absl::Span<const PipelineRule> ExternalFormatRules();
absl::Span<const PipelineRule> LocalReadRules();
// Of the code of shaders: with external formats, of those before rasterization, and of the fragment shader.
absl::Span<const PipelineRule> ExternalFormatShaderRules();
absl::Span<const PipelineRule> ShaderRules();
absl::Span<const PipelineRule> FragmentShaderRules();
absl::Span<const PipelineRule> FlagRules();
// Of pointers that are no addresses.
absl::Span<const PipelineRule> PointerRules();

// Reports the rules of a table that do not hold. `where` is the create info. Returns whether all hold.
bool Check(absl::Span<const PipelineRule> rules, const GraphicsView& view, const messages::Location& where,
           messages::Report& report);

// Reports one finding, where `path` leads to.
void ReportFinding(vk::VuidIndex id, std::string_view path, Finding finding, const GraphicsView& view,
                   const messages::Location& where, messages::Report& report);

// Report what locations of color attachments, and input attachments that read them, have wrong without a look at the
// features. `where` is the structure.
void CheckLocations(const VkRenderingAttachmentLocationInfo& info, const dispatch::Device& device,
                    const messages::Location& where, messages::Report& report);
void CheckInputIndices(const VkRenderingInputAttachmentIndexInfo& info, const dispatch::Device& device,
                       const messages::Location& where, messages::Report& report);

// The same of the samples of coarse fragments, of one order and of all that a pipeline has.
void CheckSampleOrder(const VkCoarseSampleOrderCustomNV& order, const dispatch::Device& device,
                      const messages::Location& where, messages::Report& report);
void CheckSampleOrders(const GraphicsView& view, const messages::Location& where, messages::Report& report);

// Reports what vertex input that a command sets has wrong.
void CheckVertexInput(const vk::CmdSetVertexInputEXT& call, const dispatch::Device& device,
                      const VertexFormats& formats, messages::Report& report);

// Reports the rules of create infos in one call.
void CheckCall(const vk::CreateGraphicsPipelines& call, const dispatch::Device& device, messages::Report& report);

// Reports what is wrong with shader groups. `group_counts` has the pipelines that were created with some. `cache` is
// null if the code of shaders is not to be looked at.
void CheckShaderGroups(const GraphicsView& view, const HandleMap<uint32_t>& group_counts, const ShaderFactsCache* cache,
                       const messages::Location& where, messages::Report& report);

// Reports what linked parts do not have in common.
void CheckLinks(const GraphicsView& view, const messages::Location& where, messages::Report& report);

}  // namespace assay::core

#endif  // ASSAY_CORE_PIPELINES_PIPELINE_RULE_H_
