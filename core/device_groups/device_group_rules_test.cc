// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A logical device of two physical devices, and one of one. Each call breaks one rule.

#include <array>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/call_by_id.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"
#include "vk/command_info.h"
#include "vk/commands.h"
#include "vk/struct_info.h"

namespace assay::core {
namespace {

using test::Of, test::Typed;

constexpr auto kSplitImage = VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT;

class DeviceGroups : public test::ValidationTest {
 protected:
  void SetUp() override { Start(2); }
  // Without bufferDeviceAddressMultiDevice.
  void Start(uint32_t size) {
    driver().config().physical_device_count = size;
    driver().config().disabled_extensions.clear();
    test::DeviceOptions options = features_.EnableAll({"bufferDeviceAddressMultiDevice"});
    // Other parameters are empty.
    options.settings = {{"object_lifetime", false}, {"stateless_param", false}};
    CreateInstance(options);
    std::array<VkPhysicalDevice, 2> devices;
    vk.EnumeratePhysicalDevices(instance, &size, devices.data());
    auto group = Of<VkDeviceGroupDeviceCreateInfo>(size, devices.data());
    group.pNext = options.features;
    options.features = &group;
    options.core_features = false;
    CreateDevice(options);
    messages.Take();
  }
  // One structure of the chain, and what it makes wrong.
  void ExpectAmong(std::string_view id) {
    SCOPED_TRACE(id);
    messages.ExpectAmong(absl::StrCat("VUID-", id));
  }
  // The call breaks that rule of its command, unless the rule has another owner.
  template <class C>
  void ExpectOf(std::string_view rule, const C& call) {
    test::CallById(C::kId, &call, vk.Find(C::kId));
    ExpectAmong(rule.starts_with("Vk") ? std::string(rule) : absl::StrCat(C::kName, "-", rule));
  }
  // Acceleration structures and micromaps are copied alike.
  template <class C, class Info = std::remove_cvref_t<decltype(*C::pInfo)>>
  void ExpectOfCopy(std::string_view rule, const Info& of) {
    const Info info = Typed(of);
    ExpectOf(rule, C{device, VK_NULL_HANDLE, &info});
  }

  test::ExtensionFeatures features_;
};

TEST_F(DeviceGroups, Feature) {
  using Id = vk::CommandId;
  const SkipCalls skip(*this);
  for (const auto& [command, number] : {std::pair(Id::kGetBufferDeviceAddress, "03325"),
                                        {Id::kGetBufferOpaqueCaptureAddress, "03327"},
                                        {Id::kGetDeviceMemoryOpaqueCaptureAddress, "03335"},
                                        {Id::kCreateAccelerationStructureKHR, "03489"},
                                        {Id::kGetAccelerationStructureBuildSizesKHR, "03618"},
                                        {Id::kGetAccelerationStructureDeviceAddressKHR, "03504"},
                                        {Id::kCreateMicromapEXT, "07432"},
                                        {Id::kGetMicromapBuildSizesEXT, "07440"},
                                        {Id::kGetBufferOpaqueCaptureDescriptorDataEXT, "08074"},
                                        {Id::kGetImageOpaqueCaptureDescriptorDataEXT, "08078"},
                                        {Id::kGetImageViewOpaqueCaptureDescriptorDataEXT, "08082"},
                                        {Id::kGetSamplerOpaqueCaptureDescriptorDataEXT, "08086"},
                                        {Id::kGetAccelerationStructureOpaqueCaptureDescriptorDataEXT, "08090"}}) {
    test::ParameterMemory parameters(command);
    *static_cast<VkDevice*>(parameters.data()) = device;
    test::CallById(command, parameters.data(), vk.Find(command));
    ExpectAmong(absl::StrCat(vk::GetCommandInfo(command).name, "-device-", number));
  }
}

TEST_F(DeviceGroups, Masks) {
  const SkipCalls skip(*this);
  const auto memory = Of<VkMemoryAllocateFlagsInfo>(VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT, 4);
  CreateOnce(vk.AllocateMemory, vk.FreeMemory, {.pNext = &memory, .allocationSize = 64});
  ExpectMessage("VUID-VkMemoryAllocateFlagsInfo-deviceMask-00675");

  const VkCommandBuffer commands = MakeCommandBuffer();
  const auto wrong = Of<VkDeviceGroupCommandBufferBeginInfo>(4);
  const auto begin = Typed(VkCommandBufferBeginInfo{.pNext = &wrong});
  vk.BeginCommandBuffer(commands, &begin);
  ExpectMessage("VUID-VkDeviceGroupCommandBufferBeginInfo-deviceMask-00106");
  Begin(commands);
  vk.CmdSetDeviceMask(commands, 3);
  ExpectNothing();
  vk.CmdSetDeviceMask(commands, 4);
  ExpectMessage("VUID-vkCmdSetDeviceMask-deviceMask-00108");
  auto instance_of = Of<VkDeviceGroupRenderPassBeginInfo>(4);
  const auto rendering = Typed(VkRenderingInfo{.pNext = &instance_of});
  ExpectOf("VkDeviceGroupRenderPassBeginInfo-deviceMask-00905", vk::CmdBeginRendering{commands, &rendering});
  const VkRect2D area = {};
  instance_of = Of<VkDeviceGroupRenderPassBeginInfo>(1, 1, &area);
  const auto pass = Typed(VkRenderPassBeginInfo{.pNext = &instance_of});
  const auto subpass = Typed(VkSubpassBeginInfo());
  constexpr char kAreas[] = "VkDeviceGroupRenderPassBeginInfo-deviceRenderAreaCount-00908";
  ExpectOf(kAreas, vk::CmdBeginRenderPass{commands, &pass, VK_SUBPASS_CONTENTS_INLINE});
  ExpectOf(kAreas, vk::CmdBeginRenderPass2{commands, &pass, &subpass});
}

TEST_F(DeviceGroups, Submissions) {
  const SkipCalls skip(*this);
  const uint32_t two = 2, four = 4;
  auto group = Typed(VkDeviceGroupSubmitInfo{.waitSemaphoreCount = 1, .pWaitSemaphoreDeviceIndices = &two});
  const auto submit = Typed(VkSubmitInfo{.pNext = &group});
  ExpectOf("VkDeviceGroupSubmitInfo-pWaitSemaphoreDeviceIndices-00085", vk::QueueSubmit{Queue(), 1, &submit});
  group = Typed(VkDeviceGroupSubmitInfo{.commandBufferCount = 1, .pCommandBufferDeviceMasks = &four});
  ExpectOf("VkDeviceGroupSubmitInfo-pCommandBufferDeviceMasks-00086", vk::QueueSubmit{Queue(), 1, &submit});

  const auto signal = Typed(VkSemaphoreSubmitInfo{.semaphore = MakeSemaphore(), .deviceIndex = 2});
  auto submit2 = Typed(VkSubmitInfo2{.signalSemaphoreInfoCount = 1, .pSignalSemaphoreInfos = &signal});
  vk.QueueSubmit2(Queue(), 1, &submit2, VK_NULL_HANDLE);
  ExpectMessage("VUID-VkSemaphoreSubmitInfo-device-03889");
  const auto buffer = Of<VkCommandBufferSubmitInfo>(Record([](VkCommandBuffer) {}), 4);
  submit2 = Typed(VkSubmitInfo2{.commandBufferInfoCount = 1, .pCommandBufferInfos = &buffer});
  vk.QueueSubmit2(Queue(), 1, &submit2, VK_NULL_HANDLE);
  ExpectMessage("VUID-VkCommandBufferSubmitInfo-deviceMask-03891");

  const auto sparse = Typed(VkDeviceGroupBindSparseInfo{.memoryDeviceIndex = 2});
  const auto bind = Typed(VkBindSparseInfo{.pNext = &sparse});
  ExpectOf("VkDeviceGroupBindSparseInfo-resourceDeviceIndex-01118", vk::QueueBindSparse{Queue(), 1, &bind});
  const auto acquire = Typed(VkAcquireNextImageInfoKHR{.deviceMask = 4});
  uint32_t image = 0;
  ExpectOf("VkAcquireNextImageInfoKHR-deviceMask-01290", vk::AcquireNextImage2KHR{device, &acquire, &image});
}

TEST_F(DeviceGroups, Indices) {
  const SkipCalls skip(*this);
  const uint32_t right[] = {1, 0}, wrong[] = {0, 2};
  // Too few indices, and one that no physical device has.
  const auto expect = [&](auto& info, const auto& bind, std::string_view count, std::string_view index) {
    const std::string_view owner = vk::FindStruct(info.sType)->name;
    info.deviceIndexCount = 1, info.pDeviceIndices = right;
    ExpectOf(absl::StrCat(owner, "-deviceIndexCount-", count), bind);
    info.deviceIndexCount = 2, info.pDeviceIndices = wrong;
    ExpectOf(absl::StrCat(owner, "-pDeviceIndices-", index), bind);
  };
  auto of_buffer = Typed(VkBindBufferMemoryDeviceGroupInfo());
  const auto buffer = Typed(VkBindBufferMemoryInfo{.pNext = &of_buffer});
  expect(of_buffer, vk::BindBufferMemory2{device, 1, &buffer}, "01606", "01607");
  auto of_image = Typed(VkBindImageMemoryDeviceGroupInfo());
  const auto bound = Typed(VkBindImageMemoryInfo{.pNext = &of_image});
  const vk::BindImageMemory2 bind_image = {device, 1, &bound};
  expect(of_image, bind_image, "01634", "01635");
  const VkRect2D areas[2] = {};
  of_image = Of<VkBindImageMemoryDeviceGroupInfo>(0, wrong, 2, areas);
  ExpectOf("VkBindImageMemoryDeviceGroupInfo-splitInstanceBindRegionCount-01636", bind_image);

  CreateOnce(vk.CreateImage, vk.DestroyImage, {.flags = kSplitImage, .mipLevels = 2});
  ExpectAmong("VkImageCreateInfo-flags-02259");

  VkPeerMemoryFeatureFlags features = 0;
  vk.GetDeviceGroupPeerMemoryFeatures(device, 0, 0, 1, &features);
  ExpectNothing();
  vk.GetDeviceGroupPeerMemoryFeatures(device, VK_MAX_MEMORY_HEAPS, 0, 1, &features);
  ExpectMessage("VUID-vkGetDeviceGroupPeerMemoryFeatures-heapIndex-00691");
  vk.GetDeviceGroupPeerMemoryFeatures(device, 0, 2, 1, &features);
  ExpectMessage("VUID-vkGetDeviceGroupPeerMemoryFeatures-localDeviceIndex-00692");
  vk.GetDeviceGroupPeerMemoryFeatures(device, 0, 0, 2, &features);
  ExpectMessage("VUID-vkGetDeviceGroupPeerMemoryFeatures-remoteDeviceIndex-00693");
}

TEST_F(DeviceGroups, MemoryInstances) {
  const auto all =
      Of<VkMemoryAllocateFlagsInfo>(VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT | VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT, 3);
  const VkBuffer buffer = MakeUnboundBuffer(
      {.size = 4096,
       .usage = VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR | VK_BUFFER_USAGE_MICROMAP_STORAGE_BIT_EXT});
  vk.BindBufferMemory(device, buffer, MakeMemory(1 << 16, 3, &all), 0);
  const auto structure = MakeFrom(VkAccelerationStructureCreateInfoKHR{.buffer = buffer, .size = 256},
                                  vk.CreateAccelerationStructureKHR, vk.DestroyAccelerationStructureKHR);
  const auto micromap = MakeFrom(VkMicromapCreateInfoEXT{.buffer = buffer, .offset = 1024, .size = 256},
                                 vk.CreateMicromapEXT, vk.DestroyMicromapEXT);
  messages.Take();
  const SkipCalls skip(*this);
  auto build = Typed(VkAccelerationStructureBuildGeometryInfoKHR{.srcAccelerationStructure = structure,
                                                                 .dstAccelerationStructure = structure});
  const VkAccelerationStructureBuildRangeInfoKHR* ranges[] = {nullptr};
  const vk::BuildAccelerationStructuresKHR builds = {device, VK_NULL_HANDLE, 1, &build, ranges};
  ExpectOf("pInfos-03775", builds);
  build.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR, build.dstAccelerationStructure = VK_NULL_HANDLE;
  ExpectOf("pInfos-03776", builds);
  const auto build_map = Typed(VkMicromapBuildInfoEXT{.dstMicromap = micromap});
  ExpectOf("pInfos-07557", vk::BuildMicromapsEXT{device, VK_NULL_HANDLE, 1, &build_map});
  ExpectOfCopy<vk::CopyAccelerationStructureKHR>("buffer-03780", {.src = structure});
  ExpectOfCopy<vk::CopyAccelerationStructureKHR>("buffer-03781", {.src = structure, .dst = structure});
  ExpectOfCopy<vk::CopyMemoryToAccelerationStructureKHR>("buffer-03782", {.dst = structure});
  ExpectOfCopy<vk::CopyAccelerationStructureToMemoryKHR>("buffer-03783", {.src = structure});
  ExpectOfCopy<vk::CopyMicromapEXT>("buffer-07561", {.src = micromap});
  ExpectOfCopy<vk::CopyMicromapEXT>("buffer-07562", {.src = micromap, .dst = micromap});
  ExpectOfCopy<vk::CopyMemoryToMicromapEXT>("buffer-07567", {.dst = micromap});
  ExpectOfCopy<vk::CopyMicromapToMemoryEXT>("buffer-07572", {.src = micromap});
  uint64_t data = 0;
  ExpectOf("buffer-03784",
           vk::WriteAccelerationStructuresPropertiesKHR{
               device, 1, &structure, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR, sizeof(data), &data, 8});
  ExpectOf("buffer-07579",
           vk::WriteMicromapsPropertiesEXT{device, 1, &micromap, VK_QUERY_TYPE_MICROMAP_COMPACTED_SIZE_EXT,
                                           sizeof(data), &data, 8});
}

TEST_F(DeviceGroups, OfOne) {
  Destroy();
  Start(1);
  const test::Buffer buffer =
      MakeBuffer(64, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  messages.Take();
  const SkipCalls skip(*this);
  AddressOf(buffer);
  ExpectNothing();
  CreateOnce(vk.CreateImage, vk.DestroyImage, {.flags = kSplitImage});
  ExpectAmong("VkImageCreateInfo-physicalDeviceCount-01421");
  CreateOnce(vk.CreateSwapchainKHR, vk.DestroySwapchainKHR,
             {.flags = VK_SWAPCHAIN_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT_KHR});
  ExpectAmong("VkSwapchainCreateInfoKHR-physicalDeviceCount-01429");
}

}  // namespace
}  // namespace assay::core
