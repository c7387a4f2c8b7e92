// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules about lists whose elements must be consistent, and about strides of data that commands read.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "stateless/manual/manual_rules.h"
#include "vk/commands.h"
#include "vk/enum_info.h"

namespace assay::stateless {
namespace {

using vk::Vuid;
using vk::VuidIndex;

// Calls visit(later, earlier) for each element that has the key of an earlier one. Lists are short.
template <class T, class Key, class Visit>
void ForEachRepeated(std::span<const T> list, Key&& key, Visit&& visit) {
  for (uint32_t later = 1; later < list.size(); ++later) {
    for (uint32_t earlier = 0; earlier < later; ++earlier) {
      if (key(list[later]) != key(list[earlier])) continue;
      visit(later, earlier);
      break;
    }
  }
}

// Of a pipeline's state, and of the command that sets it.
struct InputIds {
  VuidIndex same_binding;
  VuidIndex same_location;
  VuidIndex no_binding;
};
constexpr InputIds kPipelineInput = {
    Vuid("VUID-VkPipelineVertexInputStateCreateInfo-pVertexBindingDescriptions-00616"),
    Vuid("VUID-VkPipelineVertexInputStateCreateInfo-pVertexAttributeDescriptions-00617"),
    Vuid("VUID-VkPipelineVertexInputStateCreateInfo-binding-00615")};
constexpr InputIds kDynamicInput = {Vuid("VUID-vkCmdSetVertexInputEXT-pVertexBindingDescriptions-04794"),
                                    Vuid("VUID-vkCmdSetVertexInputEXT-pVertexAttributeDescriptions-04795"),
                                    Vuid("VUID-vkCmdSetVertexInputEXT-binding-04793")};

template <class T, const InputIds& kIds>
void CheckVertexInput(const T& state, const RuleContext& context) {
  const auto bindings = Elements(state.pVertexBindingDescriptions, state.vertexBindingDescriptionCount);
  const auto attributes = Elements(state.pVertexAttributeDescriptions, state.vertexAttributeDescriptionCount);
  ForEachRepeated(
      bindings, [](const auto& binding) { return binding.binding; },
      [&](uint32_t later, uint32_t earlier) {
        context.Report(
            kIds.same_binding, {{"pVertexBindingDescriptions", later}, {"binding"}},
            absl::StrCat("(", bindings[later].binding, ") is that of pVertexBindingDescriptions[", earlier, "]."),
            "Describe each binding once.");
      });
  ForEachRepeated(
      attributes, [](const auto& attribute) { return attribute.location; },
      [&](uint32_t later, uint32_t earlier) {
        context.Report(
            kIds.same_location, {{"pVertexAttributeDescriptions", later}, {"location"}},
            absl::StrCat("(", attributes[later].location, ") is that of pVertexAttributeDescriptions[", earlier, "]."),
            "Give each attribute a location of its own.");
      });
  for (uint32_t i = 0; i < attributes.size(); ++i) {
    const uint32_t number = attributes[i].binding;
    if (std::ranges::any_of(bindings, [&](const auto& binding) { return binding.binding == number; })) continue;
    context.Report(kIds.no_binding, {{"pVertexAttributeDescriptions", i}, {"binding"}},
                   absl::StrCat("(", number, ") is of none of pVertexBindingDescriptions (",
                                state.vertexBindingDescriptionCount, ")."),
                   "Describe the binding, or use one that is described.");
  }
}

void CheckDynamicState(const VkPipelineDynamicStateCreateInfo& state, const RuleContext& context) {
  const auto states = Elements(state.pDynamicStates, state.dynamicStateCount);
  ForEachRepeated(
      states, [](VkDynamicState each) { return each; },
      [&](uint32_t later, uint32_t earlier) {
        context.Report(Vuid("VUID-VkPipelineDynamicStateCreateInfo-pDynamicStates-01442"), {{"pDynamicStates", later}},
                       absl::StrCat("(", vk::ToString(states[later]), ") is also pDynamicStates[", earlier, "]."),
                       "Name each state once.");
      });
}

void CheckSpecialization(const VkSpecializationInfo& info, const RuleContext& context) {
  const auto entries = Elements(info.pMapEntries, info.mapEntryCount);
  ForEachRepeated(
      entries, [](const auto& entry) { return entry.constantID; },
      [&](uint32_t later, uint32_t earlier) {
        context.Report(Vuid("VUID-VkSpecializationInfo-constantID-04911"), {{"pMapEntries", later}, {"constantID"}},
                       absl::StrCat("(", entries[later].constantID, ") is that of pMapEntries[", earlier, "]."),
                       "Specialize each constant once.");
      });
  for (uint32_t i = 0; i < entries.size(); ++i) {
    const size_t offset = entries[i].offset;
    if (offset >= info.dataSize) {
      context.Report(Vuid("VUID-VkSpecializationInfo-offset-00773"), {{"pMapEntries", i}, {"offset"}},
                     absl::StrCat("(", offset, ") is not less than dataSize (", info.dataSize, ")."),
                     "Use an offset in the data.");
    } else if (entries[i].size > info.dataSize - offset) {
      context.Report(Vuid("VUID-VkSpecializationInfo-pMapEntries-00774"), {{"pMapEntries", i}, {"size"}},
                     absl::StrCat("(", entries[i].size, ") is greater than what is left of the data (",
                                  info.dataSize - offset, " bytes from offset ", offset, ")."),
                     absl::StrCat("Use at most ", info.dataSize - offset, "."));
    }
  }
}

void CheckPushConstantRanges(const VkPipelineLayoutCreateInfo& create, const RuleContext& context) {
  const auto ranges = Elements(create.pPushConstantRanges, create.pushConstantRangeCount);
  for (uint32_t later = 1; later < ranges.size(); ++later) {
    for (uint32_t earlier = 0; earlier < later; ++earlier) {
      const VkShaderStageFlags shared = ranges[later].stageFlags & ranges[earlier].stageFlags;
      if (shared == 0) continue;
      context.Report(Vuid("VUID-VkPipelineLayoutCreateInfo-pPushConstantRanges-00292"),
                     {{"pPushConstantRanges", later}, {"stageFlags"}},
                     absl::StrCat("includes ", vk::FlagsToString(vk::EnumId::kShaderStageFlagBits, shared),
                                  ", as pPushConstantRanges[", earlier, "] does."),
                     "Have one range for each stage.");
      break;
    }
  }
}

// Indirect commands that are read one after the other.
void CheckStride(const RuleContext& context, VuidIndex vuid, uint32_t stride, size_t least) {
  if (stride % 4 == 0 && stride >= least) return;
  context.Report(vuid, {{"stride"}},
                 stride % 4 != 0 ? absl::StrCat("(", stride, ") is not a multiple of 4.")
                                 : absl::StrCat("(", stride, ") is less than the size of a command (", least, ")."),
                 absl::StrCat("Use a multiple of 4 that is at least ", least, "."));
}

// Structures that the host passes, one after the other.
void CheckDraws(const RuleContext& context, VuidIndex vuid, std::string_view member, uint32_t count,
                const void* draws) {
  if (count == 0 || vk::IsAddress(draws)) return;
  context.Report(vuid, {{member}}, absl::StrCat("is no valid pointer, while drawCount is ", count, "."),
                 "Point to the draws.");
}
void CheckDrawMulti(const vk::CmdDrawMultiEXT& call, const RuleContext& context) {
  CheckDraws(context, Vuid("VUID-vkCmdDrawMultiEXT-drawCount-04935"), "pVertexInfo", call.drawCount, call.pVertexInfo);
  if (call.drawCount > 1)
    CheckStride(context, Vuid("VUID-vkCmdDrawMultiEXT-drawCount-09628"), call.stride, sizeof(VkMultiDrawInfoEXT));
}
void CheckDrawMultiIndexed(const vk::CmdDrawMultiIndexedEXT& call, const RuleContext& context) {
  CheckDraws(context, Vuid("VUID-vkCmdDrawMultiIndexedEXT-drawCount-04940"), "pIndexInfo", call.drawCount,
             call.pIndexInfo);
  if (call.drawCount > 1) {
    CheckStride(context, Vuid("VUID-vkCmdDrawMultiIndexedEXT-drawCount-09629"), call.stride,
                sizeof(VkMultiDrawIndexedInfoEXT));
  }
}
void CheckDrawMeshTasksIndirectNv(const vk::CmdDrawMeshTasksIndirectNV& call, const RuleContext& context) {
  if (call.drawCount > 1) {
    CheckStride(context, Vuid("VUID-vkCmdDrawMeshTasksIndirectNV-drawCount-02146"), call.stride,
                sizeof(VkDrawMeshTasksIndirectCommandNV));
  }
}
void CheckDrawMeshTasksIndirectCountNv(const vk::CmdDrawMeshTasksIndirectCountNV& call, const RuleContext& context) {
  CheckStride(context, Vuid("VUID-vkCmdDrawMeshTasksIndirectCountNV-stride-02182"), call.stride,
              sizeof(VkDrawMeshTasksIndirectCommandNV));
}
void CheckDrawIndirect(const vk::CmdDrawIndirect& call, const RuleContext& context) {
  if (call.drawCount > 1)
    CheckStride(context, Vuid("VUID-vkCmdDrawIndirect-drawCount-00476"), call.stride, sizeof(VkDrawIndirectCommand));
}
void CheckDrawIndexedIndirect(const vk::CmdDrawIndexedIndirect& call, const RuleContext& context) {
  if (call.drawCount > 1) {
    CheckStride(context, Vuid("VUID-vkCmdDrawIndexedIndirect-drawCount-00528"), call.stride,
                sizeof(VkDrawIndexedIndirectCommand));
  }
}
void CheckDrawIndirectCount(const vk::CmdDrawIndirectCount& call, const RuleContext& context) {
  CheckStride(context, Vuid("VUID-vkCmdDrawIndirectCount-stride-03110"), call.stride, sizeof(VkDrawIndirectCommand));
}
void CheckDrawIndexedIndirectCount(const vk::CmdDrawIndexedIndirectCount& call, const RuleContext& context) {
  CheckStride(context, Vuid("VUID-vkCmdDrawIndexedIndirectCount-stride-03142"), call.stride,
              sizeof(VkDrawIndexedIndirectCommand));
}
void CheckDrawMeshTasksIndirect(const vk::CmdDrawMeshTasksIndirectEXT& call, const RuleContext& context) {
  if (call.drawCount > 1) {
    CheckStride(context, Vuid("VUID-vkCmdDrawMeshTasksIndirectEXT-drawCount-07088"), call.stride,
                sizeof(VkDrawMeshTasksIndirectCommandEXT));
  }
}
void CheckDrawMeshTasksIndirectCount(const vk::CmdDrawMeshTasksIndirectCountEXT& call, const RuleContext& context) {
  CheckStride(context, Vuid("VUID-vkCmdDrawMeshTasksIndirectCountEXT-stride-07096"), call.stride,
              sizeof(VkDrawMeshTasksIndirectCommandEXT));
}

void CheckQueryCopy(const vk::CmdCopyQueryPoolResults& call, const RuleContext& context) {
  const bool is_64 = (call.flags & VK_QUERY_RESULT_64_BIT) != 0;
  const VkDeviceSize unit = is_64 ? 8 : 4;
  const bool is_offset = call.dstOffset % unit != 0;
  if (!is_offset && call.stride % unit == 0) return;
  context.Report(
      is_64 ? Vuid("VUID-vkCmdCopyQueryPoolResults-flags-00823") : Vuid("VUID-vkCmdCopyQueryPoolResults-flags-00822"),
      {{is_offset ? "dstOffset" : "stride"}},
      absl::StrCat("(", is_offset ? call.dstOffset : call.stride, ") is not a multiple of the size of a result (", unit,
                   ")."),
      absl::StrCat("Use a multiple of ", unit, "."));
}

constexpr ManualRules kRules[] = {
    Manual<VkPipelineVertexInputStateCreateInfo,
           CheckVertexInput<VkPipelineVertexInputStateCreateInfo, kPipelineInput>>(
        "VkPipelineVertexInputStateCreateInfo"),
    Manual<vk::CmdSetVertexInputEXT, CheckVertexInput<vk::CmdSetVertexInputEXT, kDynamicInput>>(
        "vkCmdSetVertexInputEXT"),
    Manual<vk::CmdDrawMultiEXT, CheckDrawMulti>("vkCmdDrawMultiEXT"),
    Manual<vk::CmdDrawMultiIndexedEXT, CheckDrawMultiIndexed>("vkCmdDrawMultiIndexedEXT"),
    Manual<vk::CmdDrawMeshTasksIndirectNV, CheckDrawMeshTasksIndirectNv>("vkCmdDrawMeshTasksIndirectNV"),
    Manual<vk::CmdDrawMeshTasksIndirectCountNV, CheckDrawMeshTasksIndirectCountNv>("vkCmdDrawMeshTasksIndirectCountNV"),
    Manual<VkPipelineDynamicStateCreateInfo, CheckDynamicState>("VkPipelineDynamicStateCreateInfo"),
    Manual<VkSpecializationInfo, CheckSpecialization>("VkSpecializationInfo"),
    Manual<VkPipelineLayoutCreateInfo, CheckPushConstantRanges>("VkPipelineLayoutCreateInfo"),
    Manual<vk::CmdDrawIndirect, CheckDrawIndirect>("vkCmdDrawIndirect"),
    Manual<vk::CmdDrawIndexedIndirect, CheckDrawIndexedIndirect>("vkCmdDrawIndexedIndirect"),
    Manual<vk::CmdDrawIndirectCount, CheckDrawIndirectCount>("vkCmdDrawIndirectCount"),
    Manual<vk::CmdDrawIndexedIndirectCount, CheckDrawIndexedIndirectCount>("vkCmdDrawIndexedIndirectCount"),
    Manual<vk::CmdDrawMeshTasksIndirectEXT, CheckDrawMeshTasksIndirect>("vkCmdDrawMeshTasksIndirectEXT"),
    Manual<vk::CmdDrawMeshTasksIndirectCountEXT, CheckDrawMeshTasksIndirectCount>("vkCmdDrawMeshTasksIndirectCountEXT"),
    Manual<vk::CmdCopyQueryPoolResults, CheckQueryCopy>("vkCmdCopyQueryPoolResults"),
};

}  // namespace

std::span<const ManualRules> ManualInputRules() { return kRules; }

}  // namespace assay::stateless
