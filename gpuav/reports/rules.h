// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_REPORTS_RULES_H_
#define ASSAY_GPUAV_REPORTS_RULES_H_

#include <string_view>

#include "gpuav/parameters/parameter_rules.h"

// The rules that shaders may be found to violate, by the last part of their ids.
namespace assay::gpuav {

// Of all commands that run shaders ("VUID-vkCmdDispatch-None-10068").
inline constexpr std::string_view kIndexRule = "None-10068";
inline constexpr std::string_view kValidDescriptorRule = "None-08114";
inline constexpr std::string_view kBoundSetRule = "None-08600";
inline constexpr std::string_view kImageLayoutRule = "None-09600";
// Of draws.
inline constexpr std::string_view kVertexRule = "None-02721";
inline constexpr std::string_view kInstanceRule = "maxMultiviewInstanceIndex-02688";
inline constexpr std::string_view kCommandRules[] = {kIndexRule,       kValidDescriptorRule, kBoundSetRule,
                                                     kImageLayoutRule, kVertexRule,          kDrawCountRule};

// The same of all commands that run shaders, with other ids for the shaders of pipelines and for shader objects.
struct ShaderRules {
  // Of descriptors in descriptor buffers.
  std::string_view buffered_descriptor;
  // Of accesses past the end of buffers.
  std::string_view uniform_buffer;
  std::string_view storage_buffer;
};
inline constexpr ShaderRules kPipelineRules = {"None-08116", "uniformBuffers-06935", "storageBuffers-06936"};
// No shader object traces rays.
inline constexpr ShaderRules kShaderObjectRules = {"None-08604", "None-08612", "None-08613"};

// Of shaders ("VUID-RuntimeSpirv-TaskEXT-07299").
inline constexpr std::string_view kVertexCountRule = "MeshEXT-07332";
inline constexpr std::string_view kPrimitiveCountRule = "MeshEXT-07333";
inline constexpr std::string_view kTaskRules[] = {"TaskEXT-07299", "TaskEXT-07300", "TaskEXT-07301", "TaskEXT-07302"};
inline constexpr std::string_view kRayTimeRule = "OpTraceRayMotionNV-06366";
inline constexpr std::string_view kHitTRule = "OpRayQueryGenerateIntersectionKHR-06353";
inline constexpr std::string_view kHitKindRule = "OpReportIntersectionKHR-06998";

// The rules about rays are the same for three instructions, each with ids of its own.
struct RayRules {
  std::string_view instruction;
  std::string_view finite;
  std::string_view negative;
  std::string_view reversed;
  std::string_view not_a_number;
  // Flags: both kinds of primitives skipped, several of culling, several of opaqueness. Empty if there is no rule.
  std::string_view skip;
  std::string_view cull;
  std::string_view opaque;
};
inline constexpr RayRules kRayRules[] = {
    {"OpRayQueryInitializeKHR", "06348", "06349", "06350", "06351", "06889", "06890", "06891"},
    {"OpTraceRayKHR", "06355", "06356", "06357", "06358", "06552", "06892", "06893"},
    {"OpTraceRayMotionNV", "06361", "06362", "06363", "06364", "", "", ""},
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_REPORTS_RULES_H_
