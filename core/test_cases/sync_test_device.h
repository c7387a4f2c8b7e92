// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_TEST_CASES_SYNC_TEST_DEVICE_H_
#define ASSAY_CORE_TEST_CASES_SYNC_TEST_DEVICE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/barriers/sync_rules.h"
#include "core/recording/recording_scope.h"
#include "core/test_cases/sync_device.h"
#include "dispatch/dispatch.h"
#include "state/state.h"
#include "testing/messages/collected_messages.h"
#include "vk/extension_info.h"
#include "vk/struct_traits.h"
#include "vk/vulkan.h"

// Test-only: a device without a driver. Its calls reach SyncRules alone.
namespace assay::core {

class SyncTestDevice : public SyncDevice {
 public:
  explicit SyncTestDevice(const SyncTestOptions& options) : device_(instance_) {
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
  ~SyncTestDevice() override {
    rules_.reset();
    state_.reset();
    for (dispatch::Slot* slot : slots_) {
      if (IsDispatchable(slot->type)) {
        dispatch::DispatchableTable::Get().Remove(reinterpret_cast<const void*>(slot->application_handle), slot);
      }
      dispatch::HandleTable::Get().Remove(slot, vk::CommandId::kDestroyDevice);
    }
  }

  VkDevice device() const override { return device_.handle; }
  VkCommandBuffer MakeCommands() { return MakeCommands({}); }
  VkCommandBuffer MakeCommands(const CommandBufferOptions& options) override {
    const auto pool = Make<vk::CreateCommandPool, VkCommandPool>(VkCommandPoolCreateInfo{
        VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, options.pool_flags, options.family});
    auto commands = Add<VkCommandBuffer>();
    const VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                              options.level, 1};
    state_->PostCallRecord(vk::AllocateCommandBuffers{device(), &info, &commands}, VK_SUCCESS);
    state::DeviceState::Get(commands)->recording_state =
        options.is_executable ? state::RecordingState::kExecutable : state::RecordingState::kRecording;
    return commands;
  }
  VkCommandBuffer MakeRecording(uint32_t family, RecordingPlace place) override {
    VkCommandBuffer commands = MakeCommands({.family = family, .is_executable = false});
    auto* scope = state::DeviceState::Get(commands)->Sub<RecordingScope>();
    if (place == RecordingPlace::kInRenderPass) scope->SetInRenderPass(true);
    if (place == RecordingPlace::kInRendering) scope->SetInRendering(true);
    return commands;
  }
  VkQueue MakeQueue(uint32_t family, VkDeviceQueueCreateFlags flags) override {
    auto queue = Add<VkQueue>();
    const VkDeviceQueueInfo2 info = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2, nullptr, flags, family, 0};
    state_->PostCallRecord(vk::GetDeviceQueue2{device(), &info, &queue});
    return queue;
  }
  VkBuffer MakeBuffer(const VkBufferCreateInfo& info, bool bound) override {
    const auto buffer = Make<vk::CreateBuffer, VkBuffer>(info);
    if (bound) state_->PostCallRecord(vk::BindBufferMemory{device(), buffer, MakeMemory(), 0}, VK_SUCCESS);
    return buffer;
  }
  VkImage MakeImage(const VkImageCreateInfo& info) { return MakeImage(info, true); }
  VkImage MakeImage(const VkImageCreateInfo& info, bool bound) override {
    const auto image = Make<vk::CreateImage, VkImage>(info);
    if (bound) state_->PostCallRecord(vk::BindImageMemory{device(), image, MakeMemory(), 0}, VK_SUCCESS);
    return image;
  }
  VkSemaphore MakeSemaphore(VkSemaphoreType type, uint64_t value) override {
    const VkSemaphoreTypeCreateInfo with = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr, type, value};
    return Make<vk::CreateSemaphore, VkSemaphore>(
        VkSemaphoreCreateInfo{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &with, 0});
  }
  VkEvent MakeEvent(VkEventCreateFlags flags) override {
    return Make<vk::CreateEvent, VkEvent>(VkEventCreateInfo{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO, nullptr, flags});
  }
  VkQueryPool MakeQueryPool() override { return Add<VkQueryPool>(); }

  // The ids that all calls reported.
  std::vector<std::string> ids() const { return messages_.Ids(); }

 private:
  static constexpr bool IsDispatchable(VkObjectType type) {
    return type == VK_OBJECT_TYPE_COMMAND_BUFFER || type == VK_OBJECT_TYPE_QUEUE;
  }

  void Run(const AnyCall& call) override {
    messages::Report report(instance_.reporter, call.command);
    // The first parameter is the object that the command is dispatched on.
    const void* const dispatched_on = *static_cast<void* const*>(call.parameters);
    call.validate(*rules_, call.parameters, dispatch::DispatchableTable::Get().Find(dispatched_on), report);
  }
  template <class H>
  H Add() {
    static std::atomic<uint64_t> next = 0x1000;
    constexpr VkObjectType kType = vk::kObjectTypeOf<H>;
    constexpr auto kKind = IsDispatchable(kType) ? dispatch::HandleKind::kDispatchable : dispatch::HandleKind::kWrapped;
    dispatch::Slot* slot = dispatch::HandleTable::Get().Add(kType, next.fetch_add(16), &instance_, &device_, kKind);
    slots_.push_back(slot);
    const H handle = reinterpret_cast<H>(slot->application_handle);
    if (IsDispatchable(kType)) dispatch::DispatchableTable::Get().Add(reinterpret_cast<const void*>(handle), slot);
    return handle;
  }
  // With command C, for the state.
  template <class C, class H, class Info>
  H Make(const Info& info) {
    H made = Add<H>();
    state_->PostCallRecord(C{device(), &info, nullptr, &made}, VK_SUCCESS);
    return made;
  }
  VkDeviceMemory MakeMemory() {
    return Make<vk::AllocateMemory, VkDeviceMemory>(
        VkMemoryAllocateInfo{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, 1 << 20, 0});
  }

  dispatch::Instance instance_;
  test::CollectedMessages messages_{instance_.reporter};
  dispatch::PhysicalDevice physical_device_;
  dispatch::Device device_;
  std::unique_ptr<state::DeviceState> state_;
  std::unique_ptr<SyncRules> rules_;
  std::vector<dispatch::Slot*> slots_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_TEST_CASES_SYNC_TEST_DEVICE_H_
