// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/test_cases/sync_test_device.h"

#include <atomic>

#include "core/recording/recording_scope.h"
#include "vk/extension_info.h"

namespace assay::core {
namespace {

// The queue types that the registry has.
constexpr VkQueueFlags kEveryType = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT |
                                    VK_QUEUE_SPARSE_BINDING_BIT | VK_QUEUE_PROTECTED_BIT |
                                    VK_QUEUE_VIDEO_DECODE_BIT_KHR | VK_QUEUE_VIDEO_ENCODE_BIT_KHR |
                                    VK_QUEUE_OPTICAL_FLOW_BIT_NV;

bool IsDispatchable(VkObjectType type) { return type == VK_OBJECT_TYPE_COMMAND_BUFFER || type == VK_OBJECT_TYPE_QUEUE; }

}  // namespace

std::vector<VkQueueFamilyProperties> SyncDevice::QueueFamilies(const SyncTestOptions& options) {
  constexpr VkExtent3D kGranularity = {1, 1, 1};
  std::vector<VkQueueFamilyProperties> families = {{kEveryType, 2, 64, kGranularity},
                                                   {VK_QUEUE_COMPUTE_BIT, 2, 64, kGranularity},
                                                   {VK_QUEUE_TRANSFER_BIT, 2, 64, kGranularity},
                                                   {kEveryType, 2, 0, kGranularity}};
  for (VkQueueFamilyProperties& family : families) family.queueFlags &= ~options.unsupported;
  return families;
}

SyncTestDevice::SyncTestDevice(const SyncTestOptions& options) : device_(instance_) {
  instance_.api_version = options.instance_version;
  physical_device_.queue_families = QueueFamilies(options);
  device_.physical_device = &physical_device_;
  for (const vk::FeatureInfo& feature : vk::Features())
    device_.enabled_features[static_cast<size_t>(feature.id)] = !options.disabled.contains(feature.name);
  for (size_t i = 0; i < vk::kExtensionCount; ++i) {
    const auto id = static_cast<vk::ExtensionId>(i);
    device_.enabled_extensions[i] = !options.disabled.contains(vk::GetExtensionInfo(id).name);
  }
  state_ = std::make_unique<state::DeviceState>(device_);
  state_->AttachToCommandBuffers(RecordingScope::kSlot, [](state::CommandBuffer& buffer) {
    return std::make_unique<RecordingScope>(buffer.level == VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  });
  rules_ = std::make_unique<SyncRules>(*state_, options.leave_out);
}

SyncTestDevice::~SyncTestDevice() {
  rules_.reset();
  state_.reset();
  for (dispatch::Slot* slot : slots_) {
    if (IsDispatchable(slot->type)) {
      dispatch::DispatchableTable::Get().Remove(reinterpret_cast<const void*>(slot->application_handle), slot);
    }
    dispatch::HandleTable::Get().Remove(slot, vk::CommandId::kDestroyDevice);
  }
}

template <class H>
H SyncTestDevice::Add(VkObjectType type) {
  static std::atomic<uint64_t> next = 0x1000;
  const uint64_t driver_handle = next.fetch_add(16);
  const auto handle_kind = IsDispatchable(type) ? dispatch::HandleKind::kDispatchable : dispatch::HandleKind::kWrapped;
  dispatch::Slot* slot = dispatch::HandleTable::Get().Add(type, driver_handle, &instance_, &device_, handle_kind);
  slots_.push_back(slot);
  const H handle = reinterpret_cast<H>(slot->application_handle);
  if (IsDispatchable(type)) dispatch::DispatchableTable::Get().Add(reinterpret_cast<const void*>(handle), slot);
  return handle;
}

void SyncTestDevice::Run(const AnyCall& call) {
  messages::Report report(instance_.reporter, call.command);
  // The first parameter is the object that the command is dispatched on.
  const void* const dispatched_on = *static_cast<void* const*>(call.parameters);
  call.validate(*rules_, call.parameters, dispatch::DispatchableTable::Get().Find(dispatched_on), report);
}

VkCommandBuffer SyncTestDevice::MakeCommands(const CommandBufferOptions& options) {
  VkCommandPool pool = Add<VkCommandPool>(VK_OBJECT_TYPE_COMMAND_POOL);
  const VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, options.pool_flags,
                                             options.family};
  state_->PostCallRecord(vk::CreateCommandPool{device_.handle, &pool_info, nullptr, &pool}, VK_SUCCESS);
  VkCommandBuffer commands = Add<VkCommandBuffer>(VK_OBJECT_TYPE_COMMAND_BUFFER);
  const VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                            options.level, 1};
  state_->PostCallRecord(vk::AllocateCommandBuffers{device_.handle, &info, &commands}, VK_SUCCESS);
  state::DeviceState::Get(commands)->recording_state =
      options.is_executable ? state::RecordingState::kExecutable : state::RecordingState::kRecording;
  return commands;
}

VkCommandBuffer SyncTestDevice::MakeRecording(uint32_t family, RecordingPlace place) {
  VkCommandBuffer commands = MakeCommands({.family = family, .is_executable = false});
  auto* scope = state::DeviceState::Get(commands)->Sub<RecordingScope>();
  if (place == RecordingPlace::kInRenderPass) scope->SetInRenderPass(true);
  if (place == RecordingPlace::kInRendering) scope->SetInRendering(true);
  return commands;
}

VkQueue SyncTestDevice::MakeQueue(uint32_t family, VkDeviceQueueCreateFlags flags) {
  VkQueue queue = Add<VkQueue>(VK_OBJECT_TYPE_QUEUE);
  const VkDeviceQueueInfo2 info = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2, nullptr, flags, family, 0};
  state_->PostCallRecord(vk::GetDeviceQueue2{device_.handle, &info, &queue});
  return queue;
}

VkDeviceMemory SyncTestDevice::MakeMemory() {
  VkDeviceMemory memory = Add<VkDeviceMemory>(VK_OBJECT_TYPE_DEVICE_MEMORY);
  const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, 1 << 20, 0};
  state_->PostCallRecord(vk::AllocateMemory{device_.handle, &info, nullptr, &memory}, VK_SUCCESS);
  return memory;
}

VkBuffer SyncTestDevice::MakeBuffer(const VkBufferCreateInfo& info, bool bound) {
  VkBuffer buffer = Add<VkBuffer>(VK_OBJECT_TYPE_BUFFER);
  state_->PostCallRecord(vk::CreateBuffer{device_.handle, &info, nullptr, &buffer}, VK_SUCCESS);
  if (bound) state_->PostCallRecord(vk::BindBufferMemory{device_.handle, buffer, MakeMemory(), 0}, VK_SUCCESS);
  return buffer;
}

VkImage SyncTestDevice::MakeImage(const VkImageCreateInfo& info, bool bound) {
  VkImage image = Add<VkImage>(VK_OBJECT_TYPE_IMAGE);
  state_->PostCallRecord(vk::CreateImage{device_.handle, &info, nullptr, &image}, VK_SUCCESS);
  if (bound) state_->PostCallRecord(vk::BindImageMemory{device_.handle, image, MakeMemory(), 0}, VK_SUCCESS);
  return image;
}

VkSemaphore SyncTestDevice::MakeSemaphore(VkSemaphoreType type, uint64_t value) {
  VkSemaphore semaphore = Add<VkSemaphore>(VK_OBJECT_TYPE_SEMAPHORE);
  const VkSemaphoreTypeCreateInfo type_info = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr, type, value};
  const VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type_info, 0};
  state_->PostCallRecord(vk::CreateSemaphore{device_.handle, &info, nullptr, &semaphore}, VK_SUCCESS);
  return semaphore;
}

VkEvent SyncTestDevice::MakeEvent(VkEventCreateFlags flags) {
  VkEvent event = Add<VkEvent>(VK_OBJECT_TYPE_EVENT);
  const VkEventCreateInfo info = {VK_STRUCTURE_TYPE_EVENT_CREATE_INFO, nullptr, flags};
  state_->PostCallRecord(vk::CreateEvent{device_.handle, &info, nullptr, &event}, VK_SUCCESS);
  return event;
}

VkQueryPool SyncTestDevice::MakeQueryPool() { return Add<VkQueryPool>(VK_OBJECT_TYPE_QUERY_POOL); }

}  // namespace assay::core
