// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/rewriting/rewriter.h"

#include <cstdint>
#include <vector>

#include "dispatch/translation/scratch_arena.h"
#include "gtest/gtest.h"
#include "vk/vulkan.h"

// After vk/vulkan.h, which configures vulkan_core.h.
#include <vulkan/vk_layer.h>

namespace assay::dispatch {
namespace {

// A module's chain as an application has it: cache, then features.
class ChainTest : public ::testing::Test {
 protected:
  std::vector<const void*> Links() const {
    std::vector<const void*> links;
    for (auto* link = static_cast<const VkBaseInStructure*>(copy_.pNext); link != nullptr; link = link->pNext) {
      links.push_back(link);
    }
    return links;
  }

  VkValidationFeaturesEXT features_ = {VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  VkShaderModuleValidationCacheCreateInfoEXT cache_ = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT, .pNext = &features_};
  VkShaderModuleCreateInfo copy_ = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .pNext = &cache_};
  ScratchArena arena_;
  Rewriter rewriter_{arena_};
};

TEST_F(ChainTest, LinkPutsACopyInFront) {
  const VkPipelineRobustnessCreateInfo robustness = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO,
      .vertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS};
  const VkPipelineRobustnessCreateInfo& link = rewriter_.Link(copy_, robustness);
  EXPECT_EQ(link.vertexInputs, robustness.vertexInputs);
  EXPECT_EQ(Links(), (std::vector<const void*>{&link, &cache_, &features_}));
}

TEST_F(ChainTest, CopyLinkedCopiesTheLinkAndThoseBeforeIt) {
  VkValidationFeaturesEXT* const copy = rewriter_.CopyLinked<VkValidationFeaturesEXT>(copy_);
  ASSERT_NE(copy, nullptr);
  copy->enabledValidationFeatureCount = 1;
  EXPECT_EQ(features_.enabledValidationFeatureCount, 0u);
  const std::vector<const void*> links = Links();
  ASSERT_EQ(links.size(), 2u);
  EXPECT_NE(links[0], &cache_);
  EXPECT_EQ(static_cast<const VkBaseInStructure*>(links[0])->sType, cache_.sType);
  EXPECT_EQ(links[1], copy);
  EXPECT_EQ(cache_.pNext, &features_);
}

TEST_F(ChainTest, CopyLinkedLeavesTheOthersAlone) {
  const void* const copy = rewriter_.CopyLinked<VkShaderModuleValidationCacheCreateInfoEXT>(copy_);
  EXPECT_NE(copy, &cache_);
  EXPECT_EQ(Links(), (std::vector<const void*>{copy, &features_}));
}

TEST_F(ChainTest, UnlinkTakesOneOut) {
  EXPECT_TRUE(rewriter_.Unlink<VkShaderModuleValidationCacheCreateInfoEXT>(copy_));
  EXPECT_EQ(Links(), std::vector<const void*>{&features_});
  EXPECT_FALSE(rewriter_.Unlink<VkShaderModuleValidationCacheCreateInfoEXT>(copy_));
  EXPECT_TRUE(rewriter_.Unlink<VkValidationFeaturesEXT>(copy_));
  EXPECT_EQ(copy_.pNext, nullptr);
  EXPECT_EQ(cache_.pNext, &features_);
}

TEST_F(ChainTest, WhatIsNotThereIsNotCopied) {
  EXPECT_EQ(rewriter_.CopyLinked<VkPipelineRobustnessCreateInfo>(copy_), nullptr);
  EXPECT_EQ(Links(), (std::vector<const void*>{&cache_, &features_}));
}

TEST_F(ChainTest, NothingBehindAStructureOfUnknownSizeIsChanged) {
  cache_.sType = static_cast<VkStructureType>(1999999999);
  EXPECT_EQ(rewriter_.CopyLinked<VkValidationFeaturesEXT>(copy_), nullptr);
  EXPECT_FALSE(rewriter_.Unlink<VkValidationFeaturesEXT>(copy_));
  EXPECT_EQ(Links(), (std::vector<const void*>{&cache_, &features_}));
}

TEST(Rewriter, LinksOfTheLoaderAreCopied) {
  ScratchArena arena;
  Rewriter rewriter(arena);
  VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  VkLayerDeviceCreateInfo link = {.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
                                  .pNext = &features,
                                  .function = VK_LAYER_LINK_INFO,
                                  .u = {}};
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &link};
  VkPhysicalDeviceFeatures2* const copy = rewriter.CopyLinked<VkPhysicalDeviceFeatures2>(info);
  ASSERT_NE(copy, nullptr);
  EXPECT_NE(copy, &features);
  const auto* first = static_cast<const VkLayerDeviceCreateInfo*>(info.pNext);
  EXPECT_NE(first, &link);
  EXPECT_EQ(first->function, VK_LAYER_LINK_INFO);
  EXPECT_EQ(first->pNext, copy);
}

TEST(Rewriter, CopiesAndExtendsArrays) {
  ScratchArena arena;
  Rewriter rewriter(arena);
  const uint32_t numbers[] = {1, 2, 3};
  const uint32_t* array = numbers;
  uint32_t* const copy = rewriter.Copy(array, 3);
  EXPECT_EQ(array, copy);
  copy[1] = 5;
  EXPECT_EQ(numbers[1], 2u);
  const uint32_t* const longer = rewriter.Extend(array, 3, 5);
  EXPECT_EQ((std::vector<uint32_t>{longer, longer + 5}), (std::vector<uint32_t>{1, 5, 3, 0, 0}));
  const uint32_t* none = nullptr;
  EXPECT_EQ(rewriter.Copy(none, 3), nullptr);
  EXPECT_EQ(*rewriter.Extend(none, 0, 1), 0u);
  EXPECT_NE(none, nullptr);
}

TEST(Rewriter, ACallThatIsUnwoundIsFinished) {
  std::vector<VkResult> results;
  {
    ScratchArena arena;
    Rewriter rewriter(arena);
    rewriter.AfterCall([&](VkResult result) { results.push_back(result); });
    rewriter.Finish(VK_SUCCESS);
    rewriter.AfterCall([&](VkResult result) { results.push_back(result); });
  }
  EXPECT_EQ(results, (std::vector<VkResult>{VK_SUCCESS, VK_ERROR_UNKNOWN}));
}

}  // namespace
}  // namespace assay::dispatch
