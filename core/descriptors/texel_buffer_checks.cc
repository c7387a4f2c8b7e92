// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What buffer views must be.

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/descriptors/bound_accesses.h"
#include "core/descriptors/bound_descriptor_rules.h"
#include "vk/enum_info.h"
#include "vk/format_info.h"

namespace assay::core {
namespace {

// What accesses need of the formats of texel buffers.
constexpr FeatureRule kFeatureRules[] = {
    {kAccessesAtomically, VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_ATOMIC_BIT, DescriptorRule("None-07888"),
     "a texel buffer, with atomic operations"},
    {kReadsTexels, VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT, DescriptorRule("OpTypeImage-07030"),
     "a texel buffer without format that it reads", true},
    {kWritesTexels, VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT, DescriptorRule("OpTypeImage-07029"),
     "a texel buffer without format that it writes", true},
};

}  // namespace

bool CheckTexelBuffer(const DescriptorFacts& facts, const DescriptorAccess& access, const state::BufferView& view) {
  const ResourceVariable& shader = access.resource;
  const messages::ObjectRef object = {VK_OBJECT_TYPE_BUFFER_VIEW, view.handle()};
  const bool is_atomic = (shader.accesses & kAccessesAtomically) != 0;
  bool is_right = true;
  const auto report = [&](DescriptorRule rule, std::string_view as, std::string_view is) {
    is_right &= !access.Report(rule, object, as, is);
  };
  if (!facts.protected_no_fault) {
    const bool is_written = is_atomic || (shader.accesses & kWritesTexels) != 0;
    const bool is_protected = (view.buffer->flags & VK_BUFFER_CREATE_PROTECTED_BIT) != 0;
    is_right &= CheckProtection(access, object, "a texel buffer", is_protected, is_written);
  }
  if (is_atomic && shader.sampled_width == 64 && view.buffer->is_partially_resident() &&
      !facts.has_sparse_int64_atomics) {
    report(DescriptorRule("sparseImageInt64Atomics-04475"), "a texel buffer, with atomic operations on 64 bits",
           "whose buffer has VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT");
  }
  const vk::FormatInfo* const format = vk::GetFormatInfo(view.format);
  if (format == nullptr || format->components.empty()) return is_right;
  const std::string is = absl::StrCat("whose format is ", format->name);
  const bool has_64_bits = format->components[0].bits == 64;
  if (has_64_bits && shader.sampled_width == 32)
    report(DescriptorRule("SampledType-04472"), "a texel buffer of 32-bit numbers", is);
  if (!has_64_bits && shader.sampled_width == 64)
    report(DescriptorRule("SampledType-04473"), "a texel buffer of 64-bit numbers", is);
  if ((shader.accesses & kWritesTexels) != 0 && shader.texel_components < format->components.size()) {
    report(DescriptorRule("OpImageWrite-04469"),
           absl::StrCat("a texel buffer to which it writes texels of ", shader.texel_components, " components"), is);
  }
  for (const FeatureRule& rule : kFeatureRules) {
    if ((shader.accesses & rule.access) == 0 || !facts.features.Know(rule.feature)) continue;
    if (rule.is_without_format && !shader.has_unknown_format) continue;
    const auto features = facts.features.OfBuffers(*format);
    if (features && (*features & rule.feature) == 0)
      report(rule.rule, rule.as, MissingFeatureText(view.format, rule.feature));
  }
  return is_right;
}

}  // namespace assay::core
