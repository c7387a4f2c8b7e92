// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Structures with a pNext chain: what has none beside them is still checked, and so are the rules that the chain does
// not matter for. Through the whole layer.

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::stateless {
namespace {

using test::Of;

class ChainedStructs : public test::ValidationTest {};

TEST_F(ChainedStructs, RuleOfTheStructureWithTheChain) {
  const auto external = Of<VkExternalMemoryBufferCreateInfo>();
  for (const VkDeviceSize size : {64, 0}) {
    CreateOnce(vk.CreateBuffer, vk.DestroyBuffer,
               {.pNext = &external, .size = size, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT});
    ExpectAlone(size != 0 ? "" : "VUID-VkBufferCreateInfo-size-00912");
  }
}

TEST_F(ChainedStructs, StructureBesideTheChain) {
  const auto flags = Of<VkDescriptorSetLayoutBindingFlagsCreateInfo>();
  for (const auto type : {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, static_cast<VkDescriptorType>(100)}) {
    const VkDescriptorSetLayoutBinding bindings[] = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL},
                                                     {1, type, 1, VK_SHADER_STAGE_ALL}};
    CreateOnce(vk.CreateDescriptorSetLayout, vk.DestroyDescriptorSetLayout,
               {.pNext = &flags, .bindingCount = 2, .pBindings = bindings});
    const bool is_right = type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    ExpectAlone(is_right ? "" : "VUID-VkDescriptorSetLayoutBinding-descriptorType-parameter");
  }
}

TEST_F(ChainedStructs, Text) {
  const VkCommandBuffer commands = MakeCommandBuffer();
  Begin(commands);
  const auto insert = [&](const char* id, const char* text) {
    const auto label = Of<VkDebugUtilsLabelEXT>(text);
    vk.CmdInsertDebugUtilsLabelEXT(commands, &label);
    ExpectAlone(id);
  };
  insert("", "");
  insert("",
         "a gr\xc3\xbc\xc3\x9f"
         "e label");
  insert("VUID-VkDebugUtilsLabelEXT-pLabelName-parameter", "\xff");
}

}  // namespace
}  // namespace assay::stateless
