// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/binding/binding_ids.h"

#include <string_view>

#include "absl/types/span.h"
#include "core/test_cases/family_cases.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

constexpr std::string_view kSets[] = {
    "firstSet-00360",           "pDescriptorSets-00358",   "pDescriptorSets-08010",        "pDescriptorSets-04616",
    "dynamicOffsetCount-00359", "pDynamicOffsets-01971",   "pDynamicOffsets-01972",        "pDescriptorSets-01979",
    "pDescriptorSets-06715",    "pipelineBindPoint-00361", "pBindDescriptorSetsInfo-09467"};
constexpr std::string_view kConstants[] = {"offset-01795", "offset-01796"};
constexpr std::string_view kPushes[] = {
    "set-00364",  "set-00365", "pDescriptorWrites-06494", "pipelineBindPoint-00363", "pPushDescriptorSetInfo-09468",
    "None-10356", "None-10357"};
constexpr std::string_view kTemplates[] = {
    "set-07304",    "set-07305", "commandBuffer-00366", "descriptorUpdateTemplate-07994",
    "layout-07993", "set-07995", "None-10358",          "None-10359"};
constexpr std::string_view kBufferOffsets[] = {"pOffsets-08061",          "pBufferIndices-08065",
                                               "firstSet-08066",          "firstSet-09006",
                                               "pipelineBindPoint-08067", "pSetDescriptorBufferOffsetsInfo-09471"};
constexpr std::string_view kEmbedded[] = {"set-08070", "set-08071", "pipelineBindPoint-08069",
                                          "pBindDescriptorBufferEmbeddedSamplersInfo-09473"};

}  // namespace

std::vector<vk::VuidIndex> BindingIds() {
  std::vector<vk::VuidIndex> ids;
  AddFamilyIds<vk::CmdBindDescriptorSets, vk::CmdBindDescriptorSets2>(kSets, ids);
  // The structures of the other forms have implicit rules that say so.
  AddFamilyIds<vk::CmdBindDescriptorSets>({"pDescriptorSets-06563"}, ids);
  AddFamilyIds<vk::CmdPushDescriptorSetWithTemplate>({"pData-01686"}, ids);
  AddFamilyIds<vk::CmdPushConstants, vk::CmdPushConstants2>(kConstants, ids);
  AddFamilyIds<vk::CmdPushDescriptorSet, vk::CmdPushDescriptorSet2>(kPushes, ids);
  AddFamilyIds<vk::CmdPushDescriptorSetWithTemplate, vk::CmdPushDescriptorSetWithTemplate2>(kTemplates, ids);
  AddFamilyIds<vk::CmdSetDescriptorBufferOffsetsEXT, vk::CmdSetDescriptorBufferOffsets2EXT>(kBufferOffsets, ids);
  AddFamilyIds<vk::CmdBindDescriptorBufferEmbeddedSamplersEXT, vk::CmdBindDescriptorBufferEmbeddedSamplers2EXT>(
      kEmbedded, ids);
  return ids;
}

}  // namespace assay::core
