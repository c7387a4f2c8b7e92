// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/walk/element_count.h"

#include <array>
#include <cstdint>
#include <string_view>

#include "gtest/gtest.h"
#include "vk/command_info.h"
#include "vk/commands.h"
#include "vk/walk/load_store.h"

namespace assay::vk {
namespace {

const void* const kNowhere = reinterpret_cast<const void*>(0x10);

uint64_t Count(const StructInfo& info, std::string_view name, const void* base) {
  for (const MemberInfo& member : info.members) {
    if (member.name == name) return ElementCount(info, member, base);
  }
  ADD_FAILURE() << info.name << " has no member " << name;
  return 0;
}
uint64_t Count(std::string_view structure, std::string_view name, const void* base) {
  return Count(*FindStruct(structure), name, base);
}
template <class C>
uint64_t CountOf(const C& call, std::string_view name) {
  return Count(*GetCommandInfo(C::kId).parameters, name, &call);
}

TEST(ElementCount, OfTheMemberThatIsTheLength) {
  const VkSubmitInfo submit{.commandBufferCount = 3};
  EXPECT_EQ(Count("VkSubmitInfo", "pCommandBuffers", &submit), 3);
  EXPECT_EQ(Count("VkSubmitInfo", "pSignalSemaphores", &submit), 0);
}

TEST(ElementCount, OneWithoutALength) {
  EXPECT_EQ(CountOf(CreateBuffer{}, "pCreateInfo"), 1);
  EXPECT_EQ(CountOf(CreateBuffer{}, "device"), 1);
}

TEST(ElementCount, ZeroForTextAndUnknownLengths) {
  const VkApplicationInfo application{.pApplicationName = "text"};
  EXPECT_EQ(Count("VkApplicationInfo", "pApplicationName", &application), 0);
  const VkImportMemoryHostPointerInfoEXT import{};
  EXPECT_EQ(Count("VkImportMemoryHostPointerInfoEXT", "pHostPointer", &import), 0);
}

TEST(ElementCount, OfBytesInWords) {
  const VkShaderModuleCreateInfo module{.codeSize = 20};
  EXPECT_EQ(Count("VkShaderModuleCreateInfo", "pCode", &module), 5);
  const VkPipelineMultisampleStateCreateInfo samples{.rasterizationSamples = VK_SAMPLE_COUNT_64_BIT};
  EXPECT_EQ(Count("VkPipelineMultisampleStateCreateInfo", "pSampleMask", &samples), 2);
}

TEST(ElementCount, OfALengthBehindAPointer) {
  EnumeratePhysicalDevices call{};
  EXPECT_EQ(CountOf(call, "pPhysicalDevices"), 0);
  uint32_t count = 4;
  call.pPhysicalDeviceCount = &count;
  EXPECT_EQ(CountOf(call, "pPhysicalDevices"), 4);
  Store(&call.pPhysicalDeviceCount, kNowhere);
  EXPECT_EQ(CountOf(call, "pPhysicalDevices"), 0);
}

TEST(ElementCount, OfALengthInAStructureBehindAPointer) {
  AllocateDescriptorSets call{};
  EXPECT_EQ(CountOf(call, "pDescriptorSets"), 0);
  const VkDescriptorSetAllocateInfo info{.descriptorSetCount = 6};
  call.pAllocateInfo = &info;
  EXPECT_EQ(CountOf(call, "pDescriptorSets"), 6);
  Store(&call.pAllocateInfo, kNowhere);
  EXPECT_EQ(CountOf(call, "pDescriptorSets"), 0);
}

TEST(ElementCount, InlineArraysAreLimitedToTheirSize) {
  VkPhysicalDeviceGroupProperties group{.physicalDeviceCount = 2};
  EXPECT_EQ(Count("VkPhysicalDeviceGroupProperties", "physicalDevices", &group), 2);
  group.physicalDeviceCount = 1000;
  EXPECT_EQ(Count("VkPhysicalDeviceGroupProperties", "physicalDevices", &group), VK_MAX_DEVICE_GROUP_SIZE);
}

}  // namespace
}  // namespace assay::vk
