// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/matrix/expectation.h"

#include <algorithm>
#include <bit>
#include <sstream>
#include <string_view>

#include "absl/strings/match.h"

namespace assay::syncval::matrix {
namespace {

constexpr VkPipelineStageFlags2 kTop = VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT;
constexpr VkPipelineStageFlags2 kBottom = VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT;
constexpr VkPipelineStageFlags2 kAllCommands = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
constexpr VkAccessFlags2 kAllAccesses = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;

size_t NumberOf(uint64_t bit) { return static_cast<size_t>(std::countr_zero(bit)); }

// The union of what a table has for each of bits.
uint64_t Unite(const std::array<uint64_t, 64>& table, uint64_t bits) {
  uint64_t result = 0;
  for (; bits != 0; bits &= bits - 1) result |= table[NumberOf(bits)];
  return result;
}

// Parts may have parts themselves.
void CloseUnderParts(std::array<uint64_t, 64>& parts) {
  for (int i = 0; i < 3; ++i) {
    for (uint64_t& entry : parts) entry = Unite(parts, entry);
  }
}

bool IsRead(std::string_view name) { return absl::StrContains(name, "_READ_"); }
bool IsWrite(std::string_view name) { return absl::StrContains(name, "_WRITE_"); }

std::string_view Without(std::string_view name, std::string_view prefix) {
  if (absl::StartsWith(name, prefix)) name.remove_prefix(prefix.size());
  return name;
}

}  // namespace

std::string ToString(const Case& c) {
  std::ostringstream out;
  out << c.first->name << ", ";
  for (const Dependency& dependency : c.dependencies) {
    const BarrierFlags& flags = dependency.flags;
    out << std::hex << "{0x" << flags.src_stages << ", 0x" << flags.src_access << ", 0x" << flags.dst_stages << ", 0x"
        << flags.dst_access << "}" << std::dec;
    if (dependency.from != dependency.to) out << " from " << dependency.from << " to " << dependency.to;
    if (dependency.is_of_range) out << (dependency.covers ? " of its range" : " of another range");
    out << ", ";
  }
  if (c.are_side_by_side) out << "side by side, ";
  out << c.second->name;
  return out.str();
}

Expectation::Expectation(const RegistrySync& registry) {
  AddStages(registry);
  AddAccesses(registry);
  AddOrder(registry);
  AddKinds(registry);
  // After the kinds, which are of single stages.
  stage_parts_[NumberOf(VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR)] |=
      VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR;
}

void Expectation::AddStages(const RegistrySync& registry) {
  stages_.push_back(VK_PIPELINE_STAGE_2_NONE);
  for (const RegistrySync::Stage& stage : registry.stages) {
    if (stage.bit == 0) continue;
    stages_.push_back(stage.bit);
    if ((stage.bit & (kTop | kBottom)) != 0) continue;
    stage_parts_[NumberOf(stage.bit)] = stage.parts != 0 ? stage.parts : stage.bit;
    if (stage.parts != 0 || stage.bit == kAllCommands) continue;
    single_stages_.push_back(stage.bit);
    if (stage.bit != VK_PIPELINE_STAGE_2_HOST_BIT) all_commands_ |= stage.bit;
  }
  stage_parts_[NumberOf(kAllCommands)] = all_commands_;
  CloseUnderParts(stage_parts_);
}

void Expectation::AddAccesses(const RegistrySync& registry) {
  accesses_.push_back(VK_ACCESS_2_NONE);
  VkAccessFlags2 reads = 0, writes = 0;
  for (const RegistrySync::Access& access : registry.accesses) {
    if (access.bit == 0) continue;
    accesses_.push_back(access.bit);
    access_parts_[NumberOf(access.bit)] = access.bit | access.parts;
    if (IsRead(access.name)) reads |= access.bit;
    if (IsWrite(access.name)) writes |= access.bit;
  }
  access_parts_[NumberOf(VK_ACCESS_2_MEMORY_READ_BIT)] = reads;
  access_parts_[NumberOf(VK_ACCESS_2_MEMORY_WRITE_BIT)] = writes;
}

void Expectation::AddOrder(const RegistrySync& registry) {
  for (const VkPipelineStageFlags2 stage : single_stages_) later_[NumberOf(stage)] = earlier_[NumberOf(stage)] = stage;
  const auto add = [this](VkPipelineStageFlags2 earlier, VkPipelineStageFlags2 later) {
    for (uint64_t rest = earlier; rest != 0; rest &= rest - 1) later_[NumberOf(rest)] |= later;
    for (uint64_t rest = later; rest != 0; rest &= rest - 1) earlier_[NumberOf(rest)] |= earlier;
  };
  for (const RegistrySync::Pipeline& pipeline : registry.pipelines) {
    for (const RegistrySync::Position& position : pipeline) {
      const VkPipelineStageFlags2 stages = Unite(stage_parts_, position.stage);
      // Where among the ordered ones the stage comes, that is, from where on the others are later.
      auto next = pipeline.begin() + (&position - pipeline.data()) + 1;
      if (!position.is_ordered) {
        if (position.before == 0) continue;
        next = std::ranges::find(pipeline, position.before, &RegistrySync::Position::stage);
      }
      for (; next != pipeline.end(); ++next) {
        if (next->is_ordered) add(stages, Unite(stage_parts_, next->stage));
      }
    }
  }
}

void Expectation::AddKinds(const RegistrySync& registry) {
  std::array<VkPipelineStageFlags2, 64> supported = {};
  for (const RegistrySync::Access& access : registry.accesses) {
    if (access.bit == 0) continue;
    VkPipelineStageFlags2 stages = 0;
    for (uint64_t rest = access.stages; rest != 0; rest &= rest - 1) {
      const VkPipelineStageFlags2 stage = rest & (~rest + 1);
      const VkPipelineStageFlags2 parts = Unite(stage_parts_, stage);
      if (parts == stage || (parts & access.stages) == 0) stages |= parts;
    }
    supported[NumberOf(access.bit)] = stages;
  }
  for (const RegistrySync::Stage& stage : registry.stages) {
    for (const RegistrySync::Access& access : registry.accesses) {
      if (access.bit == 0 || (supported[NumberOf(access.bit)] & stage.bit) == 0) continue;
      if (access.parts != 0 && (Unite(supported, access.parts & ~access.bit) & stage.bit) != 0) continue;
      kinds_.push_back({.name = std::string(Without(stage.name, "VK_PIPELINE_STAGE_2_")) + "/" +
                                std::string(Without(access.name, "VK_ACCESS_2_")),
                        .stage = stage.bit,
                        .access = access.bit,
                        .is_write = IsWrite(access.name)});
    }
  }
  kinds_.push_back({.name = "IMAGE_LAYOUT_TRANSITION", .is_write = true, .is_transition = true});
  kinds_.push_back({.name = "QUEUE_FAMILY_OWNERSHIP_TRANSFER", .is_write = true});
  kinds_.push_back({.name = "PRESENT_ENGINE_PRESENTED"});
  for (size_t i = 0; i < kinds_.size(); ++i) kinds_[i].number = i;
}

VkPipelineStageFlags2 Expectation::ExecutionScope1(const Dependency& dependency) const {
  const VkPipelineStageFlags2 stages = dependency.flags.src_stages;
  return Unite(earlier_, Unite(stage_parts_, stages)) | ((stages & kBottom) != 0 ? all_commands_ : 0);
}

VkPipelineStageFlags2 Expectation::ExecutionScope2(const Dependency& dependency) const {
  const VkPipelineStageFlags2 stages = dependency.flags.dst_stages;
  return Unite(later_, Unite(stage_parts_, stages)) | ((stages & kTop) != 0 ? all_commands_ : 0);
}

// Whether the first access is in a first scope.

bool Expectation::IsInExecutionScope1(const Case& c, size_t d) const {
  const Dependency& dependency = c.dependencies[d];
  if (c.first->is_transition && d == 0) return true;
  if (dependency.from != c.first_place) return false;
  const bool everything = dependency.is_semaphore && (dependency.flags.src_stages & kAllCommands) != 0;
  return everything || (ExecutionScope1(dependency) & c.first->stage) != 0;
}

bool Expectation::IsInAccessScope1(const Case& c, size_t d) const {
  const Dependency& dependency = c.dependencies[d];
  if (c.first->is_transition && d == 0) return true;
  if (dependency.from != c.first_place || !dependency.covers) return false;
  const BarrierFlags& flags = dependency.flags;
  if (dependency.is_semaphore && (flags.src_stages & kAllCommands) != 0) return true;
  const VkAccessFlags2 accesses = dependency.is_semaphore ? kAllAccesses : flags.src_access;
  return (Unite(stage_parts_, flags.src_stages) & c.first->stage) != 0 &&
         (Unite(access_parts_, accesses) & c.first->access) != 0;
}

// Whether the second access is in a second scope. A layout transition is in that of its own dependency, the last one.

bool Expectation::IsTransitionInScope2(const Case& c, size_t d) const {
  const Dependency& dependency = c.dependencies[d];
  const bool everything_later = dependency.is_semaphore && (dependency.flags.dst_stages & (kAllCommands | kTop)) != 0;
  return d + 1 == c.dependencies.size() || (everything_later && dependency.to == c.second_place);
}

bool Expectation::IsInExecutionScope2(const Case& c, size_t d) const {
  if (c.second->is_transition) return IsTransitionInScope2(c, d);
  const Dependency& dependency = c.dependencies[d];
  return dependency.to == c.second_place && (ExecutionScope2(dependency) & c.second->stage) != 0;
}

bool Expectation::IsInAccessScope2(const Case& c, size_t d) const {
  if (c.second->is_transition) return IsTransitionInScope2(c, d);
  const Dependency& dependency = c.dependencies[d];
  if (dependency.to != c.second_place || !dependency.covers) return false;
  const BarrierFlags& flags = dependency.flags;
  const VkAccessFlags2 accesses = dependency.is_semaphore ? kAllAccesses : flags.dst_access;
  return (Unite(stage_parts_, flags.dst_stages) & c.second->stage) != 0 &&
         (Unite(access_parts_, accesses) & c.second->access) != 0;
}

bool Expectation::Leads(const Case& c, size_t from, size_t to) const {
  if (from == to) return true;
  if (c.are_side_by_side) return false;
  const Dependency& begin = c.dependencies[from];
  for (size_t next = from + 1; next <= to; ++next) {
    const Dependency& dependency = c.dependencies[next];
    if (dependency.from == begin.to && (ExecutionScope2(begin) & ExecutionScope1(dependency)) != 0 &&
        Leads(c, next, to)) {
      return true;
    }
  }
  return false;
}

bool Expectation::IsKnown(const Case& c) const {
  uint32_t place = c.first_place;
  for (const Dependency& dependency : c.dependencies) {
    if (dependency.from == place) place = dependency.to;
  }
  return place == c.second_place;
}

bool Expectation::HappensBefore(const Case& c) const {
  for (size_t begin = 0; begin < c.dependencies.size(); ++begin) {
    if (!IsInExecutionScope1(c, begin)) continue;
    for (size_t end = begin; end < c.dependencies.size(); ++end) {
      if (IsInExecutionScope2(c, end) && Leads(c, begin, end)) return true;
    }
  }
  return false;
}

bool Expectation::IsVisible(const Case& c) const {
  for (size_t begin = 0; begin < c.dependencies.size(); ++begin) {
    if (!IsInAccessScope1(c, begin)) continue;
    for (size_t end = begin; end < c.dependencies.size(); ++end) {
      if (IsInAccessScope2(c, end) && Leads(c, begin, end)) return true;
    }
  }
  return false;
}

HazardKind Expectation::Of(const Case& c) const {
  if (!c.first->is_write && !c.second->is_write) return HazardKind::kNone;
  if (!c.is_one_queue && !IsKnown(c)) {
    if (!c.first->is_write) return HazardKind::kWriteRacingRead;
    return c.second->is_write ? HazardKind::kWriteRacingWrite : HazardKind::kReadRacingWrite;
  }
  if (c.first->is_transition && c.second->is_transition && c.first_place == c.second_place) return HazardKind::kNone;
  if (!c.first->is_write) return HappensBefore(c) ? HazardKind::kNone : HazardKind::kWriteAfterRead;
  if (IsVisible(c)) return HazardKind::kNone;
  return c.second->is_write ? HazardKind::kWriteAfterWrite : HazardKind::kReadAfterWrite;
}

}  // namespace assay::syncval::matrix
