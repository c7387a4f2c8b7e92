// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "stateless/manual/manual_rules_test.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::stateless {
namespace {

TEST(NegativeManualInputRules, Lists) {
  using Input = VkPipelineVertexInputStateCreateInfo;
  static const VkVertexInputBindingDescription bindings[] = {{0}, {1}}, same_bindings[] = {{0}, {0}};
  static const VkVertexInputAttributeDescription attributes[] = {{0, 0}, {1, 0}}, same[] = {{0, 0}, {0, 0}},
                                                 other[] = {{0, 0}, {1, 7}};
  const Input input = {.vertexBindingDescriptionCount = 2,
                       .pVertexBindingDescriptions = bindings,
                       .vertexAttributeDescriptionCount = 2,
                       .pVertexAttributeDescriptions = attributes};
  TryAll<Input>(input,
                {{"pVertexBindingDescriptions-00616", [](Input& i) { i.pVertexBindingDescriptions = same_bindings; }},
                 {"pVertexAttributeDescriptions-00617", [](Input& i) { i.pVertexAttributeDescriptions = same; }},
                 {"binding-00615", [](Input& i) { i.pVertexAttributeDescriptions = other; }}});
  using Set = vk::CmdSetVertexInputEXT;
  constexpr auto kBinding = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT;
  constexpr auto kAttribute = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT;
  constexpr auto kRate = VK_VERTEX_INPUT_RATE_VERTEX;
  static const VkVertexInputBindingDescription2EXT bound[] = {{kBinding, nullptr, 0, 4, kRate, 1},
                                                              {kBinding, nullptr, 1, 4, kRate, 1}},
                                                   bound_twice[] = {bound[0], bound[0]};
  static const VkVertexInputAttributeDescription2EXT read[] = {{kAttribute, nullptr, 0, 0, VK_FORMAT_R32_UINT},
                                                               {kAttribute, nullptr, 1, 0, VK_FORMAT_R32_UINT}},
                                                     read_twice[] = {read[0], read[0]},
                                                     unbound[] = {read[0],
                                                                  {kAttribute, nullptr, 1, 7, VK_FORMAT_R32_UINT}};
  TryAll<Set>({nullptr, 2, bound, 2, read},
              {{"pVertexBindingDescriptions-04794", [](Set& s) { s.pVertexBindingDescriptions = bound_twice; }},
               {"pVertexAttributeDescriptions-04795", [](Set& s) { s.pVertexAttributeDescriptions = read_twice; }},
               {"binding-04793", [](Set& s) { s.pVertexAttributeDescriptions = unbound; }}});
  static const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                                          VK_DYNAMIC_STATE_VIEWPORT};
  TryAll<VkPipelineDynamicStateCreateInfo>({.dynamicStateCount = 2, .pDynamicStates = states},
                                           {{"pDynamicStates-01442", [](auto& i) { i.dynamicStateCount = 3; }}});
  static const VkSpecializationMapEntry entries[] = {{1, 0, 4}, {2, 4, 4}}, same_entries[] = {{1, 0, 4}, {1, 4, 4}};
  TryAll<VkSpecializationInfo>("VkSpecializationInfo", {2, entries, 8, nullptr},
                               {{"constantID-04911", [](auto& i) { i.pMapEntries = same_entries; }},
                                {"offset-00773", [](auto& i) { i.dataSize = 4; }},
                                {"pMapEntries-00774", [](auto& i) { i.dataSize = 7; }}});
  static const VkPushConstantRange ranges[] = {{1, 0, 4}, {16, 0, 4}}, shared[] = {{1, 0, 4}, {17, 0, 4}};
  TryAll<VkPipelineLayoutCreateInfo>({.pushConstantRangeCount = 2, .pPushConstantRanges = ranges},
                                     {{"pPushConstantRanges-00292", [](auto& i) { i.pPushConstantRanges = shared; }}});
}

template <class Call>
void TryStride(const std::string& rule, uint32_t least) {
  Call call = {.stride = least};
  if constexpr (requires { call.drawCount; }) call.drawCount = 2;
  static const VkMultiDrawInfoEXT draws[4] = {};
  static const VkMultiDrawIndexedInfoEXT indexed[4] = {};
  if constexpr (requires { call.pVertexInfo; }) call.pVertexInfo = draws;
  if constexpr (requires { call.pIndexInfo; }) call.pIndexInfo = indexed;
  TryAll<Call>(call, {{rule, [](Call& c) { c.stride -= 4; }}, {rule, [](Call& c) { c.stride += 2; }}});
}

TEST(NegativeManualInputRules, Strides) {
  TryStride<vk::CmdDrawIndirect>("drawCount-00476", 16);
  TryStride<vk::CmdDrawIndexedIndirect>("drawCount-00528", 20);
  TryStride<vk::CmdDrawIndirectCount>("stride-03110", 16);
  TryStride<vk::CmdDrawIndexedIndirectCount>("stride-03142", 20);
  TryStride<vk::CmdDrawMeshTasksIndirectEXT>("drawCount-07088", 12);
  TryStride<vk::CmdDrawMeshTasksIndirectCountEXT>("stride-07096", 12);
  TryStride<vk::CmdDrawMultiEXT>("drawCount-09628", 8);
  TryStride<vk::CmdDrawMultiIndexedEXT>("drawCount-09629", 12);
  TryStride<vk::CmdDrawMeshTasksIndirectNV>("drawCount-02146", 8);
  TryStride<vk::CmdDrawMeshTasksIndirectCountNV>("stride-02182", 8);
  TryAll<vk::CmdDrawMultiEXT>({}, {{"drawCount-04935", [](auto& c) { c.drawCount = 1; }}});
  TryAll<vk::CmdDrawMultiIndexedEXT>({}, {{"drawCount-04940", [](auto& c) { c.drawCount = 1; }}});
  using Copy = vk::CmdCopyQueryPoolResults;
  TryAll<Copy>({.stride = 8}, {{"flags-00822", [](Copy& c) { c.stride = 6; }}});
  TryAll<Copy>({.stride = 8, .flags = VK_QUERY_RESULT_64_BIT}, {{"flags-00823", [](Copy& c) { c.dstOffset = 4; }}});
}

}  // namespace
}  // namespace assay::stateless
