// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "layer/minimal_calls_fixture.h"

#include <algorithm>
#include <string_view>

#include "vk/extension_info.h"
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

ExtensionFeatures::ExtensionFeatures() {
  for (const vk::FeatureInfo& feature : vk::Features()) {
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
  options.features = features_.head();
  options.settings = {{"validate_core", validates_core_}};
  for (uint32_t i = 0; i < vk::kExtensionCount; ++i) {
    const vk::ExtensionInfo& info = vk::GetExtensionInfo(static_cast<vk::ExtensionId>(i));
    if (std::ranges::count(kNotAdded, info.name) != 0) continue;
    (info.instance ? options.instance_extensions : options.device_extensions).push_back(info.name.data());
  }
  return options;
}

void MinimalCallsFixture::SetUp() {
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

}  // namespace assay::layer
