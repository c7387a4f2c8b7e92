// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RESOURCES_CREATION_CHECK_H_
#define ASSAY_CORE_RESOURCES_CREATION_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/vuid.h"

// Rules as rows of tables, and their reports.
namespace assay::core {

// A rule of what is created, of which Facts has all that rows ask about, and the structure's name as kOwner. A rule is
// named by what follows the structure in its id, or by all that follows "VUID-" in the id of a chained structure.
template <class Facts>
struct CreationRule {
  using IsBroken = bool (*)(const Facts& facts);

  template <size_t N>
  consteval CreationRule(const char (&rule)[N], std::string_view wrong, std::string_view beside, IsBroken test)
      : CreationRule(IdOf(std::string_view(rule, N - 1)), wrong, beside, test) {}
  // kNoVuid for a rule that is not for Facts.
  constexpr CreationRule(vk::VuidIndex rule, std::string_view wrong, std::string_view beside, IsBroken test)
      : id(rule), member(wrong), others(beside), is_broken(test) {}

  vk::VuidIndex id;
  // The member that is wrong: "viewType", "extent.width", "VkImageViewUsageCreateInfo.usage" of a chained structure.
  std::string_view member;
  // What it does not go with, joined by " and ": other members, "image.flags" of another structure that has a name,
  // "VkPhysicalDeviceLimits.maxFramebufferWidth" of the device, or words.
  std::string_view others;
  IsBroken is_broken;

 private:
  static consteval vk::VuidIndex IdOf(std::string_view rule) {
    uint64_t hash = vk::VuidHash("VUID-");
    if (!rule.starts_with("Vk")) hash = vk::VuidHash("-", vk::VuidHash(Facts::kOwner, hash));
    return vk::VuidFromHash(vk::VuidHash(rule, hash));
  }
};
template <class Facts, size_t N>
void AddIds(const CreationRule<Facts> (&rules)[N], std::vector<vk::VuidIndex>& ids) {
  for (const CreationRule<Facts>& rule : rules) {
    if (rule.id != vk::kNoVuid) ids.push_back(rule.id);
  }
}

// One structure that describes what is to be created, or asked for.
class CreationCheck {
 public:
  // At most one message about a member: the first. `object` is what the messages are about; `type` is the structure's.
  CreationCheck(const dispatch::PhysicalDevice& device, messages::ObjectRef object, std::string_view type,
                const void* info, const messages::Location& where, messages::Report& report)
      : CreationCheck(&device, object, type, info, where, report) {}
  CreationCheck(const dispatch::Device& device, messages::ObjectRef object, std::string_view type, const void* info,
                const messages::Location& where, messages::Report& report)
      : CreationCheck(device.physical_device, object, type, info, where, report) {}
  // Rows for what has no physical device (null) name nothing of it.
  CreationCheck(const dispatch::PhysicalDevice* physical_device, messages::ObjectRef object, std::string_view type,
                const void* info, const messages::Location& where, messages::Report& report)
      : physical_device_(physical_device), object_(object), info_{{}, type, info}, where_(where), report_(report) {}

  // Another structure that rows may name.
  void Name(std::string_view name, std::string_view type, const void* base) { other_ = {name, type, base}; }
  template <class Facts, size_t N>
  void Run(const CreationRule<Facts> (&rules)[N], const Facts& facts) {
    for (const CreationRule<Facts>& rule : rules) {
      if (rule.is_broken(facts)) [[unlikely]]
        Report(rule.id, rule.member, rule.others);
    }
  }
  void Report(vk::VuidIndex id, std::string_view member, std::string_view others);

  bool has_reported() const { return !reported_.empty(); }

 private:
  struct NamedStruct {
    std::string_view name;
    std::string_view type;
    const void* base = nullptr;
  };
  // "viewType (VK_IMAGE_VIEW_TYPE_CUBE)", or the words themselves.
  std::string Describe(std::string_view path) const;
  // Nothing if there is no such member.
  std::optional<std::string> ValueOf(std::string_view path) const;

  const dispatch::PhysicalDevice* const physical_device_;
  const messages::ObjectRef object_;
  const NamedStruct info_;
  NamedStruct other_;
  const messages::Location& where_;
  messages::Report& report_;
  absl::InlinedVector<std::string_view, 4> reported_;
};

// The rules of what `where` leads to: a structure that `facts` has as info, or a command.
template <class Facts, size_t N>
void CheckRows(const dispatch::Device& device, messages::ObjectRef object, const messages::Location& where,
               messages::Report& report, const CreationRule<Facts> (&rules)[N], const Facts& facts) {
  const void* info = nullptr;
  if constexpr (requires { facts.info.sType; }) info = &facts.info;
  CreationCheck(device, object, Facts::kOwner, info, where, report).Run(rules, facts);
}

}  // namespace assay::core

#endif  // ASSAY_CORE_RESOURCES_CREATION_CHECK_H_
