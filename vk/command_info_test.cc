// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/command_info.h"

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "vk/commands.h"
#include "vk/extension_id.h"

namespace assay::vk {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

// Every command that the headers of vk/vulkan.h declare a prototype of.
std::set<std::string, std::less<>> DeclaredCommands() {
  const std::string directory = std::string(std::getenv("TEST_SRCDIR")) + "/vulkan_headers/usr/include/vulkan/";
  std::set<std::string, std::less<>> names;
  for (const char* file :
       {"vulkan_core.h", "vulkan_beta.h", "vulkan_xcb.h", "vulkan_xlib.h", "vulkan_xlib_xrandr.h", "vulkan_wayland.h",
        "vulkan_directfb.h", "vulkan_android.h", "vulkan_fuchsia.h", "vulkan_ggp.h", "vulkan_ios.h", "vulkan_macos.h",
        "vulkan_metal.h", "vulkan_screen.h", "vulkan_vi.h", "vulkan_win32.h"}) {
    std::ifstream stream(directory + file);
    EXPECT_TRUE(stream) << directory << file;
    for (std::string line; std::getline(stream, line);) {
      const std::string call = "VKAPI_CALL ";
      if (!line.starts_with("VKAPI_ATTR")) continue;
      const size_t begin = line.find(call) + call.size();
      names.insert(line.substr(begin, line.find('(', begin) - begin));
    }
  }
  return names;
}

TEST(CommandInfo, EveryDeclaredCommandIsInTheTables) {
  const auto declared = DeclaredCommands();
  EXPECT_GT(declared.size(), 600u);
  for (const std::string& name : declared) EXPECT_TRUE(FindCommand(name)) << name;
}

TEST(CommandInfo, EveryCommandOfTheTablesIsDeclared) {
  const auto declared = DeclaredCommands();
  EXPECT_EQ(declared.size(), kCommandCount + CommandAliases().size());
  for (size_t i = 0; i < kCommandCount; ++i)
    EXPECT_TRUE(declared.contains(GetCommandInfo(static_cast<CommandId>(i)).name));
  for (const CommandAlias& alias : CommandAliases()) EXPECT_TRUE(declared.contains(alias.name)) << alias.name;
}

TEST(CommandInfo, NamesLeadToTheirRecords) {
  for (size_t i = 0; i < kCommandCount; ++i) {
    const auto id = static_cast<CommandId>(i);
    EXPECT_EQ(FindCommand(GetCommandInfo(id).name), id);
    EXPECT_EQ(GetCommandInfo(id).id, id);
  }
  EXPECT_FALSE(FindCommand("vkCmdNothing"));
  EXPECT_FALSE(FindCommand(""));
  EXPECT_TRUE(FindCommand("vkCreateWin32SurfaceKHR"));
}

TEST(CommandInfo, AliasesLeadToTheCommandTheyStandFor) {
  EXPECT_EQ(FindCommand("vkCmdPipelineBarrier2KHR"), CommandId::kCmdPipelineBarrier2);
  EXPECT_EQ(FindCommand("vkCmdPipelineBarrier2"), CommandId::kCmdPipelineBarrier2);
}

TEST(CommandInfo, CopyBuffer) {
  const CommandInfo& info = GetCommandInfo(CommandId::kCmdCopyBuffer);
  EXPECT_EQ(info.name, "vkCmdCopyBuffer");
  EXPECT_EQ(info.dispatch, DispatchLevel::kCommandBuffer);
  EXPECT_EQ(info.tasks, kTaskAction);
  EXPECT_EQ(info.queues, VK_QUEUE_TRANSFER_BIT | VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT);
  EXPECT_TRUE(info.primary && info.secondary);
  EXPECT_EQ(info.render_pass, CommandScope::kOutside);
  EXPECT_EQ(info.core_version, VK_API_VERSION_1_0);
  EXPECT_THAT(info.extensions, IsEmpty());
  ASSERT_EQ(info.parameters->members.size(), 5u);
  const MemberInfo& regions = info.parameters->members[4];
  EXPECT_EQ(regions.offset, offsetof(CmdCopyBuffer, pRegions));
  EXPECT_EQ(regions.length_kind, LengthKind::kMember);
  EXPECT_EQ(info.parameters->members[regions.length_member].name, "regionCount");
  EXPECT_EQ(&Structs()[regions.type], FindStruct("VkBufferCopy"));
}

TEST(CommandInfo, ExtensionsCodesAndExternalSynchronization) {
  const CommandInfo& present = GetCommandInfo(CommandId::kQueuePresentKHR);
  EXPECT_THAT(present.extensions, ElementsAre(static_cast<uint16_t>(ExtensionId::kKhrSwapchain)));
  EXPECT_EQ(present.core_version, 0u);
  EXPECT_THAT(present.success_codes, ElementsAre(VK_SUCCESS, VK_SUBOPTIMAL_KHR));
  EXPECT_THAT(present.error_codes, IsSupersetOf({VK_ERROR_DEVICE_LOST, VK_ERROR_OUT_OF_DATE_KHR}));
  EXPECT_THAT(present.extern_sync_members,
              ElementsAre("pPresentInfo->pWaitSemaphores[]", "pPresentInfo->pSwapchains[]"));
  EXPECT_EQ(GetCommandInfo(CommandId::kCmdPipelineBarrier2).core_version, VK_API_VERSION_1_3);
}

TEST(CommandInfo, Lifetimes) {
  EXPECT_EQ(CreateBuffer::kLifetime, LifetimeEffect::kCreate);
  EXPECT_EQ(RegisterDeviceEventEXT::kLifetime, LifetimeEffect::kCreate);
  EXPECT_EQ(FreeCommandBuffers::kLifetime, LifetimeEffect::kDestroy);
  EXPECT_EQ(GetSwapchainImagesKHR::kLifetime, LifetimeEffect::kRetrieve);
  EXPECT_EQ(GetPhysicalDeviceDisplayPropertiesKHR::kLifetime, LifetimeEffect::kRetrieve);
  EXPECT_EQ(AcquireNextImageKHR::kLifetime, LifetimeEffect::kNone);
}

TEST(CommandInfo, HandlesReached) {
  EXPECT_FALSE(CmdDraw::kReachesHandle);
  EXPECT_FALSE(CmdExecuteCommands::kReachesHandle);
  EXPECT_TRUE(CmdCopyBuffer::kReachesHandle && CmdCopyBuffer::kDirectHandlesOnly);
  EXPECT_TRUE(CmdPipelineBarrier::kReachesHandle && !CmdPipelineBarrier::kDirectHandlesOnly);
  EXPECT_TRUE(QueueSubmit::kReachesHandle && !QueueSubmit::kDirectHandlesOnly);
  // The handle is a uint64_t in a structure.
  EXPECT_TRUE(SetDebugUtilsObjectNameEXT::kReachesHandle);
  // A uint64_t whose type another parameter defines is not a parameter of a handle type.
  EXPECT_TRUE(SetPrivateData::kReachesHandle && !SetPrivateData::kDirectHandlesOnly);
  // The template defines where pData has handles.
  EXPECT_FALSE(UpdateDescriptorSetWithTemplate::kDirectHandlesOnly);
}

TEST(Commands, DispatchLevels) {
  EXPECT_EQ(CreateInstance::kDispatch, DispatchLevel::kGlobal);
  EXPECT_EQ(EnumerateInstanceVersion::kDispatch, DispatchLevel::kGlobal);
  EXPECT_EQ(GetInstanceProcAddr::kDispatch, DispatchLevel::kGlobal);
  EXPECT_EQ(DestroyInstance::kDispatch, DispatchLevel::kInstance);
  EXPECT_EQ(CreateDevice::kDispatch, DispatchLevel::kPhysicalDevice);
  EXPECT_EQ(CreateBuffer::kDispatch, DispatchLevel::kDevice);
  EXPECT_EQ(QueueSubmit::kDispatch, DispatchLevel::kQueue);
}

TEST(Commands, TypesAndRecordsAgree) {
  size_t count = 0;
  ForEachCommand([&]<class T>(T) {
    using C = typename T::Command;
    const CommandInfo& info = GetCommandInfo(C::kId);
    EXPECT_EQ(static_cast<size_t>(C::kId), count++);
    EXPECT_EQ(info.name, C::kName);
    EXPECT_EQ(info.dispatch, C::kDispatch);
    EXPECT_EQ(info.parameters->size, sizeof(C));
    EXPECT_EQ(info.parameters->name, C::kName);
    EXPECT_EQ((info.parameters->flags & kStructReachesHandle) != 0, C::kReachesHandle);
  });
  EXPECT_EQ(count, kCommandCount);
}

TEST(Commands, ShardsHoldEveryCommandOnce) {
  size_t count = 0;
#define ASSAY_COUNT(Name) ++count;
  ASSAY_VK_COMMANDS_0(ASSAY_COUNT)
  ASSAY_VK_COMMANDS_1(ASSAY_COUNT)
  ASSAY_VK_COMMANDS_2(ASSAY_COUNT)
  ASSAY_VK_COMMANDS_3(ASSAY_COUNT)
  ASSAY_VK_COMMANDS_4(ASSAY_COUNT)
  ASSAY_VK_COMMANDS_5(ASSAY_COUNT)
  ASSAY_VK_COMMANDS_6(ASSAY_COUNT)
  ASSAY_VK_COMMANDS_7(ASSAY_COUNT)
#undef ASSAY_COUNT
  EXPECT_EQ(count, kCommandCount);
}

uint32_t drawn = 0;

TEST(Commands, CallDownPassesTheParameters) {
  const auto draw = [](VkCommandBuffer, uint32_t vertices, uint32_t instances, uint32_t first_vertex,
                       uint32_t first_instance) {
    drawn = vertices * 1000 + instances * 100 + first_vertex * 10 + first_instance;
  };
  CallDown(CmdDraw{nullptr, 1, 2, 3, 4}, draw);
  EXPECT_EQ(drawn, 1234u);
}

}  // namespace
}  // namespace assay::vk
