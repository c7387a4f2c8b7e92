// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/struct_info.h"

#include <cstddef>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "vk/chain.h"
#include "vk/command_info.h"
#include "vk/commands.h"
#include "vk/enum_id.h"
#include "vk/struct_traits.h"

namespace assay::vk {
namespace {

using ::testing::ElementsAre;

const MemberInfo& Member(const StructInfo& info, std::string_view name) {
  for (const MemberInfo& member : info.members) {
    if (member.name == name) return member;
  }
  ADD_FAILURE() << info.name << " has no member " << name;
  return info.members[0];
}
const MemberInfo& Member(std::string_view structure, std::string_view name) {
  return Member(*FindStruct(structure), name);
}
const MemberInfo& Parameter(CommandId command, std::string_view name) {
  return Member(*GetCommandInfo(command).parameters, name);
}

bool Has(const StructInfo* info, StructFlag flag) { return (info->flags & flag) != 0; }

TEST(StructInfo, SortedAndFoundByNameAndType) {
  std::string_view previous;
  for (const StructInfo& info : Structs()) {
    EXPECT_LT(previous, info.name);
    previous = info.name;
    EXPECT_EQ(FindStruct(info.name), &info);
    EXPECT_TRUE(info.structure_type == VK_STRUCTURE_TYPE_MAX_ENUM || FindStruct(info.structure_type) == &info)
        << info.name;
  }
  EXPECT_EQ(FindStruct(VK_STRUCTURE_TYPE_MAX_ENUM), nullptr);
  EXPECT_EQ(FindStruct(static_cast<VkStructureType>(-1)), nullptr);
  EXPECT_EQ(FindStruct(static_cast<VkStructureType>(1000001999)), nullptr);
  EXPECT_EQ(FindStruct(VK_STRUCTURE_TYPE_WIN32_SURFACE_CREATE_INFO_KHR), FindStruct("VkWin32SurfaceCreateInfoKHR"));
  EXPECT_EQ(FindStruct(""), nullptr);
}

TEST(StructInfo, OffsetsAreTheCompilers) {
  const StructInfo& info = *FindStruct("VkBufferCreateInfo");
  EXPECT_EQ(info.size, sizeof(VkBufferCreateInfo));
  EXPECT_EQ(info.structure_type, VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  EXPECT_EQ(Member(info, "usage").offset, offsetof(VkBufferCreateInfo, usage));
  EXPECT_EQ(Member(info, "size").element_size, sizeof(VkDeviceSize));
  EXPECT_EQ(Member("VkPhysicalDeviceProperties", "limits").offset, offsetof(VkPhysicalDeviceProperties, limits));
  EXPECT_EQ(Member("VkTransformMatrixKHR", "matrix").fixed_count, 12u);
}

TEST(StructInfo, MembersLieWithinTheirStructure) {
  for (const StructInfo& info : Structs()) {
    for (const MemberInfo& member : info.members) {
      const size_t size =
          member.indirection == Indirection::kInline ? size_t{member.element_size} * member.fixed_count : sizeof(void*);
      if (member.flags & kMemberBitField) continue;
      EXPECT_LE(member.offset + size, info.size) << info.name << "::" << member.name;
      EXPECT_LT(member.length_member, static_cast<int>(info.members.size()));
      EXPECT_TRUE(member.kind != MemberKind::kStruct || Structs()[member.type].name == member.type_name)
          << member.type_name;
      EXPECT_TRUE(member.kind != MemberKind::kHandle || Handles()[member.type].name == member.type_name)
          << member.type_name;
      EXPECT_TRUE(member.kind != MemberKind::kTypedHandle || member.selector >= 0) << member.name;
    }
  }
}

TEST(StructInfo, Lengths) {
  EXPECT_EQ(Member("VkShaderModuleCreateInfo", "pCode").length_kind, LengthKind::kMemberDivided);
  EXPECT_EQ(Member("VkShaderModuleCreateInfo", "pCode").length_offset, 4u);
  EXPECT_EQ(Member("VkPipelineMultisampleStateCreateInfo", "pSampleMask").length_kind, LengthKind::kMemberDividedUp);
  EXPECT_EQ(Member("VkPipelineMultisampleStateCreateInfo", "pSampleMask").length_offset, 32u);
  EXPECT_EQ(Member("VkAccelerationStructureVersionInfoKHR", "pVersionData").length_kind, LengthKind::kConstant);
  EXPECT_EQ(Member("VkAccelerationStructureVersionInfoKHR", "pVersionData").length_offset, 2u * VK_UUID_SIZE);
  const MemberInfo& sets = Parameter(CommandId::kAllocateDescriptorSets, "pDescriptorSets");
  EXPECT_EQ(sets.length_kind, LengthKind::kMemberOfPointee);
  EXPECT_EQ(sets.length_member, 1);
  EXPECT_EQ(sets.length_offset, offsetof(VkDescriptorSetAllocateInfo, descriptorSetCount));
  const MemberInfo& constants = Parameter(CommandId::kCmdSetBlendConstants, "blendConstants");
  EXPECT_EQ(constants.indirection, Indirection::kPointer);
  EXPECT_EQ(constants.length_kind, LengthKind::kConstant);
  EXPECT_EQ(constants.length_offset, 4u);
}

TEST(StructInfo, PointersToPointers) {
  const MemberInfo& layers = Member("VkInstanceCreateInfo", "ppEnabledLayerNames");
  EXPECT_EQ(layers.kind, MemberKind::kString);
  EXPECT_EQ(layers.indirection, Indirection::kPointerToPointer);
  EXPECT_EQ(layers.length_kind, LengthKind::kMember);
  EXPECT_EQ(layers.flags & kMemberOuterLengthOnly, 0);
  EXPECT_EQ(Member("VkAccelerationStructureBuildGeometryInfoKHR", "ppGeometries").flags & kMemberOuterLengthOnly, 0);
  EXPECT_NE(
      Parameter(CommandId::kCmdBuildAccelerationStructuresKHR, "ppBuildRangeInfos").flags & kMemberOuterLengthOnly, 0);
}

TEST(StructInfo, Flags) {
  EXPECT_NE(Parameter(CommandId::kEnumeratePhysicalDevices, "pPhysicalDevices").flags & kMemberIsLengthOf, 0);
  EXPECT_NE(Parameter(CommandId::kCreateBuffer, "pBuffer").flags & kMemberOutput, 0);
  EXPECT_EQ(Parameter(CommandId::kCreateBuffer, "pCreateInfo").flags & kMemberOutput, 0);
  EXPECT_NE(Member("VkPresentInfoKHR", "pResults").flags & kMemberOutput, 0);
  EXPECT_EQ(Member("VkXcbSurfaceCreateInfoKHR", "connection").flags & kMemberOutput, 0);
  EXPECT_NE(Member("VkAccelerationStructureInstanceKHR", "mask").flags & kMemberBitField, 0);
  EXPECT_NE(Member("VkImageCreateInfo", "samples").flags & kMemberSingleBit, 0);
  EXPECT_EQ(Member("VkImageCreateInfo", "usage").type, static_cast<TypeIndex>(EnumId::kImageUsageFlagBits));
  EXPECT_EQ(Member("VkQueryPoolCreateInfo", "flags").type, kNoType);
}

TEST(StructInfo, UnionsAndSelectors) {
  const StructInfo& holder = *FindStruct("VkDescriptorGetInfoEXT");
  const MemberInfo& data = Member(holder, "data");
  EXPECT_EQ(holder.members[data.selector].name, "type");
  const StructInfo& chosen = Structs()[data.type];
  EXPECT_TRUE(Has(&chosen, kStructUnion));
  EXPECT_THAT(Selections(Member(chosen, "accelerationStructure")),
              ElementsAre(VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV));
  EXPECT_THAT(Selections(data), testing::IsEmpty());
}

TEST(StructInfo, TypedHandles) {
  const StructInfo& info = *FindStruct("VkDebugUtilsObjectNameInfoEXT");
  EXPECT_EQ(Member(info, "objectHandle").kind, MemberKind::kTypedHandle);
  EXPECT_EQ(info.members[Member(info, "objectHandle").selector].name, "objectType");
  EXPECT_TRUE(Has(&info, kStructReachesHandleDirectly));
}

TEST(StructInfo, ReachesHandle) {
  EXPECT_TRUE(Has(FindStruct("VkSubmitInfo"), kStructReachesHandleDirectly));
  EXPECT_TRUE(Has(FindStruct("VkCommandBufferAllocateInfo"), kStructReachesHandleDirectly));
  EXPECT_TRUE(Has(FindStruct("VkDependencyInfo"), kStructReachesHandleDirectly));
  EXPECT_FALSE(Has(FindStruct("VkMemoryAllocateInfo"), kStructReachesHandleDirectly));
  // VkMemoryDedicatedAllocateInfo.
  EXPECT_TRUE(Has(FindStruct("VkMemoryAllocateInfo"), kStructReachesHandle));
  EXPECT_FALSE(Has(FindStruct("VkBufferCopy"), kStructReachesHandle));
  EXPECT_TRUE(Has(FindStruct("VkDescriptorGetInfoEXT"), kStructReachesHandleDirectly));
}

TEST(StructInfo, ChainsAreDescribedFromBothEnds) {
  const TypeIndex features = FindStruct("VkPhysicalDeviceSynchronization2Features") - Structs().data();
  const TypeIndex device = FindStruct("VkDeviceCreateInfo") - Structs().data();
  EXPECT_THAT(Structs()[features].extends, testing::Contains(device));
  EXPECT_THAT(Structs()[device].extended_by, testing::Contains(features));
  EXPECT_EQ(Structs()[features].core_version, VK_API_VERSION_1_3);
  EXPECT_EQ(Structs()[features].extensions.size(), 1u);
}

TEST(HandleInfo, TypesAndParents) {
  const HandleInfo& buffer = *FindHandle(VK_OBJECT_TYPE_BUFFER);
  EXPECT_EQ(buffer.name, "VkBuffer");
  EXPECT_FALSE(buffer.dispatchable);
  EXPECT_EQ(Handles()[buffer.parent].name, "VkDevice");
  EXPECT_EQ(FindHandle(VK_OBJECT_TYPE_INSTANCE)->parent, kNoType);
  EXPECT_EQ(FindHandle(VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT), &buffer);
  EXPECT_EQ(FindHandle(VK_DEBUG_REPORT_OBJECT_TYPE_SWAPCHAIN_KHR_EXT)->object_type, VK_OBJECT_TYPE_SWAPCHAIN_KHR);
  EXPECT_EQ(FindHandle(VK_OBJECT_TYPE_UNKNOWN), nullptr);
  EXPECT_EQ(FindHandle(VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT), nullptr);
  EXPECT_EQ(FindHandle(VK_OBJECT_TYPE_SHADER_EXT)->debug_report_type, VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT);
}

TEST(StructTraits, Types) {
  static_assert(kStructureTypeOf<VkBufferCreateInfo> == VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  static_assert(kObjectTypeOf<VkImageView> == VK_OBJECT_TYPE_IMAGE_VIEW);
  static_assert(kIsNonDispatchable<VkImageView> && !kIsNonDispatchable<VkQueue>);
}

TEST(Chain, Find) {
  VkPhysicalDeviceVulkan13Features features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features};
  EXPECT_EQ(FindInChain<VkPhysicalDeviceVulkan13Features>(info.pNext), &features);
  EXPECT_EQ(FindInChain<VkPhysicalDeviceVulkan12Features>(info.pNext), nullptr);
  EXPECT_EQ(FindInChain<VkPhysicalDeviceVulkan12Features>(nullptr), nullptr);
}

}  // namespace
}  // namespace assay::vk
