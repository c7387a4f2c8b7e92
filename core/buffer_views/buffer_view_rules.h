// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BUFFER_VIEWS_BUFFER_VIEW_RULES_H_
#define ASSAY_CORE_BUFFER_VIEWS_BUFFER_VIEW_RULES_H_

// Where the views of texel buffers may begin, with the feature texelBufferAlignment or Vulkan 1.3: at a multiple of an
// alignment for each usage of the buffer (VkPhysicalDeviceTexelBufferAlignmentProperties), or of the size of a texel
// where the device is content with that. Without the feature there is one alignment for all, which needs no state:
// stateless checks it (VUID-VkBufferViewCreateInfo-offset-02749).

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/commands.h"

namespace assay::core {

// The validator.
class BufferViewRules {
 public:
  explicit BufferViewRules(const dispatch::Device& device);

  void PreCallValidate(const vk::CreateBufferView& call, messages::Report& report) const;

 private:
  // An alignment in bytes, and whether the size of a texel will do where that is less. 0 if the rule does not apply.
  struct Alignment {
    VkDeviceSize bytes = 0;
    bool is_single_texel = false;
  };

  Alignment storage_;
  Alignment uniform_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_BUFFER_VIEWS_BUFFER_VIEW_RULES_H_
