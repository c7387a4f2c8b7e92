// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The memory of builds: structures, scratch memory, and where they overlap.

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/builds/build_check.h"

namespace assay::core {
namespace {

using messages::Location;
using state::ByteRange;

enum Role : uint8_t { kTarget, kSource, kScratch };

std::string_view NameOf(const Build& build, Role role) {
  if (role == kScratch) return "scratchData";
  return build.is_micromap() ? "dstMicromap"
         : role == kTarget   ? "dstAccelerationStructure"
                             : "srcAccelerationStructure";
}

// Bytes that a build accesses.
struct AccessedRange {
  ByteRange bytes;
  Role role;
  uint32_t build;
};

ByteRange ScratchBytes(const BuildCheck& check, const Build& build) {
  const VkDeviceSize size = build.sizes ? build.sizes->scratch : 1;
  if (check.on_host) {
    const auto begin = reinterpret_cast<uintptr_t>(build.scratch.hostAddress);
    return {begin, begin != 0 ? begin + size : 0};
  }
  const VkDeviceAddress address = build.scratch.deviceAddress;
  for (const auto& buffer : check.facts.state.buffer_addresses().Find(address)) {
    if (buffer->address == 0) continue;
    const VkDeviceSize offset = address - buffer->device_address;
    return {buffer->address + offset, buffer->address + offset + buffer->Clamp(offset, size)};
  }
  return {};
}

void CheckScratch(const BuildCheck& check, const Build& build, const Location& where) {
  const VkDeviceSize size = build.sizes ? build.sizes->scratch : 1;
  if (size == 0) return;
  if (check.on_host) {
    if (build.scratch.hostAddress != nullptr) return;
    return check.Say(build.is_update ? check.Of({"pInfos-03726"}) : check.Of({"pInfos-03725", "pInfos-07556"}),
                     build.dst, where.Dot("hostAddress"), "is null.");
  }
  AddressRules rules = {
      .valid = check.Of({"pInfos-03802", "pInfos-07512"}),
      .bound = check.Of({"pInfos-03803", "pInfos-07513"}),
      .usage = check.Of({"pInfos-03674", "pInfos-07511"}),
      .aligned = check.Of({"pInfos-03710", "pInfos-07514"}),
      .range = build.is_update ? check.Of({"pInfos-03672"}) : check.Of({"pInfos-03671", "pInfos-07509"}),
      .needed_usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
      .bytes = size,
  };
  const auto* const limits = check.facts.limits;
  if (limits != nullptr) rules.alignment = std::max(limits->minAccelerationStructureScratchOffsetAlignment, 1u);
  check.CheckAddress(build.scratch.deviceAddress, rules, where.Dot("deviceAddress"));
}

// The rule that two overlapping ranges break; kNoVuid if they may.
vk::VuidIndex OverlapRule(const BuildCheck& check, absl::Span<const Build> builds, const AccessedRange& a,
                          const AccessedRange& b) {
  const bool is_same_build = a.build == b.build;
  if (a.role == b.role) {
    if (is_same_build || a.role == kSource) return vk::kNoVuid;
    if (a.role == kScratch) return check.Of({"scratchData-03704", "scratchData-07467"});
    const bool is_same = builds[a.build].dst.handle == builds[b.build].dst.handle;
    return is_same ? check.Of({"dstAccelerationStructure-03698", "dstMicromap-07465"})
                   : check.Of({"dstAccelerationStructure-03702", "dstMicromap-07465"});
  }
  if (a.role != kScratch && b.role != kScratch) {
    const Build& written = builds[a.role == kTarget ? a.build : b.build];
    const Build& read = builds[a.role == kSource ? a.build : b.build];
    if (written.dst.handle == read.src.handle) return is_same_build ? vk::kNoVuid : check.Of({"pInfos-03403"});
    return is_same_build ? check.Of({"pInfos-03668"}) : check.Of({"dstAccelerationStructure-03701"});
  }
  return a.role == kTarget || b.role == kTarget ? check.Of({"dstAccelerationStructure-03703", "dstMicromap-07466"})
                                                : check.Of({"scratchData-03705"});
}

// Reports each range that overlaps another one.
void CheckRanges(const BuildCheck& check, absl::Span<const Build> builds, std::vector<AccessedRange>& ranges) {
  std::erase_if(ranges, [](const AccessedRange& range) { return range.bytes.begin >= range.bytes.end; });
  std::ranges::sort(ranges, {}, [](const AccessedRange& range) { return range.bytes.begin; });
  for (auto a = ranges.begin(); a != ranges.end(); ++a) {
    for (auto b = a + 1; b != ranges.end() && b->bytes.begin < a->bytes.end; ++b) {
      const vk::VuidIndex rule = OverlapRule(check, builds, *a, *b);
      if (rule == vk::kNoVuid) continue;
      const Build& build = builds[b->build];
      const Location command = check.location();
      const Location info = command.Dot("pInfos", b->build);
      const std::string what =
          b->role == kScratch ? ""
                              : absl::StrCat("(", check.Describe(b->role == kTarget ? build.dst : build.src), ") ");
      check.Say(rule, build.dst, info.Dot(NameOf(build, b->role)),
                absl::StrCat(what, "shares memory with pInfos[", a->build, "].", NameOf(builds[a->build], a->role),
                             ", ", std::min(a->bytes.end, b->bytes.end) - b->bytes.begin, " bytes or more."));
      break;
    }
  }
}

}  // namespace

ByteRange AccessedBytes(const Build& build, const state::BufferRange* range) {
  if (range == nullptr || range->range().begin == 0) return {};
  const uint64_t begin = range->range().begin;
  return {begin, std::min(range->range().end, begin + (build.sizes ? build.sizes->structure : 1))};
}

void CheckBound(const BuildCheck& check, const messages::ObjectRef& object, const state::BufferRange* range,
                std::initializer_list<BuildRule> bound, std::initializer_list<BuildRule> host_visible,
                const Location& where) {
  if (range == nullptr || !range->buffer || range->buffer->is_sparse()) return;
  const auto* const memory = range->buffer->memory.get();
  const bool is_visible = memory != nullptr && (memory->properties & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0;
  if (check.on_host ? is_visible : memory != nullptr) return;
  check.Say(check.on_host ? check.Of(host_visible) : check.Of(bound), object, where,
            absl::StrCat("(", check.Describe(object), ") is in a buffer that is ",
                         memory == nullptr ? "not bound to memory." : "bound to memory that is not host-visible."));
}

void CheckBuild(const BuildCheck& check, const Build& build, const Location& where) {
  const Location dst = where.Dot(NameOf(build, kTarget));
  CheckBound(check, build.dst, build.target, {"pInfos-03707", "pInfos-07508"}, {"pInfos-03722", "pInfos-07552"}, dst);
  CheckBound(check, build.src, build.source, {"pInfos-03708"}, {"pInfos-03723"}, where.Dot(NameOf(build, kSource)));
  if (build.sizes && build.target != nullptr && build.target->buffer && !build.is_update &&
      build.target->size < build.sizes->structure) {
    check.Say(check.Of({"pInfos-10126", "pInfos-03652", "pInfos-07461"}), build.dst, dst,
              absl::StrCat("(", check.Describe(build.dst), ") has ", build.target->size,
                           " bytes, but the driver says that the build needs ", build.sizes->structure, "."));
  }
  CheckScratch(check, build, where.Dot("scratchData"));
}

void CheckOverlaps(const BuildCheck& check, absl::Span<const Build> builds) {
  std::vector<AccessedRange> structures;
  std::vector<AccessedRange> scratch;
  for (uint32_t i = 0; i < builds.size(); ++i) {
    structures.push_back({AccessedBytes(builds[i], builds[i].target), kTarget, i});
    structures.push_back({AccessedBytes(builds[i], builds[i].source), kSource, i});
    // That of the host is not in the AddressSpace.
    (check.on_host ? scratch : structures).push_back({ScratchBytes(check, builds[i]), kScratch, i});
  }
  CheckRanges(check, builds, structures);
  CheckRanges(check, builds, scratch);
}

}  // namespace assay::core
