// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/descriptors/known_descriptors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "gpuav/descriptors/buffer_layouts.h"
#include "gpuav/descriptors/descriptor_state.h"
#include "spirv_instrument/runtime/layout.h"
#include "state/state.h"
#include "vk/feature_info.h"
#include "vk/format_info.h"

namespace assay::gpuav {
namespace {

using spirv_instrument::AddressRange;
using spirv_instrument::DescriptorKey;
using spirv_instrument::DescriptorState;
using spirv_instrument::KnownDescriptorTable;

constexpr size_t kQuadWords = 4;
constexpr uint32_t kFirstSlotBits = 9;
// More contents are not kept.
constexpr size_t kMostKeys = size_t{1} << 18;
// More bytes no descriptor has: Vulkan, "Required Limits".
constexpr size_t kMostBytes = 1024;

// What the driver returns for a call of this thread, from the call down to PostCallRecord. Words that the driver does
// not write are 0.
thread_local std::array<uint32_t, kMostBytes / sizeof(uint32_t)> returned_words;
thread_local bool has_returned_words = false;

void DescribeBuffer(const VkDescriptorAddressInfoEXT* info, bool is_texel_buffer, DescriptorState& state) {
  state.is_null = info == nullptr || info->address == 0;
  if (state.is_null) return;
  state.size = info->range;
  if (!is_texel_buffer) return;
  const vk::FormatInfo* format = vk::GetFormatInfo(info->format);
  const bool has_texels = format != nullptr && format->block_size != 0 && info->range != VK_WHOLE_SIZE;
  if (has_texels) state.size = info->range / format->block_size * format->texels_per_block;
}

// An access that one of both allows is good.
void Widen(DescriptorState& state, const DescriptorState& by) {
  state.size = std::max(state.size, by.size);
  for (uint32_t DescriptorState::* member :
       {&DescriptorState::width, &DescriptorState::height, &DescriptorState::depth_or_layers, &DescriptorState::levels,
        &DescriptorState::samples}) {
    state.*member = std::max(state.*member, by.*member);
  }
}

// Whether the application wants what the table is for.
bool IsWanted(const Context& context) {
  const dispatch::Settings& settings = context.settings();
  return settings.gpuav_enable && settings.gpuav_shader_instrumentation && settings.gpuav_descriptor_checks &&
         context.pushes_addresses() && context.device().HasFeature(vk::FeatureId::kDescriptorBuffer);
}

}  // namespace

KnownDescriptors::KnownDescriptors(Context& context, Memory& memory, AddressTables& addresses,
                                   const std::atomic<uint64_t>& submissions)
    : context_(context),
      memory_(memory),
      addresses_(addresses),
      submissions_(submissions),
      is_used_(IsWanted(context)),
      accepts_unknown_(context.device().HasFeature(vk::FeatureId::kDescriptorBufferCaptureReplay)) {}

// ---- The table.

VkDeviceAddress KnownDescriptors::Place() {
  const VkDeviceAddress address = place_address_.load(std::memory_order_acquire);
  if (address != 0 || !is_used_) return address;
  absl::MutexLock lock(&mutex_);
  MakeFirst();
  return place_address_.load(std::memory_order_relaxed);
}

bool KnownDescriptors::MakeFirst() {
  if (table_) return true;
  if (!context_.is_enabled() || !context_.has_device()) return false;
  if (!place_) place_ = memory_.Allocate(kQuadWords * sizeof(uint32_t));
  return place_ && Grow();
}

bool KnownDescriptors::Grow() {
  DropDestroyed();
  uint32_t slot_bits = table_ ? table_->slot_bits() : kFirstSlotBits;
  while (2 * (entries_.size() + 1) > size_t{1} << slot_bits) ++slot_bits;
  KnownDescriptorTable table(slot_bits, accepts_unknown_);
  const MemoryRange range = memory_.Allocate(table.words().size() * sizeof(uint32_t));
  if (!range) {
    if (table_) AcceptUnknown();
    return false;
  }
  if (table_) old_.push_back({memory_of_table_, submissions_.load(std::memory_order_relaxed)});
  table_ = std::move(table);
  memory_of_table_ = range;
  for (auto& [key, entry] : entries_) {
    entry.slot = *table_->Add({static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)});
    if (entry.is_unchecked) {
      table_->SetUnchecked(entry.slot);
    } else {
      table_->Set(entry.slot, entry.state);
    }
  }
  std::ranges::copy(table_->words(), range.mapped);
  // The device may read the address at any time, and finds all words behind it.
  FlushWrites();
  std::atomic_ref<uint64_t>(*reinterpret_cast<uint64_t*>(place_.mapped))
      .store(range.address, std::memory_order_release);
  place_address_.store(place_.address, std::memory_order_release);
  return true;
}

// Another buffer may come to the address of one that was destroyed.
void KnownDescriptors::DropDestroyed() {
  const auto is_gone = [](const auto& item) { return item.second.state.is_destroyed && item.second.address == 0; };
  const auto gone = static_cast<size_t>(std::ranges::count_if(entries_, is_gone));
  if (2 * gone > entries_.size()) absl::erase_if(entries_, is_gone);
}

void KnownDescriptors::Write(size_t first, size_t count) {
  const absl::Span<const uint32_t> words = table_->words().subspan(first, count);
  std::memcpy(memory_of_table_.mapped + first, words.data(), words.size() * sizeof(uint32_t));
}

void KnownDescriptors::AcceptUnknown() {
  accepts_unknown_ = true;
  table_->AcceptUnknown();
  Write(size_t{spirv_instrument::kUnknownDescriptorQuad} * kQuadWords, kQuadWords);
}

bool KnownDescriptors::MakeRoom() {
  if (entries_.size() < kMostKeys) return true;
  // Without those that stand for nothing any more. What was left out once cannot be told from unknown bytes.
  if (!is_full_) is_full_ = !Grow() || entries_.size() >= kMostKeys;
  if (is_full_) AcceptUnknown();
  return !is_full_;
}

bool KnownDescriptors::AddSlot(uint64_t key, Entry& entry) {
  const std::optional<size_t> slot = table_->Add({static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)});
  if (!slot) return false;
  entry.slot = *slot;
  SetSlot(entry);
  // A shader that finds the key finds the rest.
  FlushWrites();
  Write(entry.slot, kQuadWords);
  return true;
}

void KnownDescriptors::SetSlot(const Entry& entry) {
  if (entry.is_unchecked) {
    table_->SetUnchecked(entry.slot);
  } else {
    table_->Set(entry.slot, entry.state);
  }
  Write(entry.slot + kQuadWords, kQuadWords);
}

void KnownDescriptors::ForgetUpTo(uint64_t submission) {
  if (!is_used_) return;
  absl::MutexLock lock(&mutex_);
  std::erase_if(old_, [&](const Old& old) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (old.submission > submission) return false;
    memory_.Free(old.range);
    return true;
  });
}

void KnownDescriptors::Clear() {
  absl::MutexLock lock(&mutex_);
  place_address_.store(0, std::memory_order_relaxed);
  place_ = memory_of_table_ = {};
  table_.reset();
  old_.clear();
}

// ---- What is returned.

void KnownDescriptors::Rewrite(const vk::GetDescriptorEXT& call, vk::GetDescriptorEXT& down, dispatch::Rewriter&) {
  has_returned_words = call.dataSize <= kMostBytes;
  if (!has_returned_words) return;
  std::ranges::fill(absl::MakeSpan(returned_words).first((call.dataSize + 3) / 4), 0u);
  down.pDescriptor = returned_words.data();
}

void KnownDescriptors::PostCallRecord(const vk::GetDescriptorEXT& call) {
  const bool has_words = std::exchange(has_returned_words, false);
  if (has_words) std::memcpy(call.pDescriptor, returned_words.data(), call.dataSize);
  const VkDescriptorGetInfoEXT& info = *call.pDescriptorInfo;
  const uint32_t bytes = BytesOfDescriptor(context_.device(), info.type);
  // Of such ones, shaders read no bytes.
  if (bytes == 0 || bytes % 4 != 0) return;
  if (has_words && bytes == call.dataSize) {
    return Learn(Describe(info), absl::MakeSpan(returned_words).first(bytes / 4));
  }
  absl::MutexLock lock(&mutex_);
  if (MakeFirst()) AcceptUnknown();
}

KnownDescriptors::Returned KnownDescriptors::Describe(const VkDescriptorGetInfoEXT& info) {
  Returned returned = {.state = {.type = TypeOf(info.type), .is_written = true}};
  const auto image = [&returned](const VkDescriptorImageInfo* of) {
    returned.view = of != nullptr ? of->imageView : VK_NULL_HANDLE;
    returned.state.is_null = returned.view == VK_NULL_HANDLE;
    if (returned.state.is_null) return;
    const auto* view = state::DeviceState::Get<state::ImageView>(returned.view);
    if (view == nullptr) return;
    returned.image = reinterpret_cast<VkImage>(view->image->handle());
    DescribeImage(returned.view, returned.state);
    // No correct program asks for such a one, and nothing will say that it is gone.
    if (std::exchange(returned.state.is_destroyed, false)) returned.view = VK_NULL_HANDLE;
  };
  const auto buffer = [&returned](const VkDescriptorAddressInfoEXT* of, bool is_texel_buffer) {
    DescribeBuffer(of, is_texel_buffer, returned.state);
    if (!returned.state.is_null) returned.address = of->address;
  };
  switch (info.type) {
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      image(info.data.pCombinedImageSampler);
      break;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      image(info.data.pInputAttachmentImage);
      break;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
      image(info.data.pSampledImage);
      break;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
      image(info.data.pStorageImage);
      break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
      buffer(info.data.pUniformTexelBuffer, true);
      break;
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      buffer(info.data.pStorageTexelBuffer, true);
      break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
      buffer(info.data.pUniformBuffer, false);
      break;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
      buffer(info.data.pStorageBuffer, false);
      break;
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
      returned.state.is_null = info.data.accelerationStructure == 0;
      break;
    default:
      break;
  }
  return returned;
}

void KnownDescriptors::Learn(const Returned& returned, absl::Span<const uint32_t> words) {
  const uint64_t key = spirv_instrument::KeyOfDescriptor(returned.state.type, words).value();
  absl::MutexLock lock(&mutex_);
  if (!MakeFirst()) return;
  auto found = entries_.find(key);
  if (found != entries_.end()) {
    if (!std::ranges::equal(found->second.words, words)) return Uncheck(found->second);
    return Merge(key, found->second, returned);
  }
  if (!MakeRoom()) return;
  Entry entry = {.words = {words.begin(), words.end()}, .state = returned.state};
  if (!AddSlot(key, entry) && (!Grow() || !AddSlot(key, entry))) return;
  Track(key, entries_[key] = std::move(entry), returned);
}

void KnownDescriptors::Merge(uint64_t key, Entry& entry, const Returned& returned) {
  if (entry.is_unchecked) return;
  if (entry.state.is_destroyed) {
    entry.state = returned.state;
  } else if (entry.state.is_null == returned.state.is_null) {
    Widen(entry.state, returned.state);
  } else {
    return Uncheck(entry);
  }
  Track(key, entry, returned);
  SetSlot(entry);
}

void KnownDescriptors::Uncheck(Entry& entry) {
  entry.state.is_destroyed = false;
  entry.is_unchecked = true;
  SetSlot(entry);
}

void KnownDescriptors::Track(uint64_t key, Entry& entry, const Returned& returned) {
  if (returned.view != VK_NULL_HANDLE && returned.image != VK_NULL_HANDLE) {
    if (std::ranges::find(entry.views, returned.view) != entry.views.end()) return;
    entry.views.push_back(returned.view);
    View& view = views_[returned.view];
    if (view.keys.empty()) images_[view.image = returned.image].push_back(returned.view);
    view.keys.push_back(key);
  } else if (returned.address != 0 && (entry.address == 0 || entry.address == returned.address) &&
             buffers_.Has(returned.address)) {
    if (entry.address == 0) by_address_.emplace(returned.address, key);
    entry.address = returned.address;
  } else {
    entry.is_permanent = true;
  }
}

// ---- What becomes of the resources.

void KnownDescriptors::SetDestroyed(Entry& entry, bool is_destroyed) {
  if (entry.is_permanent || entry.is_unchecked || entry.state.is_destroyed == is_destroyed) return;
  entry.state.is_destroyed = is_destroyed;
  SetSlot(entry);
}

void KnownDescriptors::OnDestroy(VkImageView view) {
  const auto node = views_.extract(view);
  if (node.empty()) return;
  const auto image = images_.find(node.mapped().image);
  std::erase(image->second, view);
  if (image->second.empty()) images_.erase(image);
  for (const uint64_t key : node.mapped().keys) {
    Entry& entry = entries_[key];
    std::erase(entry.views, view);
    if (entry.views.empty()) SetDestroyed(entry, true);
  }
}

void KnownDescriptors::PreCallRecord(const vk::DestroyImageView& call) {
  absl::MutexLock lock(&mutex_);
  OnDestroy(call.imageView);
}

void KnownDescriptors::PreCallRecord(const vk::DestroyImage& call) {
  absl::MutexLock lock(&mutex_);
  const auto found = images_.find(call.image);
  if (found == images_.end()) return;
  const std::vector<VkImageView> views = found->second;
  for (VkImageView view : views) OnDestroy(view);
}

void KnownDescriptors::AddBuffer(VkBuffer buffer) {
  const AddressRange range = addresses_.RangeOf(buffer);
  if (range.size == 0) return;
  absl::MutexLock lock(&mutex_);
  if (!buffers_.Add(buffer, range)) return;
  FollowBuffers(range);
}

void KnownDescriptors::PostCallRecord(const vk::CreateBuffer& call, VkResult result) {
  if (result == VK_SUCCESS) AddBuffer(*call.pBuffer);
}

void KnownDescriptors::PostCallRecord(const vk::BindBufferMemory& call, VkResult result) {
  if (result == VK_SUCCESS) AddBuffer(call.buffer);
}

// Those that have an address now, even if others of them do not.
void KnownDescriptors::PostCallRecord(const vk::BindBufferMemory2& call, VkResult) {
  for (uint32_t i = 0; i < call.bindInfoCount; ++i) AddBuffer(call.pBindInfos[i].buffer);
}

void KnownDescriptors::PreCallRecord(const vk::DestroyBuffer& call) {
  absl::MutexLock lock(&mutex_);
  if (const std::optional<AddressRange> range = buffers_.Remove(call.buffer)) FollowBuffers(*range);
}

void KnownDescriptors::FollowBuffers(const AddressRange& range) {
  const auto end = by_address_.lower_bound(range.begin + range.size);
  for (auto at = by_address_.lower_bound(range.begin); at != end; ++at) {
    SetDestroyed(entries_[at->second], !buffers_.Has(at->first));
  }
}

}  // namespace assay::gpuav
