// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The setting unique_handles. When it is off the application holds the driver's handles.

#include <cstdlib>
#include <vector>

#include "dispatch/dispatch.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::dispatch {
namespace {

template <class Handle>
uint64_t Integer(Handle handle) {
  return reinterpret_cast<uint64_t>(handle);
}

class NoUniqueHandlesTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options;
    options.settings = {{"unique_handles", false}};
    return options;
  }

  template <class Handle>
  const Slot* Find(VkObjectType type, Handle handle) {
    return HandleTable::Get().Find(type, Integer(handle));
  }
};

TEST_F(NoUniqueHandlesTest, ReturnsTheDriversHandles) {
  const test::Buffer buffer = MakeBuffer(64);
  EXPECT_FALSE(HandleTable::LooksWrapped(Integer(buffer.handle)));
  const Slot* slot = Find(VK_OBJECT_TYPE_BUFFER, buffer.handle);
  ASSERT_NE(slot, nullptr);
  EXPECT_EQ(slot->driver_handle, Integer(buffer.handle));
  EXPECT_EQ(slot->device->handle, device);
  const VkBuffer handle = buffer;
  DestroyNow(buffer);
  EXPECT_EQ(Find(VK_OBJECT_TYPE_BUFFER, handle), nullptr);
}

// Creates, uses and destroys all objects of the fixture, over a driver that checks its handles.
TEST_F(NoUniqueHandlesTest, ServesAnApplication) {
  const VkDescriptorSetLayout set_layout = MakeSetLayout({{0}, {1, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE}});
  const VkDescriptorSet set = MakeSet(set_layout);
  EXPECT_NE(Find(VK_OBJECT_TYPE_DESCRIPTOR_SET, set), nullptr);
  const test::Buffer source = MakeBuffer(64), destination = MakeBuffer(64);
  WriteBuffer(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, source);
  WriteImage(set, 1, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, MakeView(MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4)),
             VK_IMAGE_LAYOUT_GENERAL);
  const VkPipelineLayout layout = MakePipelineLayout({set_layout});
  const VkPipeline pipeline = MakeGraphicsPipeline(layout);
  EXPECT_NE(Find(VK_OBJECT_TYPE_PIPELINE, pipeline), nullptr);
  const VkBufferCopy region = {0, 0, 64};
  const VkCommandBuffer commands = Record([&](VkCommandBuffer commands) {
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, nullptr);
    vk.CmdCopyBuffer(commands, source, destination, 1, &region);
  });
  const VkFence fence = MakeFence();
  SubmitOptions options;
  options.fence = fence;
  EXPECT_EQ(Submit(Queue(), {commands}, options), VK_SUCCESS);
  EXPECT_EQ(vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
}

TEST_F(NoUniqueHandlesTest, RemovesTheChildrenOfPoolsAndSwapchains) {
  const VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface());
  const std::vector<VkImage> images = SwapchainImages(swapchain);
  EXPECT_EQ(SwapchainImages(swapchain), images);
  EXPECT_NE(Find(VK_OBJECT_TYPE_IMAGE, images[0]), nullptr);
  DestroyNow(swapchain);
  EXPECT_EQ(Find(VK_OBJECT_TYPE_IMAGE, images[0]), nullptr);
}

TEST_F(NoUniqueHandlesTest, DoesNotInterceptCommandsThatOnlyPassHandles) {
  const Slot* slot = DispatchableTable::Get().Find(device);
  for (const char* name : {"vkCmdCopyBuffer", "vkCmdBindPipeline", "vkCmdDraw"}) {
    EXPECT_EQ(test::LoaderUnderTest().DeviceFunction(device, name), slot->device->next_get_proc_addr(device, name))
        << name;
  }
  EXPECT_NE(test::LoaderUnderTest().DeviceFunction(device, "vkCreateBuffer"),
            slot->device->next_get_proc_addr(device, "vkCreateBuffer"));
}

class EnvironmentTest : public test::ValidationTest {
 protected:
  EnvironmentTest() { setenv("VK_ASSAY_UNIQUE_HANDLES", "false", 1); }
  ~EnvironmentTest() override { unsetenv("VK_ASSAY_UNIQUE_HANDLES"); }
};

TEST_F(EnvironmentTest, SetsIt) { EXPECT_FALSE(HandleTable::LooksWrapped(Integer(MakeBuffer(64).handle))); }

class UniqueHandlesTest : public test::ValidationTest {};

TEST_F(UniqueHandlesTest, AreTheDefault) { EXPECT_TRUE(HandleTable::LooksWrapped(Integer(MakeBuffer(64).handle))); }

}  // namespace
}  // namespace assay::dispatch
