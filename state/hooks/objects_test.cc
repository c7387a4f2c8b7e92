// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Events, query pools, acceleration structures, device addresses, mapped and aliased memory, secondary command buffers.

#include "state/queues/queue_test.h"

namespace assay::state {
namespace {

class ObjectState : public QueueTest {
 protected:
  test::DeviceOptions Options() override {
    return {.device_extensions = {VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME,
                                  VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME, VK_EXT_OPACITY_MICROMAP_EXTENSION_NAME,
                                  VK_NV_RAY_TRACING_EXTENSION_NAME, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME}};
  }
  template <class T, class H>
  static T& StateOf(H handle) {
    return *DeviceState::Get<T>(handle);
  }
  VkDeviceAddress AddressOf(VkBuffer buffer) {
    VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
    return vk.GetBufferDeviceAddress(device, &info);
  }
  VkImage UnboundImage(VkImageCreateFlags flags = 0, VkFormat format = VK_FORMAT_R8_UNORM) {
    return MakeUnboundImage({.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                             .flags = flags,
                             .imageType = VK_IMAGE_TYPE_2D,
                             .format = format,
                             .extent = {16, 16, 1},
                             .mipLevels = 1,
                             .arrayLayers = 1,
                             .samples = VK_SAMPLE_COUNT_1_BIT,
                             .usage = VK_IMAGE_USAGE_SAMPLED_BIT});
  }
  VkBuffer UnboundBuffer(VkDeviceSize size) {
    return MakeUnboundBuffer({.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                              .size = size,
                              .usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT});
  }
};

TEST_F(ObjectState, Events) {
  VkEvent event = MakeEvent();
  EXPECT_FALSE(StateOf<Event>(event).is_device_only);
  EXPECT_TRUE(StateOf<Event>(MakeEvent(VK_EVENT_CREATE_DEVICE_ONLY_BIT)).is_device_only);
  vk.SetEvent(device, event);
  SubmitBatch(0, {}, {});
  vk.ResetEvent(device, event);
  EXPECT_EQ(Take(), (Log{"event set", "0:1", "event reset"}));
  // The order of everything else is as known as before.
  driver().FailNext<vk::SetEvent>(VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(vk.SetEvent(device, event), VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(Take(), (Log{"event set", "event failed"}));
  DestroyNow(event);
  EXPECT_EQ(DeviceState::Get<Event>(event), nullptr);
}

TEST_F(ObjectState, QueryPools) {
  VkQueryPool pool =
      MakeQueryPool(VK_QUERY_TYPE_PIPELINE_STATISTICS, 5, VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT);
  EXPECT_EQ(StateOf<QueryPool>(pool).query_type, VK_QUERY_TYPE_PIPELINE_STATISTICS);
  EXPECT_EQ(StateOf<QueryPool>(pool).query_count, 5u);
  EXPECT_EQ(StateOf<QueryPool>(pool).statistics, VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT);
  DestroyNow(pool);
  EXPECT_EQ(DeviceState::Get<QueryPool>(pool), nullptr);
}

TEST_F(ObjectState, AccelerationStructures) {
  test::Buffer buffer = MakeBuffer(4096);
  VkAccelerationStructureCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
                                               .buffer = buffer,
                                               .offset = 256,
                                               .size = 1024,
                                               .type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR};
  VkAccelerationStructureKHR handle = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateAccelerationStructureKHR(device, &info, nullptr, &handle), VK_SUCCESS);
  AccelerationStructure& structure = StateOf<AccelerationStructure>(handle);
  const uint64_t address = StateOf<Buffer>(buffer.handle).address;
  EXPECT_EQ(structure.range(), (ByteRange{address + 256, address + 1280}));
  EXPECT_EQ(structure.structure_type, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR);
  EXPECT_FALSE(structure.construction.any());
  VkAccelerationStructureBuildGeometryInfoKHR build = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR, .dstAccelerationStructure = handle};
  const VkAccelerationStructureBuildRangeInfoKHR* ranges = nullptr;
  vk.BuildAccelerationStructuresKHR(device, VK_NULL_HANDLE, 1, &build, &ranges);
  EXPECT_TRUE(structure.construction.any());
  EXPECT_FALSE(structure.construction.may_be_compactable());
  build.flags = VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR;
  Record([&](VkCommandBuffer c) { vk.CmdBuildAccelerationStructuresKHR(c, 1, &build, &ranges); });
  EXPECT_TRUE(structure.construction.may_be_compactable());
  VkAccelerationStructureDeviceAddressInfoKHR get = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR,
                                                     nullptr, handle};
  const VkDeviceAddress device_address = vk.GetAccelerationStructureDeviceAddressKHR(device, &get);
  ASSERT_EQ(state->structure_addresses().Find(device_address).size(), 1u);
  EXPECT_EQ(state->structure_addresses().Find(device_address)[0].get(), &structure);
  vk.DestroyAccelerationStructureKHR(device, handle, nullptr);
  EXPECT_EQ(DeviceState::Get<AccelerationStructure>(handle), nullptr);
  EXPECT_TRUE(state->structure_addresses().Find(device_address).empty());
  vk.DestroyAccelerationStructureKHR(device, VK_NULL_HANDLE, nullptr);
}

TEST_F(ObjectState, AccelerationStructuresNV) {
  VkAccelerationStructureCreateInfoNV info = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_NV};
  info.info = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_INFO_NV,
               .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_NV};
  VkAccelerationStructureNV handle = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateAccelerationStructureNV(device, &info, nullptr, &handle), VK_SUCCESS);
  VkDeviceMemory memory = MakeMemory(4096, 0);
  VkBindAccelerationStructureMemoryInfoNV bind = {VK_STRUCTURE_TYPE_BIND_ACCELERATION_STRUCTURE_MEMORY_INFO_NV, nullptr,
                                                  handle, memory, 512};
  vk.BindAccelerationStructureMemoryNV(device, 1, &bind);
  EXPECT_EQ(StateOf<AccelerationStructureNV>(handle).address, StateOf<DeviceMemory>(memory).address + 512);
  EXPECT_EQ(StateOf<AccelerationStructureNV>(handle).memory.get(), &StateOf<DeviceMemory>(memory));
  vk.DestroyAccelerationStructureNV(device, handle, nullptr);
  EXPECT_EQ(DeviceState::Get<AccelerationStructureNV>(handle), nullptr);
}

TEST_F(ObjectState, Micromaps) {
  test::Buffer buffer = MakeBuffer(4096);
  VkMicromapCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_MICROMAP_CREATE_INFO_EXT,
                                  .buffer = buffer,
                                  .offset = 256,
                                  .size = ~VkDeviceSize{0},
                                  .type = VK_MICROMAP_TYPE_OPACITY_MICROMAP_EXT};
  VkMicromapEXT handle = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateMicromapEXT(device, &info, nullptr, &handle), VK_SUCCESS);
  const uint64_t address = StateOf<Buffer>(buffer.handle).address;
  EXPECT_EQ(StateOf<Micromap>(handle).range(), (ByteRange{address + 256, address + 4096}));
  const VkCopyMicromapInfoEXT copy = {.sType = VK_STRUCTURE_TYPE_COPY_MICROMAP_INFO_EXT, .dst = handle};
  EXPECT_FALSE(StateOf<Micromap>(handle).construction.any());
  vk.CopyMicromapEXT(device, VK_NULL_HANDLE, &copy);
  EXPECT_TRUE(StateOf<Micromap>(handle).construction.may_be_compactable());
  vk.DestroyMicromapEXT(device, handle, nullptr);
  EXPECT_EQ(DeviceState::Get<Micromap>(handle), nullptr);
}

TEST_F(ObjectState, Queries) {
  const VkQueryPool pool = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 8);
  const QueryPool& queries = StateOf<QueryPool>(pool);
  vk.ResetQueryPool(device, pool, 1, 2);
  Record([&](VkCommandBuffer c) {
    vk.CmdResetQueryPool(c, pool, 3, 1);
    vk.CmdWriteTimestamp2(c, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 3);
    vk.CmdWriteTimestamp2(c, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 4);
  });
  EXPECT_TRUE(queries.reset.HasAll(1, 3));
  EXPECT_FALSE(queries.reset.HasAll(4, 1));
  EXPECT_TRUE(queries.written.HasAll(3, 2));
  EXPECT_FALSE(queries.written.HasAll(2, 1));
  EXPECT_FALSE(queries.written.HasAll(5, 1));
}

TEST_F(ObjectState, BufferAddresses) {
  VkBuffer a = UnboundBuffer(256), b = UnboundBuffer(256);
  EXPECT_TRUE(state->buffer_addresses().Find(0, ~VkDeviceSize{0}).empty());
  const VkDeviceAddress of_a = AddressOf(a);
  EXPECT_FALSE(state->buffer_addresses().KnowsAll());
  const VkDeviceAddress of_b = AddressOf(b);
  EXPECT_TRUE(state->buffer_addresses().KnowsAll());
  EXPECT_EQ(AddressOf(a), of_a);
  ASSERT_EQ(state->buffer_addresses().Find(of_a + 255).size(), 1u);
  EXPECT_EQ(state->buffer_addresses().Find(of_a + 255)[0].get(), &StateOf<Buffer>(a));
  EXPECT_TRUE(state->buffer_addresses().Find(of_a + 256).empty());
  EXPECT_EQ(state->buffer_addresses().Find(of_b)[0].get(), &StateOf<Buffer>(b));
  EXPECT_EQ(state->buffer_addresses().Find(of_a, ~VkDeviceSize{0}).size(), 2u);
  DestroyNow(a);
  EXPECT_TRUE(state->buffer_addresses().Find(of_a).empty());
  EXPECT_EQ(state->buffer_addresses().Find(of_b).size(), 1u);
  EXPECT_TRUE(state->buffer_addresses().KnowsAll());
  DestroyNow(UnboundBuffer(256));
  EXPECT_TRUE(state->buffer_addresses().KnowsAll());
}

TEST_F(ObjectState, MappedMemory) {
  VkDeviceMemory handle = MakeMemory(1024, 1);
  DeviceMemory& memory = StateOf<DeviceMemory>(handle);
  EXPECT_EQ(memory.is_host_coherent(),
            (driver().config().memory.memoryTypes[1].propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0);
  EXPECT_NE(memory.properties & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, 0u);
  EXPECT_EQ(memory.mapped, (ByteRange{0, 0}));
  void* data;
  vk.MapMemory(device, handle, 256, VK_WHOLE_SIZE, 0, &data);
  EXPECT_EQ(memory.mapped, (ByteRange{256, 1024}));
  vk.UnmapMemory(device, handle);
  EXPECT_EQ(memory.mapped, (ByteRange{0, 0}));
  VkMemoryMapInfo map = {VK_STRUCTURE_TYPE_MEMORY_MAP_INFO, nullptr, 0, handle, 512, 128};
  vk.MapMemory2(device, &map, &data);
  EXPECT_EQ(memory.mapped, (ByteRange{512, 640}));
  EXPECT_EQ(memory.Clamp(512, VK_WHOLE_SIZE), (ByteRange{512, 1024}));
  EXPECT_EQ(memory.Clamp(5000, 1), (ByteRange{1024, 1024}));
  VkMemoryUnmapInfo unmap = {VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO, nullptr, 0, handle};
  vk.UnmapMemory2(device, &unmap);
  EXPECT_EQ(memory.mapped, (ByteRange{0, 0}));
}

TEST_F(ObjectState, ResourcesBoundToMemory) {
  const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  DeviceMemory& memory = StateOf<DeviceMemory>(image.memory);
  const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 100, .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
  const VkBuffer buffer = MakeUnboundBuffer(info);
  vk.BindBufferMemory(device, buffer, image.memory, 256);
  const uint64_t begin = memory.address;
  const auto types = [&](uint64_t first, uint64_t end) {
    std::vector<VkObjectType> found;
    for (const BoundResource& bound : memory.FindBound({begin + first, begin + end})) found.push_back(bound.type);
    return found;
  };
  EXPECT_EQ(types(0, 256), std::vector{Image::kType});
  EXPECT_EQ(types(355, 400), (std::vector{Buffer::kType, Image::kType}));
  EXPECT_EQ(types(356, 400), std::vector{Image::kType});
  EXPECT_TRUE(types(memory.size, memory.size + 1).empty());
  const std::vector<BoundResource> bound = memory.FindBound({begin + 300, begin + 301});
  ASSERT_EQ(bound.size(), 2u);
  EXPECT_EQ(bound[0].handle, StateOf<Buffer>(buffer).handle());
  EXPECT_EQ(bound[0].bytes, (ByteRange{begin + 256, begin + 356}));
  EXPECT_EQ(bound[1].handle, StateOf<Image>(image.handle).handle());
  EXPECT_EQ(bound[1].bytes, (ByteRange{begin, begin + 1024}));
  DestroyNow(buffer);
  EXPECT_EQ(types(300, 301), std::vector{Image::kType});
}

TEST_F(ObjectState, ExternalMemory) {
  VkExportMemoryAllocateInfo exported = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, nullptr,
                                         VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
  VkImportMemoryFdInfoKHR imported = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, &exported,
                                      VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, -1};
  VkDeviceMemory a = MakeMemory(64, 0), b = MakeMemory(64, 0, &exported), c = MakeMemory(64, 0, &imported);
  EXPECT_FALSE(StateOf<DeviceMemory>(a).is_imported || StateOf<DeviceMemory>(a).is_exportable);
  EXPECT_FALSE(StateOf<DeviceMemory>(b).is_imported);
  EXPECT_TRUE(StateOf<DeviceMemory>(b).is_exportable);
  EXPECT_TRUE(StateOf<DeviceMemory>(c).is_imported && StateOf<DeviceMemory>(c).is_exportable);
}

// An image of 16 x 16 bytes.
TEST_F(ObjectState, AliasedImages) {
  VkDeviceMemory memory = MakeMemory(4096, 0);
  VkImage a = UnboundImage(), b = UnboundImage(), c = UnboundImage();
  vk.BindImageMemory(device, a, memory, 0);
  vk.BindImageMemory(device, b, memory, 256);
  EXPECT_FALSE(StateOf<Image>(a).aliases);
  VkBindImageMemoryInfo bind = {VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, nullptr, c, memory, 384};
  vk.BindImageMemory2(device, 1, &bind);
  EXPECT_FALSE(StateOf<Image>(a).aliases);
  EXPECT_TRUE(StateOf<Image>(b).aliases);
  EXPECT_TRUE(StateOf<Image>(c).aliases);
}

TEST_F(ObjectState, MemoryThatIsFreeAgainIsNotAliased) {
  VkDeviceMemory memory = MakeMemory(4096, 0);
  VkImage a = UnboundImage(), b = UnboundImage();
  vk.BindImageMemory(device, a, memory, 0);
  DestroyNow(a);
  vk.BindImageMemory(device, b, memory, 0);
  EXPECT_FALSE(StateOf<Image>(b).aliases);
}

TEST_F(ObjectState, ImagesAndBuffersAlias) {
  VkDeviceMemory memory = MakeMemory(4096, 0);
  VkBuffer a = UnboundBuffer(256), b = UnboundBuffer(256), c = UnboundBuffer(256);
  VkImage image = UnboundImage();
  vk.BindBufferMemory(device, a, memory, 0);
  vk.BindBufferMemory(device, c, memory, 1024);
  vk.BindImageMemory(device, image, memory, 256);
  EXPECT_FALSE(StateOf<Image>(image).aliases);
  vk.BindBufferMemory(device, b, memory, 128);
  EXPECT_TRUE(StateOf<Image>(image).aliases);
  EXPECT_TRUE(StateOf<Buffer>(b).aliases_image());
  EXPECT_FALSE(StateOf<Buffer>(a).aliases_image() || StateOf<Buffer>(c).aliases_image());
  EXPECT_TRUE(StateOf<Buffer>(a).shares_memory());
  EXPECT_NE(StateOf<Buffer>(c).region(), 0u);
}

TEST_F(ObjectState, PlanesOfADisjointImage) {
  VkDeviceMemory memory = MakeMemory(4096, 0);
  VkImage image = UnboundImage(VK_IMAGE_CREATE_DISJOINT_BIT, VK_FORMAT_G8_B8_R8_3PLANE_444_UNORM);
  VkBindImagePlaneMemoryInfo planes[2] = {
      {VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO, nullptr, VK_IMAGE_ASPECT_PLANE_0_BIT},
      {VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO, nullptr, VK_IMAGE_ASPECT_PLANE_1_BIT}};
  VkBindImageMemoryInfo binds[2] = {{VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, &planes[0], image, memory, 0},
                                    {VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, &planes[1], image, memory, 3072}};
  vk.BindImageMemory2(device, 2, binds);
  EXPECT_FALSE(StateOf<Image>(image).aliases);
  VkImage other = UnboundImage();
  vk.BindImageMemory(device, other, memory, 3072);
  EXPECT_TRUE(StateOf<Image>(other).aliases);
  EXPECT_TRUE(StateOf<Image>(image).aliases);
  DestroyNow(image);
}

// One bind succeeded, one failed, and nobody knows what became of the third.
TEST_F(ObjectState, BindsOfACommandThatFailed) {
  constexpr VkResult kFailure = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  const VkDeviceMemory memory = MakeMemory(4096, 0);
  VkResult results[] = {VK_SUCCESS, kFailure};
  const VkBindMemoryStatus of[] = {{VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS, nullptr, &results[0]},
                                   {VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS, nullptr, &results[1]}};
  const auto expect = [&](auto&& binds, auto&& bind, auto&& is_bound) {
    EXPECT_EQ(bind(device, 3, binds), kFailure);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(is_bound(binds[i]), i != 1) << i;
    EXPECT_EQ(bind(device, 1, &binds[3]), kFailure);
    EXPECT_FALSE(is_bound(binds[3]));
  };
  driver().FailNext<vk::BindBufferMemory2>(kFailure, 2);
  driver().FailNext(vk::CommandId::kBindImageMemory2, kFailure, 2);
  constexpr VkStructureType kOfBuffer = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO;
  const VkBindBufferMemoryInfo buffers[] = {{kOfBuffer, &of[0], UnboundBuffer(256), memory, 0},
                                            {kOfBuffer, &of[1], UnboundBuffer(256), memory, 256},
                                            {kOfBuffer, nullptr, UnboundBuffer(256), memory, 512},
                                            {kOfBuffer, nullptr, UnboundBuffer(256), memory, 768}};
  expect(buffers, vk.BindBufferMemory2, [](const auto& bind) { return !!StateOf<Buffer>(bind.buffer).memory; });
  constexpr VkStructureType kOfImage = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO;
  const VkBindImageMemoryInfo images[] = {{kOfImage, &of[0], UnboundImage(), memory, 1024},
                                          {kOfImage, &of[1], UnboundImage(), memory, 1280},
                                          {kOfImage, nullptr, UnboundImage(), memory, 1536},
                                          {kOfImage, nullptr, UnboundImage(), memory, 1792}};
  expect(images, vk.BindImageMemory2, [](const auto& bind) { return !!StateOf<Image>(bind.image).memory; });
}

TEST_F(ObjectState, ImagesOfASwapchainAlias) {
  VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface());
  const std::vector<VkImage> images = SwapchainImages(swapchain);
  VkImage image = UnboundImage();
  VkBindImageMemorySwapchainInfoKHR of_swapchain = {VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR, nullptr,
                                                    swapchain, 1};
  VkBindImageMemoryInfo bind = {VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, &of_swapchain, image};
  vk.BindImageMemory2(device, 1, &bind);
  EXPECT_TRUE(StateOf<Image>(image).aliases);
  EXPECT_TRUE(StateOf<Image>(images[1]).aliases);
  EXPECT_FALSE(StateOf<Image>(images[0]).aliases);
}

class ExecuteLog : public CommandBufferSubState {
 public:
  static constexpr SubStateSlot kSlot = SubStateSlot::kSyncval;
  void OnExecute(absl::Span<const ExecutedSecondary> secondaries) override { counts.push_back(secondaries.size()); }
  std::vector<size_t> counts;
};

TEST_F(ObjectState, SecondaryCommandBuffers) {
  VkCommandBuffer secondaries[] = {MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY),
                                   MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY)};
  VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr,
                                    VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, &inheritance};
  for (VkCommandBuffer secondary : secondaries) {
    vk.BeginCommandBuffer(secondary, &begin);
    vk.EndCommandBuffer(secondary);
  }
  EXPECT_EQ(DeviceState::Get(secondaries[0])->usage, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  VkCommandBuffer primary = MakeCommandBuffer();
  CommandBuffer& buffer = *DeviceState::Get(primary);
  buffer.Attach(ExecuteLog::kSlot, std::make_unique<ExecuteLog>());
  Begin(primary);
  vk.CmdExecuteCommands(primary, 1, &secondaries[1]);
  vk.CmdBeginDebugUtilsLabelEXT(primary, nullptr);
  vk.CmdExecuteCommands(primary, 2, secondaries);
  ASSERT_EQ(buffer.executed.size(), 3u);
  EXPECT_EQ(buffer.executed[0].handle, secondaries[1]);
  EXPECT_EQ(buffer.executed[0].position, 0u);
  EXPECT_EQ(buffer.executed[1].handle, secondaries[0]);
  EXPECT_EQ(buffer.executed[2].position, 2u);
  EXPECT_EQ(buffer.Sub<ExecuteLog>()->counts, (std::vector<size_t>{1, 2}));
  // Rerecording a secondary command buffer changes its recording number.
  EXPECT_EQ(buffer.executed[0].recording, DeviceState::Get(secondaries[1])->recording);
  vk.BeginCommandBuffer(secondaries[1], &begin);
  EXPECT_NE(buffer.executed[0].recording, DeviceState::Get(secondaries[1])->recording);
  vk.ResetCommandBuffer(primary, 0);
  EXPECT_TRUE(buffer.executed.empty());
  EXPECT_EQ(buffer.usage, 0u);
}

TEST_F(ObjectState, SubmissionsKeepCommandBuffersAndTheirPool) {
  VkSemaphore gate = MakeTimeline();
  VkCommandPool pool = MakeCommandPool();
  VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                      VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  VkCommandBuffer commands;
  vk.AllocateCommandBuffers(device, &info, &commands);
  Begin(commands);
  End(commands);
  Submit(q(0), {commands}, {.waits = {At(gate, 1)}});
  // An error, which the tracker must survive.
  DestroyNow(pool);
  uint32_t family = ~0u;
  observer.on_batch = [&](const SubmittedBatch& batch) {
    family = batch.command_buffers[0].state->pool.queue_family;
    EXPECT_EQ(DeviceState::Get(commands), nullptr);
  };
  HostSignal(gate, 1);
  EXPECT_EQ(family, 0u);
}

}  // namespace
}  // namespace assay::state
