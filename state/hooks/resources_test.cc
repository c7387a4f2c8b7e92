// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Memory, buffers, images, views, swapchains and queues.

#include <atomic>
#include <cstdint>
#include <thread>

#include "state/hooks/state_test.h"

namespace assay::state {
namespace {

class ResourceState : public StateTest {};

TEST_F(ResourceState, BuffersLieInTheirMemory) {
  VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 256, .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
  VkBuffer a = MakeUnboundBuffer(info), b = MakeUnboundBuffer(info), c = MakeUnboundBuffer(info);
  EXPECT_EQ(StateOf<Buffer>(a)->address, 0u);
  VkDeviceMemory memory = MakeMemory(1024, 0), other = MakeMemory(1024, 0);
  vk.BindBufferMemory(device, a, memory, 0);
  VkBindBufferMemoryInfo binds[] = {{VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO, nullptr, b, memory, 128},
                                    {VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO, nullptr, c, other, 0}};
  vk.BindBufferMemory2(device, 2, binds);
  EXPECT_EQ(StateOf<Buffer>(b)->address, StateOf<Buffer>(a)->address + 128);
  EXPECT_GE(StateOf<Buffer>(c)->address, StateOf<DeviceMemory>(memory)->address + 1024);
  EXPECT_EQ(StateOf<Buffer>(c)->memory.get(), StateOf<DeviceMemory>(other));
}
TEST_F(ResourceState, MemoryOutlivesItsHandle) {
  test::Buffer buffer = MakeBuffer(256);
  DestroyNow(buffer.memory);
  EXPECT_EQ(StateOf<DeviceMemory>(buffer.memory), nullptr);
  EXPECT_EQ(StateOf<Buffer>(buffer.handle)->memory->size, 256u);
}
// For those that do not know whether another thread destroys the object.
TEST_F(ResourceState, ReferenceOrNone) {
  test::Buffer buffer = MakeBuffer(256);
  const uint64_t handle = reinterpret_cast<uint64_t>(buffer.handle);
  const Ref<Buffer> found = DeviceState::GetRef<Buffer>(handle);
  ASSERT_TRUE(found);
  EXPECT_EQ(found.get(), StateOf<Buffer>(buffer.handle));
  EXPECT_FALSE(DeviceState::GetRef<Image>(handle));
  EXPECT_FALSE(DeviceState::GetRef<Buffer>(0));
  DestroyNow(buffer);
  EXPECT_FALSE(DeviceState::GetRef<Buffer>(handle));
  EXPECT_EQ(found->size, 256u);
}
// So often that slots are used again.
TEST_F(ResourceState, ReferenceWhileAnotherThreadDestroys) {
  const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 256, .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
  std::atomic<uint64_t> last = 0;
  std::atomic<bool> is_done = false;
  std::thread reader([&] {
    while (!is_done) {
      const uint64_t handle = last;
      if (const Ref<Buffer> found = DeviceState::GetRef<Buffer>(handle)) {
        EXPECT_EQ(found->handle(), handle);
        EXPECT_EQ(found->size, 256u);
      }
      EXPECT_FALSE(DeviceState::GetRef<Image>(handle));
    }
  });
  for (int i = 0; i < 10'000; ++i) {
    VkBuffer buffer = VK_NULL_HANDLE;
    vk.CreateBuffer(device, &info, nullptr, &buffer);
    last = reinterpret_cast<uint64_t>(buffer);
    vk.DestroyBuffer(device, buffer, nullptr);
  }
  is_done = true;
  reader.join();
}
TEST_F(ResourceState, SparseBuffersHaveAddresses) {
  VkBuffer a = MakeUnboundBuffer({.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                  .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT,
                                  .size = 256,
                                  .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT});
  EXPECT_NE(StateOf<Buffer>(a)->address, 0u);
}
TEST_F(ResourceState, Clamp) {
  const Buffer& buffer = *StateOf<Buffer>(MakeBuffer(256).handle);
  EXPECT_EQ(buffer.Clamp(0, VK_WHOLE_SIZE), 256u);
  EXPECT_EQ(buffer.Clamp(200, 100), 56u);
  EXPECT_EQ(buffer.Clamp(256, 1), 0u);
  EXPECT_EQ(buffer.Clamp(VK_WHOLE_SIZE, VK_WHOLE_SIZE), 0u);
}

TEST_F(ResourceState, ViewKeepsItsImage) {
  test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  VkImageView view = MakeView(image);
  const uint64_t address = StateOf<Image>(image.handle)->address;
  DestroyNow(image);
  EXPECT_EQ(StateOf<Image>(image.handle), nullptr);
  ASSERT_NE(StateOf<ImageView>(view), nullptr);
  EXPECT_EQ(StateOf<ImageView>(view)->image->address, address);
  EXPECT_EQ(StateOf<ImageView>(view)->ranges[0].begin, address);
}
TEST_F(ResourceState, BufferViewKeepsItsBuffer) {
  test::Buffer buffer = MakeBuffer(256);
  VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                 .buffer = buffer,
                                 .format = VK_FORMAT_R32_UINT,
                                 .offset = 64,
                                 .range = VK_WHOLE_SIZE};
  VkBufferView view = VK_NULL_HANDLE;
  vk.CreateBufferView(device, &info, nullptr, &view);
  DestroyNow(buffer);
  EXPECT_EQ(StateOf<BufferView>(view)->range, 192u);
  EXPECT_EQ(StateOf<BufferView>(view)->buffer->size, 256u);
  vk.DestroyBufferView(device, view, nullptr);
  EXPECT_EQ(StateOf<BufferView>(view), nullptr);
}

// Slices of 4 x 4 bytes: a view of type 2D counts them as layers.
TEST_F(ResourceState, ViewsOfSlices) {
  test::Image image = MakeImage(VkImageCreateInfo{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                                  .flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT,
                                                  .imageType = VK_IMAGE_TYPE_3D,
                                                  .format = VK_FORMAT_R8_UNORM,
                                                  .extent = {4, 4, 4},
                                                  .mipLevels = 1,
                                                  .arrayLayers = 1,
                                                  .samples = VK_SAMPLE_COUNT_1_BIT,
                                                  .usage = VK_IMAGE_USAGE_STORAGE_BIT});
  const uint64_t address = StateOf<Image>(image.handle)->address;
  VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                .image = image,
                                .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                .format = VK_FORMAT_R8_UNORM,
                                .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 1, 2}};
  const auto expect = [&](uint64_t begin, uint64_t end) {
    const auto& ranges = StateOf<ImageView>(MakeView(info))->ranges;
    ASSERT_EQ(ranges.size(), 1u);
    EXPECT_EQ(ranges[0], (ByteRange{address + begin, address + end}));
  };
  expect(16, 48);
  info.viewType = VK_IMAGE_VIEW_TYPE_3D;
  info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  expect(0, 64);
  VkImageViewSlicedCreateInfoEXT sliced = {VK_STRUCTURE_TYPE_IMAGE_VIEW_SLICED_CREATE_INFO_EXT, nullptr, 3,
                                           VK_REMAINING_3D_SLICES_EXT};
  info.pNext = &sliced;
  expect(48, 64);
}

TEST_F(ResourceState, SwapchainImages) {
  VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface());
  const std::vector<VkImage> images = SwapchainImages(swapchain);
  ASSERT_EQ(images.size(), 3u);
  EXPECT_EQ(StateOf<Image>(images[1])->create_info.format, VK_FORMAT_B8G8R8A8_UNORM);
  // A second call returns the same images.
  const uint64_t address = StateOf<Image>(images[1])->address;
  EXPECT_EQ(StateOf<Image>(SwapchainImages(swapchain)[1])->address, address);
  DestroyNow(swapchain);
  for (VkImage image : images) EXPECT_EQ(StateOf<Image>(image), nullptr);
}

TEST_F(ResourceState, Queues) {
  VkQueue queue = Queue(1);
  const state::Queue* state = DeviceState::Get(queue);
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(state->family, 1u);
  EXPECT_EQ(state->submit_count, 0u);
  VkCommandBuffer commands = Record([](VkCommandBuffer) {}, 1);
  Submit(queue, {commands});
  VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  vk.QueueSubmit(queue, 1, &submit, VK_NULL_HANDLE);
  vk.QueueSubmit(queue, 0, nullptr, VK_NULL_HANDLE);
  vk.QueueSubmit2(queue, 0, nullptr, VK_NULL_HANDLE);
  EXPECT_EQ(DeviceState::Get(Queue(1))->submit_count, 4u);
}

TEST_F(ResourceState, FencesAndSemaphores) {
  EXPECT_TRUE(StateOf<Fence>(MakeFence(VK_FENCE_CREATE_SIGNALED_BIT))->created_signaled);
  VkSemaphore timeline = MakeTimeline(7);
  EXPECT_TRUE(StateOf<Semaphore>(timeline)->is_timeline);
  EXPECT_EQ(StateOf<Semaphore>(timeline)->initial_value, 7u);
  EXPECT_FALSE(StateOf<Semaphore>(MakeSemaphore())->is_timeline);
}

TEST_F(ResourceState, FailuresLeaveNothing) {
  driver().FailNext<vk::CreateBuffer>(VK_ERROR_OUT_OF_HOST_MEMORY);
  VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 256, .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
  VkBuffer buffer = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateBuffer(device, &info, nullptr, &buffer), VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(StateOf<Buffer>(buffer), nullptr);
}

TEST_F(ResourceState, NothingIsDestroyed) {
  vk.DestroyBuffer(device, VK_NULL_HANDLE, nullptr);
  vk.DestroyImage(device, VK_NULL_HANDLE, nullptr);
  vk.DestroyImageView(device, VK_NULL_HANDLE, nullptr);
  vk.FreeMemory(device, VK_NULL_HANDLE, nullptr);
  vk.DestroySwapchainKHR(device, VK_NULL_HANDLE, nullptr);
  vk.DestroyCommandPool(device, VK_NULL_HANDLE, nullptr);
  vk.DestroyDescriptorPool(device, VK_NULL_HANDLE, nullptr);
  EXPECT_EQ(StateOf<Buffer>(VkBuffer{VK_NULL_HANDLE}), nullptr);
}

TEST_F(ResourceState, HugeSizesDoNotWrapAround) {
  VkDeviceMemory memory = MakeMemory(~VkDeviceSize{0}, 0), next = MakeMemory(256, 0);
  const DeviceMemory& huge = *StateOf<DeviceMemory>(memory);
  EXPECT_GE(StateOf<DeviceMemory>(next)->address, huge.address + huge.size);
  VkBuffer buffer = MakeUnboundBuffer({.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .size = ~VkDeviceSize{0},
                                       .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT});
  vk.BindBufferMemory(device, buffer, memory, ~VkDeviceSize{0});
  EXPECT_GT(StateOf<Buffer>(buffer)->address + StateOf<Buffer>(buffer)->size, StateOf<Buffer>(buffer)->address);
}

}  // namespace
}  // namespace assay::state
