// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/instrumented/ways.h"

#include <set>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace assay::spirv_instrument::corpus {
namespace {

void TurnOnOptions(PassConfigs& passes, const VkPhysicalDeviceLimits& limits) {
  if (passes.image_coordinate) {
    passes.image_coordinate->null_descriptors = true;
    passes.image_coordinate->offsets =
        ImageCoordinateConfig::Offsets{.smallest = limits.minTexelOffset,
                                       .largest = static_cast<int32_t>(limits.maxTexelOffset),
                                       .smallest_of_gather = limits.minTexelGatherOffset,
                                       .largest_of_gather = static_cast<int32_t>(limits.maxTexelGatherOffset)};
  }
  if (passes.undefined_arithmetic) {
    passes.undefined_arithmetic->not_a_number = FloatOperations::kAll;
    passes.undefined_arithmetic->infinity = FloatOperations::kAll;
  }
}

absl::Span<const std::string_view> PassesFor(FaultKind kind) {
  static constexpr std::string_view kDescriptors[] = {"descriptor_index"};
  static constexpr std::string_view kImages[] = {"image_coordinate"};
  // Texel buffers are images to the passes.
  static constexpr std::string_view kBuffers[] = {"buffer_bounds", "image_coordinate"};
  static constexpr std::string_view kAddresses[] = {"device_address"};
  static constexpr std::string_view kRays[] = {"ray_query"};
  static constexpr std::string_view kMeshes[] = {"mesh_output"};
  static constexpr std::string_view kVertices[] = {"vertex_fetch"};
  static constexpr std::string_view kArithmetic[] = {"undefined_arithmetic"};
  switch (kind) {
    case FaultKind::kDescriptorIndex:
    case FaultKind::kDescriptorUnwritten:
    case FaultKind::kDescriptorDestroyed:
      return kDescriptors;
    case FaultKind::kDescriptorNull:
    case FaultKind::kImageCoordinate:
      return kImages;
    case FaultKind::kBufferBounds:
      return kBuffers;
    case FaultKind::kAddressRange:
    case FaultKind::kAddressAlignment:
      return kAddresses;
    case FaultKind::kRayTime:
    case FaultKind::kRayDirection:
    case FaultKind::kRayFlags:
    case FaultKind::kRayQuery:
      return kRays;
    case FaultKind::kMeshOutput:
    case FaultKind::kMeshCount:
      return kMeshes;
    case FaultKind::kVertexFetch:
      return kVertices;
    case FaultKind::kDivision:
    case FaultKind::kShift:
    case FaultKind::kNotANumber:
      return kArithmetic;
  }
  return {};
}

}  // namespace

absl::StatusOr<PassConfigs> PassesByName(absl::Span<const std::string> names, const VkPhysicalDeviceLimits& limits) {
  PassConfigs passes;
  for (const std::string& name : names) {
    if (absl::Status status = EnablePass(passes, name); !status.ok()) return status;
  }
  if (names.empty()) EnableAllPasses(passes);
  TurnOnOptions(passes, limits);
  return passes;
}

std::vector<std::string> DescriptorPasses() { return {"descriptor_index", "buffer_bounds", "image_coordinate"}; }

std::vector<std::string> PassesFor(absl::Span<const ExpectedFault> faults) {
  std::set<std::string> names;
  for (const ExpectedFault& fault : faults) {
    for (const std::string_view name : PassesFor(fault.kind)) names.emplace(name);
  }
  return {names.begin(), names.end()};
}

absl::StatusOr<StepsConfig> StepsByName(std::string_view name) {
  if (name == "all") return StepsConfig{};
  StepsConfig steps = StepsConfig::None();
  if (name == "none") return steps;
  if (name == "same_values") {
    steps.same_values = true;
  } else if (name == "dominated") {
    steps.dominated = true;
  } else if (name == "spans") {
    steps.spans = true;
  } else if (name == "hoisted") {
    steps.hoisted = true;
  } else if (name == "certain") {
    steps.host = HostDecides::kCertain;
  } else if (name == "host") {
    steps.host = HostDecides::kAll;
  } else {
    return absl::NotFoundError(absl::StrCat("there is no step with the name ", name));
  }
  return steps;
}

absl::StatusOr<Reach> ReachByName(std::string_view name) {
  if (name == "descriptor_set") return Reach::kDescriptorSet;
  if (name == "push_constant") return Reach::kPushConstant;
  if (name == "specialization_constant") return Reach::kSpecializationConstant;
  return absl::NotFoundError(absl::StrCat("there is no reach with the name ", name));
}

}  // namespace assay::spirv_instrument::corpus
