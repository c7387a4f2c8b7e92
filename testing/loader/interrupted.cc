// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// interrupted END: submits a copy three times, named in a debug label, and ends: by the signal with the number END,
// or if that is 0 as a program should, after it destroyed everything.

#include <csignal>
#include <cstdlib>

#include "testing/message_log.h"
#include "testing/system_loader.h"
#include "testing/test_device.h"
#include "vk/vulkan.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  assay::test::SystemLoader loader;
  assay::test::MessageLog log;
  assay::test::TestDevice device(loader, log);
  device.Create();
  const assay::test::Buffer from = device.MakeBuffer(256), to = device.MakeBuffer(256);
  const VkCommandBuffer copy = device.Record([&](VkCommandBuffer commands) {
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = "the copy"};
    device.vk.CmdBeginDebugUtilsLabelEXT(commands, &label);
    const VkBufferCopy region = {.size = 256};
    device.vk.CmdCopyBuffer(commands, from, to, 1, &region);
    device.vk.CmdEndDebugUtilsLabelEXT(commands);
  });
  for (int i = 0; i < 3; ++i) {
    device.Submit(device.Queue(), {copy});
    device.vk.QueueWaitIdle(device.Queue());
  }
  if (const int signal = std::atoi(argv[1]); signal != 0) std::raise(signal);
  device.Destroy();
}
