// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_LIFETIME_LIFETIME_RULES_H_
#define ASSAY_CORE_LIFETIME_LIFETIME_RULES_H_

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/lifetime/in_use_rules.h"
#include "core/lifetime/object_users.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

// Objects that must not be destroyed or reset while a queue has them in use, and command buffers that became invalid
// since an object of theirs was destroyed.
//
// The state tracker decides what is in use: a batch is pending until the host may know that it is complete
// (state/queues/pending_batches.h). A batch whose fence or semaphore is shared outside of the device is not pending,
// since the application may know more than a layer sees. When the device is lost, nothing more is reported.
//
// A pending batch has the recordings of its command buffers (dispatch/handles/recording.h), in which object_lifetimes
// notes the objects of recorded commands. Whether an object is in use is computed when it is to be destroyed, which is
// rare: a bit is tested for each pending recording, for the object and for the objects that use it in turn
// (object_users.h). Semaphores, fences and command buffers have the batches that use them.
namespace assay::core {

// Commands that destroy or reset objects that a queue may have in use.
template <class C>
inline constexpr bool kMayEndUse =
    C::kLifetime == vk::LifetimeEffect::kDestroy || std::is_same_v<C, vk::ResetFences> ||
    std::is_same_v<C, vk::ResetCommandPool> || std::is_same_v<C, vk::ResetCommandBuffer> ||
    std::is_same_v<C, vk::ResetDescriptorPool> || std::is_same_v<C, vk::BeginCommandBuffer>;

template <class C>
concept MakesUsers = requires(ObjectUsers& users, const C& call) { users.Note(call); };

// The rules of which checks are made.
struct LifetimeChecks {
  // Objects in use (in_use_rules.h).
  bool object_in_use = true;
  // Objects of recorded commands that do not exist any more.
  bool command_buffer = true;
};

// The validator. object_lifetimes must be attached too.
class LifetimeRules {
 public:
  // state and rules must outlive it.
  explicit LifetimeRules(state::DeviceState& state, const LifetimeChecks& checks = {},
                         const InUseRules& rules = InUseRules::All());
  LifetimeRules(const LifetimeRules&) = delete;
  LifetimeRules& operator=(const LifetimeRules&) = delete;

  template <class C>
    requires kMayEndUse<C>
  void PreCallValidate(const C& call, messages::Report& report) {
    if (checks_.object_in_use) CheckInUse(&call, report);
  }
  // Check that recorded objects have not been destroyed since.
  void PreCallValidate(const vk::EndCommandBuffer& call, messages::Report& report);
  void PreCallValidate(const vk::CmdExecuteCommands& call, messages::Report& report);
  void PreCallValidate(const vk::QueueSubmit& call, messages::Report& report);
  void PreCallValidate(const vk::QueueSubmit2& call, messages::Report& report);

  template <class C>
    requires kMayEndUse<C>
  void PreCallRecord(const C& call) {
    BeforeEnd(C::kId, &call);
  }
  void PostCallRecord(const vk::BeginCommandBuffer& call, VkResult result);
  template <MakesUsers C>
  void PostCallRecord(const C& call, VkResult result) {
    if (checks_.object_in_use && result >= 0) users_.Note(call);
  }

  // Checks that no object is in use that the command destroys or resets. `call` has the parameters of the report's
  // command.
  void CheckInUse(const void* call, messages::Report& report) const;

  // For tests: all that it knows, as text (core_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump) const;

 private:
  // Something that keeps an object in use.
  struct Use {
    VkQueue queue = VK_NULL_HANDLE;
    // The object that the batch uses: the requested one, or one that uses that.
    dispatch::ObjectId via;
    // The command that refers to the object, and its command buffer; null if the batch itself does.
    VkCommandBuffer command_buffer = VK_NULL_HANDLE;
    vk::CommandId command{};
    // The origin of the batch.
    vk::CommandId submitted_by{};
    uint64_t submission = 0;
    uint32_t index = 0;
    // What would signal that the batch is complete, if anything does.
    VkFence fence = VK_NULL_HANDLE;
    VkSemaphore timeline = VK_NULL_HANDLE;
    uint64_t value = 0;
  };

  // Finds a use of one of the objects; false if no queue has any in use.
  bool FindUse(const std::vector<dispatch::ObjectId>& objects, Use* use) const;
  void CheckObject(messages::ObjectRef object, vk::VuidIndex rule, const messages::Location& where,
                   messages::Report& report) const;
  static void ReportInUse(const Use& use, messages::ObjectRef object, vk::VuidIndex rule,
                          const messages::Location& where, messages::Report& report);
  void CheckValid(VkCommandBuffer command_buffer, vk::VuidIndex rule, vk::VuidIndex secondary_rule,
                  const messages::Location& where, messages::Report& report) const;
  // Call before the call goes down. The command destroys or resets the objects of its in-use rule.
  void BeforeEnd(vk::CommandId command, const void* call);

  state::DeviceState& state_;
  const LifetimeChecks checks_;
  const InUseRules& rules_;
  ObjectUsers users_;
  // The number of objects that were destroyed or rerecorded and that recordings may refer to; see
  // Recording::FindInvalidObject.
  std::atomic<uint64_t> changes_{1};
};

}  // namespace assay::core

#endif  // ASSAY_CORE_LIFETIME_LIFETIME_RULES_H_
