// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/vertex_buffers/vertex_buffer_rules.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

constexpr VkDeviceSize kSize = 64;
constexpr VkDeviceSize kWhole = VK_WHOLE_SIZE;
constexpr uint32_t kMaxStride = 2048;
constexpr VkDeviceSize kMaxFeedbackSize = 1024;

using Commands = std::function<void(VkCommandBuffer)>;

class VertexBuffers : public test::ValidationTest {
 protected:
  void SetUp() override { Start({}); }
  void Start(std::vector<const char*> extensions) {
    driver().config().limits.maxVertexInputBindingStride = kMaxStride;
    ChangeProperties<VkPhysicalDeviceTransformFeedbackPropertiesEXT>(
        [](auto& limits) { limits.maxTransformFeedbackBufferSize = kMaxFeedbackSize; });
    extensions.push_back("VK_EXT_transform_feedback");
    Create({.device_extensions = extensions, .features = features_.Enable(extensions, {})});
    buffer_ = MakeBuffer(kSize, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                                    VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |
                                    VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT);
  }
  // Records; `rule` follows "VUID-", or is null for none.
  void Expect(const char* rule, const Commands& commands) {
    SCOPED_TRACE(rule != nullptr ? rule : "correct");
    Record([&](VkCommandBuffer c) {
      commands(c);
      if (rule != nullptr) ExpectMessage(absl::StrCat("VUID-", rule));
      ExpectNothing();
    });
  }
  Commands Bind(VkDeviceSize offset, bool is_null = false) {
    return [=, this](VkCommandBuffer c) {
      const VkBuffer buffer = is_null ? VK_NULL_HANDLE : buffer_.handle;
      vk.CmdBindVertexBuffers(c, 0, 1, &buffer, &offset);
    };
  }
  Commands Bind2(VkDeviceSize offset, VkDeviceSize size, VkDeviceSize stride = 0, bool is_null = false) {
    return [=, this](VkCommandBuffer c) {
      const VkBuffer buffer = is_null ? VK_NULL_HANDLE : buffer_.handle;
      vk.CmdBindVertexBuffers2(c, 0, 1, &buffer, &offset, &size, &stride);
    };
  }
  Commands BindIndices(VkDeviceSize offset, VkIndexType type) {
    return [=, this](VkCommandBuffer c) { vk.CmdBindIndexBuffer(c, buffer_, offset, type); };
  }
  Commands BindIndices2(VkDeviceSize offset, VkDeviceSize size, VkIndexType type = VK_INDEX_TYPE_UINT32) {
    return [=, this](VkCommandBuffer c) { vk.CmdBindIndexBuffer2(c, buffer_, offset, size, type); };
  }
  Commands BindFeedback(VkDeviceSize offset, VkDeviceSize size) {
    return [=, this](VkCommandBuffer c) {
      vk.CmdBindTransformFeedbackBuffersEXT(c, 0, 1, &buffer_.handle, &offset, &size);
    };
  }

  test::Buffer buffer_;

 private:
  test::ExtensionFeatures features_;
};

TEST_F(VertexBuffers, Ranges) {
  Expect(nullptr, Bind(kSize - 1));
  Expect("vkCmdBindVertexBuffers-pOffsets-00626", Bind(kSize));
  Expect(nullptr, Bind2(kSize - 4, 4, kMaxStride));
  Expect(nullptr, Bind2(kSize - 4, kWhole));
  Expect("vkCmdBindVertexBuffers2-pOffsets-03357", Bind2(kSize, 1));
  Expect("vkCmdBindVertexBuffers2-pSizes-03358", Bind2(kSize - 4, 5));
  Expect("vkCmdBindVertexBuffers2-pStrides-03362", Bind2(0, kSize, kMaxStride + 1));
}
TEST_F(VertexBuffers, Null) {
  Expect("vkCmdBindVertexBuffers-pBuffers-04001", Bind(0, true));
  Expect("vkCmdBindVertexBuffers2-pBuffers-04111", Bind2(0, kWhole, 0, true));
  Destroy();
  Start({"VK_EXT_robustness2"});
  Expect(nullptr, Bind(0, true));
  Expect("vkCmdBindVertexBuffers-pBuffers-04002", Bind(4, true));
  Expect(nullptr, Bind2(0, kWhole, 0, true));
  Expect("vkCmdBindVertexBuffers2-pBuffers-04112", Bind2(4, kWhole, 0, true));
}
TEST_F(VertexBuffers, Indices) {
  Expect(nullptr, BindIndices(2, VK_INDEX_TYPE_UINT16));
  Expect("vkCmdBindIndexBuffer-offset-08783", BindIndices(2, VK_INDEX_TYPE_UINT32));
  Expect(nullptr, BindIndices2(1, 3, VK_INDEX_TYPE_UINT8));
  Expect(nullptr, BindIndices2(kSize - 4, 4));
  Expect("vkCmdBindIndexBuffer2-offset-08783", BindIndices2(2, kWhole));
  Expect("vkCmdBindIndexBuffer2-size-08767", BindIndices2(0, 6));
}

TEST_F(VertexBuffers, TransformFeedbackRanges) {
  Expect(nullptr, BindFeedback(kSize - 4, 4));
  Expect("vkCmdBindTransformFeedbackBuffersEXT-pOffsets-02358", BindFeedback(kSize, kWhole));
  Expect("vkCmdBindTransformFeedbackBuffersEXT-pOffsets-02359", BindFeedback(2, 4));
  Expect("vkCmdBindTransformFeedbackBuffersEXT-pSize-02361", BindFeedback(0, kMaxFeedbackSize + 1));
  Expect("vkCmdBindTransformFeedbackBuffersEXT-pSizes-02362", BindFeedback(0, kSize + 4));
  Expect("vkCmdBindTransformFeedbackBuffersEXT-pOffsets-02363", BindFeedback(4, kSize));
}

TEST_F(VertexBuffers, TransformFeedback) {
  const VkPipeline pipeline = MakeGraphicsPipeline(MakePipelineLayout({}));
  const auto begin = [&](VkCommandBuffer c, uint32_t count = 0, VkDeviceSize offset = 0) {
    vk.CmdBeginTransformFeedbackEXT(c, 0, count, count != 0 ? &buffer_.handle : nullptr,
                                    offset != 0 ? &offset : nullptr);
  };
  const auto end = [&](VkCommandBuffer c, uint32_t count = 0, VkDeviceSize offset = 0) {
    vk.CmdEndTransformFeedbackEXT(c, 0, count, count != 0 ? &buffer_.handle : nullptr, offset != 0 ? &offset : nullptr);
  };
  // What is recorded in a render pass instance, and may end with transform feedback active.
  const auto expect = [&](const char* rule, const Commands& commands, bool has_pipeline = true, uint32_t views = 0) {
    SCOPED_TRACE(rule != nullptr ? rule : "correct");
    const auto info =
        test::Typed(VkRenderingInfo{.renderArea = {{0, 0}, {64, 64}}, .layerCount = 1, .viewMask = views});
    Record([&](VkCommandBuffer c) {
      if (has_pipeline) vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      BindFeedback(0, kWhole)(c);
      vk.CmdBeginRendering(c, &info);
      ExpectNothing();
      commands(c);
      if (rule != nullptr) ExpectMessage(absl::StrCat("VUID-vkCmd", rule));
      ExpectNothing();
      vk.CmdEndRendering(c);
    });
  };
  expect(nullptr, [&](VkCommandBuffer c) { begin(c, 1, kSize - 4), end(c, 1, kSize - 8); });
  const auto begin_twice = [&](VkCommandBuffer c) { begin(c), begin(c), end(c); };
  expect("BeginTransformFeedbackEXT-None-02367", begin_twice);
  const auto bind_within = [&](VkCommandBuffer c) { begin(c), BindFeedback(0, kWhole)(c), end(c); };
  expect("BindTransformFeedbackBuffersEXT-None-02365", bind_within);
  expect("EndTransformFeedbackEXT-None-02375", [&](VkCommandBuffer c) { end(c); });
  // Each begins and ends with counters at an offset.
  const auto with = [&](uint32_t begin_count, VkDeviceSize begin_offset, uint32_t end_count, VkDeviceSize end_offset) {
    return [=](VkCommandBuffer c) { begin(c, begin_count, begin_offset), end(c, end_count, end_offset); };
  };
  expect("BeginTransformFeedbackEXT-pCounterBufferOffsets-02370", with(1, kSize - 2, 0, 0));
  expect("BeginTransformFeedbackEXT-pCounterBuffer-02371", with(0, 4, 0, 0));
  expect("EndTransformFeedbackEXT-pCounterBufferOffsets-02378", with(0, 0, 1, kSize - 2));
  expect("EndTransformFeedbackEXT-pCounterBuffer-02379", with(0, 0, 0, 4));
  expect("BeginTransformFeedbackEXT-None-06233", with(0, 0, 0, 0), false);
  expect("BeginTransformFeedbackEXT-None-02373", with(0, 0, 0, 0), true, 1);
  expect("BeginTransformFeedbackEXT-firstCounterBuffer-09630", [&](VkCommandBuffer c) {
    const VkBuffer buffers[] = {buffer_, buffer_};
    vk.CmdBeginTransformFeedbackEXT(c, 0, 2, buffers, nullptr);
    end(c);
  });
}

}  // namespace
}  // namespace assay::core
