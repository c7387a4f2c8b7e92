// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_CONTENTS_CONTENT_RULES_H_
#define ASSAY_CORE_CONTENTS_CONTENT_RULES_H_

#include <atomic>

#include "core/recording/recording_scope.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

// What submitted commands need objects to contain (core/recording/content_needs.h). The rooms with the rules of a
// command add its needs to the recording; what the host executes they check themselves.
//
// A need is looked at when its batch becomes ready: then all that is ordered before it was recorded. Nothing is
// reported where the host may still come in between: of a command buffer that waits for events, and of a batch that
// waits for a semaphore whose payload is shared.
namespace assay::core {

// The validator. Needs the sub-states that CommandRules attaches.
class ContentRules {
 public:
  // state must outlive it.
  explicit ContentRules(state::DeviceState& state);

  void PreCallValidate(const vk::QueueSubmit& call, messages::Report& report);
  void PreCallValidate(const vk::QueueSubmit2& call, messages::Report& report);
  // These may let batches execute that were submitted before.
  void PreCallValidate(const vk::QueueBindSparse& call, messages::Report& report);
  void PreCallValidate(const vk::SignalSemaphore& call, messages::Report& report);

 private:
  template <class C>
  void Check(const C& call, messages::Report& report);
  template <class C>
  void CheckSubmission(const C& call, messages::Report& report);

  const state::DeviceState& state_;
  // Whether a held batch may have needs.
  std::atomic<bool> has_held_needs_ = false;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_CONTENTS_CONTENT_RULES_H_
