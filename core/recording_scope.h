// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RECORDING_SCOPE_H_
#define ASSAY_CORE_RECORDING_SCOPE_H_

#include <cstdint>

#include "state/state.h"
#include "vk/vulkan.h"

namespace assay::core {

// Where a command buffer that is recorded is. Each scope has a bit for inside and one for outside, so that what a
// command must not be in is a mask.
enum RecordingScopeBit : uint8_t {
  kInsideRenderPass = 1,
  kOutsideRenderPass = 2,
  kInsideVideoCoding = 4,
  kOutsideVideoCoding = 8,
};

// Core's part of a command buffer.
class RecordingScope : public state::CommandBufferSubState {
 public:
  static constexpr state::SubStateSlot kSlot = state::SubStateSlot::kCore;

  // Bits of RecordingScopeBit: one for each scope.
  uint8_t bits() const { return bits_; }
  void SetInRenderPass(bool inside) {
    bits_ = static_cast<uint8_t>((bits_ & ~(kInsideRenderPass | kOutsideRenderPass)) |
                                 (inside ? kInsideRenderPass : kOutsideRenderPass));
  }
  void SetInVideoCoding(bool inside) {
    bits_ = static_cast<uint8_t>((bits_ & ~(kInsideVideoCoding | kOutsideVideoCoding)) |
                                 (inside ? kInsideVideoCoding : kOutsideVideoCoding));
  }

  void OnReset() override { bits_ = kOutside; }
  // A secondary command buffer may be recorded to be within a render pass instance of those that execute it.
  void OnBegin(const VkCommandBufferBeginInfo& info) override {
    bits_ = kOutside;
    SetInRenderPass((info.flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT) != 0 && is_secondary_);
  }

  explicit RecordingScope(bool is_secondary) : is_secondary_(is_secondary) {}

 private:
  static constexpr uint8_t kOutside = kOutsideRenderPass | kOutsideVideoCoding;

  const bool is_secondary_;
  uint8_t bits_ = kOutside;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_RECORDING_SCOPE_H_
