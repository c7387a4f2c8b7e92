// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "layer/minimal_calls_fixture.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "vk/extension_info.h"
#include "vk/feature_info.h"
#include "vk/struct_info.h"

namespace assay::layer {
namespace {

// Extensions that the fixture enables itself, and extensions that exclude others.
constexpr std::string_view kNotAdded[] = {
    VK_AMD_NEGATIVE_VIEWPORT_HEIGHT_EXTENSION_NAME,
    VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME,
    VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
    VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME,
    VK_EXT_LAYER_SETTINGS_EXTENSION_NAME,
    VK_KHR_SURFACE_EXTENSION_NAME,
    VK_KHR_SWAPCHAIN_EXTENSION_NAME,
    "VK_KHR_portability_subset",
};

}  // namespace

ExtensionFeatures::ExtensionFeatures(const std::set<vk::FeatureId>& without) {
  for (const vk::FeatureInfo& feature : vk::Features()) {
    if (without.contains(feature.id)) continue;
    const vk::StructInfo& info = *vk::FindStruct(feature.struct_name);
    if (info.core_version != 0 || info.structure_type == VK_STRUCTURE_TYPE_MAX_ENUM) continue;
    std::unique_ptr<std::byte[]>& structure = structures_[info.structure_type];
    if (structure == nullptr) {
      structure = std::make_unique<std::byte[]>(info.size);
      *reinterpret_cast<VkBaseOutStructure*>(structure.get()) = {info.structure_type, head_};
      head_ = reinterpret_cast<VkBaseOutStructure*>(structure.get());
    }
    *reinterpret_cast<VkBool32*>(structure.get() + feature.offset) = VK_TRUE;
  }
}

test::DeviceOptions MinimalCallsFixture::Options() {
  test::DeviceOptions options;
  options.api_version = ApiVersion();
  options.features = features_.head();
  options.settings = {{"validate_core", validates_core_}};
  for (uint32_t i = 0; i < vk::kExtensionCount; ++i) {
    const auto id = static_cast<vk::ExtensionId>(i);
    const vk::ExtensionInfo& info = vk::GetExtensionInfo(id);
    if (std::ranges::count(kNotAdded, info.name) != 0 || Lacks(id)) continue;
    (info.instance ? options.instance_extensions : options.device_extensions).push_back(info.name.data());
  }
  return options;
}

uint32_t MinimalCallsFixture::ApiVersion() const {
  uint32_t version = lacking_.version != 0 ? lacking_.version : VK_API_VERSION_1_4 + 1;
  for (const vk::ImplicitFeature& implicit : vk::ImplicitFeatures()) {
    if (implicit.version != 0 && lacking_.features.contains(implicit.feature))
      version = std::min(version, implicit.version);
  }
  return version > VK_API_VERSION_1_4 ? VK_API_VERSION_1_4
                                      : VK_MAKE_API_VERSION(0, 1, VK_API_VERSION_MINOR(version) - 1, 0);
}

bool MinimalCallsFixture::Lacks(vk::ExtensionId extension) const {
  return lacking_.extensions.contains(extension) ||
         std::ranges::any_of(vk::ImplicitFeatures(), [&](const vk::ImplicitFeature& implicit) {
           return implicit.extension == extension && lacking_.features.contains(implicit.feature);
         });
}

void MinimalCallsFixture::SetUp() {
  for (const vk::FeatureInfo& feature : vk::Features()) {
    if (lacking_.features.contains(feature.id))
      driver().config().disabled_features.insert(std::string(feature.struct_name) + "." + std::string(feature.name));
  }
  driver().config().queue_families[0].queueFlags |= VK_QUEUE_OPTICAL_FLOW_BIT_NV;
  ValidationTest::SetUp();
  SetHandle(VK_OBJECT_TYPE_INSTANCE, instance);
  SetHandle(VK_OBJECT_TYPE_PHYSICAL_DEVICE, physical_device);
  SetHandle(VK_OBJECT_TYPE_DEVICE, device);
  SetHandle(VK_OBJECT_TYPE_QUEUE, Queue());
}

void MinimalCallsFixture::TearDown() {
  ExpectNothing();
  Destroy();
  for (const test::Message& message : messages.Take()) {
    EXPECT_TRUE(message.id == "VUID-vkDestroyDevice-device-05137" ||
                message.id == "VUID-vkDestroyInstance-instance-00629")
        << message.id << ": " << message.text;
  }
  ValidationTest::TearDown();
}

void MinimalCallsFixture::SetCommandBufferFor(const vk::CommandInfo& command) {
  const VkCommandBuffer command_buffer = MakeCommandBuffer();
  SetHandle(VK_OBJECT_TYPE_COMMAND_BUFFER, command_buffer);
  if (command.id == vk::CommandId::kBeginCommandBuffer) return;
  Begin(command_buffer);
  if (command.render_pass == vk::CommandScope::kInside) Call(vk::CommandId::kCmdBeginRendering);
  if (command.video_coding == vk::CommandScope::kInside) Call(vk::CommandId::kCmdBeginVideoCodingKHR);
}

std::unique_ptr<stateless::MinimalCall> MinimalCallsFixture::PrepareAnywhere(const stateless::Route& route) {
  const vk::CommandInfo& command = *route.command;
  if (command.dispatch == vk::DispatchLevel::kCommandBuffer) SetCommandBufferFor(command);
  // For a primary command buffer, pInheritanceInfo is ignored.
  if (command.id == vk::CommandId::kBeginCommandBuffer)
    SetHandle(VK_OBJECT_TYPE_COMMAND_BUFFER, MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY));
  return caller_.Prepare(route);
}

void MinimalCallsFixture::ExpectReport(const stateless::MinimalCall& call, std::string_view id,
                                       std::source_location where) {
  messages.Take();
  messages.set_callback_result(VK_TRUE);
  bool reached = false;
  driver().SetObserver([&](vk::CommandId command, const void*) { reached |= command == call.command().id; });
  caller_.Run(call);
  driver().SetObserver({});
  messages.set_callback_result(VK_FALSE);
  messages.ExpectAmong(id, where);
  EXPECT_FALSE(reached) << id;
}

}  // namespace assay::layer
