// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A logical device of two physical devices, and one of one. Each call breaks one rule.

#include <array>
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
#include "vk/struct_traits.h"

namespace assay::core {
namespace {

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
    const VkDeviceGroupDeviceCreateInfo group = {VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO, options.features,
                                                 size, devices.data()};
    options.features = const_cast<VkDeviceGroupDeviceCreateInfo*>(&group);
    options.core_features = false;
    CreateDevice(options);
    messages.Take();
  }
  // One structure of the chain, and what it makes wrong.
  void ExpectAmong(std::string_view id) {
    SCOPED_TRACE(id);
    messages.ExpectAmong(absl::StrCat("VUID-", id));
  }
  template <class T>
  T Begin(const void* chain = nullptr) {
    T info = {};
    info.sType = vk::kStructureTypeOf<T>;
    info.pNext = chain;
    return info;
  }
  // The call breaks that rule of its command.
  template <class C>
  void ExpectOf(std::string_view rule, const C& call) {
    const SkipCalls skip(*this);
    test::CallById(C::kId, &call, vk.Find(C::kId));
    ExpectAmong(absl::StrCat(C::kName, "-", rule));
  }
  // Acceleration structures and micromaps are copied alike. The rules are of the source and the destination of a copy,
  // of the destination of one from memory, and of the source of one to memory.
  template <class Copy, class FromMemory, class ToMemory, class Handle>
  void ExpectOfCopies(Handle handle, const std::array<std::string_view, 4>& rules) {
    auto copy = Begin<std::remove_cvref_t<decltype(*Copy::pInfo)>>();
    copy.src = handle;
    ExpectOf(rules[0], Copy{device, VK_NULL_HANDLE, &copy});
    copy.dst = handle;
    ExpectOf(rules[1], Copy{device, VK_NULL_HANDLE, &copy});
    auto from_memory = Begin<std::remove_cvref_t<decltype(*FromMemory::pInfo)>>();
    from_memory.dst = handle;
    ExpectOf(rules[2], FromMemory{device, VK_NULL_HANDLE, &from_memory});
    auto to_memory = Begin<std::remove_cvref_t<decltype(*ToMemory::pInfo)>>();
    to_memory.src = handle;
    ExpectOf(rules[3], ToMemory{device, VK_NULL_HANDLE, &to_memory});
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
  const VkMemoryAllocateFlagsInfo memory = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, nullptr,
                                            VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT, 4};
  const VkMemoryAllocateInfo allocation = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &memory, 64, 0};
  CreateOnce(vk.AllocateMemory, vk.FreeMemory, allocation);
  ExpectMessage("VUID-VkMemoryAllocateFlagsInfo-deviceMask-00675");

  const VkCommandBuffer commands = MakeCommandBuffer();
  const VkDeviceGroupCommandBufferBeginInfo wrong = {VK_STRUCTURE_TYPE_DEVICE_GROUP_COMMAND_BUFFER_BEGIN_INFO, nullptr,
                                                     4};
  auto begin = Begin<VkCommandBufferBeginInfo>(&wrong);
  vk.BeginCommandBuffer(commands, &begin);
  ExpectMessage("VUID-VkDeviceGroupCommandBufferBeginInfo-deviceMask-00106");
  begin.pNext = nullptr;
  vk.BeginCommandBuffer(commands, &begin);
  vk.CmdSetDeviceMask(commands, 3);
  ExpectNothing();
  vk.CmdSetDeviceMask(commands, 4);
  ExpectMessage("VUID-vkCmdSetDeviceMask-deviceMask-00108");
  const VkRect2D area = {};
  auto instance_of = Begin<VkDeviceGroupRenderPassBeginInfo>();
  instance_of.deviceMask = 4;
  auto rendering = Begin<VkRenderingInfo>(&instance_of);
  vk.CmdBeginRendering(commands, &rendering);
  ExpectAmong("VkDeviceGroupRenderPassBeginInfo-deviceMask-00905");
  instance_of = {instance_of.sType, nullptr, 1, 1, &area};
  const auto pass = Begin<VkRenderPassBeginInfo>(&instance_of);
  vk.CmdBeginRenderPass(commands, &pass, VK_SUBPASS_CONTENTS_INLINE);
  ExpectAmong("VkDeviceGroupRenderPassBeginInfo-deviceRenderAreaCount-00908");
  const auto subpass = Begin<VkSubpassBeginInfo>();
  vk.CmdBeginRenderPass2(commands, &pass, &subpass);
  ExpectAmong("VkDeviceGroupRenderPassBeginInfo-deviceRenderAreaCount-00908");
}

TEST_F(DeviceGroups, Submissions) {
  const SkipCalls skip(*this);
  const uint32_t two = 2, four = 4;
  auto group = Begin<VkDeviceGroupSubmitInfo>();
  auto submit = Begin<VkSubmitInfo>(&group);
  group.waitSemaphoreCount = 1, group.pWaitSemaphoreDeviceIndices = &two;
  vk.QueueSubmit(Queue(), 1, &submit, VK_NULL_HANDLE);
  ExpectAmong("VkDeviceGroupSubmitInfo-pWaitSemaphoreDeviceIndices-00085");
  group.waitSemaphoreCount = 0;
  group.commandBufferCount = 1, group.pCommandBufferDeviceMasks = &four;
  vk.QueueSubmit(Queue(), 1, &submit, VK_NULL_HANDLE);
  ExpectAmong("VkDeviceGroupSubmitInfo-pCommandBufferDeviceMasks-00086");

  auto signal = Begin<VkSemaphoreSubmitInfo>();
  signal.semaphore = MakeSemaphore(), signal.deviceIndex = 2;
  auto buffer = Begin<VkCommandBufferSubmitInfo>();
  buffer.commandBuffer = Record([](VkCommandBuffer) {}), buffer.deviceMask = 4;
  auto submit2 = Begin<VkSubmitInfo2>();
  submit2.signalSemaphoreInfoCount = 1, submit2.pSignalSemaphoreInfos = &signal;
  vk.QueueSubmit2(Queue(), 1, &submit2, VK_NULL_HANDLE);
  ExpectMessage("VUID-VkSemaphoreSubmitInfo-device-03889");
  submit2.signalSemaphoreInfoCount = 0, submit2.commandBufferInfoCount = 1, submit2.pCommandBufferInfos = &buffer;
  vk.QueueSubmit2(Queue(), 1, &submit2, VK_NULL_HANDLE);
  ExpectMessage("VUID-VkCommandBufferSubmitInfo-deviceMask-03891");

  auto sparse = Begin<VkDeviceGroupBindSparseInfo>();
  sparse.memoryDeviceIndex = 2;
  const auto bind = Begin<VkBindSparseInfo>(&sparse);
  vk.QueueBindSparse(Queue(), 1, &bind, VK_NULL_HANDLE);
  ExpectAmong("VkDeviceGroupBindSparseInfo-resourceDeviceIndex-01118");
  auto acquire = Begin<VkAcquireNextImageInfoKHR>();
  acquire.deviceMask = 4;
  uint32_t image = 0;
  vk.AcquireNextImage2KHR(device, &acquire, &image);
  ExpectAmong("VkAcquireNextImageInfoKHR-deviceMask-01290");
}

TEST_F(DeviceGroups, Indices) {
  const SkipCalls skip(*this);
  const uint32_t right[] = {1, 0}, wrong[] = {0, 2};
  // Too few indices, and one that no physical device has.
  const auto expect = [&](auto& info, const auto& bind, std::string_view count, std::string_view index) {
    const std::string_view owner = vk::FindStruct(info.sType)->name;
    info.deviceIndexCount = 1, info.pDeviceIndices = right;
    bind();
    ExpectAmong(absl::StrCat(owner, "-deviceIndexCount-", count));
    info.deviceIndexCount = 2, info.pDeviceIndices = wrong;
    bind();
    ExpectAmong(absl::StrCat(owner, "-pDeviceIndices-", index));
  };
  auto of_buffer = Begin<VkBindBufferMemoryDeviceGroupInfo>();
  const auto buffer = Begin<VkBindBufferMemoryInfo>(&of_buffer);
  expect(of_buffer, [&] { vk.BindBufferMemory2(device, 1, &buffer); }, "01606", "01607");
  auto of_image = Begin<VkBindImageMemoryDeviceGroupInfo>();
  const auto bound = Begin<VkBindImageMemoryInfo>(&of_image);
  expect(of_image, [&] { vk.BindImageMemory2(device, 1, &bound); }, "01634", "01635");
  const VkRect2D areas[2] = {};
  of_image.deviceIndexCount = 0, of_image.splitInstanceBindRegionCount = 2, of_image.pSplitInstanceBindRegions = areas;
  vk.BindImageMemory2(device, 1, &bound);
  ExpectAmong("VkBindImageMemoryDeviceGroupInfo-splitInstanceBindRegionCount-01636");

  auto image = Begin<VkImageCreateInfo>();
  image.flags = VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT, image.mipLevels = 2;
  CreateOnce(vk.CreateImage, vk.DestroyImage, image);
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
  const VkMemoryAllocateFlagsInfo all = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, nullptr,
                                         VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT | VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT, 3};
  const VkBuffer buffer = MakeUnboundBuffer(
      {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
       .size = 4096,
       .usage = VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR | VK_BUFFER_USAGE_MICROMAP_STORAGE_BIT_EXT});
  vk.BindBufferMemory(device, buffer, MakeMemory(1 << 16, 3, &all), 0);
  const auto structure = MakeFrom(VkAccelerationStructureCreateInfoKHR{.buffer = buffer, .size = 256},
                                  vk.CreateAccelerationStructureKHR, vk.DestroyAccelerationStructureKHR);
  const auto micromap = MakeFrom(VkMicromapCreateInfoEXT{.buffer = buffer, .offset = 1024, .size = 256},
                                 vk.CreateMicromapEXT, vk.DestroyMicromapEXT);
  messages.Take();
  auto build = Begin<VkAccelerationStructureBuildGeometryInfoKHR>();
  build.dstAccelerationStructure = build.srcAccelerationStructure = structure;
  const VkAccelerationStructureBuildRangeInfoKHR* ranges[] = {nullptr};
  ExpectOf("pInfos-03775", vk::BuildAccelerationStructuresKHR{device, VK_NULL_HANDLE, 1, &build, ranges});
  build.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR, build.dstAccelerationStructure = VK_NULL_HANDLE;
  ExpectOf("pInfos-03776", vk::BuildAccelerationStructuresKHR{device, VK_NULL_HANDLE, 1, &build, ranges});
  auto build_map = Begin<VkMicromapBuildInfoEXT>();
  build_map.dstMicromap = micromap;
  ExpectOf("pInfos-07557", vk::BuildMicromapsEXT{device, VK_NULL_HANDLE, 1, &build_map});
  ExpectOfCopies<vk::CopyAccelerationStructureKHR, vk::CopyMemoryToAccelerationStructureKHR,
                 vk::CopyAccelerationStructureToMemoryKHR>(
      structure, {"buffer-03780", "buffer-03781", "buffer-03782", "buffer-03783"});
  ExpectOfCopies<vk::CopyMicromapEXT, vk::CopyMemoryToMicromapEXT, vk::CopyMicromapToMemoryEXT>(
      micromap, {"buffer-07561", "buffer-07562", "buffer-07567", "buffer-07572"});
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
  auto image = Begin<VkImageCreateInfo>();
  image.flags = VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT;
  CreateOnce(vk.CreateImage, vk.DestroyImage, image);
  ExpectAmong("VkImageCreateInfo-physicalDeviceCount-01421");
  auto swapchain = Begin<VkSwapchainCreateInfoKHR>();
  swapchain.flags = VK_SWAPCHAIN_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT_KHR;
  CreateOnce(vk.CreateSwapchainKHR, vk.DestroySwapchainKHR, swapchain);
  ExpectAmong("VkSwapchainCreateInfoKHR-physicalDeviceCount-01429");
}

}  // namespace
}  // namespace assay::core
