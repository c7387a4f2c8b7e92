// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies whose regions the device reads from memory, through the whole layer.

#include <string>

#include "core/copies/cases/image_copy_test.h"

namespace assay::core {
namespace {

class IndirectCopiesTest : public ImageCopiesTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = ImageCopiesTest::Options();
    options.device_extensions.push_back(VK_NV_COPY_MEMORY_INDIRECT_EXTENSION_NAME);
    options.features = &features_;
    return options;
  }
  // The address of no memory that the test has to have.
  static constexpr VkDeviceAddress kAddress = 0x10000;

  void CopyToImage(const ImageCopy& copy, VkDeviceAddress address = kAddress,
                   uint32_t stride = sizeof(VkCopyMemoryToImageIndirectCommandNV)) {
    const VkImage target = Make(copy.target);
    const VkCommandBuffer commands = MakeCommands(copy);
    Begin(commands);
    vk.CmdCopyMemoryToImageIndirectNV(commands, address, 1, stride, target, VK_IMAGE_LAYOUT_GENERAL,
                                      &copy.target.layers);
    End(commands);
  }
  void CopyMemory(VkDeviceAddress address, uint32_t stride, uint32_t family = 0) {
    Record([&](VkCommandBuffer commands) { vk.CmdCopyMemoryIndirectNV(commands, address, 1, stride); }, family);
  }

 private:
  VkPhysicalDeviceCopyMemoryIndirectFeaturesNV features_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COPY_MEMORY_INDIRECT_FEATURES_NV, .indirectCopy = VK_TRUE};
};

TEST_F(IndirectCopiesTest, EachCase) {
  CopyToImage({});
  ExpectNothing();
  for (const FamilyCase<ImageCopy>& row : IndirectCopyCases()) {
    ImageCopy copy;
    row.change(copy);
    SCOPED_TRACE(std::string(row.rule));
    CopyToImage(copy);
    ExpectMessage("VUID-vkCmdCopyMemoryToImageIndirectNV-" + std::string(row.rule));
    ExpectNothing();
  }
  ImageCopy copy;
  copy.target.layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 3, VK_REMAINING_ARRAY_LAYERS};
  CopyToImage(copy);
  ExpectNothing();
}

TEST_F(IndirectCopiesTest, Commands) {
  CopyMemory(kAddress, sizeof(VkCopyMemoryIndirectCommandNV));
  ExpectNothing();
  CopyMemory(kAddress + 2, sizeof(VkCopyMemoryIndirectCommandNV));
  ExpectMessage("VUID-vkCmdCopyMemoryIndirectNV-copyBufferAddress-07654");
  CopyMemory(kAddress, sizeof(VkCopyMemoryIndirectCommandNV) + 2);
  ExpectMessage("VUID-vkCmdCopyMemoryIndirectNV-stride-07655");
  CopyMemory(kAddress, sizeof(VkCopyMemoryIndirectCommandNV) - 4);
  ExpectMessage("VUID-vkCmdCopyMemoryIndirectNV-stride-07655");
  // The test's driver supports other queues.
  CopyMemory(kAddress, sizeof(VkCopyMemoryIndirectCommandNV), kTransferFamily);
  ExpectMessage("VUID-vkCmdCopyMemoryIndirectNV-commandBuffer-07656");
  CopyToImage({}, kAddress + 1);
  ExpectMessage("VUID-vkCmdCopyMemoryToImageIndirectNV-offset-07676");
  CopyToImage({}, kAddress, 4);
  ExpectMessage("VUID-vkCmdCopyMemoryToImageIndirectNV-stride-07677");
}

}  // namespace
}  // namespace assay::core
