// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Copies whose regions the device reads from memory, through the whole layer.

#include <string>

#include "core/copies/cases/image_copy_test.h"

namespace assay::core {
namespace {

class IndirectCopiesTest : public ImageCopiesTest {
 protected:
  IndirectCopiesTest() { Enable({VK_NV_COPY_MEMORY_INDIRECT_EXTENSION_NAME}); }
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
  // It breaks that rule, or none.
  void CopyMemory(const std::string& rule, VkDeviceAddress address, uint32_t stride, uint32_t family = 0) {
    Record([&](VkCommandBuffer commands) { vk.CmdCopyMemoryIndirectNV(commands, address, 1, stride); }, family);
    ExpectAlone("vkCmdCopyMemoryIndirectNV", rule);
  }
};

TEST_F(IndirectCopiesTest, EachCase) {
  RunEach<vk::CmdCopyMemoryToImageIndirectNV>(IndirectCopyCases(), ImageCopy(),
                                              [this](vk::CommandId, const ImageCopy& copy) { CopyToImage(copy); });
  CopyToImage({.target = {.layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 3, VK_REMAINING_ARRAY_LAYERS}}});
}

TEST_F(IndirectCopiesTest, Commands) {
  CopyMemory("", kAddress, sizeof(VkCopyMemoryIndirectCommandNV));
  CopyMemory("copyBufferAddress-07654", kAddress + 2, sizeof(VkCopyMemoryIndirectCommandNV));
  CopyMemory("stride-07655", kAddress, sizeof(VkCopyMemoryIndirectCommandNV) + 2);
  CopyMemory("stride-07655", kAddress, sizeof(VkCopyMemoryIndirectCommandNV) - 4);
  // The test's driver supports other queues.
  CopyMemory("commandBuffer-07656", kAddress, sizeof(VkCopyMemoryIndirectCommandNV), kTransferFamily);
  CopyToImage({}, kAddress + 1);
  ExpectMessage("VUID-vkCmdCopyMemoryToImageIndirectNV-offset-07676");
  CopyToImage({}, kAddress, 4);
  ExpectMessage("VUID-vkCmdCopyMemoryToImageIndirectNV-stride-07677");
}

}  // namespace
}  // namespace assay::core
