// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Fills a buffer twice with nothing in between, once for each name in a file, which a null character ends there; the
// buffer and a debug label around the commands have that name.

#include <fstream>
#include <iterator>
#include <string>

#include "testing/message_log.h"
#include "testing/system_loader.h"
#include "testing/test_device.h"
#include "vk/vulkan.h"

namespace assay::test {
namespace {

void MakeHazard(TestDevice& device, const std::string& name) {
  const Buffer buffer = device.MakeBuffer(256);
  device.SetName(VK_OBJECT_TYPE_BUFFER, buffer.handle, name.c_str());
  device.Record([&](VkCommandBuffer commands) {
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = name.c_str()};
    device.vk.CmdBeginDebugUtilsLabelEXT(commands, &label);
    device.vk.CmdFillBuffer(commands, buffer, 0, 256, 1);
    device.vk.CmdFillBuffer(commands, buffer, 0, 256, 2);
    device.vk.CmdEndDebugUtilsLabelEXT(commands);
  });
}

}  // namespace
}  // namespace assay::test

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  assay::test::SystemLoader loader;
  assay::test::MessageLog log;
  assay::test::TestDevice device(loader, log);
  device.Create();
  std::ifstream file(argv[1], std::ios::binary);
  for (std::string name; std::getline(file, name, '\0');) assay::test::MakeHazard(device, name);
  device.Destroy();
}
