// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The settings check_object_in_use and check_command_buffer, each alone.

#include <functional>

#include "core/lifetime/lifetime_test.h"

namespace assay::core {
namespace {

// The settings, and whether another validator needs state.
struct Settings {
  bool object_lifetime;
  bool check_object_in_use;
  bool check_command_buffer;
  bool validate_core;
};

class CheckSettings : public LifetimeTest, public ::testing::WithParamInterface<Settings> {
 protected:
  test::DeviceOptions Options() override {
    const Settings& settings = GetParam();
    return {.settings = {{"object_lifetime", settings.object_lifetime},
                         {"check_object_in_use", settings.check_object_in_use},
                         {"check_command_buffer", settings.check_command_buffer},
                         {"validate_core", settings.validate_core},
                         {"thread_safety", false},
                         {"validate_sync", false}}};
  }
  // A call without the driver, which a check reports if it is on.
  void TryIf(bool is_on, const char* id, const std::function<void()>& call) {
    SkipCalls skip(*this);
    call();
    if (is_on) ExpectMessage(id);
  }
};

TEST_P(CheckSettings, SwitchTheirChecksAlone) {
  const Settings& settings = GetParam();
  test::Buffer other = MakeBuffer(64);
  Submit(Queue(), {RecordCopy(source, destination)});
  const bool is_in_use = settings.object_lifetime && settings.check_object_in_use;
  TryIf(is_in_use, "VUID-vkDestroyBuffer-buffer-00922", [&] { vk.DestroyBuffer(device, source, nullptr); });
  // Only a call that is not skipped destroys the buffer.
  if (!is_in_use) CancelDestroy(source.handle);
  vk.DeviceWaitIdle(device);

  const VkCommandBuffer commands = RecordCopy(other, destination);
  DestroyNow(other);
  TryIf(settings.object_lifetime && settings.check_command_buffer, "VUID-vkQueueSubmit2-commandBuffer-03874",
        [&] { Submit(Queue(), {commands}); });
}

INSTANTIATE_TEST_SUITE_P(All, CheckSettings,
                         ::testing::Values(Settings{true, true, true, false}, Settings{true, false, true, false},
                                           Settings{true, true, false, false}, Settings{true, false, false, false},
                                           Settings{true, false, true, true}, Settings{true, true, false, true},
                                           Settings{true, false, false, true}, Settings{false, true, true, true}));

}  // namespace
}  // namespace assay::core
