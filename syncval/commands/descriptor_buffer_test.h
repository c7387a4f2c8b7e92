// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_COMMANDS_DESCRIPTOR_BUFFER_TEST_H_
#define ASSAY_SYNCVAL_COMMANDS_DESCRIPTOR_BUFFER_TEST_H_

#include <vector>

#include "syncval/fixture/draw_sync_test.h"
#include "syncval/shaders/fragment_storage_write.h"
#include "testing/shaders.h"

// The fixture of tests of descriptors in buffers.
namespace assay::syncval {

inline constexpr VkAccessFlags2 kDescriptorRead = VK_ACCESS_2_DESCRIPTOR_BUFFER_READ_BIT_EXT;
inline constexpr VkPipelineStageFlags2 kFragment = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
inline constexpr VkPipelineBindPoint kComputePoint = VK_PIPELINE_BIND_POINT_COMPUTE;
inline constexpr VkPipelineBindPoint kGraphicsPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
// The offset at which the buffer is bound, and the size of a descriptor. Bytes.
inline constexpr VkDeviceSize kBegin = 256;
inline constexpr VkDeviceSize kDescriptor = 64;

class SyncDescriptorBuffer : public DrawSyncTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = DrawSyncTest::Options();
    options.device_extensions = {VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME};
    return options;
  }
  void SetUp() override {
    DrawSyncTest::SetUp();
    layout_ = MakePipelineLayout({MakeLayout({{0}, {1}})});
    // It accesses the second of the two descriptors of its set.
    compute_ = MakeComputePipeline(layout_, MakeShader(test::ComputeShader({.reads = {}, .writes = {1}})));
    descriptors_ = MakeDescriptors();
  }
  VkDescriptorSetLayout MakeLayout(const std::vector<test::Binding>& bindings) {
    return MakeSetLayout(bindings, VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT);
  }
  test::Buffer MakeDescriptors() {
    return MakeBuffer(1024, VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                                VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  }
  VkPipeline MakeDraws() { return MakePipeline({.layout = layout_, .fragment = k_fragment_storage_write}); }

  void BindBuffers(VkCommandBuffer c, const std::vector<VkBuffer>& buffers) {
    std::vector<VkDescriptorBufferBindingInfoEXT> infos;
    for (VkBuffer buffer : buffers) {
      const VkBufferDeviceAddressInfo of = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
      infos.push_back({.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
                       .address = vk.GetBufferDeviceAddress(device, &of) + kBegin,
                       .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT});
    }
    vk.CmdBindDescriptorBuffersEXT(c, static_cast<uint32_t>(infos.size()), infos.data());
  }
  void SetOffset(VkCommandBuffer c, VkDeviceSize offset, uint32_t buffer = 0,
                 VkPipelineBindPoint point = kComputePoint) {
    vk.CmdSetDescriptorBufferOffsetsEXT(c, point, layout_, 0, 1, &buffer, &offset);
  }
  // A command buffer that is being recorded, with the buffers and a pipeline bound.
  VkCommandBuffer Bound(const std::vector<VkBuffer>& buffers) {
    VkCommandBuffer c = Begun();
    BindBuffers(c, buffers);
    vk.CmdBindPipeline(c, kComputePoint, compute_);
    return c;
  }
  void DispatchAt(VkCommandBuffer c, VkDeviceSize offset, uint32_t buffer = 0) {
    SetOffset(c, offset, buffer);
    vk.CmdDispatch(c, 1, 1, 1);
  }
  void Expect(const char* id, VkPipelineStageFlags2 stage) {
    const test::Message message = ExpectMessage(id);
    const Masks fix = ParseFix(message.text);
    EXPECT_EQ(fix.dst_stages, stage);
    EXPECT_EQ(fix.dst_access, kDescriptorRead);
    EXPECT_NE(message.text.find("for the descriptor at set 0, binding "), std::string::npos) << message.text;
  }

  VkPipeline compute_ = VK_NULL_HANDLE;
  test::Buffer descriptors_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_COMMANDS_DESCRIPTOR_BUFFER_TEST_H_
