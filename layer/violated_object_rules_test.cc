// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The negative tests of explicit rules about objects, through the whole layer: allocation callbacks of creation and
// destruction, objects that queues have in use, and handles in structures. A wrong call is reported under the rule's id
// and does not reach the driver. The right call of the same command is silent.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gtest/gtest.h"
#include "layer/minimal_calls_fixture.h"
#include "vk/command_info.h"
#include "vk/commands.h"
#include "vk/struct_info.h"
#include "vk/vuid.h"
#include "vk/walk/load_store.h"

namespace assay::layer {
namespace {

template <class Handle>
void Set(const Handle& member, uint64_t handle) {
  const_cast<Handle&>(member) = reinterpret_cast<Handle>(handle);
}

class ViolatedObjectRules : public MinimalCallsFixture {
 protected:
  ViolatedObjectRules() : MinimalCallsFixture(true) {}

  // Runs the call, which must not be reported under the id.
  void ExpectNoReport(const stateless::MinimalCall& call, std::string_view id) {
    messages.Take();
    caller_.Run(call);
    for (const test::Message& message : messages.Take()) EXPECT_NE(message.id, id) << message.text;
  }
};

// The MinimalCaller makes neither instances nor devices, nor pipeline binaries, which are not returned in a parameter.
bool IsTriedForAllocators(const vk::CommandInfo& command) {
  constexpr vk::CommandId kNot[] = {vk::CommandId::kDestroyDevice, vk::CommandId::kDestroyInstance,
                                    vk::CommandId::kDestroyPipelineBinaryKHR};
  return command.lifetime == vk::LifetimeEffect::kDestroy && AllocatorOf(command) != nullptr &&
         std::ranges::count(kNot, command.id) == 0;
}

const VkAllocationCallbacks kCallbacks = {
    .pfnAllocation = [](void*, size_t size, size_t, VkSystemAllocationScope) { return std::malloc(size); },
    .pfnReallocation = [](void*, void* old, size_t size, size_t,
                          VkSystemAllocationScope) { return std::realloc(old, size); },
    .pfnFree = [](void*, void* memory) { std::free(memory); }};

TEST_F(ViolatedObjectRules, OfAllocationCallbacksAreReported) {
  size_t tried = 0;
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    if (!IsTriedForAllocators(command)) continue;
    for (const vk::VuidIndex vuid : vk::VuidsOf(command.name)) {
      const vk::VuidInfo& rule = vk::GetVuid(vuid);
      const bool with = rule.text.starts_with("If VkAllocationCallbacks were provided when");
      if (!with && !rule.text.starts_with("If no VkAllocationCallbacks were provided when")) continue;
      caller_.SetAllocator(with ? &kCallbacks : nullptr);
      const auto call = caller_.Prepare(command);
      caller_.SetAllocator(nullptr);
      char* const allocator = static_cast<char*>(call->parameters()) + AllocatorOf(command)->offset;
      vk::Store(allocator, with ? nullptr : &kCallbacks);
      ExpectReport(*call, rule.id);
      vk::Store(allocator, with ? &kCallbacks : nullptr);
      ExpectNoReport(*call, rule.id);
      ++tried;
    }
  }
  EXPECT_GE(tried, 68u);
}

TEST_F(ViolatedObjectRules, OfAllocationCallbacksOfTheDeviceAreReported) {
  SkipCalls skip(*this);
  vk.DestroyDevice(device, &kCallbacks);
  messages.ExpectAmong("VUID-vkDestroyDevice-device-00380");
  vk.DestroyInstance(instance, &kCallbacks);
  messages.ExpectAmong("VUID-vkDestroyInstance-instance-00631");
}

TEST_F(ViolatedObjectRules, OfAllocationCallbacksOfPipelineBinariesAreReported) {
  uint8_t byte = 0;
  const VkPipelineBinaryKeyKHR key = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR, .keySize = 1};
  const VkPipelineBinaryDataKHR data = {sizeof(byte), &byte};
  const VkPipelineBinaryKeysAndDataKHR keys = {1, &key, &data};
  const VkPipelineBinaryCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR,
                                              .pKeysAndDataInfo = &keys};
  driver().Observe<vk::CreatePipelineBinariesKHR>(
      [](const vk::CreatePipelineBinariesKHR& call) { Set(*call.pBinaries->pPipelineBinaries, 0xb1); });
  for (const VkAllocationCallbacks* callbacks : {static_cast<const VkAllocationCallbacks*>(nullptr), &kCallbacks}) {
    VkPipelineBinaryKHR binary = VK_NULL_HANDLE;
    VkPipelineBinaryHandlesInfoKHR handles = {VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR, nullptr, 1, &binary};
    // The driver itself would make none.
    driver().FailNext<vk::CreatePipelineBinariesKHR>(VK_SUCCESS);
    EXPECT_EQ(vk.CreatePipelineBinariesKHR(device, &info, callbacks, &handles), VK_SUCCESS);
    SkipCalls skip(*this);
    vk.DestroyPipelineBinaryKHR(device, binary, callbacks == nullptr ? &kCallbacks : nullptr);
    messages.ExpectAmong(callbacks == nullptr ? "VUID-vkDestroyPipelineBinaryKHR-pipelineBinary-09615"
                                              : "VUID-vkDestroyPipelineBinaryKHR-pipelineBinary-09614");
    skip.End();
    // As it was created, it may be destroyed.
    driver().FailNext<vk::DestroyPipelineBinaryKHR>(VK_SUCCESS);
    vk.DestroyPipelineBinaryKHR(device, binary, callbacks);
    driver().TakeMisuses();
    ExpectNothing();
  }
}

// A command that uses an object, and the command that destroys it.
struct Use {
  vk::CommandId destroy;
  vk::CommandId command;
  // Gives the command's parameters the object.
  void (*set)(void* parameters, uint64_t handle);
};
template <class Destroy, class C, auto set>
constexpr Use Uses() {
  return {Destroy::kId, C::kId, [](void* parameters, uint64_t handle) { set(*static_cast<C*>(parameters), handle); }};
}

// Pushes one descriptor of the type.
void PushDescriptor(vk::CmdPushDescriptorSet& call, VkDescriptorType type, uint64_t handle) {
  static VkDescriptorImageInfo image;
  static VkBufferView view;
  auto& write = const_cast<VkWriteDescriptorSet&>(*call.pDescriptorWrites);
  image = {};
  Set(image.sampler, handle);
  Set(view, handle);
  write.descriptorType = type;
  write.descriptorCount = 1;
  write.pImageInfo = &image;
  write.pTexelBufferView = &view;
}

#define ASSAY_USE(Destroy, Command, ...) \
  Uses<vk::Destroy, vk::Command, [](vk::Command& call, [[maybe_unused]] uint64_t handle) { __VA_ARGS__; }>()
constexpr Use kUses[] = {
    ASSAY_USE(DestroyAccelerationStructureKHR, CmdCopyAccelerationStructureKHR, Set(call.pInfo->src, handle)),
    ASSAY_USE(DestroyAccelerationStructureNV, CmdCopyAccelerationStructureNV, Set(call.src, handle)),
    ASSAY_USE(DestroyBufferView, CmdPushDescriptorSet,
              PushDescriptor(call, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, handle)),
    ASSAY_USE(DestroyIndirectCommandsLayoutEXT, CmdExecuteGeneratedCommandsEXT,
              Set(call.pGeneratedCommandsInfo->indirectCommandsLayout, handle)),
    ASSAY_USE(DestroyIndirectCommandsLayoutNV, CmdExecuteGeneratedCommandsNV,
              Set(call.pGeneratedCommandsInfo->indirectCommandsLayout, handle)),
    ASSAY_USE(DestroyIndirectExecutionSetEXT, CmdExecuteGeneratedCommandsEXT,
              Set(call.pGeneratedCommandsInfo->indirectExecutionSet, handle)),
    ASSAY_USE(DestroyMicromapEXT, CmdCopyMicromapEXT, Set(call.pInfo->src, handle)),
    ASSAY_USE(DestroyPipeline, CmdBindPipeline, Set(call.pipeline, handle)),
    ASSAY_USE(DestroySampler, CmdPushDescriptorSet, PushDescriptor(call, VK_DESCRIPTOR_TYPE_SAMPLER, handle)),
    ASSAY_USE(DestroyShaderEXT, CmdBindShadersEXT, static VkShaderEXT shader; Set(shader, handle);
              call.pShaders = &shader),
    ASSAY_USE(DestroyVideoSessionKHR, CmdBeginVideoCodingKHR, Set(call.pBeginInfo->videoSession, handle)),
    ASSAY_USE(DestroyVideoSessionParametersKHR, CmdBeginVideoCodingKHR,
              Set(call.pBeginInfo->videoSessionParameters, handle)),
};
#undef ASSAY_USE

// The id of the rule that no submitted command may refer to the object.
std::string_view InUseRuleOf(const vk::CommandInfo& destroy) {
  for (const vk::VuidIndex vuid : vk::VuidsOf(destroy.name)) {
    if (vk::GetVuid(vuid).text.starts_with("All submitted commands that refer to")) return vk::GetVuid(vuid).id;
  }
  return {};
}

class ViolatedInUseRules : public ViolatedObjectRules {
 protected:
  // Submits a command buffer with the use of an object.
  void Submit(const Use& use, uint64_t handle) {
    const vk::CommandInfo& command = vk::GetCommandInfo(use.command);
    SetCommandBufferFor(command);
    const auto call = caller_.Prepare(command);
    use.set(call->parameters(), handle);
    caller_.Run(*call);
    if (command.render_pass == vk::CommandScope::kInside) Call(vk::CommandId::kCmdEndRendering);
    if (use.command == vk::CommandId::kCmdBeginVideoCodingKHR) Call(vk::CommandId::kCmdEndVideoCodingKHR);
    const auto commands = reinterpret_cast<VkCommandBuffer>(caller_.Handle(VK_OBJECT_TYPE_COMMAND_BUFFER));
    End(commands);
    EXPECT_EQ(test::TestDevice::Submit(Queue(), {commands}), VK_SUCCESS);
  }
};

TEST_F(ViolatedInUseRules, AreReported) {
  for (const Use& use : kUses) {
    const vk::CommandInfo& destroy = vk::GetCommandInfo(use.destroy);
    const std::string_view id = InUseRuleOf(destroy);
    const auto call = caller_.Prepare(destroy);
    uint64_t handle = 0;
    for (const vk::MemberInfo& member : destroy.parameters->members) {
      if (member.kind == vk::MemberKind::kHandle) handle = vk::Load<uint64_t>(call->parameters(), member.offset);
    }
    Submit(use, handle);
    ExpectReport(*call, id);
    vk.QueueWaitIdle(Queue());
    ExpectNoReport(*call, id);
  }
}

// Neither alive nor null.
constexpr uint64_t kNoHandle = 0xdeadbeef00;

// A member of a structure, or of a command's parameters, that must be a valid handle.
struct HandleMember {
  vk::CommandId command;
  // Empty for the command's own parameters.
  std::string_view structure;
  std::string_view member;
  std::string_view id;
};
constexpr HandleMember kHandleMembers[] = {
    {vk::CommandId::kBindImageMemory2, "VkBindImageMemoryInfo", "memory", "VUID-VkBindImageMemoryInfo-pNext-01632"},
    {vk::CommandId::kBuildAccelerationStructuresKHR, "VkAccelerationStructureBuildGeometryInfoKHR",
     "dstAccelerationStructure", "VUID-vkBuildAccelerationStructuresKHR-dstAccelerationStructure-03800"},
    {vk::CommandId::kBuildAccelerationStructuresKHR, "VkAccelerationStructureBuildGeometryInfoKHR",
     "srcAccelerationStructure", "VUID-vkBuildAccelerationStructuresKHR-srcAccelerationStructure-04629"},
    {vk::CommandId::kBuildMicromapsEXT, "VkMicromapBuildInfoEXT", "dstMicromap",
     "VUID-vkBuildMicromapsEXT-dstMicromap-07463"},
    {vk::CommandId::kCreateGraphicsPipelines, "VkGraphicsPipelineCreateInfo", "layout",
     "VUID-VkGraphicsPipelineCreateInfo-layout-06602"},
    {vk::CommandId::kCreateGraphicsPipelines, "VkGraphicsPipelineCreateInfo", "renderPass",
     "VUID-VkGraphicsPipelineCreateInfo-renderPass-06603"},
    {vk::CommandId::kDebugMarkerSetObjectNameEXT, "VkDebugMarkerObjectNameInfoEXT", "object",
     "VUID-VkDebugMarkerObjectNameInfoEXT-object-01492"},
    {vk::CommandId::kDebugMarkerSetObjectTagEXT, "VkDebugMarkerObjectTagInfoEXT", "object",
     "VUID-VkDebugMarkerObjectTagInfoEXT-object-01495"},
    {vk::CommandId::kDebugReportMessageEXT, "", "object", "VUID-vkDebugReportMessageEXT-objectType-01498"},
    {vk::CommandId::kFreeCommandBuffers, "", "pCommandBuffers", "VUID-vkFreeCommandBuffers-pCommandBuffers-00048"},
    {vk::CommandId::kFreeDescriptorSets, "", "pDescriptorSets", "VUID-vkFreeDescriptorSets-pDescriptorSets-00310"},
    {vk::CommandId::kGetPhysicalDeviceSurfaceCapabilities2KHR, "VkPhysicalDeviceSurfaceInfo2KHR", "surface",
     "VUID-VkPhysicalDeviceSurfaceInfo2KHR-surface-07919"},
    {vk::CommandId::kGetPrivateData, "", "objectHandle", "VUID-vkGetPrivateData-objectHandle-09498"},
    {vk::CommandId::kSetDebugUtilsObjectNameEXT, "VkDebugUtilsObjectNameInfoEXT", "objectHandle",
     "VUID-VkDebugUtilsObjectNameInfoEXT-objectType-02590"},
    {vk::CommandId::kSetDebugUtilsObjectTagEXT, "VkDebugUtilsObjectTagInfoEXT", "objectHandle",
     "VUID-VkDebugUtilsObjectTagInfoEXT-objectHandle-01910"},
    {vk::CommandId::kSetPrivateData, "", "objectHandle", "VUID-vkSetPrivateData-objectHandle-04017"},
};

// The route from the command's parameters to the structure that one of them points to.
stateless::Route RouteTo(const HandleMember& row) {
  const vk::CommandInfo& command = vk::GetCommandInfo(row.command);
  for (const vk::MemberInfo& member : command.parameters->members) {
    if (member.kind == vk::MemberKind::kStruct && vk::Structs()[member.type].name == row.structure)
      return {&command, {{command.parameters, &member}}};
  }
  return {&command, {}};
}

TEST_F(ViolatedObjectRules, OfHandlesInStructuresAreReported) {
  for (const HandleMember& row : kHandleMembers) {
    const auto call = PrepareAnywhere(RouteTo(row));
    const auto& members = call->target_info().members;
    const auto member = std::ranges::find(members, row.member, &vk::MemberInfo::name);
    ASSERT_NE(member, members.end()) << row.id;
    char* const at = static_cast<char*>(call->target()) + member->offset;
    if (member->indirection == vk::Indirection::kInline) {
      vk::Store(at, kNoHandle);
    } else {
      vk::Store(at, &kNoHandle);
    }
    ExpectReport(*call, row.id);
  }
}

TEST_F(ViolatedObjectRules, OfDescriptorsAreReported) {
  VkDescriptorImageInfo image = {};
  VkBufferView view = VK_NULL_HANDLE;
  Set(image.imageView, kNoHandle);
  Set(view, kNoHandle);
  VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                .descriptorCount = 1,
                                .pImageInfo = &image,
                                .pTexelBufferView = &view};
  Set(write.dstSet, caller_.Handle(VK_OBJECT_TYPE_DESCRIPTOR_SET));
  const auto call = caller_.Prepare(vk::GetCommandInfo(vk::CommandId::kUpdateDescriptorSets));
  auto& parameters = *static_cast<vk::UpdateDescriptorSets*>(call->parameters());
  parameters.descriptorWriteCount = 1;
  parameters.pDescriptorWrites = &write;
  for (const VkDescriptorType type :
       {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER}) {
    write.descriptorType = type;
    ExpectReport(*call, "VUID-VkWriteDescriptorSet-descriptorType-02994");
  }
  for (const VkDescriptorType type : {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}) {
    write.descriptorType = type;
    ExpectReport(*call, "VUID-VkWriteDescriptorSet-descriptorType-02996");
  }
}

}  // namespace
}  // namespace assay::layer
