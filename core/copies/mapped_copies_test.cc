// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies by the host from and to memory of the device that it has mapped, through the whole layer.

#include "core/copies/cases/image_copy_test.h"

namespace assay::core {
namespace {

class MappedCopiesTest : public ImageCopiesTest {
 protected:
  void SetUp() override {
    ImageCopiesTest::SetUp();
    image_ = MakeImage(HostCopy().source.info);
    Transition(image_, HostCopy().source, VK_IMAGE_LAYOUT_GENERAL);
  }
  char* Map(VkDeviceMemory memory, VkDeviceSize offset = 0) {
    void* data = nullptr;
    EXPECT_EQ(vk.MapMemory(device, memory, offset, VK_WHOLE_SIZE, 0, &data), VK_SUCCESS);
    return static_cast<char*>(data);
  }
  // 1024 bytes.
  void CopyFrom(const void* pointer, VkHostImageCopyFlags flags = 0) {
    const VkMemoryToImageCopy region = {.sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY,
                                        .pHostPointer = pointer,
                                        .imageSubresource = Layers(flags),
                                        .imageExtent = Extent(flags)};
    const VkCopyMemoryToImageInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO,
                                          .flags = flags,
                                          .dstImage = image_,
                                          .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                          .regionCount = 1,
                                          .pRegions = &region};
    vk.CopyMemoryToImage(device, &info);
  }
  void CopyTo(void* pointer) {
    const VkImageToMemoryCopy region = {.sType = VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY,
                                        .pHostPointer = pointer,
                                        .imageSubresource = Layers(0),
                                        .imageExtent = Extent(0)};
    const VkCopyImageToMemoryInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO,
                                          .srcImage = image_,
                                          .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                          .regionCount = 1,
                                          .pRegions = &region};
    vk.CopyImageToMemory(device, &info);
  }

  static constexpr char kToImage[] = "VUID-VkMemoryToImageCopy-pRegions-09062";
  static constexpr char kToMemory[] = "VUID-VkImageToMemoryCopy-pRegions-09067";
  test::Image image_;

 private:
  // With VK_HOST_IMAGE_COPY_MEMCPY, a whole level.
  static VkImageSubresourceLayers Layers(VkHostImageCopyFlags flags) {
    return {VK_IMAGE_ASPECT_COLOR_BIT, flags != 0 ? 1u : 0u, 0, 1};
  }
  static VkExtent3D Extent(VkHostImageCopyFlags flags) {
    return flags != 0 ? VkExtent3D{32, 32, 1} : VkExtent3D{16, 16, 1};
  }
};

TEST_F(MappedCopiesTest, MemoryOfTheImage) {
  char* const data = Map(image_.memory);
  CopyFrom(data);
  ExpectMessage(kToImage);
  CopyFrom(data + 256, VK_HOST_IMAGE_COPY_MEMCPY);
  ExpectMessage(kToImage);
  CopyTo(data);
  ExpectMessage(kToMemory);
  // The last bytes are mapped.
  vk.UnmapMemory(device, image_.memory);
  char* const rest = Map(image_.memory, 4096);
  CopyFrom(rest - 1023);
  ExpectMessage(kToImage);
  CopyFrom(rest - 1024);
  vk.UnmapMemory(device, image_.memory);
  CopyFrom(data);
  CopyTo(data);
}
TEST_F(MappedCopiesTest, OtherMemory) {
  const test::Buffer buffer = MakeBuffer(4096);
  char* const data = Map(buffer.memory);
  Map(image_.memory);
  CopyFrom(data);
  CopyTo(data);
  ExpectNothing();
}
// Behind the image.
TEST_F(MappedCopiesTest, OtherBytes) {
  VkMemoryRequirements requirements = {};
  vk.GetImageMemoryRequirements(device, image_, &requirements);
  const VkDeviceSize size = requirements.size;
  requirements.size += 65536;
  const VkDeviceMemory memory = MakeMemory(requirements);
  image_.handle = MakeUnboundImage(HostCopy().source.info);
  VkMemoryRequirements same = {};
  vk.GetImageMemoryRequirements(device, image_, &same);
  EXPECT_EQ(vk.BindImageMemory(device, image_, memory, 0), VK_SUCCESS);
  Transition(image_, HostCopy().source, VK_IMAGE_LAYOUT_GENERAL);
  char* const data = Map(memory);
  CopyFrom(data + size);
  CopyTo(data + size);
  ExpectNothing();
  CopyFrom(data + size - 1);
  ExpectMessage(kToImage);
}
TEST_F(MappedCopiesTest, TooFewBytes) {
  const test::Buffer buffer = MakeBuffer(4096);
  char* const data = Map(buffer.memory);
  CopyFrom(data + 3072);
  CopyTo(data + 3072);
  CopyFrom(data + 4095, VK_HOST_IMAGE_COPY_MEMCPY);
  ExpectNothing();
  CopyFrom(data + 3073);
  ExpectMessage("VUID-VkMemoryToImageCopy-pHostPointer-09061");
  CopyTo(data + 3073);
  ExpectMessage("VUID-VkImageToMemoryCopy-pHostPointer-09066");
  // Not mapped any more.
  vk.UnmapMemory(device, buffer.memory);
  CopyFrom(data + 3073);
}
// Where its texels are is not asked.
TEST_F(MappedCopiesTest, LinearImage) {
  VkImageCreateInfo info = HostCopy().source.info;
  info.tiling = VK_IMAGE_TILING_LINEAR;
  info.mipLevels = info.arrayLayers = 1;
  image_ = MakeImage(info);
  Transition(image_, HostCopy().source, VK_IMAGE_LAYOUT_GENERAL);
  CopyFrom(Map(image_.memory) + 8192);
  ExpectNothing();
}

}  // namespace
}  // namespace assay::core
