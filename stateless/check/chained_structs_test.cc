// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Structures with a pNext chain: what has none beside them is still checked, and so are the rules that the chain does
// not matter for. Through the whole layer.

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::stateless {
namespace {

class ChainedStructs : public test::ValidationTest {
 protected:
  void MakeExternalBuffer(VkDeviceSize size) {
    const VkExternalMemoryBufferCreateInfo external = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .pNext = &external,
                                     .size = size,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    CreateOnce(vk.CreateBuffer, vk.DestroyBuffer, info);
  }
  // The second binding is of the given type.
  void MakeLayout(VkDescriptorType type) {
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO};
    const VkDescriptorSetLayoutBinding bindings[] = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL},
                                                     {1, type, 1, VK_SHADER_STAGE_ALL}};
    const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                  .pNext = &flags,
                                                  .bindingCount = 2,
                                                  .pBindings = bindings};
    CreateOnce(vk.CreateDescriptorSetLayout, vk.DestroyDescriptorSetLayout, info);
  }
  void InsertLabel(const char* text) {
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = text};
    Record([&](VkCommandBuffer commands) { vk.CmdInsertDebugUtilsLabelEXT(commands, &label); });
  }
};
class NegativeChainedStructs : public ChainedStructs {};
class PositiveChainedStructs : public ChainedStructs {};

TEST_F(NegativeChainedStructs, RuleOfTheStructureWithTheChain) {
  MakeExternalBuffer(0);
  ExpectMessage("VUID-VkBufferCreateInfo-size-00912");
}
TEST_F(PositiveChainedStructs, RuleOfTheStructureWithTheChain) { MakeExternalBuffer(64); }

TEST_F(NegativeChainedStructs, StructureBesideTheChain) {
  MakeLayout(static_cast<VkDescriptorType>(100));
  ExpectMessage("VUID-VkDescriptorSetLayoutBinding-descriptorType-parameter");
}
TEST_F(PositiveChainedStructs, StructureBesideTheChain) { MakeLayout(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER); }

TEST_F(NegativeChainedStructs, Text) {
  InsertLabel("\xff");
  ExpectMessage("VUID-VkDebugUtilsLabelEXT-pLabelName-parameter");
}
TEST_F(PositiveChainedStructs, Text) {
  InsertLabel("");
  InsertLabel(
      "a gr\xc3\xbc\xc3\x9f"
      "e label");
}

}  // namespace
}  // namespace assay::stateless
