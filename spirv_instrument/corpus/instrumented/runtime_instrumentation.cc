// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/instrumented/runtime_instrumentation.h"

#include <cstring>
#include <utility>

#include "spirv_instrument/corpus/instrumented/limits.h"
#include "testing/functions.h"

namespace assay::spirv_instrument::corpus {
namespace {

// The action block of this run is all that its buffer has, so that it needs no dynamic offset.
VkDescriptorType TypeOf(uint32_t binding) {
  return binding == kActionBinding ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

template <typename T>
std::vector<uint8_t> ToBytes(const T& value) {
  std::vector<uint8_t> bytes(sizeof(value));
  std::memcpy(bytes.data(), &value, sizeof(value));
  return bytes;
}

}  // namespace

RuntimeInstrumentation::RuntimeInstrumentation(const Device& device, std::vector<std::vector<uint32_t>> words,
                                               const RuntimeConfig& runtime, size_t counters)
    : objects_(device), words_(std::move(words)), runtime_(runtime), counters_(counters) {}

absl::StatusOr<Additions> RuntimeInstrumentation::Prepare(const Device&, const Program&, const Input& input,
                                                          const Resources& resources) {
  addresses_.clear();
  for (const Buffer& buffer : resources.buffers()) addresses_[buffer.name] = buffer.address;
  absl::StatusOr<RuntimeMemory> memory = MakeRuntimeMemory(input.setup, addresses_, counters_);
  if (!memory.ok()) return memory.status();
  memory_ = *std::move(memory);
  if (limited_ != nullptr) SetLimits(input.setup, *limited_, memory_);
  if (is_unchecked_) corpus::SetUnchecked(memory_);
  if (absl::Status status = MakeBuffers(); !status.ok()) return status;
  Additions additions = {.words = words_};
  const uint64_t address = buffers_[kActionBinding].address;
  if (runtime_.reach == Reach::kPushConstant) {
    additions.push_constant_offset = runtime_.push_constant_offset;
    additions.push_constants = ToBytes(address);
  } else if (runtime_.reach == Reach::kSpecializationConstant) {
    for (uint32_t i = 0; i < 2; ++i) {
      const auto word = static_cast<uint32_t>(address >> (32 * i));
      additions.specialization.push_back({runtime_.specialization_id + i, ToBytes(word)});
    }
  } else {
    absl::StatusOr<Additions::Set> set = MakeSet();
    if (!set.ok()) return set.status();
    additions.sets.push_back(*set);
  }
  return additions;
}

absl::Status RuntimeInstrumentation::MakeBuffers() {
  std::array<uint64_t, kBindingsOfReservedSet> addresses = {};
  for (size_t i = 0; i < buffers_.size(); ++i) {
    absl::StatusOr<MappedBuffer> buffer = objects_.MakeBuffer(memory_.parts[i].size() * sizeof(uint32_t));
    if (!buffer.ok()) return buffer.status();
    buffers_[i] = *buffer;
    addresses[i] = buffer->address;
  }
  SetAddresses(memory_, addresses);
  for (size_t i = 0; i < buffers_.size(); ++i) {
    std::memcpy(buffers_[i].memory, memory_.parts[i].data(), memory_.parts[i].size() * sizeof(uint32_t));
  }
  return absl::OkStatus();
}

absl::StatusOr<Additions::Set> RuntimeInstrumentation::MakeSet() {
  const test::Functions& vk = objects_.vk();
  const VkDevice device = objects_.device().handle();
  std::array<VkDescriptorSetLayoutBinding, kBindingsOfReservedSet> bindings = {};
  std::array<VkDescriptorBufferInfo, kBindingsOfReservedSet> infos = {};
  for (uint32_t i = 0; i < bindings.size(); ++i) {
    bindings[i] = {.binding = i, .descriptorType = TypeOf(i), .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_ALL};
    infos[i] = {buffers_[i].handle, 0, VK_WHOLE_SIZE};
  }
  const VkDescriptorSetLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                       .bindingCount = kBindingsOfReservedSet,
                                                       .pBindings = bindings.data()};
  Additions::Set set = {.number = runtime_.descriptor_set};
  absl::Status status =
      Check(vk.CreateDescriptorSetLayout(device, &layout_info, nullptr, &set.layout), "vkCreateDescriptorSetLayout");
  if (!status.ok()) return status;
  objects_.Defer([this, layout = set.layout] {
    objects_.vk().DestroyDescriptorSetLayout(objects_.device().handle(), layout, nullptr);
  });
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1},
                                        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kBindingsOfReservedSet - 1}};
  const VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 2, .pPoolSizes = sizes};
  VkDescriptorPool pool = VK_NULL_HANDLE;
  status = Check(vk.CreateDescriptorPool(device, &pool_info, nullptr, &pool), "vkCreateDescriptorPool");
  if (!status.ok()) return status;
  objects_.Defer([this, pool] { objects_.vk().DestroyDescriptorPool(objects_.device().handle(), pool, nullptr); });
  const VkDescriptorSetAllocateInfo allocate_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                     .descriptorPool = pool,
                                                     .descriptorSetCount = 1,
                                                     .pSetLayouts = &set.layout};
  status = Check(vk.AllocateDescriptorSets(device, &allocate_info, &set.set), "vkAllocateDescriptorSets");
  if (!status.ok()) return status;
  std::array<VkWriteDescriptorSet, kBindingsOfReservedSet> writes = {};
  for (uint32_t i = 0; i < writes.size(); ++i) {
    writes[i] = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                 .dstSet = set.set,
                 .dstBinding = i,
                 .descriptorCount = 1,
                 .descriptorType = TypeOf(i),
                 .pBufferInfo = &infos[i]};
  }
  vk.UpdateDescriptorSets(device, kBindingsOfReservedSet, writes.data(), 0, nullptr);
  return set;
}

absl::Status RuntimeInstrumentation::Finish(const Device&, VkResult work) {
  if (work != VK_SUCCESS) return absl::UnavailableError("the device was lost");
  for (size_t i = 0; i < buffers_.size(); ++i) {
    std::memcpy(memory_.parts[i].data(), buffers_[i].memory, memory_.parts[i].size() * sizeof(uint32_t));
  }
  return absl::OkStatus();
}

}  // namespace assay::spirv_instrument::corpus
