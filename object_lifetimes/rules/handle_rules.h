// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_RULES_HANDLE_RULES_H_
#define ASSAY_OBJECT_LIFETIMES_RULES_HANDLE_RULES_H_

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "vk/command_info.h"
#include "vk/struct_info.h"
#include "vk/vuid.h"

// The registry's rules about handles, found once from the ids and sentences of its valid-usage text. For the member m
// of X, VUID-X-m-parameter is the rule that m must be valid, VUID-X-m-parent the rule about its parent, and
// VUID-X-commonparent the rule that all handles of X must be from one object. A handle without a rule is not checked.
namespace assay::object_lifetimes {

// The object that handles must come from, by the sentence of their rule.
enum class Ancestor : uint8_t {
  kNone,
  kInstance,
  kPhysicalDevice,
  kDevice,
  kCommandPool,
  kDescriptorPool,
  kVideoSession
};

// A rule that the registry writes as explicit valid usage, for members without an implicit rule.
struct ExplicitHandleRule {
  std::string_view structure;
  std::string_view member;
  // The whole id; or, without "VUID-", the end of the id after the command's name.
  std::string_view id;
  // Whether the rule's condition holds for the structure; null for always. May return false where the structure does
  // not decide it.
  bool (*applies)(vk::CommandId command, const void* structure);
  // Whether it also forbids VK_NULL_HANDLE, which no implicit rule forbids there.
  bool forbids_null = false;
};

struct StructRules;

// One step of the way through a structure: a member that is a handle or leads to one.
struct Step {
  const vk::MemberInfo* member = nullptr;
  // Whether it has more than one element, which messages then number.
  bool is_array = false;
  // kStruct: the rules of its elements.
  const StructRules* inner = nullptr;
  // kHandle: the type. The rest is for kHandle and kTypedHandle.
  VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
  vk::VuidIndex valid = vk::kNoVuid;
  const ExplicitHandleRule* explicit_rule = nullptr;
  vk::VuidIndex parent = vk::kNoVuid;
  Ancestor parent_kind = Ancestor::kNone;
  // Whether the structure's commonparent rule names it.
  bool in_common = false;
};

struct StructRules {
  const vk::StructInfo* info = nullptr;
  // Members that are handles with a rule or lead to one, pNext included.
  std::vector<Step> steps;
  vk::VuidIndex common_parent = vk::kNoVuid;
  Ancestor common_kind = Ancestor::kNone;
};

struct CommandRules {
  StructRules parameters;
};

// The rules of every command and structure.
class HandleRules {
 public:
  // leave_out is for tests: ids for which it is true are not checked.
  explicit HandleRules(std::function<bool(vk::VuidIndex)> leave_out = {});
  HandleRules(const HandleRules&) = delete;
  HandleRules& operator=(const HandleRules&) = delete;
  // With every rule; made at the first call.
  static const HandleRules& All();

  const CommandRules& Of(vk::CommandId command) const { return commands_[static_cast<size_t>(command)]; }
  const StructRules& Of(const vk::StructInfo& info) const {
    return structs_[static_cast<size_t>(&info - vk::Structs().data())];
  }
  // The id of the rule that a handle must be valid, for a command; vk::kNoVuid if there is none.
  vk::VuidIndex ValidRule(const Step& step, vk::CommandId command) const;

 private:
  class Builder;

  const std::function<bool(vk::VuidIndex)> leave_out_;
  std::vector<StructRules> structs_;
  std::array<CommandRules, vk::kCommandCount> commands_;
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_RULES_HANDLE_RULES_H_
