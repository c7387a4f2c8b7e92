// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BUILDS_UPDATES_H_
#define ASSAY_CORE_BUILDS_UPDATES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/builds/build_check.h"
#include "core/recording/content_needs.h"
#include "vk/enum_info.h"
#include "vk/vulkan.h"

// Private to the package: an update must say the same as the build before it.
//
// An application may record first and execute later, in any order. So a history keeps what all builds of a structure
// say, and an update is wrong if none of them says the same: when the host executes it, or when it is submitted
// (core/contents).
namespace assay::core {

struct UpdateRule {
  BuildRule rule;
  // What must be the same.
  std::string_view name;
  // Of a value; null for a number.
  std::string_view (*text)(uint64_t value) = nullptr;
};
template <class E>
std::string_view EnumerantText(uint64_t value) {
  return vk::ToString(static_cast<E>(value));
}
// An earlier rule stands for those behind it: geometries are compared only if there are as many.
inline constexpr UpdateRule kUpdateRules[] = {
    {"pInfos-03667", "VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR in flags"},
    {"pInfos-03760", "type", EnumerantText<VkAccelerationStructureTypeKHR>},
    {"pInfos-03759", "flags"},
    {"pInfos-03758", "geometryCount"},
    {"pInfos-03761", "geometryType", EnumerantText<VkGeometryTypeKHR>},
    {"pInfos-03762", "flags of a geometry"},
    {"pInfos-03763", "vertexFormat", EnumerantText<VkFormat>},
    {"pInfos-03764", "maxVertex"},
    {"pInfos-03765", "indexType", EnumerantText<VkIndexType>},
    {"pInfos-03766", "number of transformData addresses"},
    {"pInfos-03767", "number of transformData addresses"},
    {"primitiveCount-03769", "primitiveCount"},
};

// What a build says, by rule: a row for the build, and one for each geometry. What a row does not have is 0.
using BuildShape = std::vector<std::array<uint64_t, std::size(kUpdateRules)>>;
BuildShape ShapeOf(const VkAccelerationStructureBuildGeometryInfoKHR& info, const PrimitiveCounts& counts);

// A rule that an update breaks, with the two values.
struct BrokenUpdate {
  size_t rule;
  uint64_t was;
  uint64_t is;
};

// The builds of all acceleration structures. Thread-safe.
class BuildHistory {
 public:
  void Add(VkAccelerationStructureKHR structure, BuildShape shape);
  // Its contents may be of any build from now on.
  void Forget(VkAccelerationStructureKHR structure);
  void Erase(VkAccelerationStructureKHR structure);
  // Nothing if the update fits some build, or if nothing is known to have built the structure.
  std::optional<BrokenUpdate> Compare(VkAccelerationStructureKHR structure, const BuildShape& update) const;
  // Whether the update fits, whatever is recorded from now on.
  bool Knows(VkAccelerationStructureKHR structure, const BuildShape& update) const;

 private:
  struct Builds {
    std::vector<BuildShape> shapes;
    bool are_unknown = false;
  };
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<VkAccelerationStructureKHR, Builds> builds_ ABSL_GUARDED_BY(mutex_);
};

// That an update keeps one of the rules.
class UpdateNeed : public OwnNeed {
 public:
  UpdateNeed(const BuildHistory& history, VkAccelerationStructureKHR source, std::shared_ptr<const BuildShape> update,
             size_t rule)
      : history_(history), source_(source), update_(std::move(update)), rule_(rule) {}

  bool IsUnmet() const override;
  std::string Text() const override;

 private:
  const BuildHistory& history_;
  const VkAccelerationStructureKHR source_;
  const std::shared_ptr<const BuildShape> update_;
  const size_t rule_;
};

// ", whose maxVertex was 3 in its build and is 4 in the update".
std::string TextOf(const BrokenUpdate& broken);

}  // namespace assay::core

#endif  // ASSAY_CORE_BUILDS_UPDATES_H_
