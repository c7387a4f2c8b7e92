// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands of a single vendor's extensions that copy, decompress and mark memory. Where the specification does not say
// at which stage a command accesses memory, any stage may be right.

#include <functional>
#include <vector>

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;
using test::Image;

constexpr VkDeviceSize kSize = 256;
constexpr VkPipelineStageFlags2 kIndirect = VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
constexpr VkAccessFlags2 kIndirectRead = VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT;

class SyncVendorCommand : public SyncTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncTest::Options();
    options.device_extensions = {VK_NV_COPY_MEMORY_INDIRECT_EXTENSION_NAME, VK_NV_MEMORY_DECOMPRESSION_EXTENSION_NAME,
                                 VK_NVX_BINARY_IMPORT_EXTENSION_NAME, VK_AMD_BUFFER_MARKER_EXTENSION_NAME};
    return options;
  }
  void SetUp() override {
    SyncTest::SetUp();
    for (Buffer* buffer : {&parameters_, &source_, &target_}) *buffer = MakeBuffer(kSize);
  }
  VkDeviceAddress AddressOf(VkBuffer buffer) {
    VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
    return vk.GetBufferDeviceAddress(device, &info);
  }
  void CopyIndirect(VkCommandBuffer c) {
    vk.CmdCopyMemoryIndirectNV(c, AddressOf(parameters_), 2, sizeof(VkCopyMemoryIndirectCommandNV));
  }
  void CopyIndirect(VkCommandBuffer c, const Image& image) {
    const VkImageSubresourceLayers layers = image.Layers();
    vk.CmdCopyMemoryToImageIndirectNV(c, AddressOf(parameters_), 1, sizeof(VkCopyMemoryToImageIndirectCommandNV), image,
                                      VK_IMAGE_LAYOUT_GENERAL, &layers);
  }
  void Decompress(VkCommandBuffer c) {
    const VkDecompressMemoryRegionNV region = {
        .srcAddress = AddressOf(source_),
        .dstAddress = AddressOf(target_),
        .compressedSize = kSize / 2,
        .decompressedSize = kSize,
        .decompressionMethod = VK_MEMORY_DECOMPRESSION_METHOD_GDEFLATE_1_0_BIT_NV,
    };
    vk.CmdDecompressMemoryNV(c, 1, &region);
  }
  void DecompressIndirect(VkCommandBuffer c) {
    vk.CmdDecompressMemoryIndirectCountNV(c, AddressOf(source_), AddressOf(parameters_),
                                          sizeof(VkDecompressMemoryRegionNV));
  }
  void Launch(VkCommandBuffer c) {
    const VkCuLaunchInfoNVX info = {.sType = VK_STRUCTURE_TYPE_CU_LAUNCH_INFO_NVX,
                                    .function = function_,
                                    .gridDimX = 1,
                                    .gridDimY = 1,
                                    .gridDimZ = 1,
                                    .blockDimX = 1,
                                    .blockDimY = 1,
                                    .blockDimZ = 1};
    vk.CmdCuLaunchKernelNVX(c, &info);
  }
  void MakeFunction() {
    VkCuModuleCreateInfoNVX module_info = {.sType = VK_STRUCTURE_TYPE_CU_MODULE_CREATE_INFO_NVX};
    VkCuModuleNVX module = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateCuModuleNVX(device, &module_info, nullptr, &module), VK_SUCCESS);
    Defer(module, [=, this] { vk.DestroyCuModuleNVX(device, module, nullptr); });
    VkCuFunctionCreateInfoNVX info = {
        .sType = VK_STRUCTURE_TYPE_CU_FUNCTION_CREATE_INFO_NVX, .module = module, .pName = "kernel"};
    EXPECT_EQ(vk.CreateCuFunctionNVX(device, &info, nullptr, &function_), VK_SUCCESS);
    Defer(function_, [=, this] { vk.DestroyCuFunctionNVX(device, function_, nullptr); });
  }
  void Mark(VkCommandBuffer c, VkPipelineStageFlags2 stage, VkDeviceSize offset = 0) {
    vk.CmdWriteBufferMarker2AMD(c, stage, target_, offset, 1);
  }

  Buffer parameters_, source_, target_;
  VkCuFunctionNVX function_ = VK_NULL_HANDLE;
};
class NegativeSyncVendorCommand : public SyncVendorCommand {};
class PositiveSyncVendorCommand : public SyncVendorCommand {};

TEST_F(NegativeSyncVendorCommand, CopyParametersAreWritten) {
  VkCommandBuffer c = Begun();
  Fill(c, parameters_);
  CopyIndirect(c);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.src_stages, kClear);
  EXPECT_EQ(fix.src_access, kWrite);
}
TEST_F(PositiveSyncVendorCommand, CopyParametersAreReadAtAnyStage) {
  for (const Masks& read : {Masks{kClear, kWrite, kCopy, kRead}, Masks{kClear, kWrite, kIndirect, kIndirectRead}}) {
    VkCommandBuffer c = Begun();
    Fill(c, parameters_);
    Barrier(c, read);
    CopyIndirect(c);
  }
}
// Only the first of the two structures.
TEST_F(PositiveSyncVendorCommand, SomeParametersAreWritten) {
  VkCommandBuffer c = Begun();
  Fill(c, parameters_, 0, sizeof(VkCopyMemoryIndirectCommandNV));
  CopyIndirect(c);
}

TEST_F(NegativeSyncVendorCommand, ImageIsWritten) {
  const Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  VkCommandBuffer c = Begun();
  Clear(c, image, image.Range());
  CopyIndirect(c, image);
  const Masks fix = ParseFix(ExpectMessage(kWriteAfterWrite).text);
  EXPECT_EQ(fix.dst_stages, kCopy);
  EXPECT_EQ(fix.dst_access, kWrite);
}
TEST_F(PositiveSyncVendorCommand, ImageIsWrittenBeforeABarrier) {
  const Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  VkCommandBuffer c = Begun();
  Clear(c, image, image.Range());
  Barrier(c, {kClear, kWrite, kCopy, kWrite});
  CopyIndirect(c, image);
}
// The copy may be to the other half.
TEST_F(PositiveSyncVendorCommand, HalfOfTheImageIsWritten) {
  const Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
  const VkBufferImageCopy half = {.imageSubresource = image.Layers(), .imageExtent = {16, 8, 1}};
  VkCommandBuffer c = Begun();
  vk.CmdCopyBufferToImage(c, MakeBuffer(1024), image, VK_IMAGE_LAYOUT_GENERAL, 1, &half);
  CopyIndirect(c, image);
}

TEST_F(NegativeSyncVendorCommand, DecompressedMemoryIsWritten) {
  VkCommandBuffer c = Begun();
  Fill(c, target_);
  Decompress(c);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(NegativeSyncVendorCommand, DecompressedMemoryIsRead) {
  VkCommandBuffer c = Begun();
  Copy(c, target_, parameters_, {0, 0, kSize});
  Decompress(c);
  ExpectMessage(kWriteAfterRead);
}
TEST_F(NegativeSyncVendorCommand, CompressedMemoryIsWritten) {
  VkCommandBuffer c = Begun();
  Fill(c, source_);
  Decompress(c);
  ExpectMessage(kReadAfterWrite);
}
TEST_F(NegativeSyncVendorCommand, DecompressionCountIsWritten) {
  VkCommandBuffer c = Begun();
  Fill(c, parameters_);
  DecompressIndirect(c);
  ExpectMessage(kReadAfterWrite);
}
TEST_F(PositiveSyncVendorCommand, DecompressesAtAnyStage) {
  for (const Masks& barrier :
       {Masks{kClear, kWrite, kCopy, kRead | kWrite}, Masks{kClear, kWrite, kCompute, kStorageRead | kStorageWrite}}) {
    VkCommandBuffer c = Begun();
    for (const Buffer& buffer : {parameters_, source_, target_}) Fill(c, buffer);
    Barrier(c, barrier);
    Decompress(c);
    DecompressIndirect(c);
  }
}
// The decompressed data may be smaller.
TEST_F(PositiveSyncVendorCommand, EndOfDecompressedMemoryIsWritten) {
  VkCommandBuffer c = Begun();
  Fill(c, target_, kSize / 2, kSize / 2);
  Decompress(c);
}

// They may have read what was written, which orders what comes after them.
TEST_F(PositiveSyncVendorCommand, UnknownReadMayOrder) {
  MakeFunction();
  const std::vector<std::function<void(VkCommandBuffer)>> commands = {
      [&](VkCommandBuffer c) { CopyIndirect(c); }, [&](VkCommandBuffer c) { Decompress(c); },
      [&](VkCommandBuffer c) { DecompressIndirect(c); }, [&](VkCommandBuffer c) { Launch(c); }};
  for (const auto& record : commands) {
    const Buffer buffer = MakeBuffer(kSize);
    VkCommandBuffer c = Begun();
    Fill(c, buffer);
    Barrier(c, {kClear, kWrite, kCopy, kRead});
    record(c);
    Barrier(c, {kCopy, 0, kClear, 0});
    Fill(c, buffer);
  }
}
TEST_F(NegativeSyncVendorCommand, UnknownReadIsNotOrdered) {
  MakeFunction();
  VkCommandBuffer c = Begun();
  Fill(c, target_);
  Barrier(c, {kClear, kWrite, kCopy, kRead});
  Launch(c);
  Fill(c, target_);
  ExpectMessage(kWriteAfterWrite);
}

TEST_F(PositiveSyncVendorCommand, MarkersOverwriteEachOther) {
  VkCommandBuffer c = Begun();
  Mark(c, VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT);
  Mark(c, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  vk.CmdWriteBufferMarkerAMD(c, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, target_, 0, 3);
}
TEST_F(PositiveSyncVendorCommand, MarkersOfTwoQueues) {
  for (uint32_t queue : {0u, 1u}) {
    Submit(Queue(0, queue), {Record([&](VkCommandBuffer c) { Mark(c, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT); })});
  }
}
TEST_F(NegativeSyncVendorCommand, MarkerIsRead) {
  VkCommandBuffer c = Begun();
  Mark(c, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 64);
  Copy(c, target_, source_, {0, 0, 64});
  ExpectNothing();
  Copy(c, target_, source_, {64, 64, 64});
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.src_access, kWrite);
}
TEST_F(PositiveSyncVendorCommand, MarkerIsReadAfterABarrier) {
  VkCommandBuffer c = Begun();
  Fill(c, target_);
  Barrier(c, {kClear, kWrite, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, kWrite});
  Mark(c, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
  Barrier(c, {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | kCompute, kWrite, kCopy, kRead});
  Copy(c, target_, source_);
}

}  // namespace
}  // namespace assay::syncval
