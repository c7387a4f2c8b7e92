// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_VIDEO_PARAMETER_SET_USE_H_
#define ASSAY_CORE_VIDEO_PARAMETER_SET_USE_H_

#include <cstdint>

#include "core/video/coding_command.h"
#include "vk/chain.h"
#include "vk/vuid.h"
#include "vk/walk/video_structs.h"

// Private to the package.
namespace assay::core {

// The parameter sets that a picture is coded with.
struct ParameterSetUse {
  // The parameter sets that the command has itself, instead of the session parameters; null without.
  template <class T>
  const T* Inline(const void* chain) const {
    constexpr auto kInline = VK_VIDEO_SESSION_CREATE_INLINE_SESSION_PARAMETERS_BIT_KHR;
    return check.session.Has(kInline) ? vk::FindInChain<T>(chain) : nullptr;
  }
  // That there are session parameters, unless the command has all parameter sets itself.
  bool RequireParameters(bool is_complete, vk::VuidIndex rule) const {
    return check.Require(are_bound || is_complete, rule, where, "needs session parameters, of which none are bound.");
  }
  // That the parameters have the set, or that the command's own, `own`, has these ids.
  template <class Set>
  void Require(size_t kind, uint32_t key, const Set* own, vk::VuidIndex rule, vk::VuidIndex rule_of_own) const {
    if (own != nullptr) {
      check.Require(vk::KeyOf(*own) == key, rule_of_own, where, "has a parameter set with other ids than the picture.");
    } else {
      Require(kind, key, rule);
    }
  }
  void Require(size_t kind, uint32_t key, vk::VuidIndex rule) const {
    check.Require(parameters == nullptr || parameters->sets.Has(kind, key), rule, where,
                  "names a parameter set that the session parameters do not have.");
  }

  const CodingCommand& check;
  // Null if they are not known.
  const VideoParameters* parameters;
  bool are_bound;
  const messages::Location& where;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_VIDEO_PARAMETER_SET_USE_H_
