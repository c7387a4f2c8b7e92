// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The positive twin of all checks of parameters and handles. A minimal correct call of every command goes through the
// whole layer to the driver, and no validator reports anything.
//
// The rules of validate_core need more than live objects, such as memory behind a copied buffer or a bound pipeline.
// Its messages about such calls are true. So the test with validate_core checks its rules of recording alone: the
// state, the level and the queue family of a command buffer, and the scopes, are right for each command.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "layer/minimal_caller.h"
#include "testing/fixture.h"
#include "vk/command_info.h"
#include "vk/extension_info.h"
#include "vk/struct_info.h"

namespace assay::layer {
namespace {

// The features of extensions alone, all enabled. The fixture enables those of core versions.
class ExtensionFeatures {
 public:
  ExtensionFeatures() {
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
  void* head() { return head_; }

 private:
  std::map<VkStructureType, std::unique_ptr<std::byte[]>> structures_;
  VkBaseOutStructure* head_ = nullptr;
};

struct Exception {
  vk::CommandId id;
  std::string_view reason;
};
constexpr std::string_view kCalledByFixture = "The fixture calls it, which fails on any message.";
constexpr std::string_view kGlobal = "Answered where there is no instance yet, and so no validator.";
constexpr std::string_view kBinary = "Pipeline binaries are not returned in a parameter, but in a structure.";
constexpr Exception kExceptions[] = {
    {vk::CommandId::kCreateDevice, kCalledByFixture},
    {vk::CommandId::kCreateInstance, kCalledByFixture},
    {vk::CommandId::kDestroyDevice, kCalledByFixture},
    {vk::CommandId::kDestroyInstance, kCalledByFixture},
    {vk::CommandId::kDestroyPipelineBinaryKHR, kBinary},
    {vk::CommandId::kEnumerateInstanceExtensionProperties, kGlobal},
    {vk::CommandId::kEnumerateInstanceLayerProperties, kGlobal},
    {vk::CommandId::kEnumerateInstanceVersion, kGlobal},
    {vk::CommandId::kGetPipelineBinaryDataKHR, kBinary},
};

// Commands that the layer implements itself.
constexpr vk::CommandId kImplementedByLayer[] = {vk::CommandId::kEnumerateDeviceLayerProperties,
                                                 vk::CommandId::kGetInstanceProcAddr,
                                                 vk::CommandId::kGetDeviceProcAddr};

// Commands that need a timeline semaphore.
constexpr vk::CommandId kNeedTimelineSemaphore[] = {vk::CommandId::kGetSemaphoreCounterValue,
                                                    vk::CommandId::kSignalSemaphore, vk::CommandId::kWaitSemaphores};

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

// Whether the message is of an implicit rule of recorded commands.
bool IsRecordingRule(std::string_view id) {
  constexpr std::string_view kEnds[] = {"-renderpass", "-videocoding", "-recording",
                                        "-cmdpool",    "-bufferlevel", "-suspended"};
  return std::ranges::any_of(kEnds, [id](std::string_view end) { return id.ends_with(end); });
}

// The parameter is whether validate_core is on.
class MinimalCalls : public test::ValidationTest, public testing::WithParamInterface<bool> {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options;
    options.features = features_.head();
    options.settings = {{"validate_core", GetParam()}};
    for (uint32_t i = 0; i < vk::kExtensionCount; ++i) {
      const vk::ExtensionInfo& info = vk::GetExtensionInfo(static_cast<vk::ExtensionId>(i));
      if (std::ranges::count(kNotAdded, info.name) != 0) continue;
      (info.instance ? options.instance_extensions : options.device_extensions).push_back(info.name.data());
    }
    return options;
  }

  void SetUp() override {
    driver().config().queue_families[0].queueFlags |= VK_QUEUE_OPTICAL_FLOW_BIT_NV;
    ValidationTest::SetUp();
    SetHandle(VK_OBJECT_TYPE_INSTANCE, instance);
    SetHandle(VK_OBJECT_TYPE_PHYSICAL_DEVICE, physical_device);
    SetHandle(VK_OBJECT_TYPE_DEVICE, device);
    SetHandle(VK_OBJECT_TYPE_QUEUE, Queue());
  }

  // The objects of the MinimalCaller are not destroyed.
  void TearDown() override {
    ExpectNothing();
    Destroy();
    for (const test::Message& message : messages.Take()) {
      EXPECT_TRUE(message.id == "VUID-vkDestroyDevice-device-05137" ||
                  message.id == "VUID-vkDestroyInstance-instance-00629")
          << message.id << ": " << message.text;
    }
    ValidationTest::TearDown();
  }

  template <class Handle>
  void SetHandle(VkObjectType type, Handle handle) {
    caller_.SetHandle(type, reinterpret_cast<uint64_t>(handle));
  }

  void Call(vk::CommandId id) { caller_.Run(*caller_.Prepare(vk::GetCommandInfo(id))); }

  // Makes a command buffer in the state and the scope that the command needs.
  void SetCommandBufferFor(const vk::CommandInfo& command) {
    const VkCommandBuffer command_buffer = MakeCommandBuffer();
    SetHandle(VK_OBJECT_TYPE_COMMAND_BUFFER, command_buffer);
    if (command.id == vk::CommandId::kBeginCommandBuffer) return;
    Begin(command_buffer);
    if (command.render_pass == vk::CommandScope::kInside) Call(vk::CommandId::kCmdBeginRendering);
    if (command.video_coding == vk::CommandScope::kInside) Call(vk::CommandId::kCmdBeginVideoCodingKHR);
  }

  // The messages that should not have been reported, and the misuses that the driver found.
  std::string TakeUnexpectedMessages() {
    std::string wrong;
    for (const test::Message& message : messages.Take()) {
      if (!GetParam() || IsRecordingRule(message.id)) wrong += message.id + ": " + message.text + "\n";
    }
    for (const std::string& misuse : driver().TakeMisuses()) wrong += misuse + "\n";
    return wrong;
  }

  // Calls the command and returns what was wrong, in words.
  std::string CallAndCheck(const vk::CommandInfo& command) {
    if (command.dispatch == vk::DispatchLevel::kCommandBuffer) SetCommandBufferFor(command);
    const bool needs_timeline = std::ranges::count(kNeedTimelineSemaphore, command.id) != 0;
    SetHandle(VK_OBJECT_TYPE_SEMAPHORE, needs_timeline ? MakeTimeline() : MakeSemaphore());
    const auto call = caller_.Prepare(command);
    bool reached = false;
    driver().SetObserver([&](vk::CommandId id, const void*) { reached = reached || id == command.id; });
    caller_.Run(*call);
    driver().SetObserver({});
    const bool by_layer = std::ranges::count(kImplementedByLayer, command.id) != 0;
    return TakeUnexpectedMessages() + (reached == by_layer ? "did not reach the driver, or should not have" : "");
  }

  ExtensionFeatures features_;
  MinimalCaller caller_{vk};
};

TEST_P(MinimalCalls, AreSilent) {
  size_t tried = 0;
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    if (std::ranges::count(kExceptions, command.id, &Exception::id) != 0) continue;
    EXPECT_EQ(CallAndCheck(command), "") << command.name;
    ++tried;
  }
  EXPECT_EQ(tried, vk::kCommandCount - std::size(kExceptions));
  EXPECT_GE(tried * 100, vk::kCommandCount * 95);
}

// The same calls with one mistake.
TEST_P(MinimalCalls, WithAMistakeAreReported) {
  const auto buffer = caller_.Prepare(vk::GetCommandInfo(vk::CommandId::kCreateBuffer));
  VkBufferCreateInfo info = *static_cast<vk::CreateBuffer*>(buffer->parameters())->pCreateInfo;
  info.size = 0;
  static_cast<vk::CreateBuffer*>(buffer->parameters())->pCreateInfo = &info;
  caller_.Run(*buffer);
  ExpectMessage("VUID-VkBufferCreateInfo-size-00912");

  const auto fence = caller_.Prepare(vk::GetCommandInfo(vk::CommandId::kGetFenceStatus));
  vk.DestroyFence(device, static_cast<vk::GetFenceStatus*>(fence->parameters())->fence, nullptr);
  driver().CheckHandles(false);
  caller_.Run(*fence);
  ExpectMessage("VUID-vkGetFenceStatus-fence-parameter");
}

INSTANTIATE_TEST_SUITE_P(Core, MinimalCalls, testing::Values(false, true),
                         [](const auto& info) { return info.param ? "On" : "Off"; });

}  // namespace
}  // namespace assay::layer
