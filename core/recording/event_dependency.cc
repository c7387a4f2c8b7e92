// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/recording/event_dependency.h"

#include <cstdint>
#include <cstring>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "vk/enum_info.h"
#include "vk/struct_info.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using vk::MemberInfo;
using vk::MemberKind;
using vk::StructInfo;

std::string ValueText(const MemberInfo& member, const char* at) {
  const uint64_t value = vk::LoadUnsigned(at, member.element_size);
  switch (member.kind) {
    case MemberKind::kFlags:
      return vk::FlagsToString(static_cast<vk::EnumId>(member.type), value);
    case MemberKind::kEnum:
      return std::string(vk::EnumName(static_cast<vk::EnumId>(member.type), static_cast<int32_t>(value)));
    case MemberKind::kHandle:
      return absl::StrCat(member.type_name, " 0x", absl::Hex(value));
    default:
      return value == VK_WHOLE_SIZE && member.element_size == sizeof(VkDeviceSize) ? "VK_WHOLE_SIZE"
                                                                                   : absl::StrCat(value);
  }
}

// Compares two structures of one type, member by member. The lengths of their arrays are members before the arrays.
class Comparison {
 public:
  bool IsEqual(const StructInfo& info, const char* set, const char* waited) {
    for (const MemberInfo& member : info.members) {
      if (member.kind == MemberKind::kNext || member.kind == MemberKind::kStructureType) continue;
      const size_t length = path_.size();
      absl::StrAppend(&path_, path_.empty() ? "" : ".", member.name);
      if (!IsEqual(info, member, set, waited)) return false;
      path_.resize(length);
    }
    return true;
  }
  DependencyDifference Take() { return std::move(difference_); }

 private:
  bool IsEqual(const StructInfo& info, const MemberInfo& member, const char* set, const char* waited) {
    const char *in_set = set + member.offset, *in_waited = waited + member.offset;
    if (member.indirection == vk::Indirection::kPointer) {
      const MemberInfo& counted = info.members[static_cast<size_t>(member.length_member)];
      return AreEqual(member, vk::LoadUnsigned(set + counted.offset, counted.element_size),
                      vk::Load<const char*>(in_set), vk::Load<const char*>(in_waited));
    }
    if (member.kind == MemberKind::kStruct) return IsEqual(vk::Structs()[member.type], in_set, in_waited);
    if (std::memcmp(in_set, in_waited, member.element_size) == 0) return true;
    difference_ = {path_, ValueText(member, in_set), ValueText(member, in_waited)};
    return false;
  }
  bool AreEqual(const MemberInfo& member, uint64_t count, const char* set, const char* waited) {
    if (set == nullptr || waited == nullptr) return true;
    const size_t length = path_.size();
    for (uint64_t i = 0; i < count; ++i) {
      absl::StrAppend(&path_, "[", i, "]");
      const size_t offset = i * member.element_size;
      if (!IsEqual(vk::Structs()[member.type], set + offset, waited + offset)) return false;
      path_.resize(length);
    }
    return true;
  }

  std::string path_;
  DependencyDifference difference_;
};

}  // namespace

template <class Barrier>
void EventDependency::Keep(const Barrier* barriers, uint32_t count, std::vector<Barrier>& to) {
  to.clear();
  if (barriers == nullptr) return;
  to.assign(barriers, barriers + count);
  for (Barrier& barrier : to) {
    barrier.pNext = nullptr;
    src_stages_ |= barrier.srcStageMask;
    dst_stages_ |= barrier.dstStageMask;
  }
}

void EventDependency::Assign(const VkDependencyInfo& info) {
  info_ = info;
  info_.pNext = nullptr;
  src_stages_ = dst_stages_ = 0;
  Keep(info.pMemoryBarriers, info.memoryBarrierCount, memory_);
  Keep(info.pBufferMemoryBarriers, info.bufferMemoryBarrierCount, buffers_);
  Keep(info.pImageMemoryBarriers, info.imageMemoryBarrierCount, images_);
  info_.pMemoryBarriers = memory_.data();
  info_.memoryBarrierCount = static_cast<uint32_t>(memory_.size());
  info_.pBufferMemoryBarriers = buffers_.data();
  info_.bufferMemoryBarrierCount = static_cast<uint32_t>(buffers_.size());
  info_.pImageMemoryBarriers = images_.data();
  info_.imageMemoryBarrierCount = static_cast<uint32_t>(images_.size());
}

EventDependencyRef::EventDependencyRef(const VkDependencyInfo& info) : dependency_(new EventDependency()) {
  dependency_->references_.store(1, std::memory_order_relaxed);
  dependency_->Assign(info);
}

EventDependencyRef::~EventDependencyRef() {
  if (dependency_ != nullptr && dependency_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    delete dependency_;
  }
}

// The last to drop another reference may have been a thread that read the dependency.
bool EventDependencyRef::Reuse(const VkDependencyInfo& info) {
  if (dependency_->references_.load(std::memory_order_acquire) != 1) return false;
  dependency_->Assign(info);
  return true;
}

EventDependencyRef EventDependencyPool::Add(const VkDependencyInfo& info) {
  // Most waits need the copy for a moment alone, so the last one may be free again.
  if (used_ > 0 && all_[used_ - 1].Reuse(info)) return all_[used_ - 1];
  while (used_ < all_.size()) {
    if (all_[used_++].Reuse(info)) return all_[used_ - 1];
  }
  all_.emplace_back(info);
  return all_[used_++];
}

DependencyDifference DifferenceOf(const VkDependencyInfo& set, const VkDependencyInfo& waited) {
  static const StructInfo& dependency = *vk::FindStruct(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
  Comparison comparison;
  comparison.IsEqual(dependency, reinterpret_cast<const char*>(&set), reinterpret_cast<const char*>(&waited));
  return comparison.Take();
}

}  // namespace assay::core
