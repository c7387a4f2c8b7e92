// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_DEVICE_CONTEXT_H_
#define ASSAY_GPUAV_DEVICE_CONTEXT_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// What the address of an action block takes of the push constants; it is aligned to as much.
inline constexpr uint32_t kAddressBytes = 8;

// What all rooms share: the device, and whether its shaders are instrumented.
class Context {
 public:
  explicit Context(state::DeviceState& state);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  dispatch::Device& device() const { return state_.device(); }
  state::DeviceState& state() const { return state_; }
  const dispatch::Settings& settings() const { return device().instance.settings; }
  messages::Reporter& reporter() const { return device().reporter(); }

  // The number of the descriptor set that is ours: the last one that a pipeline layout may have, or that the action
  // block has room for.
  uint32_t reserved_set() const { return reserved_set_; }
  // Whether an application that keeps to the limits may make pipeline layouts without room for our set.
  bool may_use_every_set() const { return may_use_every_set_; }
  // Whether the address of an action block may be in push constants, since there are pipeline layouts without room for
  // our set; and where: the last eight bytes that the device has for push constants, so that they are behind those of
  // nearly all applications.
  bool pushes_addresses() const { return pushes_addresses_; }
  // Whether references of instances are replaced that are the address of no acceleration structure (builds/).
  bool replaces_references() const { return replaces_references_; }
  // Whether memory of ours has addresses.
  bool uses_addresses() const { return pushes_addresses_ || replaces_references_; }
  uint32_t push_constant_offset() const { return push_constant_offset_; }

  // Whether it is noted which images shaders access, to compare their layouts (gpuav_image_layout). Layouts are what
  // core tracks.
  bool compares_layouts() const;

  // Whether pipelines are instrumented. False where the device lacks what that takes, and after Fail().
  bool is_enabled() const { return is_enabled_.load(std::memory_order_relaxed); }
  // Something of our own could not be made: instruments no more. What is instrumented keeps running. Keeps a message
  // about the first failure, since the caller may hold locks.
  void Fail(vk::CommandId command, std::string_view what, VkResult result);
  // The same before anything was made, with the reason.
  void Disable(vk::CommandId command, std::string_view why);
  // Delivers the message that was kept, if there is one. Calls callbacks, so that no lock may be held.
  void DeliverFailure() {
    if (has_failure_.load(std::memory_order_relaxed)) [[unlikely]]
      DeliverKept();
  }

  // Whether the device still exists, so that what belongs to it is to be destroyed.
  bool has_device() const { return has_device_; }
  void ForgetDevice() { has_device_ = false; }

 private:
  struct Failure {
    vk::CommandId command;
    std::string text;
  };
  void Keep(vk::CommandId command, std::string text);
  void DeliverKept();

  state::DeviceState& state_;
  uint32_t reserved_set_ = 0;
  bool may_use_every_set_ = false;
  bool pushes_addresses_ = false;
  bool replaces_references_ = false;
  uint32_t push_constant_offset_ = 0;
  std::atomic<bool> is_enabled_{true};
  std::atomic<bool> has_failure_{false};
  absl::Mutex mutex_;
  std::optional<Failure> failure_ ABSL_GUARDED_BY(mutex_);
  bool has_device_ = true;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_DEVICE_CONTEXT_H_
