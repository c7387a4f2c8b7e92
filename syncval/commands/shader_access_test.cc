// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Which of a shader's accesses conflict: atomics, elements of arrays of descriptors, blocks of a fixed size, branches
// on constants, and shader objects.

#include <string>
#include <vector>

#include "syncval/fixture/sync_test.h"
#include "syncval/shaders/atomic.h"
#include "syncval/shaders/atomic_image.h"
#include "syncval/shaders/descriptor_array.h"
#include "syncval/shaders/first_image_write.h"
#include "syncval/shaders/fixed_block.h"
#include "syncval/shaders/specialized_branch.h"
#include "syncval/shaders/specialized_image_read.h"
#include "testing/shaders.h"

namespace assay::syncval {
namespace {

using test::Buffer;
using test::Image;

class SyncShader : public SyncTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncTest::Options();
    options.device_extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME};
    return options;
  }
  void SetUp() override {
    SyncTest::SetUp();
    buffer_ = MakeBuffer(1024);
  }
  Compute MakeOn(std::span<const uint32_t> shader, VkBuffer buffer) {
    const Compute compute = MakeCompute(shader, {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}});
    WriteStorage(compute, 0, buffer);
    return compute;
  }
  Compute MakeOnImages(std::span<const uint32_t> shader, const std::vector<VkImageView>& views) {
    const Compute compute =
        MakeCompute(shader, {{0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, static_cast<uint32_t>(views.size())},
                             {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}});
    for (uint32_t i = 0; i < views.size(); ++i) {
      WriteImage(compute.set, 0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, views[i], VK_IMAGE_LAYOUT_GENERAL, VK_NULL_HANDLE,
                 i);
    }
    WriteStorage(compute, 1, MakeBuffer(64));
    return compute;
  }
  Image MakeStorageImage(VkFormat format = VK_FORMAT_R8G8B8A8_UNORM) {
    return MakeImage(format, 16, 16, VK_IMAGE_USAGE_STORAGE_BIT);
  }
  // An array of two buffers, of which the shader writes one by an index from a push constant.
  Compute MakeIndexed() {
    const Compute compute = MakeCompute(k_descriptor_array, {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2}});
    WriteStorage(compute, 0, buffer_, 0, 256);
    WriteBuffer(compute.set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer_, 256, 256, 1);
    return compute;
  }

  Buffer buffer_;
};
class NegativeSyncShader : public SyncShader {};
class PositiveSyncShader : public SyncShader {};

TEST_F(PositiveSyncShader, Atomics) {
  const Compute count = MakeOn(k_atomic, buffer_), again = MakeOn(k_atomic, buffer_);
  VkCommandBuffer c = Begun();
  for (int i = 0; i < 3; ++i) {
    Dispatch(c, count);
    Dispatch(c, again);
  }
}
TEST_F(PositiveSyncShader, AtomicsOfAnImage) {
  const Compute count = MakeOnImages(k_atomic_image, {MakeView(MakeStorageImage(VK_FORMAT_R32_UINT))});
  VkCommandBuffer c = Begun();
  Dispatch(c, count);
  Dispatch(c, count);
}
TEST_F(PositiveSyncShader, AtomicsOfTwoSubmissions) {
  const Compute count = MakeOn(k_atomic, buffer_);
  for (int i = 0; i < 2; ++i) {
    VkCommandBuffer c = Begun();
    Dispatch(c, count);
    End(c);
    Submit(Queue(), {c});
  }
}
TEST_F(NegativeSyncShader, CopyAfterAtomics) {
  const Compute count = MakeOn(k_atomic, buffer_);
  VkCommandBuffer c = Begun();
  Dispatch(c, count);
  Dispatch(c, count);
  Copy(c, buffer_, MakeBuffer(64));
  ExpectMessage(kReadAfterWrite);
}
TEST_F(PositiveSyncShader, CopyAfterAtomics) {
  const Compute count = MakeOn(k_atomic, buffer_);
  VkCommandBuffer c = Begun();
  Dispatch(c, count);
  Dispatch(c, count);
  Barrier(c, {kCompute, kStorageWrite, kCopy, kRead});
  Copy(c, buffer_, MakeBuffer(64));
}
TEST_F(NegativeSyncShader, AtomicsAfterAPlainWrite) {
  const Compute count = MakeOn(k_atomic, buffer_), store = MakeOn(k_fixed_block, buffer_);
  VkCommandBuffer c = Begun();
  Dispatch(c, store);
  Dispatch(c, count);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncShader, AtomicsAfterAPlainWrite) {
  const Compute count = MakeOn(k_atomic, buffer_), store = MakeOn(k_fixed_block, buffer_);
  VkCommandBuffer c = Begun();
  Dispatch(c, store);
  Barrier(c, {kCompute, kStorageWrite, kCompute, kStorageRead | kStorageWrite});
  Dispatch(c, count);
  Dispatch(c, count);
}

TEST_F(PositiveSyncShader, OtherElements) {
  const Image first = MakeStorageImage(), second = MakeStorageImage();
  const std::vector<VkImageView> views = {MakeView(first), MakeView(second)};
  VkCommandBuffer c = Begun();
  Dispatch(c, MakeOnImages(k_first_image_write, views));
  Dispatch(c, MakeOnImages(k_specialized_image_read, views));
}
TEST_F(NegativeSyncShader, SameElement) {
  const Image first = MakeStorageImage(), second = MakeStorageImage();
  VkCommandBuffer c = Begun();
  Dispatch(c, MakeOnImages(k_first_image_write, {MakeView(first), MakeView(second)}));
  Dispatch(c, MakeOnImages(k_specialized_image_read, {MakeView(second), MakeView(first)}));
  ExpectMessage(kReadAfterWrite);
}

// Of an index that the shader computes nothing is known, unless each element would be a hazard.
TEST_F(PositiveSyncShader, SomeElement) {
  const Compute compute = MakeIndexed();
  VkCommandBuffer c = Begun();
  Fill(c, buffer_, 0, 256);
  Dispatch(c, compute);
  Dispatch(c, compute);
}
TEST_F(NegativeSyncShader, EveryElement) {
  const Compute compute = MakeIndexed();
  VkCommandBuffer c = Begun();
  Fill(c, buffer_, 0, 512);
  Dispatch(c, compute);
  ExpectMessage(kWriteAfterWrite);
}
// Which element is in order may change from dispatch to dispatch.
TEST_F(NegativeSyncShader, EveryElementInTheEnd) {
  const Compute compute = MakeIndexed();
  VkCommandBuffer c = Begun();
  Fill(c, buffer_, 0, 256);
  Dispatch(c, compute);
  ExpectNothing();
  Fill(c, buffer_, 256, 256);
  Dispatch(c, compute);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(PositiveSyncShader, AnotherElement) {
  const Compute compute = MakeIndexed();
  VkCommandBuffer c = Begun();
  Fill(c, buffer_, 0, 256);
  Dispatch(c, compute);
  Barrier(c, {kClear, kWrite, kCompute, kStorageWrite});
  Fill(c, buffer_, 256, 256);
  Dispatch(c, compute);
}
class SyncShaderHeuristic : public SyncShader {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncShader::Options();
    options.settings.emplace_back("syncval_shader_accesses_heuristic", true);
    return options;
  }
};
TEST_F(SyncShaderHeuristic, SomeElement) {
  const Compute compute = MakeIndexed();
  VkCommandBuffer c = Begun();
  Fill(c, buffer_, 0, 256);
  Dispatch(c, compute);
  ExpectMessage(kWriteAfterWrite);
}

// The shader declares 16 bytes.
TEST_F(PositiveSyncShader, BlockOfAFixedSize) {
  const Compute store = MakeOn(k_fixed_block, buffer_);
  VkCommandBuffer c = Begun();
  Fill(c, buffer_, 16, 1008);
  Dispatch(c, store);
}
TEST_F(NegativeSyncShader, BlockOfAFixedSize) {
  const Compute store = MakeOn(k_fixed_block, buffer_);
  VkCommandBuffer c = Begun();
  Fill(c, buffer_, 12, 4);
  Dispatch(c, store);
  ExpectMessage(kWriteAfterWrite);
  // The block ends before.
  Fill(c, buffer_, 16, 4);
}

TEST_F(PositiveSyncShader, BranchThatIsNotTaken) {
  const Compute nothing = MakeOn(k_specialized_branch, buffer_);
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  Dispatch(c, nothing);
}

class SyncShaderObject : public SyncShader {
 protected:
  // A compute shader object that reads and writes bindings of set 0.
  VkShaderEXT MakeShaderObject(const test::StorageAccesses& accesses) {
    const std::vector<uint32_t> words = test::AssembleSpirv(test::ComputeShader(accesses));
    VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                  .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                  .codeSize = words.size() * sizeof(uint32_t),
                                  .pCode = words.data(),
                                  .pName = "main"};
    VkShaderEXT shader = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateShadersEXT(device, 1, &info, nullptr, &shader), VK_SUCCESS);
    Defer(shader, [=, this] { vk.DestroyShaderEXT(device, shader, nullptr); });
    return shader;
  }
  void Bind(VkCommandBuffer c, VkShaderEXT shader) {
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    vk.CmdBindShadersEXT(c, 1, &stage, &shader);
  }
  // A set with the buffer at binding 0, bound.
  void BindBuffer(VkCommandBuffer c, VkBuffer buffer) {
    const Compute compute = MakeStorageCompute({0}, {});
    WriteStorage(compute, 0, buffer);
    vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, compute.layout, 0, 1, &compute.set, 0, nullptr);
  }
};
TEST_F(SyncShaderObject, Dispatches) {
  const VkShaderEXT reads = MakeShaderObject({.reads = {0}, .writes = {}});
  const VkShaderEXT writes = MakeShaderObject({.reads = {}, .writes = {0}});
  VkCommandBuffer c = Begun();
  BindBuffer(c, buffer_);
  Bind(c, reads);
  vk.CmdDispatch(c, 1, 1, 1);
  vk.CmdDispatch(c, 1, 1, 1);
  ExpectNothing();
  // With the same sets, and only another shader.
  Bind(c, writes);
  vk.CmdDispatch(c, 1, 1, 1);
  ExpectMessage(kWriteAfterRead);
  Bind(c, reads);
  vk.CmdDispatch(c, 1, 1, 1);
  ExpectMessage(kReadAfterWrite);
}
TEST_F(SyncShaderObject, DispatchesInOrder) {
  VkCommandBuffer c = Begun();
  BindBuffer(c, buffer_);
  Bind(c, MakeShaderObject({.reads = {}, .writes = {0}}));
  vk.CmdDispatch(c, 1, 1, 1);
  Barrier(c, {kCompute, kStorageWrite, kCompute, kStorageRead});
  Bind(c, MakeShaderObject({.reads = {0}, .writes = {}}));
  vk.CmdDispatch(c, 1, 1, 1);
  Bind(c, VK_NULL_HANDLE);
  vk.CmdDispatch(c, 1, 1, 1);
}

}  // namespace
}  // namespace assay::syncval
