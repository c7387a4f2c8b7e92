// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_LIFETIME_IN_USE_RULES_H_
#define ASSAY_CORE_LIFETIME_IN_USE_RULES_H_

#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "vk/command_info.h"
#include "vk/vuid.h"

namespace assay::core {

// The rule of a command that no queue may have its object in use, found by its sentence: "All submitted commands that
// refer to buffer, either directly or via a VkBufferView, must have completed execution", "commandBuffer must not be in
// the pending state", …
struct InUseRule {
  vk::VuidIndex vuid = vk::kNoVuid;
  // The parameter, one handle or an array.
  const vk::MemberInfo* object = nullptr;
};

class InUseRules {
 public:
  // leave_out is for tests: ids for which it is true are not checked.
  explicit InUseRules(const std::function<bool(vk::VuidIndex)>& leave_out = {});
  // With every rule; made at the first call.
  static const InUseRules& All();

  // Empty for commands that have no such rule.
  const InUseRule& Of(vk::CommandId command) const { return rules_[static_cast<size_t>(command)]; }
  // Whether a command with such a rule destroys objects of the type.
  bool HasType(VkObjectType type) const;

 private:
  void Add(const vk::CommandInfo& command, std::string_view parameter, vk::VuidIndex vuid);

  std::array<InUseRule, vk::kCommandCount> rules_;
  std::vector<VkObjectType> types_;
};

// Whether objects of the type must exist until the commands that refer to them have been executed. True for types that
// a command with such a rule destroys. A pipeline layout, for example, is needed only while it is recorded.
inline bool MustOutliveUse(VkObjectType type) { return InUseRules::All().HasType(type); }

}  // namespace assay::core

#endif  // ASSAY_CORE_LIFETIME_IN_USE_RULES_H_
