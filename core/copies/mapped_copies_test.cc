// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies by the host from and to memory of the device that it has mapped, through the whole layer.

#include <type_traits>

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
  // 1024 bytes or, with VK_HOST_IMAGE_COPY_MEMCPY, a whole level.
  template <class Info>
  void Copy(VkResult (*function)(VkDevice, const Info*), void* pointer, VkHostImageCopyFlags flags) {
    ImageCopy copy = {.host_flags = flags};
    if (flags != 0) {
      copy.source.layers.mipLevel = copy.target.layers.mipLevel = 1;
      copy.extent = {32, 32, 1};
    }
    auto region = MakeRegion<std::remove_cvref_t<decltype(*Info::pRegions)>>(copy, copy.source);
    region.pHostPointer = pointer;
    const auto info = MakeInfo<Info>(copy, image_, image_, VK_NULL_HANDLE, region);
    function(device, &info);
  }
  // With an id, it is reported.
  void CopyFrom(void* pointer, const char* id = nullptr, VkHostImageCopyFlags flags = 0) {
    Copy(vk.CopyMemoryToImage, pointer, flags);
    if (id != nullptr) ExpectMessage(id);
  }
  void CopyTo(void* pointer, const char* id = nullptr) {
    Copy(vk.CopyImageToMemory, pointer, 0);
    if (id != nullptr) ExpectMessage(id);
  }

  static constexpr char kToImage[] = "VUID-VkMemoryToImageCopy-pRegions-09062";
  static constexpr char kToMemory[] = "VUID-VkImageToMemoryCopy-pRegions-09067";
  test::Image image_;
};

TEST_F(MappedCopiesTest, MemoryOfTheImage) {
  char* const data = Map(image_.memory);
  CopyFrom(data, kToImage);
  CopyFrom(data + 256, kToImage, VK_HOST_IMAGE_COPY_MEMCPY);
  CopyTo(data, kToMemory);
  // The last bytes are mapped.
  vk.UnmapMemory(device, image_.memory);
  char* const rest = Map(image_.memory, 4096);
  CopyFrom(rest - 1023, kToImage);
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
}
// Behind the image.
TEST_F(MappedCopiesTest, OtherBytes) {
  VkMemoryRequirements requirements = RequirementsOf(image_);
  const VkDeviceSize size = requirements.size;
  requirements.size += 65536;
  const VkDeviceMemory memory = MakeMemory(requirements);
  image_.handle = MakeUnboundImage(HostCopy().source.info);
  RequirementsOf(image_);
  EXPECT_EQ(vk.BindImageMemory(device, image_, memory, 0), VK_SUCCESS);
  Transition(image_, HostCopy().source, VK_IMAGE_LAYOUT_GENERAL);
  char* const data = Map(memory);
  CopyFrom(data + size);
  CopyTo(data + size);
  ExpectNothing();
  CopyFrom(data + size - 1, kToImage);
}
TEST_F(MappedCopiesTest, TooFewBytes) {
  const test::Buffer buffer = MakeBuffer(4096);
  char* const data = Map(buffer.memory);
  CopyFrom(data + 3072);
  CopyTo(data + 3072);
  CopyFrom(data + 4095, nullptr, VK_HOST_IMAGE_COPY_MEMCPY);
  ExpectNothing();
  CopyFrom(data + 3073, "VUID-VkMemoryToImageCopy-pHostPointer-09061");
  CopyTo(data + 3073, "VUID-VkImageToMemoryCopy-pHostPointer-09066");
  // Not mapped any more.
  vk.UnmapMemory(device, buffer.memory);
  CopyFrom(data + 3073);
}
// Where its texels are is not asked.
TEST_F(MappedCopiesTest, LinearImage) {
  CopySide linear = HostCopy().source;
  linear.info.tiling = VK_IMAGE_TILING_LINEAR;
  linear.info.mipLevels = linear.info.arrayLayers = 1;
  image_ = MakeImage(linear.info);
  Transition(image_, linear, VK_IMAGE_LAYOUT_GENERAL);
  CopyFrom(Map(image_.memory) + 8192);
}

}  // namespace
}  // namespace assay::core
