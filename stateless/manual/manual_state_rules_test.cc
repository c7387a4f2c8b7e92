// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "gtest/gtest.h"
#include "stateless/manual/manual_rules_test.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

namespace assay::stateless {
namespace {

TEST(NegativeManualStateRules, Viewport) {
  using V = VkViewport;
  TryAll<V>("VkViewport", {0, 0, 4096, -2048, 0, 1},
            {{"width-01770", [](V& v) { v.width = 0; }},
             {"width-01771", [](V& v) { v.width = 4097; }},
             {"height-01773", [](V& v) { v.height = -2049; }},
             {"x-01774", [](V& v) { v.x = -8193; }},
             {"x-01232", [](V& v) { v.x = 8000; }},
             {"y-01775", [](V& v) { v.y = -8193, v.height = 2; }},
             {"y-01776", [](V& v) { v.y = 8192, v.height = -2; }},
             {"y-01233", [](V& v) { v.y = 8191, v.height = 2; }},
             {"y-01777", [](V& v) { v.y = -8000; }},
             {"minDepth-01234", [](V& v) { v.minDepth = -1; }, vk::ExtensionId::kExtDepthRangeUnrestricted},
             {"maxDepth-01235", [](V& v) { v.maxDepth = 2; }, vk::ExtensionId::kExtDepthRangeUnrestricted}});
}

template <class Call>
void TryScissors(const std::string& negative, const std::string& width, const std::string& height) {
  static const VkRect2D right = {{1, 1}, {0x7ffffffe, 0x7ffffffe}}, left = {{-1, 0}, {1, 1}},
                        wide = {{1, 1}, {0x7fffffff, 1}}, high = {{1, 1}, {1, 0x7fffffff}};
  const auto set = [](Call& c, const VkRect2D* rectangle) {
    if constexpr (requires { c.pScissors; }) c.scissorCount = 1, c.pScissors = rectangle;
    if constexpr (requires { c.pDiscardRectangles; }) c.discardRectangleCount = 1, c.pDiscardRectangles = rectangle;
    if constexpr (requires { c.pExclusiveScissors; }) c.exclusiveScissorCount = 1, c.pExclusiveScissors = rectangle;
  };
  Call call = {};
  set(call, &right);
  TryAll<Call>(call, {{negative, [=](Call& c) { set(c, &left); }},
                      {width, [=](Call& c) { set(c, &wide); }},
                      {height, [=](Call& c) { set(c, &high); }}});
}

TEST(NegativeManualStateRules, Scissors) {
  TryScissors<vk::CmdSetScissor>("x-00595", "offset-00596", "offset-00597");
  TryScissors<vk::CmdSetScissorWithCount>("x-03399", "offset-03400", "offset-03401");
  TryScissors<vk::CmdSetDiscardRectangleEXT>("x-00587", "offset-00588", "offset-00589");
  TryScissors<vk::CmdSetExclusiveScissorNV>("x-02037", "offset-02038", "offset-02039");
}

TEST(NegativeManualStateRules, DynamicEnumerants) {
  using Order = vk::CmdSetCoarseSampleOrderNV;
  static const VkCoarseSampleLocationNV location = {};
  static const VkCoarseSampleOrderCustomNV one = {VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_2X1_PIXELS_NV, 1, 1,
                                                  &location},
                                           other = {VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_1X2_PIXELS_NV, 1, 1,
                                                    &location},
                                           orders[] = {one, other}, same[] = {one, one};
  TryAll<Order>(
      {nullptr, VK_COARSE_SAMPLE_ORDER_TYPE_CUSTOM_NV, 2, orders},
      {{"sampleOrderType-02081", [](Order& o) { o.sampleOrderType = VK_COARSE_SAMPLE_ORDER_TYPE_PIXEL_MAJOR_NV; }},
       {"pCustomSampleOrders-02235", [](Order& o) { o.pCustomSampleOrders = same; }}});
  static const VkDepthClampRangeEXT range = {0, 1};
  TryAll<vk::CmdSetDepthClampRangeEXT>({nullptr, VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT, &range},
                                       {{"pDepthClampRange-09647", [](auto& c) { c.pDepthClampRange = nullptr; }}});
}

TEST(NegativeManualStateRules, DynamicNumbers) {
  TryAll<vk::CmdSetLineWidth>({nullptr, 1},
                              {{"lineWidth-00788", [](auto& c) { c.lineWidth = 2; }, vk::FeatureId::kWideLines}});
  TryAll<vk::CmdSetDepthBounds>(
      {nullptr, 0, 1},
      {{"minDepthBounds-00600", [](auto& c) { c.minDepthBounds = -1; }, vk::ExtensionId::kExtDepthRangeUnrestricted},
       {"maxDepthBounds-00601", [](auto& c) { c.maxDepthBounds = 2; }, vk::ExtensionId::kExtDepthRangeUnrestricted}});
  TryAll<vk::CmdSetDepthBias>({nullptr, 1, 0, 1}, {{"depthBiasClamp-00790", [](auto& c) { c.depthBiasClamp = 1; },
                                                    vk::FeatureId::kDepthBiasClamp}});
  TryAll<vk::CmdSetLineStipple>({nullptr, 256, 1},
                                {{"lineStippleFactor-02776", [](auto& c) { c.lineStippleFactor = 257; }}});
  TryAll<VkPipelineMultisampleStateCreateInfo>({.sampleShadingEnable = VK_TRUE, .minSampleShading = 1},
                                               {{"minSampleShading-00786", [](auto& s) { s.minSampleShading = 2; }}});
  TryAll<VkMemoryPriorityAllocateInfoEXT>({.priority = 1}, {{"priority-02602", [](auto& i) { i.priority = 1.5f; }}});
  TryAll<vk::SetDeviceMemoryPriorityEXT>({nullptr, VK_NULL_HANDLE, 0},
                                         {{"priority-06258", [](auto& c) { c.priority = -1; }}});
}

}  // namespace
}  // namespace assay::stateless
