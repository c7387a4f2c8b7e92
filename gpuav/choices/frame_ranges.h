// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_CHOICES_FRAME_RANGES_H_
#define ASSAY_GPUAV_CHOICES_FRAME_RANGES_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace assay::gpuav {

// Frames by their numbers, as the setting gpuav_only_frames has them: "100-110,200".
class FrameRanges {
 public:
  // Nothing if the text is malformed. "7-" has no end. Of an empty text, there are none.
  static std::optional<FrameRanges> Parse(std::string_view text);

  bool empty() const { return ranges_.empty(); }
  bool Has(uint64_t frame) const;

 private:
  struct Range {
    uint64_t first;
    // Itself among them.
    uint64_t last;
  };
  static std::optional<Range> ParseRange(std::string_view text);

  std::vector<Range> ranges_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_CHOICES_FRAME_RANGES_H_
