// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The settings check_object_in_use and check_command_buffer, each alone.

#include "core/lifetime/lifetime_test.h"

namespace assay::core {
namespace {

using test::Buffer;

constexpr char kInUse[] = "VUID-vkDestroyBuffer-buffer-00922";
constexpr char kInvalid[] = "VUID-vkQueueSubmit2-commandBuffer-03874";

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
  void ExpectIf(bool is_on, const char* id) {
    if (is_on) ExpectMessage(id);
  }
};

TEST_P(CheckSettings, SwitchTheirChecksAlone) {
  const Settings& settings = GetParam();
  Buffer other = MakeBuffer(64);
  Submit(Queue(), {RecordCopy(source, destination)});
  {
    SkipCalls skip(*this);
    vk.DestroyBuffer(device, source, nullptr);
  }
  const bool is_in_use = settings.object_lifetime && settings.check_object_in_use;
  ExpectIf(is_in_use, kInUse);
  // Only a call that is not skipped destroys the buffer.
  if (!is_in_use) CancelDestroy(source.handle);
  vk.DeviceWaitIdle(device);

  const VkCommandBuffer commands = RecordCopy(other, destination);
  DestroyNow(other);
  {
    SkipCalls skip(*this);
    Submit(Queue(), {commands});
  }
  ExpectIf(settings.object_lifetime && settings.check_command_buffer, kInvalid);
}

INSTANTIATE_TEST_SUITE_P(All, CheckSettings,
                         ::testing::Values(Settings{true, true, true, false}, Settings{true, false, true, false},
                                           Settings{true, true, false, false}, Settings{true, false, false, false},
                                           Settings{true, false, true, true}, Settings{true, true, false, true},
                                           Settings{true, false, false, true}, Settings{false, true, true, true}));

}  // namespace
}  // namespace assay::core
