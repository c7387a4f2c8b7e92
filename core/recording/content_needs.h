// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_CONTENT_NEEDS_H_
#define ASSAY_CORE_RECORDING_CONTENT_NEEDS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "messages/messages.h"
#include "state/state.h"
#include "vk/command_id.h"
#include "vk/vuid.h"

// What commands need objects to contain when they are executed: a built acceleration structure or micromap, queries
// that were reset or made available.
//
// An application may record first and execute later, in any order. The state tracker therefore knows only what *cannot*
// have happened: nothing that was recorded so far, and no call of the host, has built the structure or reset the query.
// If that is so when the command is executed, its need is certainly not met; while it is recorded, nothing is certain.
namespace assay::core {

// A need that only the room with the command can decide.
class OwnNeed {
 public:
  virtual ~OwnNeed() = default;
  // As IsUnmet() below, of an object with contents that are all known.
  virtual bool IsUnmet() const = 0;
  // What follows the object in UnmetText().
  virtual std::string Text() const = 0;
};

struct ContentNeed {
  enum class Kind : uint8_t {
    // An acceleration structure or micromap was constructed.
    kConstructed,
    // It was constructed by a build that allows compaction. Nothing is reported of one that was never constructed, here
    // and below.
    kCompactable,
    // By a build of a top-level acceleration structure; with motion, without, or with access to its data.
    kTopLevel,
    kTopLevelWithMotion,
    kWithoutMotion,
    kDataAccess,
    // Queries were reset since their pool was created.
    kReset,
    // Queries were made available. Nothing is reported of those that were never reset.
    kWritten,
    // What `own` says of an acceleration structure.
    kOwn,
  };
  Kind kind;
  vk::VuidIndex rule;
  vk::CommandId command;
  messages::ObjectRef object;
  // Of query pools.
  uint32_t first = 0;
  uint32_t count = 0;
  std::shared_ptr<const OwnNeed> own = nullptr;
};

// Whether the need may be unmet later: a need that is met now stays so.
bool IsOpen(const ContentNeed& need);

// Adds the need of a command that is recorded.
inline void AddNeed(const ContentNeed& need, std::vector<ContentNeed>& needs) {
  if (need.rule != vk::kNoVuid && IsOpen(need)) needs.push_back(need);
}

// Whether nothing that was recorded or called so far can have met the need.
bool IsUnmet(const ContentNeed& need);

// Of an unmet need, for messages: "VkQueryPool 0x…, of which nothing has reset query 3".
std::string UnmetText(const ContentNeed& need, const messages::Reporter& reporter);

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_CONTENT_NEEDS_H_
