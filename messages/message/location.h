// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_MESSAGE_LOCATION_H_
#define ASSAY_MESSAGES_MESSAGE_LOCATION_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/base/attributes.h"
#include "vk/command_info.h"
#include "vk/struct_info.h"

namespace assay::messages {

// The path from a command to the parameter or member that a message is about. A location is one step, which points to
// the step before it. A walk through nested structures costs two or three stores a step; only a message makes text of
// it.
//
// A step must not outlive the step that it was made from. That holds within one full expression:
//     report.Error(vuid, objects, report.location().Dot("pRegions", i).Dot("size"), text);
// To keep a step, keep each step before it in a variable of its own:
//     const Location command = report.location();
//     const Location region = command.Dot("pRegions", i);
// Names are not copied either: they are literals or names from the registry.
class Location {
 public:
  explicit Location(vk::CommandId command) : command_(command) {}

  // A parameter of the command or a member of the structure that this step leads to.
  Location Dot(std::string_view member) const ABSL_ATTRIBUTE_LIFETIME_BOUND { return {*this, {}, member, kNoIndex}; }
  // One element of an array.
  Location Dot(std::string_view member, uint32_t index) const ABSL_ATTRIBUTE_LIFETIME_BOUND {
    return {*this, {}, member, index};
  }
  // One element of the array that this step itself leads to; for arrays of arrays: Dot("ppBuildRangeInfos", 1).At(2).
  Location At(uint32_t index) const ABSL_ATTRIBUTE_LIFETIME_BOUND { return {*this, {}, {}, index}; }
  // A structure in the pNext chain of the structure that this step leads to; with no member, the chained structure as a
  // whole.
  Location Next(std::string_view struct_name, std::string_view member = {}) const ABSL_ATTRIBUTE_LIFETIME_BOUND {
    return {*this, struct_name, member, kNoIndex};
  }
  Location Next(const vk::StructInfo& s, std::string_view member = {}) const ABSL_ATTRIBUTE_LIFETIME_BOUND {
    return Next(s.name, member);
  }

  // "vkCmdCopyBuffer(): pRegions[2].srcOffset", "vkCreateBuffer():
  // pCreateInfo.pNext<VkExternalMemoryBufferCreateInfo>.handleTypes"; the command alone is "vkCmdCopyBuffer()".
  std::string Text() const;

  vk::CommandId command() const { return command_; }

 private:
  static constexpr uint64_t kNoIndex = ~uint64_t{0};

  Location(const Location& parent, std::string_view struct_name, std::string_view member, uint64_t index)
      : parent_(&parent), struct_name_(struct_name), member_(member), index_(index), command_(parent.command_) {}

  // Appends the steps from the command to this one.
  void AppendPath(std::string& text) const;

  const Location* parent_ = nullptr;
  // Not empty for a step through pNext.
  std::string_view struct_name_;
  std::string_view member_;
  uint64_t index_ = kNoIndex;
  vk::CommandId command_;
};

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_MESSAGE_LOCATION_H_
