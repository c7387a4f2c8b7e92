// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_LAYOUTS_KNOWN_LAYOUTS_H_
#define ASSAY_CORE_LAYOUTS_KNOWN_LAYOUTS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "core/recording/layout_entries.h"
#include "core/recording/layout_recording.h"
#include "state/state.h"
#include "vk/vulkan.h"

namespace assay::core {

// The layouts of a device, by state::Image::address. Images that no batch has accessed are not there.
using ImageLayouts = absl::flat_hash_map<uint64_t, LayoutEntries>;

// The layouts of one execution: those before it, and what its recording changes.
class KnownLayouts final : public state::ExecutionLayouts {
 public:
  KnownLayouts(std::shared_ptr<const ImageLayouts> before, absl::Span<const LayoutChange> changes)
      : before_(std::move(before)), changes_(changes.begin(), changes.end()) {}

  // Those of a secondary command buffer, which changes these, in this execution of its primary: the one with this index
  // in `executed` of the primary, by the command at this position.
  std::shared_ptr<const KnownLayouts> OfSecondary(uint32_t executed, uint32_t position,
                                                  absl::Span<const LayoutChange> changes) const;

  std::optional<Mismatch> FindMismatch(const state::ImageView& view, VkImageLayout expected,
                                       uint32_t position) const override;

 private:
  const std::shared_ptr<const ImageLayouts> before_;
  const std::vector<LayoutChange> changes_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_LAYOUTS_KNOWN_LAYOUTS_H_
