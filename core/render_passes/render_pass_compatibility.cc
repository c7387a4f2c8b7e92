// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/render_passes/render_pass_compatibility.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"

namespace assay::core {
namespace {

using state::AttachmentReference;
using Difference = std::optional<RenderPassDifference>;

constexpr std::string_view kSubpasses = "the number of subpasses";

// Compares the references of two render passes.
class Comparison {
 public:
  Comparison(const state::RenderPass& one, const state::RenderPass& other) : one_(one), other_(other) {}

  Difference Run() const {
    if (one_.subpasses.size() != other_.subpasses.size()) return RenderPassDifference{kSubpasses, {}};
    for (size_t i = 0; i < one_.subpasses.size(); ++i) {
      Difference difference = OfSubpasses(one_.subpasses[i], other_.subpasses[i]);
      if (!difference) continue;
      difference->subpass = i;
      return difference;
    }
    return std::nullopt;
  }

 private:
  Difference OfSubpasses(const state::Subpass& one, const state::Subpass& other) const {
    if (one.view_mask != other.view_mask) return RenderPassDifference{"the view mask", {}};
    Difference difference = OfLists(one.colors, other.colors, "color attachment");
    if (!difference) difference = OfLists(one.inputs, other.inputs, "input attachment");
    // With one subpass, resolve attachments are ignored.
    if (!difference && one_.subpasses.size() > 1)
      difference = OfLists(one.resolves, other.resolves, "resolve attachment");
    if (!difference) {
      if (const std::string_view what = OfReferences(one.depth_stencil, other.depth_stencil); !what.empty())
        difference = {what, "depth/stencil attachment"};
    }
    return difference;
  }

  // A reference that one list lacks is unused there.
  Difference OfLists(const std::vector<AttachmentReference>& one, const std::vector<AttachmentReference>& other,
                     std::string_view name) const {
    const AttachmentReference none;
    for (size_t i = 0; i < std::max(one.size(), other.size()); ++i) {
      const std::string_view what = OfReferences(i < one.size() ? one[i] : none, i < other.size() ? other[i] : none);
      if (!what.empty()) return RenderPassDifference{what, name, i};
    }
    return std::nullopt;
  }

  std::string_view OfReferences(const AttachmentReference& one, const AttachmentReference& other) const {
    if (one.is_used() != other.is_used()) return "the use";
    if (!one.is_used()) return "";
    const state::AttachmentDescription& a = one_.attachments[one.attachment];
    const state::AttachmentDescription& b = other_.attachments[other.attachment];
    if (a.format != b.format) return "the format";
    return a.samples != b.samples ? "the sample count" : "";
  }

  const state::RenderPass& one_;
  const state::RenderPass& other_;
};

}  // namespace

std::string RenderPassDifference::Text() const {
  if (what == kSubpasses) return std::string(what);
  if (attachment.empty()) return absl::StrCat(what, " of subpass ", subpass);
  return absl::StrCat(what, " of ", attachment, " ", index, " of subpass ", subpass);
}

std::optional<RenderPassDifference> DifferenceOf(const state::RenderPass& one, const state::RenderPass& other) {
  return &one != &other ? Comparison(one, other).Run() : std::nullopt;
}

}  // namespace assay::core
