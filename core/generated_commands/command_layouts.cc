// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts of generated commands, and their tokens.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/generated_commands/generated_ids.h"
#include "core/generated_commands/generated_rules.h"
#include "core/resources/creation_check.h"
#include "vk/chain.h"
#include "vk/dynamic_state_rules.h"
#include "vk/feature_info.h"

namespace assay::core {
namespace {

using vk::FeatureId;

bool Overlap(const VkPushConstantRange& a, const VkPushConstantRange& b) {
  return (a.stageFlags & b.stageFlags) != 0 && a.offset < uint64_t{b.offset} + b.size &&
         b.offset < uint64_t{a.offset} + a.size;
}

struct LayoutFacts {
  static constexpr std::string_view kOwner = "VkIndirectCommandsLayoutCreateInfoEXT";
  using Limits = VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT;

  const dispatch::Device& device;
  const VkIndirectCommandsLayoutCreateInfoEXT& info;
  const TokenKinds tokens = TokenKinds(info);
  const Limits* const limits = device.physical_device->Find<Limits>();
  const VkPipelineLayoutCreateInfo* const chained = vk::FindInChain<VkPipelineLayoutCreateInfo>(info.pNext);
  const VkShaderStageFlags stages = info.shaderStages;
  const bool draws = (stages & vk::kAnyGraphicsStage) != 0;
  const bool dispatches = stages == VK_SHADER_STAGE_COMPUTE_BIT;
  const bool traces = (stages & kRayStages) != 0;

  // Whether a limit that is known does not have all of them.
  bool Lacks(VkShaderStageFlags Limits::* limit, VkShaderStageFlags of) const {
    return limits != nullptr && limits->*limit != 0 && (of & ~(limits->*limit)) != 0;
  }
  // Whether is_wrong(data, token's kind) for data of a token of these kinds.
  template <class T, class F>
  bool AnyData(uint32_t kinds, const T* VkIndirectCommandsTokenDataEXT::* data, F&& is_wrong) const {
    return std::ranges::any_of(state::Items(info.pTokens, info.tokenCount), [&](const auto& token) {
      return (KindOf(token) & kinds) != 0 && token.data.*data != nullptr && is_wrong(*(token.data.*data));
    });
  }
  bool HasOverlaps() const {
    const std::vector<VkPushConstantRange> ranges = RangesOf(info, kPushes);
    for (size_t i = 0; i < ranges.size(); ++i) {
      const auto overlaps = [&](const auto& other) { return Overlap(ranges[i], other); };
      if (std::ranges::any_of(std::span(ranges).first(i), overlaps)) return true;
    }
    return false;
  }
  bool BindsTwice() const {
    std::vector<uint32_t> units;
    return AnyData(kVertexBuffer, &VkIndirectCommandsTokenDataEXT::pVertexBuffer, [&](const auto& token) {
      const bool is_there = std::ranges::count(units, token.vertexBindingUnit) != 0;
      units.push_back(token.vertexBindingUnit);
      return is_there;
    });
  }
  bool PushesOutside() const {
    const std::vector<VkPushConstantRange> ranges = RangesOf(info, kPushes);
    const auto* const layout = state::DeviceState::Get<state::PipelineLayout>(info.pipelineLayout);
    if (layout != nullptr) return AreOutside(ranges, layout->push_constants);
    return info.pipelineLayout == VK_NULL_HANDLE && chained != nullptr &&
           AreOutside(ranges, state::Items(chained->pPushConstantRanges, chained->pushConstantRangeCount));
  }
  bool GoesBack() const {
    const auto all = state::Items(info.pTokens, info.tokenCount);
    return !std::ranges::is_sorted(all, {}, &VkIndirectCommandsLayoutTokenEXT::offset);
  }
  bool HasMeshFeatures() const {
    const FeatureId features[] = {FeatureId::kMeshShader, FeatureId::kMeshShaderNV, FeatureId::kTaskShader,
                                  FeatureId::kTaskShaderNV};
    return std::ranges::any_of(features, [&](FeatureId feature) { return device.HasFeature(feature); });
  }
  bool MixesStages() const {
    return std::ranges::none_of(
        std::initializer_list<VkShaderStageFlags>{vk::kAnyGraphicsStage, VK_SHADER_STAGE_COMPUTE_BIT, kRayStages},
        [&](VkShaderStageFlags allowed) { return (stages & ~allowed) == 0; });
  }
};
using L = const LayoutFacts&;

constexpr uint32_t kForDraws = kIndexBuffer | kVertexBuffer | kDraws;
constexpr char kTokens[] = "pTokens";
constexpr char kStages[] = "shaderStages";
constexpr char kLayout[] = "pipelineLayout";
constexpr char kItself[] = "itself";
using Data = VkIndirectCommandsTokenDataEXT;
// Where a token and the stages do not go together, several sentences say so. Each is reported for one pair.
constexpr CreationRule<LayoutFacts> kLayoutRules[] = {
    {"pTokens-11093", kTokens, "two tokens for execution sets", [](L l) { return l.tokens.Count(kSet) > 1; }},
    {"pTokens-11145", kTokens, "two sequence indices", [](L l) { return l.tokens.Count(kSequenceIndex) > 1; }},
    {"pTokens-11094", kTokens, "two index buffers", [](L l) { return l.tokens.Count(kIndexBuffer) > 1; }},
    {"pTokens-11139", kTokens, "an execution set that is not the first token",
     [](L l) { return l.tokens.Has(kSet) && !l.tokens.StartsWith(kSet); }},
    {"pTokens-11100", kTokens, "an action that is not the last token",
     [](L l) { return l.tokens.Count(kActions) > 1 || !l.tokens.EndsWith(kActions | kOtherToken); }},
    {"shaderStages-11112", kStages, kItself, [](L l) { return l.MixesStages(); }},
    {"shaderStages-11091", kStages,
     "VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT.supportedIndirectCommandsShaderStages",
     [](L l) { return l.Lacks(&LayoutFacts::Limits::supportedIndirectCommandsShaderStages, l.stages); }},
    {"pTokens-11104", kStages, kTokens, [](L l) { return l.dispatches && l.tokens.Has(kForDraws); }},
    {"shaderStages-11110", kStages, kTokens, [](L l) { return l.dispatches && l.tokens.Has(kTrace); }},
    {"shaderStages-11109", kStages, kTokens, [](L l) { return l.draws && l.tokens.Has(kDispatch); }},
    {"pTokens-11108", kStages, kTokens, [](L l) { return l.draws && l.tokens.Has(kTrace); }},
    {"pTokens-11105", kStages, kTokens, [](L l) { return l.traces && l.tokens.Has(kDispatch); }},
    {"shaderStages-11111", kStages, kTokens, [](L l) { return l.traces && l.tokens.Has(kForDraws); }},
    {"pTokens-11106", kStages, kTokens,
     [](L l) { return (l.stages & VK_SHADER_STAGE_MESH_BIT_EXT) == 0 && l.tokens.Has(kMeshDraw); }},
    {"pTokens-11107", kStages, kTokens,
     [](L l) { return (l.stages & VK_SHADER_STAGE_MESH_BIT_NV) == 0 && l.tokens.Has(kMeshDrawNv); }},
    {"pTokens-11095", kTokens, "an index buffer",
     [](L l) { return l.draws && l.tokens.Has(kIndexBuffer) && !l.tokens.Has(kIndexedDraw | kOtherToken); }},
    {"pTokens-11096", kTokens, "a vertex buffer",
     [](L l) { return l.draws && l.tokens.Has(kVertexBuffer) && l.tokens.Has(kMeshDraws); }},
    {"pTokens-11097", kTokens, "two equal vertexBindingUnit", [](L l) { return l.BindsTwice(); }},
    {"VkIndirectCommandsPushConstantTokenEXT-size-11133", kTokens, "a sequence index of another size than 4",
     [](L l) {
       return l.AnyData(kSequenceIndex, &Data::pPushConstant, [](const auto& t) { return t.updateRange.size != 4; });
     }},
    {"pTokens-11099", kTokens, "ranges of push constants that overlap", [](L l) { return l.HasOverlaps(); }},
    {"pTokens-11103", kTokens, "offsets that do not ascend", [](L l) { return l.GoesBack(); }},
    {"VkIndirectCommandsLayoutTokenEXT-meshShader-11126", kTokens, "no feature meshShader or taskShader",
     [](L l) { return l.tokens.Has(kMeshDraws) && !l.HasMeshFeatures(); }},
    {"VkIndirectCommandsIndexBufferTokenEXT-mode-11136", kTokens,
     "VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT.supportedIndirectCommandsInputModes",
     [](L l) {
       return l.AnyData(kIndexBuffer, &Data::pIndexBuffer, [&](const auto& t) {
         return l.Lacks(&LayoutFacts::Limits::supportedIndirectCommandsInputModes, t.mode);
       });
     }},
    {"VkIndirectCommandsExecutionSetTokenEXT-shaderStages-11137", kTokens, "shader stages that execution sets can have",
     [](L l) {
       if (l.limits == nullptr) return false;
       const VkShaderStageFlags both = l.limits->supportedIndirectCommandsShaderStagesPipelineBinding |
                                       l.limits->supportedIndirectCommandsShaderStagesShaderBinding;
       return both != 0 &&
              l.AnyData(kSet, &Data::pExecutionSet, [=](const auto& t) { return (t.shaderStages & ~both) != 0; });
     }},
    {"pTokens-11101", kLayout, "pTokens and no feature dynamicGeneratedPipelineLayout",
     [](L l) {
       return l.info.pipelineLayout == VK_NULL_HANDLE && l.tokens.Has(kPushes) &&
              !l.device.HasFeature(FeatureId::kDynamicGeneratedPipelineLayout);
     }},
    {"pTokens-11102", kLayout, "pTokens and pNext",
     [](L l) { return l.info.pipelineLayout == VK_NULL_HANDLE && l.tokens.Has(kPushes) && l.chained == nullptr; }},
    {"VkIndirectCommandsPushConstantTokenEXT-updateRange-11132", kTokens, "the push constants of the pipeline layout",
     [](L l) { return l.PushesOutside(); }},
};

struct NvLayoutFacts {
  static constexpr std::string_view kOwner = "VkIndirectCommandsLayoutCreateInfoNV";
  using Token = VkIndirectCommandsLayoutTokenNV;
  using Limits = VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV;

  const dispatch::Device& device;
  const VkIndirectCommandsLayoutCreateInfoNV& info;
  const TokenKinds tokens = TokenKinds(info);
  const Limits* const limits = device.physical_device->Find<Limits>();
  const bool is_compute = info.pipelineBindPoint == VK_PIPELINE_BIND_POINT_COMPUTE;

  bool IsNotFirst(uint32_t kind) const {
    return tokens.Count(kind) > 1 || (tokens.Has(kind) && !tokens.StartsWith(kind));
  }
  template <class F>
  bool Any(uint32_t kinds, F&& is_wrong) const {
    return std::ranges::any_of(state::Items(info.pTokens, info.tokenCount),
                               [&](const Token& token) { return (KindOf(token) & kinds) != 0 && is_wrong(token); });
  }
  bool HasWrongStride() const {
    const auto strides = state::Items(info.pStreamStrides, info.streamCount);
    const uint32_t most = limits != nullptr ? limits->maxIndirectCommandsStreamStride : 0;
    return std::ranges::any_of(strides, [&](uint32_t stride) { return stride == 0 || (most != 0 && stride > most); });
  }
  // Addresses have 8 bytes, all else that tokens read has words of 4.
  bool IsMisaligned(const Token& token) const {
    const uint32_t own = (KindOf(token) & (kIndexBuffer | kVertexBuffer | kPipeline)) != 0 ? 8 : 4;
    const uint32_t least = limits != nullptr ? limits->minIndirectCommandsBufferOffsetAlignment : 0;
    return least != 0 && token.offset % std::min(own, least) != 0;
  }
  // Whether the push constant ranges of the layout have a byte that is_wrong(its stages).
  template <class F>
  static bool AnyPushed(const Token& token, F&& is_wrong) {
    const auto* const layout = state::DeviceState::Get<state::PipelineLayout>(token.pushconstantPipelineLayout);
    if (layout == nullptr) return false;
    // Behind all ranges, all bytes are alike.
    uint64_t last = token.pushconstantOffset;
    for (const VkPushConstantRange& range : layout->push_constants)
      last = std::max(last, uint64_t{range.offset} + range.size);
    const uint64_t end = std::min(last + 4, uint64_t{token.pushconstantOffset} + token.pushconstantSize);
    // Ranges begin and end at multiples of 4.
    for (uint64_t byte = token.pushconstantOffset; byte < end; byte += 4) {
      VkShaderStageFlags stages = 0;
      for (const VkPushConstantRange& range : layout->push_constants) {
        if (byte >= range.offset && byte - range.offset < range.size) stages |= range.stageFlags;
      }
      if (is_wrong(stages)) return true;
    }
    return false;
  }
};
using N = const NvLayoutFacts&;
using NvToken = const NvLayoutFacts::Token&;

constexpr CreationRule<NvLayoutFacts> kNvLayoutRules[] = {
    {"pTokens-02932", kTokens, "a shader group that is not the first token alone",
     [](N n) { return n.IsNotFirst(kShaderGroup); }},
    {"pTokens-09585", kTokens, "a pipeline that is not the first token alone",
     [](N n) { return n.IsNotFirst(kPipeline); }},
    {"pTokens-02933", kTokens, "two tokens for state flags", [](N n) { return n.tokens.Count(kStateFlags) > 1; }},
    {"pTokens-02934", kTokens, "an action that is not the last token",
     [](N n) { return n.tokens.Count(kActions) == 1 && !n.tokens.EndsWith(kActions); }},
    {"pipelineBindPoint-09089", kTokens, "pipelineBindPoint",
     [](N n) { return n.is_compute && n.tokens.HasOther(kPipeline | kPush | kActions); }},
    {"pTokens-02935", kTokens, "pipelineBindPoint",
     [](N n) {
       if (n.tokens.Has(kOtherToken)) return false;
       return n.tokens.Count(kActions) != 1 || !n.tokens.Has(n.is_compute ? uint32_t{kDispatch} : kDraws);
     }},
    {"pipelineBindPoint-09090", "pipelineBindPoint", "pTokens and no feature deviceGeneratedComputePipelines",
     [](N n) {
       return n.is_compute && n.tokens.Has(kPipeline) &&
              !n.device.HasFeature(FeatureId::kDeviceGeneratedComputePipelines);
     }},
    {"pStreamStrides-02937", "pStreamStrides",
     "VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV.maxIndirectCommandsStreamStride",
     [](N n) { return n.HasWrongStride(); }},
    {"VkIndirectCommandsLayoutTokenNV-stream-02951", kTokens, "streamCount",
     [](N n) { return n.Any(~0u, [&](NvToken t) { return t.stream >= n.info.streamCount; }); }},
    {"VkIndirectCommandsLayoutTokenNV-offset-06888", kTokens,
     "VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV.minIndirectCommandsBufferOffsetAlignment",
     [](N n) { return n.Any(~0u, [&](NvToken t) { return n.IsMisaligned(t); }); }},
    {"VkIndirectCommandsLayoutTokenNV-tokenType-02976", kTokens, "VkPhysicalDeviceLimits.maxVertexInputBindings",
     [](N n) {
       const uint32_t most = n.device.physical_device->limits.maxVertexInputBindings;
       return most != 0 && n.Any(kVertexBuffer, [&](NvToken t) { return t.vertexBindingUnit >= most; });
     }},
    {"VkIndirectCommandsLayoutTokenNV-tokenType-02977", kTokens, "a pushconstantPipelineLayout of VK_NULL_HANDLE",
     [](N n) { return n.Any(kPush, [](NvToken t) { return t.pushconstantPipelineLayout == VK_NULL_HANDLE; }); }},
    {"VkIndirectCommandsLayoutTokenNV-tokenType-02982", kTokens, "the push constants of pushconstantPipelineLayout",
     [](N n) {
       return n.Any(kPush, [](NvToken t) {
         return NvLayoutFacts::AnyPushed(t,
                                         [&](auto stages) { return (t.pushconstantShaderStageFlags & ~stages) != 0; });
       });
     }},
    {"VkIndirectCommandsLayoutTokenNV-tokenType-02983", kTokens, "the push constants of pushconstantPipelineLayout",
     [](N n) {
       return n.Any(kPush, [](NvToken t) {
         return NvLayoutFacts::AnyPushed(t,
                                         [&](auto stages) { return (stages & ~t.pushconstantShaderStageFlags) != 0; });
       });
     }},
};

state::Ref<state::PipelineLayout> LayoutOf(VkPipelineLayout handle) {
  return state::Ref<state::PipelineLayout>(state::DeviceState::Get<state::PipelineLayout>(handle));
}

}  // namespace

void AddLayoutIds(std::vector<vk::VuidIndex>& ids) {
  AddIds(kLayoutRules, ids);
  AddIds(kNvLayoutRules, ids);
}

void GeneratedCommandRules::PreCallValidate(const vk::CreateIndirectCommandsLayoutEXT& call,
                                            messages::Report& report) const {
  if (call.pCreateInfo == nullptr || call.pCreateInfo->tokenCount == 0) return;
  CheckRows(device_, messages::Object(call.device), report.location().Dot("pCreateInfo"), report, kLayoutRules,
            LayoutFacts{device_, *call.pCreateInfo});
}

void GeneratedCommandRules::PreCallValidate(const vk::CreateIndirectCommandsLayoutNV& call,
                                            messages::Report& report) const {
  if (call.pCreateInfo == nullptr || call.pCreateInfo->tokenCount == 0) return;
  CheckRows(device_, messages::Object(call.device), report.location().Dot("pCreateInfo"), report, kNvLayoutRules,
            NvLayoutFacts{device_, *call.pCreateInfo});
}

void GeneratedCommandRules::PostCallRecord(const vk::CreateIndirectCommandsLayoutEXT& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  const VkIndirectCommandsLayoutCreateInfoEXT& info = *call.pCreateInfo;
  LayoutNote note = {
      .kinds = TokenKinds(info).All(),
      .is_preprocessed = (info.flags & VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_EXT) != 0,
      .pushed = RangesOf(info, kPush),
      .indices = RangesOf(info, kSequenceIndex)};
  note.pipeline_layout = LayoutOf(info.pipelineLayout);
  for (const auto& token : state::Items(info.pTokens, info.tokenCount)) {
    note.counts_draws |= CountsDraws(token.type);
    if (KindOf(token) == kSet && token.data.pExecutionSet != nullptr)
      note.set_stages = token.data.pExecutionSet->shaderStages;
  }
  layouts_.Set(*call.pIndirectCommandsLayout, std::move(note));
}

void GeneratedCommandRules::PostCallRecord(const vk::CreateIndirectCommandsLayoutNV& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  const VkIndirectCommandsLayoutCreateInfoNV& info = *call.pCreateInfo;
  LayoutNote note = {
      .kinds = TokenKinds(info).All(),
      .is_preprocessed = (info.flags & VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_NV) != 0,
      .is_indexed = (info.flags & VK_INDIRECT_COMMANDS_LAYOUT_USAGE_INDEXED_SEQUENCES_BIT_NV) != 0,
      .stream_count = info.streamCount};
  for (const auto& token : state::Items(info.pTokens, info.tokenCount)) {
    if (KindOf(token) == kPush) note.pipeline_layout = LayoutOf(token.pushconstantPipelineLayout);
  }
  layouts_.Set(*call.pIndirectCommandsLayout, std::move(note));
}

}  // namespace assay::core
