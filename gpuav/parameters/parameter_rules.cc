// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/parameters/parameter_rules.h"

#include <algorithm>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"

namespace assay::gpuav {
namespace {

using vk::kNoVuid;
using vk::Vuid;
using vk::VuidIndex;

// A kind of structures. Rules that it does not have are kNoVuid.
struct Kind {
  uint32_t words;
  // The names of the members that are the size in three dimensions; of draws, there is no such size.
  std::array<std::string_view, 3> size_names = {};
  std::array<VuidIndex, 3> size_vuids = {kNoVuid, kNoVuid, kNoVuid};
  VuidIndex total_vuid = kNoVuid;
  VuidIndex first_instance_vuid = kNoVuid;
  // The word that is firstInstance.
  uint32_t first_instance_word = 0;
  VuidIndex indices_vuid = kNoVuid;
};

constexpr std::array<std::string_view, 3> kGroupCounts = {"groupCountX", "groupCountY", "groupCountZ"};
constexpr std::array<std::string_view, 3> kXyz = {"x", "y", "z"};
constexpr std::array<std::string_view, 3> kExtent = {"width", "height", "depth"};

const Kind& KindOf(ParameterKind kind) {
  static constexpr Kind kKinds[] = {
      {.words = 4,
       .first_instance_vuid = Vuid("VUID-VkDrawIndirectCommand-firstInstance-00501"),
       .first_instance_word = 3},
      {.words = 5,
       .first_instance_vuid = Vuid("VUID-VkDrawIndexedIndirectCommand-firstInstance-00554"),
       .first_instance_word = 4,
       .indices_vuid = Vuid("VUID-VkDrawIndexedIndirectCommand-robustBufferAccess2-08798")},
      {.words = 3,
       .size_names = kGroupCounts,
       .size_vuids = {Vuid("VUID-VkDrawMeshTasksIndirectCommandEXT-TaskEXT-07322"),
                      Vuid("VUID-VkDrawMeshTasksIndirectCommandEXT-TaskEXT-07323"),
                      Vuid("VUID-VkDrawMeshTasksIndirectCommandEXT-TaskEXT-07324")},
       .total_vuid = Vuid("VUID-VkDrawMeshTasksIndirectCommandEXT-TaskEXT-07325")},
      {.words = 3,
       .size_names = kGroupCounts,
       .size_vuids = {Vuid("VUID-VkDrawMeshTasksIndirectCommandEXT-TaskEXT-07326"),
                      Vuid("VUID-VkDrawMeshTasksIndirectCommandEXT-TaskEXT-07327"),
                      Vuid("VUID-VkDrawMeshTasksIndirectCommandEXT-TaskEXT-07328")},
       .total_vuid = Vuid("VUID-VkDrawMeshTasksIndirectCommandEXT-TaskEXT-07329")},
      {.words = 3,
       .size_names = kXyz,
       .size_vuids = {Vuid("VUID-VkDispatchIndirectCommand-x-00417"), Vuid("VUID-VkDispatchIndirectCommand-y-00418"),
                      Vuid("VUID-VkDispatchIndirectCommand-z-00419")}},
      {.words = 3,
       .size_names = kExtent,
       .size_vuids = {Vuid("VUID-VkTraceRaysIndirectCommandKHR-width-03638"),
                      Vuid("VUID-VkTraceRaysIndirectCommandKHR-height-03639"),
                      Vuid("VUID-VkTraceRaysIndirectCommandKHR-depth-03640")},
       .total_vuid = Vuid("VUID-VkTraceRaysIndirectCommandKHR-width-03641")},
      {.words = 3,
       .size_names = kExtent,
       .size_vuids = {Vuid("VUID-VkTraceRaysIndirectCommand2KHR-width-03638"),
                      Vuid("VUID-VkTraceRaysIndirectCommand2KHR-height-03639"),
                      Vuid("VUID-VkTraceRaysIndirectCommand2KHR-depth-03640")},
       .total_vuid = Vuid("VUID-VkTraceRaysIndirectCommand2KHR-width-03641")},
      {.words = 16},
      {.words = 2},
      {.words = 4},
      {.words = 1},
  };
  return kKinds[static_cast<size_t>(kind)];
}

class Finder {
 public:
  explicit Finder(const Parameters& parameters) : parameters_(parameters), kind_(KindOf(parameters.kind)) {}

  std::vector<ParameterFault> Find() {
    FindCount();
    const uint32_t count = std::min(parameters_.count.value_or(parameters_.most), parameters_.most);
    for (uint32_t i = 0; i < count; ++i) {
      const size_t begin = size_t{i} * parameters_.stride;
      if (begin + kind_.words > parameters_.words.size()) break;
      const uint32_t* const words = &parameters_.words[begin];
      if (parameters_.kind == ParameterKind::kInstances) {
        FindInInstance(i, words);
      } else if (parameters_.kind == ParameterKind::kInstancePointers) {
        FindInPointer(i, words);
      } else if (kind_.first_instance_vuid != kNoVuid) {
        FindInDraw(i, words);
      } else {
        FindInSize(i, words);
      }
    }
    return faults_.Take();
  }

 private:
  void Add(VuidIndex vuid, uint32_t index, absl::FunctionRef<std::string()> text) {
    faults_.Add(vuid, index, uint64_t{index} * parameters_.stride * sizeof(uint32_t), text);
  }

  void FindCount() {
    if (!parameters_.count || *parameters_.count <= parameters_.limits.draws) return;
    const VuidIndex vuid = vk::FindVuidOf(parameters_.command, kDrawCountRule);
    if (vuid == kNoVuid) return;
    Add(vuid, 0, [&] {
      return absl::StrCat("The count in countBuffer is ", *parameters_.count, ", which is more than the ",
                          parameters_.limits.draws, " of maxDrawIndirectCount.");
    });
  }

  // Of both kinds of draws, the first two words are how many vertices or indices there are, and how many instances.
  void FindInDraw(uint32_t index, const uint32_t* words) {
    if (words[0] == 0 || words[1] == 0) return;
    const uint32_t first_instance = words[kind_.first_instance_word];
    if (first_instance != 0 && !parameters_.limits.allows_first_instance) {
      Add(kind_.first_instance_vuid, index, [&] {
        return absl::StrCat("firstInstance is ", first_instance,
                            ", and drawIndirectFirstInstance, which would allow another number than 0, is not "
                            "enabled.");
      });
    }
    if (kind_.indices_vuid == kNoVuid || !parameters_.limits.indices) return;
    const uint64_t end = uint64_t{words[2]} + words[0];
    if (end <= *parameters_.limits.indices) return;
    Add(kind_.indices_vuid, index, [&] {
      return absl::StrCat("firstIndex ", words[2], " and indexCount ", words[0], " end at the index ", end,
                          ", and the index buffer has ", *parameters_.limits.indices, " indices.");
    });
  }

  void FindInInstance(uint32_t index, const uint32_t* words) {
    const uint64_t reference = uint64_t{words[15]} << 32 | words[14];
    if (reference == 0 || parameters_.has_structure(reference)) return;
    const VuidIndex vuid = vk::FindVuidOf(parameters_.command, kInstanceReferenceRule);
    if (vuid == kNoVuid) return;
    Add(vuid, index, [&] {
      return absl::StrCat("accelerationStructureReference is 0x", absl::Hex(reference),
                          ", which is the address of no acceleration structure.",
                          parameters_.is_replaced ? " It was replaced by 0." : "");
    });
  }

  void FindInPointer(uint32_t index, const uint32_t* words) {
    constexpr uint64_t kAlignment = 16;
    const uint64_t address = uint64_t{words[1]} << 32 | words[0];
    if (address % kAlignment == 0) return;
    const VuidIndex vuid = vk::FindVuidOf(parameters_.command, kInstancePointerRule);
    if (vuid == kNoVuid) return;
    Add(vuid, index, [&] {
      return absl::StrCat("The address of an instance is 0x", absl::Hex(address), ", which is not a multiple of ",
                          kAlignment, ".");
    });
  }

  void FindInSize(uint32_t index, const uint32_t* words) {
    if (words[0] == 0 || words[1] == 0 || words[2] == 0) return;
    for (size_t i = 0; i < 3; ++i) {
      if (words[i] <= parameters_.limits.size[i]) continue;
      Add(kind_.size_vuids[i], index, [&] {
        return absl::StrCat(kind_.size_names[i], " is ", words[i], ", which is more than the ",
                            parameters_.limits.size[i], " that the device allows.");
      });
    }
    if (kind_.total_vuid == kNoVuid) return;
    // The product of two words fits. If that of all three does not, it is too large.
    const uint64_t area = uint64_t{words[0]} * words[1];
    if (area <= parameters_.limits.total_size / words[2]) return;
    Add(kind_.total_vuid, index, [&] {
      return absl::StrCat(words[0], " times ", words[1], " times ", words[2], " is more than the ",
                          parameters_.limits.total_size, " that the device allows in all.");
    });
  }

  const Parameters& parameters_;
  const Kind& kind_;
  FaultList faults_;
};

}  // namespace

uint32_t ParameterWords(ParameterKind kind) { return KindOf(kind).words; }

std::vector<ParameterFault> FindParameterFaults(const Parameters& parameters) { return Finder(parameters).Find(); }

std::vector<VuidIndex> ParameterVuidsOf(ParameterKind kind) {
  const Kind& rules = KindOf(kind);
  std::vector<VuidIndex> vuids(rules.size_vuids.begin(), rules.size_vuids.end());
  vuids.insert(vuids.end(), {rules.total_vuid, rules.first_instance_vuid, rules.indices_vuid});
  std::erase(vuids, kNoVuid);
  return vuids;
}

}  // namespace assay::gpuav
