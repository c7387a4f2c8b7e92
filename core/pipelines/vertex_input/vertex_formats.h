// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_PIPELINES_VERTEX_INPUT_VERTEX_FORMATS_H_
#define ASSAY_CORE_PIPELINES_VERTEX_INPUT_VERTEX_FORMATS_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "dispatch/dispatch.h"
#include "vk/vulkan.h"

namespace assay::core {

// The formats that vertex attributes may have. The driver is asked once for each, so that commands that are recorded
// may ask, too. Threads may share it.
class VertexFormats {
 public:
  // `device` must outlive it.
  explicit VertexFormats(const dispatch::Device& device);

  // Whether the format has VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT. True for a format that is not known.
  bool Has(VkFormat format) const;

 private:
  enum Answer : uint8_t { kUnknown, kYes, kNo };

  const dispatch::Device& device_;
  // By the format's place in vk::Formats().
  std::unique_ptr<std::atomic<Answer>[]> answers_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_PIPELINES_VERTEX_INPUT_VERTEX_FORMATS_H_
