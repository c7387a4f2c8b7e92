// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_COMMAND_LOG_H_
#define ASSAY_SYNCVAL_RECORDING_COMMAND_LOG_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "state/state.h"
#include "syncval/accesses/recorded_access.h"
#include "syncval/engine/engine.h"
#include "vk/command_id.h"

namespace assay::syncval {

struct RecordedCommand {
  vk::CommandId id;
  // The command's number in its command buffer. For a command of a secondary, that command buffer is the secondary.
  uint32_t position;
  // See state::CommandBuffer::LabelsOf.
  uint32_t label_path;
  // Index of its first RecordedAccess. Its accesses end where those of the next command begin.
  uint32_t first_access;
  // Whether it is in a render pass instance, where few barriers are allowed.
  bool is_in_instance;
};

// The commands of a secondary in the log of the primary that executes it.
struct ExecutedCommands {
  // The vkCmdExecuteCommands, the first of the secondary's commands, and one past the last.
  Tag execute;
  Tag begin;
  Tag end;
  state::Ref<state::CommandBuffer> secondary;
};

// The commands of a recording and their accesses. It says which command a Tag of the engine stands for: tags count the
// commands of the log from 0.
class CommandLog {
 public:
  // Appends a command; calls of Add append its accesses.
  Tag Begin(vk::CommandId id, const state::CommandBuffer& buffer) {
    commands_.push_back({id, buffer.command_count, buffer.label_path(), static_cast<uint32_t>(accesses_.size()),
                         buffer.rendering.is_active()});
    return Tag{static_cast<uint32_t>(commands_.size() - 1)};
  }
  void Add(const RecordedAccess& access) { accesses_.push_back(access); }
  // Appends copies of the accesses with these numbers.
  void AddAgain(uint32_t first, uint32_t count) {
    for (uint32_t i = first; i < first + count; ++i) accesses_.push_back(accesses_[i]);
  }
  absl::Span<const RecordedAccess> Accesses(uint32_t first, uint32_t count) const {
    return absl::MakeConstSpan(accesses_.data() + first, count);
  }
  // Changes whenever accesses are removed.
  uint32_t generation() const { return generation_; }
  // The number of the first access of a command.
  uint32_t FirstAccessOf(Tag tag) const { return commands_[tag.value].first_access; }
  // The tag of the command that is appended next.
  Tag NextTag() const { return Tag{static_cast<uint32_t>(commands_.size())}; }
  void RemoveLastCommand() {
    ++generation_;
    accesses_.shrink(commands_.back().first_access);
    commands_.pop_back();
  }
  // Removes the command with this tag and later ones.
  void RemoveFrom(Tag tag) {
    while (NextTag() > tag) RemoveLastCommand();
    while (!executed_.empty() && executed_.back().end > tag) executed_.pop_back();
  }
  // Appends the log of a secondary that the command with the tag `execute` executes.
  void Append(Tag execute, const CommandLog& log, state::Ref<state::CommandBuffer> secondary);

  const RecordedCommand& CommandAt(Tag tag) const { return commands_[tag.value]; }
  uint32_t command_count() const { return static_cast<uint32_t>(commands_.size()); }
  absl::Span<const RecordedAccess> AccessesOf(Tag tag) const;
  // Null when the log has no such access.
  const RecordedAccess* FindAccess(Tag tag, vk::SyncAccessIndex access, const Range& range) const;
  // The same of a possible read.
  const RecordedAccess* FindPossibleRead(Tag tag, vk::SyncAccessIndex access, const Range& range) const;
  // Null for a command of the command buffer itself.
  const ExecutedCommands* FindExecuted(Tag tag) const;

  // Whether the earlier access of the hazard, by the command `prior`, is to the resource of `access`. An access to
  // shared memory does not say which part of the image it is to: it conflicts only with accesses to other resources.
  bool IsOfSameResource(const RecordedAccess& access, Tag prior, const Hazard& hazard) const;
  // Whether a command accesses the range by another resource that aliases this one.
  bool IsAliased(uint64_t resource, const Range& range) const;

  void Reset() {
    commands_.clear();
    accesses_.clear();
    executed_.clear();
    ++generation_;
  }

 private:
  // Both keep their memory through resets.
  GrowingArray<RecordedCommand> commands_;
  GrowingArray<RecordedAccess> accesses_;
  std::vector<ExecutedCommands> executed_;
  uint32_t generation_ = 1;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_COMMAND_LOG_H_
