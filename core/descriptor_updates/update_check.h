// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DESCRIPTOR_UPDATES_UPDATE_CHECK_H_
#define ASSAY_CORE_DESCRIPTOR_UPDATES_UPDATE_CHECK_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "core/descriptor_updates/descriptor_update_rules.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Private to the package: what the checks of one write or copy have in common.
namespace assay::core {

// On the stack for the duration of the checks.
class UpdateCheck {
 public:
  // The object is the set, or the pipeline layout of a push.
  UpdateCheck(messages::ObjectRef object, const messages::Location& where, messages::Report& report)
      : object_(object), where_(where), report_(report) {}

  // Reports that a rule does not hold. `text` makes the message. Returns `holds`.
  template <class Text>
  bool Require(bool holds, vk::VuidIndex rule, std::string_view member, Text&& text) const {
    return Require(holds, rule, where_.Dot(member), text);
  }
  template <class Text>
  bool Require(bool holds, vk::VuidIndex rule, const messages::Location& where, Text&& text) const {
    if (holds) [[likely]]
      return true;
    report_.Error(rule, {object_}, where, std::string(text()));
    return false;
  }

  const messages::Location& where() const { return where_; }
  const messages::Reporter& reporter() const { return report_.reporter(); }

 private:
  messages::ObjectRef object_;
  const messages::Location& where_;
  messages::Report& report_;
};

// The number of descriptors from an array element of a binding on, to the end of the set: those that do not fit into a
// binding belong to the bindings after it. Bytes, in inline uniform blocks.
uint64_t CountFrom(const state::DescriptorSetLayout& layout, uint32_t binding, uint32_t element);

// Rules VUID-VkCopyDescriptorSet-*.
void CheckCopy(const VkCopyDescriptorSet& copy, const MutableTypes& types, const messages::Location& where,
               messages::Report& report);

// What writes depend on, apart from the set.
struct WriteFacts {
  const VkPhysicalDeviceLimits& limits;
  const DescriptorFeatures& features;
  const MutableTypes& types;
  // A push of immutable samplers is how these are chosen (vkCmdPushDescriptorSet).
  bool is_pushed;
};
// Rules VUID-VkWriteDescriptorSet-* and those of what it points to. The layout is null if it is not known.
void CheckWrite(const VkWriteDescriptorSet& write, const state::DescriptorSetLayout* layout, const WriteFacts& facts,
                const UpdateCheck& check);
// The part about pImageInfo. The binding is null if it is not known.
void CheckImages(const VkWriteDescriptorSet& write, const state::DescriptorSetLayout::Binding* binding,
                 const WriteFacts& facts, const UpdateCheck& check);

}  // namespace assay::core

#endif  // ASSAY_CORE_DESCRIPTOR_UPDATES_UPDATE_CHECK_H_
