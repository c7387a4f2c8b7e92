// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Shader objects: their members, and those that are linked.

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/shader_stages/capability_checks.h"
#include "core/shader_stages/create_info_checks.h"
#include "core/shader_stages/shader_stage_rules.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"

namespace assay::core {

using messages::Location;
using messages::Object;
using messages::Report;
using state::Items;
using vk::FeatureId;
using vk::Vuid;

namespace {

constexpr CapabilityIds kObjectCapabilities = {
    .shader = Vuid("VUID-VkShaderCreateInfoEXT-pCode-08738"),
    .unknown_capability = Vuid("VUID-VkShaderCreateInfoEXT-pCode-08739"),
    .capability = Vuid("VUID-VkShaderCreateInfoEXT-pCode-08740"),
    .unknown_extension = Vuid("VUID-VkShaderCreateInfoEXT-pCode-08741"),
    .extension = Vuid("VUID-VkShaderCreateInfoEXT-pCode-08742"),
};

constexpr VkShaderStageFlags kTessellation =
    VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
constexpr VkShaderStageFlags kWorkgroups =
    VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_MESH_BIT_EXT | VK_SHADER_STAGE_TASK_BIT_EXT;

// What may follow a stage.
struct NextStages {
  VkShaderStageFlagBits stage;
  VkShaderStageFlags next;
  vk::VuidIndex vuid;
};
constexpr NextStages kNextStages[] = {
    {VK_SHADER_STAGE_VERTEX_BIT,
     VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
     Vuid("VUID-VkShaderCreateInfoEXT-nextStage-08427")},
    {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
     Vuid("VUID-VkShaderCreateInfoEXT-nextStage-08430")},
    {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
     Vuid("VUID-VkShaderCreateInfoEXT-nextStage-08431")},
    {VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_FRAGMENT_BIT, Vuid("VUID-VkShaderCreateInfoEXT-nextStage-08433")},
    {VK_SHADER_STAGE_TASK_BIT_EXT, VK_SHADER_STAGE_MESH_BIT_EXT, Vuid("VUID-VkShaderCreateInfoEXT-nextStage-08435")},
    {VK_SHADER_STAGE_MESH_BIT_EXT, VK_SHADER_STAGE_FRAGMENT_BIT, Vuid("VUID-VkShaderCreateInfoEXT-nextStage-08436")},
};

std::string ObjectStageName(VkShaderStageFlags stage) {
  return std::string(vk::EnumName(vk::EnumId::kShaderStageFlagBits, static_cast<VkShaderStageFlagBits>(stage)));
}

void CheckNextStage(const dispatch::Device& device, const VkShaderCreateInfoEXT& info, const Location& where,
                    Report& report) {
  // What the features do not allow is another rule.
  VkShaderStageFlags next = info.nextStage;
  if (!device.HasFeature(FeatureId::kTessellationShader)) next &= ~kTessellation;
  if (!device.HasFeature(FeatureId::kGeometryShader)) next &= ~VkShaderStageFlags{VK_SHADER_STAGE_GEOMETRY_BIT};
  for (const NextStages& row : kNextStages) {
    if (info.stage != row.stage || (next & ~row.next) == 0) continue;
    report.Error(row.vuid, {Object(device.handle)}, where.Dot("nextStage"),
                 absl::StrCat("has a stage that cannot follow ", ObjectStageName(info.stage), "."));
  }
  constexpr VkShaderStageFlags kGraphics =
      VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
  if ((info.flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT) != 0 && (info.stage & kGraphics) == 0) {
    report.Error(Vuid("VUID-VkShaderCreateInfoEXT-flags-08412"), {Object(device.handle)}, where.Dot("flags"),
                 absl::StrCat("has VK_SHADER_CREATE_LINK_STAGE_BIT_EXT for ", ObjectStageName(info.stage), "."));
  }
}

void CheckObjectCode(const dispatch::Device& device, const VkShaderCreateInfoEXT& info, const Location& where,
                     Report& report) {
  const auto address = reinterpret_cast<uintptr_t>(info.pCode);
  if (info.codeType == VK_SHADER_CODE_TYPE_BINARY_EXT && address % 16 != 0) {
    report.Error(Vuid("VUID-VkShaderCreateInfoEXT-pCode-08492"), {Object(device.handle)}, where.Dot("pCode"),
                 "is not a multiple of 16.");
  }
  if (info.codeType != VK_SHADER_CODE_TYPE_SPIRV_EXT) return;
  if (address % 4 != 0) {
    report.Error(Vuid("VUID-VkShaderCreateInfoEXT-pCode-08493"), {Object(device.handle)}, where.Dot("pCode"),
                 "is not a multiple of 4.");
    return;
  }
  CheckCapabilities(device, Items(static_cast<const uint32_t*>(info.pCode), info.codeSize / sizeof(uint32_t)),
                    kObjectCapabilities, where.Dot("pCode"), report);
}

// Execution modes of a tessellation evaluation shader that stands for itself.
void CheckEvaluation(const StageFacts& facts, bool is_strict, const Location& where, Report& report) {
  const auto missing = [&](vk::VuidIndex vuid, const char* what) {
    report.Error(vuid, {}, where, absl::StrCat("has no execution mode for ", what, "."));
  };
  if (facts.tessellation.subdivision == 0) {
    missing(Vuid("VUID-VkShaderCreateInfoEXT-codeType-08872"), "the type of subdivision");
  }
  if (facts.tessellation.orientation == 0) {
    missing(Vuid("VUID-VkShaderCreateInfoEXT-codeType-08873"), "the orientation of triangles");
  }
  if (facts.tessellation.spacing == 0) {
    missing(Vuid("VUID-VkShaderCreateInfoEXT-codeType-08874"), "the spacing of segments");
  }
  // The size of output patches is that of the control shader, and GLSL does not have it here.
  if (is_strict && facts.tessellation.output_vertices == 0) {
    missing(Vuid("VUID-VkShaderCreateInfoEXT-codeType-08875"), "the size of output patches");
  }
}

void CheckObjectSubgroups(const dispatch::Device& device, const VkShaderCreateInfoEXT& info, const StageFacts& facts,
                          const Location& where, Report& report) {
  const bool full = (info.flags & VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT) != 0;
  if (!full || (info.stage & kWorkgroups) == 0) return;
  const bool varying = (info.flags & VK_SHADER_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT_EXT) != 0;
  const auto* required = vk::FindInChain<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(info.pNext);
  const auto check = [&](vk::VuidIndex vuid, uint32_t size, const char* name) {
    if (size == 0 || facts.local_size[0] % size == 0) return;
    report.Error(vuid, {Object(device.handle)}, where,
                 absl::StrCat("has workgroups whose size in X (", facts.local_size[0], ") is not a multiple of ", name,
                              " (", size, ")."));
  };
  if (varying) {
    if (const auto* limits = device.physical_device->Find<VkPhysicalDeviceSubgroupSizeControlProperties>()) {
      check(Vuid("VUID-VkShaderCreateInfoEXT-flags-08416"), limits->maxSubgroupSize, "maxSubgroupSize");
    }
  } else if (const auto* subgroup = device.physical_device->Find<VkPhysicalDeviceSubgroupProperties>();
             subgroup != nullptr && required == nullptr) {
    check(Vuid("VUID-VkShaderCreateInfoEXT-flags-08417"), subgroup->subgroupSize, "subgroupSize");
  }
}

void CheckObjectQueues(const dispatch::Device& device, const VkShaderCreateInfoEXT& info, const Location& where,
                       Report& report) {
  VkQueueFlags flags = 0;
  for (const VkQueueFamilyProperties& family : device.physical_device->queue_families) flags |= family.queueFlags;
  const auto check = [&](VkShaderStageFlags stages, VkQueueFlags queue, const char* name, vk::VuidIndex vuid) {
    if ((info.stage & stages) == 0 || (flags & queue) != 0) return;
    report.Error(vuid, {Object(device.handle)}, where.Dot("stage"),
                 absl::StrCat("is ", ObjectStageName(info.stage), ", and no queue family of the physical device has ",
                              name, "."));
  };
  check(VK_SHADER_STAGE_COMPUTE_BIT, VK_QUEUE_COMPUTE_BIT, "VK_QUEUE_COMPUTE_BIT",
        Vuid("VUID-vkCreateShadersEXT-stage-09670"));
  check(VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT,
        VK_QUEUE_GRAPHICS_BIT, "VK_QUEUE_GRAPHICS_BIT", Vuid("VUID-vkCreateShadersEXT-stage-09671"));
}

}  // namespace

void CheckShaderObject(const dispatch::Device& device, const VkShaderCreateInfoEXT& info, const Location& where,
                       Report& report) {
  CheckObjectQueues(device, info, where, report);
  CheckNextStage(device, info, where, report);
  CheckObjectCode(device, info, where, report);
  const auto ranges = Items(info.pPushConstantRanges, info.pushConstantRangeCount);
  VkShaderStageFlags seen = 0;
  for (uint32_t i = 0; i < ranges.size(); ++i) {
    if ((seen & ranges[i].stageFlags) != 0) {
      report.Error(Vuid("VUID-VkShaderCreateInfoEXT-pPushConstantRanges-10063"), {Object(device.handle)},
                   where.Dot("pPushConstantRanges", i).Dot("stageFlags"), "has a stage that an earlier range has.");
    }
    seen |= ranges[i].stageFlags;
  }
}

void CheckShaderObjectStage(const dispatch::Device& device, const VkShaderCreateInfoEXT& info, const StageFacts& facts,
                            const Location& where, Report& report) {
  if (!facts.has_entry_point) {
    report.Error(Vuid("VUID-VkShaderCreateInfoEXT-pName-08440"), {Object(device.handle)}, where.Dot("pName"),
                 absl::StrCat("(\"", info.pName, "\") is no entry point of the code for stage ",
                              ObjectStageName(info.stage), "."));
    return;
  }
  ReportFindings(facts, Object(device.handle), where, report);
  if (info.stage == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT) {
    CheckEvaluation(facts, device.instance.settings.strict, where, report);
  }
  CheckObjectSubgroups(device, info, facts, where, report);
  if (facts.uses.has_transform_feedback && (info.flags & VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT) != 0) {
    report.Error(Vuid("VUID-VkShaderCreateInfoEXT-flags-11006"), {Object(device.handle)}, where.Dot("flags"),
                 "has VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT, and the entry point has the execution mode Xfb.");
  }
  if (info.stage == VK_SHADER_STAGE_MESH_BIT_EXT && facts.uses.has_draw_index &&
      (info.flags & VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT) == 0) {
    report.Error(Vuid("VUID-vkCreateShadersEXT-pCreateInfos-09632"), {Object(device.handle)}, where.Dot("flags"),
                 "does not have VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT, and the mesh shader has the built-in "
                 "DrawIndex.");
  }
}

}  // namespace assay::core
