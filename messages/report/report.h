// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_REPORT_REPORT_H_
#define ASSAY_MESSAGES_REPORT_REPORT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "absl/log/absl_check.h"
#include "messages/message/location.h"
#include "messages/message/message.h"
#include "messages/message/object_ref.h"
#include "messages/report/reporter.h"
#include "vk/command_info.h"
#include "vk/vuid.h"

namespace assay::messages {

// The report of one Vulkan call. Its checks report to it, and it records whether the call is to be skipped. It is on
// the stack for the duration of the checks and belongs to one thread. Making it costs nothing. The reporter must
// outlive it.
class Report {
 public:
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): see undos_.
  Report(Reporter& reporter, vk::CommandId command) : reporter_(reporter), command_(command) {}
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

  vk::CommandId command() const { return command_; }
  // The first step of every location in this call.
  Location location() const { return Location(command_); }
  Reporter& reporter() { return reporter_; }

  // Reports a violation of the rule vuid at where. text continues the location in full sentences (see Message::text).
  // The specification's sentence is the registry's. objects are those that the rule is about, the most important one
  // first.
  //
  //     report.Error(vk::Vuid("VUID-vkCmdCopyBuffer-size-00115"), {Object(call.commandBuffer), Object(call.srcBuffer)},
  //                  report.location().Dot("pRegions", i).Dot("size"),
  //                  absl::StrCat("(", size, ") is larger than what is left of srcBuffer ", ..., "."));
  void Error(vk::VuidIndex vuid, std::initializer_list<ObjectRef> objects, const Location& where, std::string text,
             std::string fix = {});

  // Reports anything else: a hazard, a warning. An empty location becomes the command.
  void Deliver(Message message);

  // For callers that are about to compose a message of this cause (Message::cause). True if one was delivered; then
  // this one is counted and need not be composed.
  bool CountIfDuplicate(uint64_t cause);

  // Whether a sink asked that the call be skipped.
  bool skip() const { return skip_; }

  // For a check that records while it checks: if the call is skipped, undo(object) runs when all checks have run. The
  // last one that was registered runs first. undo must not throw. One call has at most kMaxUndos of them.
  using Undo = void (*)(void* object);
  static constexpr size_t kMaxUndos = 8;
  void OnSkip(Undo undo, void* object) {
    ABSL_CHECK_LT(undo_count_, kMaxUndos);
    undos_[undo_count_++] = {undo, object};
  }
  // Runs and forgets what OnSkip() registered.
  void UndoRecorded();

 private:
  struct RegisteredUndo {
    Undo undo;
    void* object;
  };

  Reporter& reporter_;
  const vk::CommandId command_;
  bool skip_ = false;
  // Those of undos_ that were registered. The others have no value: every call of Vulkan makes a report.
  uint32_t undo_count_ = 0;
  std::array<RegisteredUndo, kMaxUndos> undos_;
};

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_REPORT_REPORT_H_
