// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/implicit/pnext_chain.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "messages/messages.h"
#include "stateless/check/interpreter.h"
#include "testing/messages/collected_messages.h"
#include "vk/commands.h"

namespace assay::stateless {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const vk::StructInfo& Info(VkStructureType type) { return *vk::FindStruct(type); }

constexpr auto kFeatures = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
constexpr auto kProperties = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
constexpr auto kMeshFeatures = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT;
constexpr auto kMeshProperties = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT;
constexpr auto kFence = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
constexpr auto kBuffer = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
// 0, as in a structure that is never set.
constexpr auto kUnset = VK_STRUCTURE_TYPE_APPLICATION_INFO;

EnabledApi Vulkan13() { return EnabledApi(VK_API_VERSION_1_3, {}); }

// The names of the structures that are suggested for a wrong sType in a chain of two.
std::vector<std::string> Meant(VkStructureType head, VkStructureType wrong, VkStructureType other = kUnset,
                               const EnabledApi& enabled = {}) {
  const VkBaseInStructure second = {other, nullptr}, first = {wrong, &second};
  std::vector<std::string> names;
  for (const SuggestedStruct& suggested : SuggestStructs(Programs::All(), enabled, Info(head), first, wrong)) {
    EXPECT_EQ(vk::GetVuid(suggested.rule).id, "VUID-" + std::string(suggested.structure->name) + "-sType-sType");
    names.emplace_back(suggested.structure->name);
  }
  return names;
}

TEST(SuggestStructs, OfTheSameExtension) {
  EXPECT_THAT(Meant(kFeatures, kMeshProperties), ElementsAre("VkPhysicalDeviceMeshShaderFeaturesEXT"));
  EXPECT_THAT(Meant(kProperties, kMeshFeatures), ElementsAre("VkPhysicalDeviceMeshShaderPropertiesEXT"));
  // No structure's sType, but in the range of VK_EXT_mesh_shader.
  EXPECT_THAT(Meant(kFeatures, VkStructureType(1000328999)), ElementsAre("VkPhysicalDeviceMeshShaderFeaturesEXT"));
}

TEST(SuggestStructs, OfAVersion) {
  EXPECT_THAT(Meant(kFeatures, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_PROPERTIES),
              ElementsAre("VkPhysicalDeviceVulkan14Features"));
}

TEST(SuggestStructs, NeitherPresentNorDisabledStructures) {
  EXPECT_THAT(Meant(kFeatures, kMeshProperties, kMeshFeatures), IsEmpty());
  EXPECT_THAT(Meant(kFeatures, kMeshProperties, kMeshProperties, Vulkan13()), IsEmpty());
  EXPECT_THAT(Meant(kFence, kBuffer), IsEmpty());
}

TEST(SuggestStructs, AnUnsetTypeWhenThereIsNoChoice) {
  EXPECT_THAT(Meant(kFence, kUnset, kUnset, Vulkan13()), ElementsAre("VkExportFenceCreateInfo"));
  EXPECT_THAT(Meant(kFence, kUnset), IsEmpty());
  EXPECT_THAT(Meant(kBuffer, kUnset, kUnset, Vulkan13()), IsEmpty());
}

TEST(MayBeIn, AChainOfAStructureThatItExtends) {
  const vk::StructInfo& features = Info(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  const vk::StructInfo& rates = Info(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CLUSTER_CULLING_SHADER_VRS_FEATURES_HUAWEI);
  VkBaseInStructure second = {rates.structure_type, nullptr};
  VkBaseInStructure first = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CLUSTER_CULLING_SHADER_FEATURES_HUAWEI, &second};
  EXPECT_TRUE(MayBeIn(features, first, rates));
  first.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
  EXPECT_FALSE(MayBeIn(features, first, rates));
  first.pNext = reinterpret_cast<const VkBaseInStructure*>(8);
  EXPECT_FALSE(MayBeIn(features, first, rates));
}

// The messages about a fence whose chain has a structure of that type.
std::string MessagesAboutFence(VkStructureType type) {
  test::CollectedReport collected(vk::CommandId::kCreateFence);
  // As large as the only structure that may be there.
  const VkExportFenceCreateInfo link = {.sType = type};
  const VkFenceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .pNext = &link};
  VkFence fence = VK_NULL_HANDLE;
  const vk::CreateFence call = {nullptr, &create, nullptr, &fence};
  const EnabledApi enabled = Vulkan13();
  Interpreter(Programs::All(), enabled, &call, collected.report).RunCommand();
  std::string text;
  for (const messages::Message& message : collected.received.all) text += message.text;
  return text;
}

TEST(WrongStructuresInChain, AreReportedWithASuggestion) {
  const std::string unset = MessagesAboutFence(VkStructureType{});
  EXPECT_THAT(unset,
              HasSubstr("pNext leads to a structure with an sType of 0 (VK_STRUCTURE_TYPE_APPLICATION_INFO), which "
                        "cannot extend VkFenceCreateInfo; it was probably never set."));
  EXPECT_THAT(unset,
              HasSubstr("#VUID-VkFenceCreateInfo-pNext-pNext)\nSee also: VUID-VkExportFenceCreateInfo-sType-sType\n"
                        "To fix: If a VkExportFenceCreateInfo is meant, set its sType to "
                        "VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO."));
  EXPECT_THAT(MessagesAboutFence(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO), Not(HasSubstr("To fix:")));
  EXPECT_EQ(MessagesAboutFence(VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO), "");
}

}  // namespace
}  // namespace assay::stateless
