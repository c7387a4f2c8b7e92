// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of create infos within one vkCreateGraphicsPipelines: base pipelines, and data of pipelines that is captured.

#include <algorithm>

#include "core/pipelines/pipeline_rule.h"
#include "state/pipelines/create_info.h"

namespace assay::core {
namespace {

using messages::Location;
using vk::Vuid;

// One element of pCreateInfos.
struct Element {
  const vk::CreateGraphicsPipelines& call;
  uint32_t index;
  const VkGraphicsPipelineCreateInfo& info;
  VkPipelineCreateFlags2 flags;

  bool is_derivative() const { return (flags & VK_PIPELINE_CREATE_2_DERIVATIVE_BIT) != 0; }
  bool has_index() const { return info.basePipelineIndex != -1; }
  bool has_handle() const { return info.basePipelineHandle != VK_NULL_HANDLE; }
  bool is_index_valid() const {
    return info.basePipelineIndex >= 0 && static_cast<uint32_t>(info.basePipelineIndex) < call.createInfoCount;
  }
};

Result CheckBaseHandle(const Element& e) {
  if (!e.is_derivative() || e.has_index()) return kFine;
  if (!e.has_handle()) return Wrong("is VK_NULL_HANDLE, and basePipelineIndex is -1.");
  const auto* base = state::DeviceState::Get<state::Pipeline>(e.info.basePipelineHandle);
  return base != nullptr && base->bind_point != VK_PIPELINE_BIND_POINT_GRAPHICS ? Wrong("is not a graphics pipeline.")
                                                                                : kFine;
}
Result CheckBaseIndex(const Element& e) {
  const bool is_wrong = e.is_derivative() && e.has_index() && !e.has_handle() && !e.is_index_valid();
  return is_wrong ? Wrong(Value(e.info.basePipelineIndex, absl::StrCat("is no index into pCreateInfos, which has ",
                                                                       e.call.createInfoCount, " elements.")))
                  : kFine;
}
Result CheckOneBase(const Element& e) {
  return e.is_derivative() && e.has_index() && e.has_handle()
             ? Wrong(Value(e.info.basePipelineIndex, "is not -1, but basePipelineHandle is not VK_NULL_HANDLE."))
             : kFine;
}
Result CheckEarlierBase(const Element& e) {
  const bool is_wrong = e.is_derivative() && !e.has_handle() && e.is_index_valid() &&
                        static_cast<uint32_t>(e.info.basePipelineIndex) >= e.index;
  return is_wrong ? Wrong(Value(e.info.basePipelineIndex, "is not less than the element's own index.")) : kFine;
}
// Of a base that is known and allowed.
Result CheckBaseFlags(const Element& e) {
  if (!e.is_derivative() || e.has_index() == e.has_handle()) return kFine;
  VkPipelineCreateFlags2 flags = VK_PIPELINE_CREATE_2_ALLOW_DERIVATIVES_BIT;
  if (e.has_handle()) {
    const auto* base = state::DeviceState::Get<state::Pipeline>(e.info.basePipelineHandle);
    if (base != nullptr && base->bind_point == VK_PIPELINE_BIND_POINT_GRAPHICS) flags = base->flags;
  } else if (e.is_index_valid() && static_cast<uint32_t>(e.info.basePipelineIndex) < e.index) {
    flags = state::PipelineFlags(e.call.pCreateInfos[e.info.basePipelineIndex]);
  }
  return (flags & VK_PIPELINE_CREATE_2_ALLOW_DERIVATIVES_BIT) == 0
             ? Wrong(
                   "has VK_PIPELINE_CREATE_DERIVATIVE_BIT, but the base pipeline was created without "
                   "VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT.")
             : kFine;
}

Result CheckCaptureCache(const Element& e) {
  return (e.flags & VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR) != 0 && e.call.pipelineCache != VK_NULL_HANDLE
             ? Wrong("has VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR, but pipelineCache is not VK_NULL_HANDLE.")
             : kFine;
}

uint32_t BinaryCount(const Element& e) {
  const auto* binaries = vk::FindInChain<VkPipelineBinaryInfoKHR>(e.info.pNext);
  return binaries != nullptr ? binaries->binaryCount : 0;
}
Result CheckBinaryCache(const Element& e) {
  return BinaryCount(e) != 0 && e.call.pipelineCache != VK_NULL_HANDLE
             ? Wrong(Value(BinaryCount(e), "is not 0, but pipelineCache is not VK_NULL_HANDLE."))
             : kFine;
}
Result CheckBinaryFail(const Element& e) {
  return BinaryCount(e) != 0 && (e.flags & VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT) != 0
             ? Wrong("has VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, but there are binaries.")
             : kFine;
}

struct CallRule {
  vk::VuidIndex id;
  // The member of the element.
  std::string_view where;
  Result (*check)(const Element& element);
};
constexpr CallRule kRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-07984"), "basePipelineHandle", CheckBaseHandle},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-07985"), "basePipelineIndex", CheckBaseIndex},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-07986"), "basePipelineIndex", CheckOneBase},
    {Vuid("VUID-vkCreateGraphicsPipelines-flags-00720"), "basePipelineIndex", CheckEarlierBase},
    {Vuid("VUID-vkCreateGraphicsPipelines-flags-00721"), "flags", CheckBaseFlags},
    {Vuid("VUID-vkCreateGraphicsPipelines-pNext-09617"), "flags", CheckCaptureCache},
    {Vuid("VUID-vkCreateGraphicsPipelines-pNext-09616"), "binaryCount", CheckBinaryCache},
    {Vuid("VUID-vkCreateGraphicsPipelines-binaryCount-09622"), "flags", CheckBinaryFail},
};

}  // namespace

void CheckCall(const vk::CreateGraphicsPipelines& call, const dispatch::Device& device, messages::Report& report) {
  const Location command = report.location();
  const auto& families = device.physical_device->queue_families;
  const bool has_graphics = families.empty() || std::ranges::any_of(families, [](const auto& family) {
                              return (family.queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0;
                            });
  if (!has_graphics) {
    report.Error(Vuid("VUID-vkCreateGraphicsPipelines-device-09662"), {messages::Object(call.device)},
                 command.Dot("device"), "has no queue family with VK_QUEUE_GRAPHICS_BIT.");
  }
  for (uint32_t i = 0; i < call.createInfoCount; ++i) {
    const VkGraphicsPipelineCreateInfo& info = call.pCreateInfos[i];
    const Element element = {call, i, info, state::PipelineFlags(info)};
    const Location where = command.Dot("pCreateInfos", i);
    for (const CallRule& rule : kRules) {
      if (Result wrong = rule.check(element)) {
        report.Error(rule.id, {messages::Object(call.device)}, where.Dot(rule.where), std::move(wrong->text));
      }
    }
  }
}

}  // namespace assay::core
