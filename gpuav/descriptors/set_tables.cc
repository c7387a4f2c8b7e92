// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/descriptors/set_tables.h"

#include <algorithm>
#include <memory>

#include "dispatch/translation/update_template.h"
#include "gpuav/descriptors/descriptor_state.h"

namespace assay::gpuav {

SetTable::SetTable(TableMemory& tables, ImageNumbers* numbers, const state::DescriptorContents& contents)
    : tables_(tables), numbers_(numbers), table_(DescriptorCounts(contents)), offset_(tables.Allocate(quads())) {}

void SetTable::WriteAll(const state::DescriptorContents& contents) {
  for (const auto& binding : contents.layout().bindings()) {
    const uint32_t count = binding.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? 1 : binding.count;
    for (uint32_t i = 0; i < count && table_.OffsetOf(binding.binding, i) != 0; ++i) {
      table_.Set(binding.binding, i, StateOf(contents, binding, i, numbers_));
    }
  }
  if (offset_ != 0) tables_.Write(offset_, 0, table_.words());
}

void SetTable::Write(const state::DescriptorContents& contents, uint32_t binding, uint32_t first, uint32_t count) {
  const auto& bindings = contents.layout().bindings();
  auto at = std::ranges::find(bindings, binding, &state::DescriptorSetLayout::Binding::binding);
  for (; at != bindings.end() && count > 0; ++at, first = 0) {
    const bool is_inline = at->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    const uint32_t here = first < at->count ? std::min(at->count - first, count) : 0;
    count -= here;
    if (here == 0) continue;
    const uint32_t begin = is_inline ? 0 : first;
    const uint32_t end = is_inline ? 1 : first + here;
    for (uint32_t i = begin; i < end; ++i) table_.Set(at->binding, i, StateOf(contents, *at, i, numbers_));
    const size_t from = table_.OffsetOf(at->binding, begin);
    if (from == 0 || offset_ == 0) continue;
    const size_t words = std::min(size_t{end - begin} * 4, table_.words().size() - from);
    tables_.Write(offset_, static_cast<uint32_t>(from), table_.words().subspan(from, words));
  }
}

SetData::SetData(TableMemory& tables, ImageNumbers* numbers, const state::DescriptorContents& contents)
    : may_lose_resources_(std::ranges::any_of(
          contents.layout().bindings(),
          [](const auto& binding) { return binding.is_update_after_bind() || binding.is_partially_bound(); })),
      table_(tables, numbers, contents) {}

void SetData::NoteUpdate(uint32_t binding, uint32_t first, uint32_t count) {
  absl::MutexLock lock(&mutex_);
  is_behind_.store(true, std::memory_order_release);
  if (is_all_behind_) return;
  if (updates_.size() < kMaxUpdates) {
    updates_.push_back({binding, first, count});
  } else {
    is_all_behind_ = true;
  }
}

void SetData::NoteAll() {
  absl::MutexLock lock(&mutex_);
  is_all_behind_ = true;
  is_behind_.store(true, std::memory_order_release);
}

void SetData::Follow(const state::DescriptorContents& contents, uint64_t destroyed) {
  const bool has_lost = may_lose_resources_ && destroyed_.load(std::memory_order_relaxed) != destroyed;
  if (!has_lost && !is_behind_.load(std::memory_order_acquire)) return;
  absl::MutexLock lock(&mutex_);
  is_behind_.store(false, std::memory_order_relaxed);
  destroyed_.store(destroyed, std::memory_order_relaxed);
  if (is_all_behind_ || has_lost) {
    table_.WriteAll(contents);
  } else {
    for (const Update& update : updates_) table_.Write(contents, update.binding, update.first, update.count);
  }
  updates_.clear();
  is_all_behind_ = false;
}

void SetTables::PostCallRecord(const vk::AllocateDescriptorSets& call, VkResult result) {
  if (result != VK_SUCCESS || !context_.is_enabled()) return;
  for (uint32_t i = 0; i < call.pAllocateInfo->descriptorSetCount; ++i) {
    auto* set = state::DeviceState::Get<state::DescriptorSet>(call.pDescriptorSets[i]);
    if (set != nullptr) set->Attach(std::make_unique<SetData>(tables_, numbers_, set->contents));
  }
}

void SetTables::PostCallRecord(const vk::UpdateDescriptorSets& call) {
  const auto note = [](VkDescriptorSet handle, uint32_t binding, uint32_t first, uint32_t count) {
    auto* set = state::DeviceState::Get<state::DescriptorSet>(handle);
    if (SetData* data = set != nullptr ? set->Sub<SetData>() : nullptr) data->NoteUpdate(binding, first, count);
  };
  for (uint32_t i = 0; i < call.descriptorWriteCount; ++i) {
    const VkWriteDescriptorSet& write = call.pDescriptorWrites[i];
    note(write.dstSet, write.dstBinding, write.dstArrayElement, write.descriptorCount);
  }
  for (uint32_t i = 0; i < call.descriptorCopyCount; ++i) {
    const VkCopyDescriptorSet& copy = call.pDescriptorCopies[i];
    note(copy.dstSet, copy.dstBinding, copy.dstArrayElement, copy.descriptorCount);
  }
}

void SetTables::PostCallRecord(const vk::UpdateDescriptorSetWithTemplate& call) {
  auto* set = state::DeviceState::Get<state::DescriptorSet>(call.descriptorSet);
  SetData* data = set != nullptr ? set->Sub<SetData>() : nullptr;
  const dispatch::UpdateTemplate* entries = dispatch::GetUpdateTemplate(call.descriptorUpdateTemplate);
  if (data == nullptr || entries == nullptr) return;
  for (const VkDescriptorUpdateTemplateEntry& entry : entries->entries()) {
    data->NoteUpdate(entry.dstBinding, entry.dstArrayElement, entry.descriptorCount);
  }
}

uint32_t SetTables::Follow(VkDescriptorSet handle) {
  auto* set = state::DeviceState::Get<state::DescriptorSet>(handle);
  SetData* data = set != nullptr ? set->Sub<SetData>() : nullptr;
  if (data == nullptr) return 0;
  data->Follow(set->contents, destroyed_.load(std::memory_order_relaxed));
  return data->offset();
}

std::unique_ptr<SetTable> SetTables::MakeTable(const state::DescriptorContents& contents) {
  auto table = std::make_unique<SetTable>(tables_, numbers_, contents);
  table->WriteAll(contents);
  return table;
}

}  // namespace assay::gpuav
