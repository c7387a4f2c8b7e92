// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/builds/updates.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace assay::core {
namespace {

// Of which an update is compared; then any of them may be executed before it.
constexpr size_t kMostBuilds = 4;
// A number of primitives in device memory.
constexpr uint64_t kUnknown = ~uint64_t{0};

consteval size_t IndexOf(BuildRule rule) {
  return static_cast<size_t>(std::ranges::find(kUpdateRules, rule, &UpdateRule::rule) - std::begin(kUpdateRules));
}

bool Fits(size_t rule, uint64_t was, uint64_t is) {
  if (rule == IndexOf("pInfos-03766")) return was != 0 || is == 0;
  if (rule == IndexOf("pInfos-03767")) return was == 0 || is != 0;
  return was == is || was == kUnknown || is == kUnknown;
}

std::optional<BrokenUpdate> Compare(size_t rule, const BuildShape& build, const BuildShape& update) {
  for (size_t row = 0; row < std::min(build.size(), update.size()); ++row) {
    if (!Fits(rule, build[row][rule], update[row][rule]))
      return BrokenUpdate{rule, build[row][rule], update[row][rule]};
  }
  return std::nullopt;
}

}  // namespace

BuildShape ShapeOf(const VkAccelerationStructureBuildGeometryInfoKHR& info, const PrimitiveCounts& counts) {
  const bool allows = IsUpdate(info) || (info.flags & VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR) != 0;
  BuildShape shape = {{allows, static_cast<uint64_t>(info.type), info.flags, info.geometryCount}};
  shape.reserve(size_t{1} + info.geometryCount);
  for (uint32_t i = 0; i < info.geometryCount; ++i) {
    const auto* const geometry = GeometryAt(info, i);
    if (geometry == nullptr) return shape;
    const bool is_triangles = geometry->geometryType == VK_GEOMETRY_TYPE_TRIANGLES_KHR;
    const auto& triangles = geometry->geometry.triangles;
    const auto of_triangles = [&](uint64_t value) { return is_triangles ? value : 0; };
    const uint64_t has_transform = of_triangles(triangles.transformData.deviceAddress != 0 ? 1 : 0);
    shape.push_back({0, 0, 0, 0, static_cast<uint64_t>(geometry->geometryType), geometry->flags,
                     of_triangles(triangles.vertexFormat), of_triangles(triangles.maxVertex),
                     of_triangles(triangles.indexType), has_transform, has_transform,
                     counts.ranges != nullptr ? counts.Of(i) : kUnknown});
  }
  return shape;
}

void BuildHistory::Add(VkAccelerationStructureKHR structure, BuildShape shape) {
  absl::MutexLock lock(&mutex_);
  Builds& builds = builds_[structure];
  if (builds.are_unknown || std::ranges::count(builds.shapes, shape) != 0) return;
  builds.shapes.push_back(std::move(shape));
  if (builds.shapes.size() > kMostBuilds) builds = {.are_unknown = true};
}

void BuildHistory::Forget(VkAccelerationStructureKHR structure) {
  absl::MutexLock lock(&mutex_);
  builds_[structure] = {.are_unknown = true};
}

void BuildHistory::Erase(VkAccelerationStructureKHR structure) {
  absl::MutexLock lock(&mutex_);
  builds_.erase(structure);
}

std::optional<BrokenUpdate> BuildHistory::Compare(VkAccelerationStructureKHR structure,
                                                  const BuildShape& update) const {
  absl::MutexLock lock(&mutex_);
  const auto found = builds_.find(structure);
  if (found == builds_.end() || found->second.are_unknown) return std::nullopt;
  std::vector<const BuildShape*> fitting;
  for (const BuildShape& shape : found->second.shapes) fitting.push_back(&shape);
  for (size_t rule = 0; rule < std::size(kUpdateRules); ++rule) {
    std::optional<BrokenUpdate> broken;
    std::erase_if(fitting, [&](const BuildShape* shape) {
      const auto difference = core::Compare(rule, *shape, update);
      if (difference) broken = difference;
      return difference.has_value();
    });
    if (fitting.empty()) return broken;
  }
  return std::nullopt;
}

bool BuildHistory::Knows(VkAccelerationStructureKHR structure, const BuildShape& update) const {
  {
    absl::MutexLock lock(&mutex_);
    if (!builds_.contains(structure)) return false;
  }
  return !Compare(structure, update);
}

bool UpdateNeed::IsUnmet() const {
  const auto broken = history_.Compare(source_, *update_);
  return broken && broken->rule == rule_;
}

std::string UpdateNeed::Text() const {
  const auto broken = history_.Compare(source_, *update_);
  return broken ? TextOf(*broken) : "";
}

std::string TextOf(const BrokenUpdate& broken) {
  if (broken.rule == IndexOf("pInfos-03667"))
    return ", whose build does not have VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR in flags";
  const UpdateRule& rule = kUpdateRules[broken.rule];
  const auto text = [&](uint64_t value) {
    return rule.text != nullptr ? std::string(rule.text(value)) : absl::StrCat(value);
  };
  return absl::StrCat(", whose ", rule.name, " was ", text(broken.was), " in its build and is ", text(broken.is),
                      " in the update");
}

}  // namespace assay::core
